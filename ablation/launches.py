"""Further launches of an executable that was verified and timed once.

Where the system puts a program's memory, and what else the machine does in those minutes, changes the times of all rounds of one launch
alike: rounds of one launch say nothing about it. So the launches of a cell are spread over the time that a study takes, and its
interval spans what they found (intervals.py).
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import statistics
from .failures import Failed
from .matrix import Cell
from .rows import Row

LAUNCHES = 4  # of two times four launches, all of one lie above all of the other by chance in 2 of 70 cells


def rounds_each(rounds: int, launches: int) -> int:
    """Rounds of one launch, where `rounds` were asked for in all."""
    return math.ceil(rounds / max(1, launches))


def done(row: Row) -> int:
    """How often the row's executable was launched."""
    return len(row.get("launches") or [None])


def is_unfinished(row: Row, launches: int) -> bool:
    """Whether a row lacks launches, so that a study which goes on has something to do for it."""
    return row.get("status") == "ok" and done(row) < launches


def merge(row: Row, more: Row) -> None:
    """Put the rounds of one more launch into the row. Failed where it did not time what the first one did."""
    for name, column in row["columns"].items():
        runs = more.get("columns", {}).get(name, {}).get("runs")
        if not runs:
            raise Failed(f"launch {done(row) + 1} did not time {name}")
    first = next(iter(row["columns"].values()))
    row.setdefault("launches", [len(first["runs"])])
    row["launches"].append(len(more["columns"][next(iter(row["columns"]))]["runs"]))
    for name, column in row["columns"].items():
        column["runs"] += more["columns"][name]["runs"]
        summary = statistics.summary(column["runs"])
        column.update({k: summary[k] for k in ("median", "q1", "q3")}, min=min(column["runs"]))
    for name in row.get("overhead", {}):
        row["overhead"][name] = row["columns"][name]["median"] / row["columns"]["primal"]["median"]


def extend(path: Path, cell: Cell, launch: Callable[..., Any]) -> Row:
    """The cell's row with one more launch; a failed row where that failed. launch(): the row of a launch that only times."""
    row = json.loads(path.read_text())
    try:
        merge(row, launch())
    except Failed as failure:
        row["columns"].pop("gradient", None)
        row.update(status="failed", reason=str(failure), failure=failure.kind, digest=None)
    return row
