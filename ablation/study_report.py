"""What is written of studies: studies/<name>.md and .csv, studies/<name>.png and .svg, and studies.json, which says of each study when
it was run last, which cells it had, and what was not built."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.retrolib import ROOT
from tools.retrolib.toggles import Toggle

from . import rows, sheets, storage, study, study_figures, study_tables
from .matrix import Cell

INDEX = "studies.json"


@dataclass
class Outcome:
    """A study with its rows, table and figures, as the report shows it."""

    study: study.Study
    rows: list
    sheet: sheets.Sheet
    figures: list
    record: dict


def read_index(folder: Path) -> dict[str, dict[str, Any]]:
    try:
        return json.loads((folder / INDEX).read_text())
    except (OSError, ValueError):
        return {}


def remember(
    folder: Path,
    plan: list[tuple[study.Study, list[Cell]]],
    absent: dict[str, list[str]],
    conditions: Mapping[str, str | None],
) -> None:
    """Add the studies of the plan to the index. plan: [(study, cells)]; absent: {study's name: what was not built}."""
    index = read_index(folder)
    for one, cells in plan:
        index[one.name] = {"cells": [c.key for c in cells], "absent": absent.get(one.name, []), **conditions}
    folder.mkdir(parents=True, exist_ok=True)
    storage.write(folder / INDEX, json.dumps(index, indent=1) + "\n")


def artefacts(folder: Path, one: study.Study) -> dict[str, Any]:
    """{file: its JSON} of those that there are. What no machine's name belongs to, as counts of code, is beside the folders."""
    found = {}
    for name in (*one.artefacts, *(["roofs.json"] if one.figure == "roofline" else [])):
        path = next((p for p in (folder / name, folder.parent / name) if p.exists()), None)
        if path:
            found[name] = json.loads(path.read_text())
    return found


def rows_of(one: study.Study, record: dict[str, Any], measured: list[rows.Row]) -> list[rows.Row]:
    """The study's rows. One whose figure is drawn from all rows, as that of the checks, asks for no cells."""
    if one.figure in ("coverage", "costs"):
        return [row for row in measured if row["setting"] == "all-on"]
    wanted = set(record.get("cells", ()))
    return [row for row in measured if row["cell"] in wanted]


def outcome(
    folder: Path,
    one: study.Study,
    record: dict[str, Any],
    measured: list[rows.Row],
    toggles: list[Toggle],
    drawing: bool = True,
) -> Outcome:
    """The study's table, and its figures in folder/studies."""
    chosen = rows_of(one, record, measured)
    context = study_tables.Context(toggles, artefacts(folder, one), record.get("absent", []))
    sheet = study_tables.table(one, chosen, context)
    pictures = folder / "studies"
    pictures.mkdir(parents=True, exist_ok=True)
    drawn = study_figures.draw(one, chosen, context, pictures) if drawing else []
    return Outcome(one, chosen, sheet, drawn, record)


def page(found: Outcome) -> str:
    """The study's page."""
    one = found.study
    parts = [f"# {one.title}", "", one.text, ""]
    parts += [f"Published: {one.published}.", ""] if one.published else []
    parts += [f"- {sentence}" for sentence in one.differs] + ([""] if one.differs else [])
    parts += [f"![{one.title}]({one.name}.svg)", ""] if found.figures else []
    parts.append(sheets.markdown(found.sheet) if found.sheet else "Nothing measured yet.\n")
    if not found.sheet:
        parts += [f"- {note}" for note in found.sheet.notes]
    parts.append(f"`./retro ablate --study {one.name}`\n")
    return "\n".join(parts)


def write(folder: Path, toggles: list[Toggle], measured: list[rows.Row] | None = None) -> list[Outcome]:
    """Draw every study of the index, and those that need no cells. Returns the outcomes."""
    measured = rows.read(folder / "rows") if measured is None else measured
    index = read_index(folder)
    outcomes = []
    for one in study.read_all():
        if one.name not in index and one.cells:
            continue
        found = outcome(folder, one, index.get(one.name, {}), measured, toggles)
        storage.write(folder / "studies" / f"{one.name}.md", page(found).replace(f"{ROOT}/", ""))
        storage.write(folder / "studies" / f"{one.name}.csv", sheets.as_csv(found.sheet))
        outcomes.append(found)
    return outcomes
