"""Runs the launches that have no row yet. A point is checked first, then counted, then timed; one whose cores are too few
is not timed."""

import ctypes
import json
import os
import signal
import subprocess
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ablation.rows import Row
from tools.retrolib import ROOT

from .. import machine
from ..manifest import quoted
from . import rows
from .places import Place
from .points import Point


@dataclass(frozen=True)
class Launch:
    point: Point
    kind: str


@dataclass(frozen=True)
class Options:
    """programs: folder of the executables; counted: {program: executable that counts its tape} where that is not beside
    it; launches: timed launches of a point; timeout: seconds of one; command: how the study was started."""

    programs: Path
    counted: dict[str, Path]
    launches: int = 3
    timeout: float = 3600
    command: str | None = None


def die_with_parent() -> None:
    """A program that outlives a killed study would disturb the next one."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def identity(point: Point, options: Options) -> str:
    """Changes with the program: rows of another one are of another series."""
    return machine.digest(options.programs / point.program)[:16]


def wanted(point: Point, place: Place, options: Options) -> list[Launch]:
    timed = [] if place.oversubscribed(point) else [Launch(point, "times")] * options.launches
    return [Launch(point, "check"), Launch(point, "counts"), *timed]


def pending(points: list[Point], place: Place, folder: Path, options: Options) -> list[Launch]:
    """The launches that are missing: checks and counts of all points, then the first timed launch of each, the second, …: so
    that a slow hour does not fall on one point alone."""
    measured, missing = rows.read(folder), []
    for point in points:
        identified = identity(point, options)
        for kind in rows.KINDS:
            launches = [x for x in wanted(point, place, options) if x.kind == kind]
            there = len(rows.good(measured, kind, point.key, identified))
            missing += [(rows.KINDS.index(kind), at, x) for at, x in enumerate(launches[there:], there)]
    return [launch for _, _, launch in sorted(missing, key=lambda m: m[:2])]


class Failed(Exception):
    """The launch gave no result; the text is the reason."""


def execute(command: list[str], env: dict[str, str], timeout: float) -> None:
    """Failed where it does not end well, with what it said last."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=die_with_parent,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"ran past {timeout:g} s") from expired
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.returncode:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        telling = [line for line in lines if "error" in line.lower()] or lines[-1:] or ["no output"]
        raise Failed(f"exit status {process.returncode}: {telling[0][:300]}")


def program_of(launch: Launch, options: Options) -> Path:
    point = launch.point
    if launch.kind == "counts":
        other = options.counted.get(point.program) or (point.counted and options.programs / point.counted)
        if other and Path(other).exists():
            return Path(other)
    return options.programs / point.program


def arguments_of(launch: Launch) -> tuple[str, ...]:
    point = launch.point
    return {"check": point.check_arguments, "counts": point.once, "times": point.arguments}[launch.kind]


def run_program(launch: Launch, place: Place, scratch: Path, options: Options) -> tuple[Row, list[str]]:
    """(the program's row, its command)."""
    out = scratch / f"{uuid.uuid4().hex}.json"
    program = program_of(launch, options)
    command = [
        *place.command(launch.point),
        str(program),
        *arguments_of(launch),
        "--json",
        str(out),
    ]
    execute(command, place.environment(launch.point), options.timeout)
    try:
        return json.loads(out.read_text())["rows"][0], command
    except (OSError, ValueError, LookupError) as error:
        raise Failed(f"{program.name} wrote no row") from error


def taken(launch: Launch, found: Row) -> dict[str, Any]:
    """What of the program's row is kept. Failed where it is no result."""
    columns, verified = found.get("columns", {}), found.get("verified", {})
    if launch.kind == "check":
        if not verified.get("gradient"):
            wrong = [v for v in found.get("verdicts", []) if v["outcome"] != "passed"]
            detail = f": {wrong[0]['check']}, error {wrong[0]['error']}" if wrong else ""
            raise Failed(f"the gradient was not verified{detail}")
        return {"verdicts": found.get("verdicts", [])}
    missing = {"primal", "gradient"} - set(columns)
    if missing:
        raise Failed(f"no {' and no '.join(sorted(missing))} was run")
    if launch.kind == "counts":
        keep = ("messages", "message_bytes", "collectives", "collective_bytes", "tape_bytes")
        return {"counts": {c: {k: columns[c].get(k) for k in keep} for c in ("primal", "gradient")}}
    return {"times": {c: columns[c]["runs"] for c in ("primal", "gradient")}}


def measure(launch: Launch, place: Place, folder: Path, options: Options, commit: str) -> Row:
    """Run one launch and add its row, whatever happens. Returns it."""
    point = launch.point
    row: Row = {
        "format": 1,
        "key": point.key,
        "kind": launch.kind,
        "suite": point.suite,
        "model": point.model,
        "mode": point.mode,
        "ranks": point.ranks,
        "threads": point.threads,
        "size": dict(point.size),
        "base": dict(point.base),
        "work": point.work,
        "oversubscribed": place.oversubscribed(point),
        "status": "ok",
        "reason": None,
        "identity": identity(point, options),
        "machine": {**machine.describe(), **place.describe()},
        "commit": commit,
        "study": options.command and options.command.replace(f"{ROOT}/", ""),
    }
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".run-", dir=folder) as scratch:  # seen by all nodes, as the rows are
        try:
            found, command = run_program(launch, place, Path(scratch), options)
            row |= {
                "command": quoted([Path(c).name if c.startswith(os.sep) else c for c in command]),
                "environment": place.environment(point),
                **{k: found.get(k) for k in ("toggles", "compiler", "flags")},
                **taken(launch, found),
            }
        except Failed as failure:
            row |= {"status": "failed", "reason": str(failure)}
    row["date"] = machine.today()
    rows.add(folder, rows.new_name(row), row)
    return row


def run(points: list[Point], place: Place, folder: Path, options: Options, out: TextIO) -> int:
    """Everything that is missing. Returns how many launches failed or were left out because a check failed."""
    bad, failed, commit = set(), 0, machine.commit()
    todo = pending(points, place, folder, options)
    for at, launch in enumerate(todo, 1):
        if launch.point.key in bad:
            failed += 1
            continue
        row = measure(launch, place, folder, options, commit)
        state = row["reason"] or "ok"
        print(f"[{at}/{len(todo)}] {launch.point.key} {launch.kind}: {state}", file=out, flush=True)
        if row["status"] != "ok":
            failed += 1
            if launch.kind == "check":  # times without a verified gradient are no result
                bad.add(launch.point.key)
    return failed
