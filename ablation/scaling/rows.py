"""What was measured: one JSON file a launch. Files are only ever added, so that an interrupted study goes on where it
stopped and no result is lost."""

import hashlib
import json
import os
import uuid
from pathlib import Path

from ablation.rows import Row

KINDS = ("check", "counts", "times")


class Conflict(Exception):
    """Two different rows claim one name."""


def add(folder: Path, name: str, row: Row) -> None:
    """Write a row that nobody else has written; complete or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    scratch = folder / f".{uuid.uuid4().hex}.tmp"
    with scratch.open("w") as out:
        out.write(json.dumps(row, indent=1) + "\n")
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(scratch, folder / f"{name}.json")  # fails where the name is taken
    except FileExistsError as error:
        raise Conflict(f"there is a row {name} already") from error
    finally:
        scratch.unlink()


def new_name(row: Row) -> str:
    return f"{row['key']}.{row['kind']}.{uuid.uuid4().hex[:12]}"


def read(folder: Path) -> list[Row]:
    """The rows of a folder, oldest first; each knows its name."""
    found = [{**json.loads(f.read_text()), "name": f.stem} for f in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda row: (row["date"], row["name"]))


def good(rows: list[Row], kind: str, key: str | None = None, identity: str | None = None) -> list[Row]:
    return [
        row
        for row in rows
        if row["kind"] == kind
        and row["status"] == "ok"
        and key in (None, row["key"])
        and identity in (None, row["identity"])
    ]


def export(folder: Path, machine: str) -> Row:
    """One document with all rows of a machine, to be brought home."""
    return {"format": 1, "machine": machine, "rows": read(folder)}


def merge(document: Row, results: Path) -> tuple[int, int]:
    """Add a document's rows to RESULTS/<machine>/scaling/rows. (how many are new, how many were there). Conflict, with
    nothing written, where a name is taken by another row."""
    if document.get("format") != 1 or not document.get("machine"):
        raise ValueError("this is no export of scaling rows")
    if os.sep in document["machine"] or document["machine"].startswith("."):
        raise ValueError(f"'{document['machine']}' is no name of a machine")
    folder = results / document["machine"] / "scaling" / "rows"
    there = {row["name"]: digest(row) for row in read(folder)}
    new = []
    for row in document["rows"]:
        known = there.get(row["name"])
        if known is None:
            new.append(row)
        elif known != digest(row):
            raise Conflict(f"row {row['name']} of {document['machine']} is here with other contents")
    for row in new:
        name = row["name"]
        if os.sep in name or name.startswith("."):
            raise ValueError(f"'{name}' is no name of a row")
        add(folder, name, {k: v for k, v in row.items() if k != "name"})
    return len(new), len(document["rows"]) - len(new)


def digest(row: Row) -> str:
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()
