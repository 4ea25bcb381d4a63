"""Two measurements of the same cells: what became slower, and whether two runs of one commit agree."""

import json
from dataclasses import dataclass
from pathlib import Path

from . import intervals, tables
from .rows import Row

SLOWER, FASTER, SAME, UNDECIDED = "slower", "faster", "same", "not decided"
BROKEN, FIXED, GONE, NEW, BOTH_FAILED = "fails now", "works now", "gone", "new", "fails in both"
BAD = (SLOWER, BROKEN, GONE)
THRESHOLD = 0.03  # a change of less is none


@dataclass(frozen=True)
class Change:
    cell: str
    verdict: str
    old: intervals.Interval | None = None
    new: intervals.Interval | None = None
    ratio: intervals.Interval | None = None  # overhead, new over old
    note: str = ""


def key(row: Row) -> str:
    """A row's cell; a benchmark that was run by itself has no setting."""
    names = [row[k] for k in ("benchmark", "kernel", "size", "variant")]
    return ".".join([*names, row.get("setting") or "all-on"])


def load(path: Path) -> dict[str, Row]:
    """{cell: row} of a folder of rows (or of results), of a benchmark's --json file, or of one row. ValueError when there is none."""
    path = Path(path)
    if path.is_dir():
        folder = path / "rows" if (path / "rows").is_dir() else path
        data = [json.loads(f.read_text()) for f in sorted(folder.glob("*.json"))]
    else:
        read = json.loads(path.read_text())
        data = read.get("rows", [read]) if isinstance(read, dict) else read
    rows = [r for r in data if isinstance(r, dict) and "benchmark" in r and "columns" in r]
    if not rows:
        raise ValueError(f"{path}: no rows of benchmarks")
    return {key(row): row for row in rows}


def _works(row: Row) -> bool:
    return row.get("status", "ok") == "ok" and "gradient" in row["columns"]


def _bits(old: Row, new: Row) -> str:
    """A remark where the gradients differ in bits; None where either has no digest."""
    digests = [row.get("digest") or row.get("results", {}).get("gradient", {}).get("digest") for row in (old, new)]
    return "other bits" if None not in digests and digests[0] != digests[1] else ""


def judge(ratio: intervals.Interval, threshold: float = THRESHOLD) -> str:
    """What a ratio of times, new over old, says."""
    if ratio.low is None:
        return UNDECIDED
    if ratio.low > 1 and ratio.value > 1 + threshold:
        return SLOWER
    if ratio.high < 1 and ratio.value < 1 - threshold:
        return FASTER
    near = 1 / (1 + 2 * threshold) <= ratio.low and ratio.high <= 1 + 2 * threshold
    return SAME if near else UNDECIDED


def changes(old: dict[str, Row], new: dict[str, Row], threshold: float = THRESHOLD) -> list[Change]:
    """[Change] for every cell of either; old, new: {cell: row}."""
    found = []
    for cell in dict.fromkeys([*old, *new]):
        before, after = old.get(cell), new.get(cell)
        if after is None or before is None:
            found.append(Change(cell, GONE if after is None else NEW))
        elif not _works(before) or not _works(after):
            broken = BROKEN if _works(before) else FIXED if _works(after) else BOTH_FAILED
            found.append(Change(cell, broken, note=after.get("reason") or ""))
        else:
            ratio = intervals.slowdown(after, before)
            was, now = intervals.overhead(before), intervals.overhead(after)
            found.append(Change(cell, judge(ratio, threshold), was, now, ratio, _bits(before, after)))
    return found


def agreement(found: list[Change]) -> tuple[int, int]:
    """(cells whose intervals overlap, cells that have intervals in both)."""
    overlaps = [c.old.overlaps(c.new) for c in found if c.old and c.new]
    return sum(o is True for o in overlaps), sum(o is not None for o in overlaps)


def as_markdown(found: list[Change]) -> str:
    order = [SLOWER, BROKEN, GONE, UNDECIDED, FASTER, FIXED, NEW, BOTH_FAILED, SAME]
    lines = [
        [c.cell, c.verdict, tables.interval(c.old), tables.interval(c.new), tables.interval(c.ratio), c.note]
        for c in sorted(found, key=lambda c: (order.index(c.verdict), c.cell))
    ]
    return tables.markdown(["cell", "", "overhead before", "overhead now", "now / before", "remark"], lines, left=2)


def summary(found: list[Change]) -> str:
    """One line: how many of which verdict, and the agreement of the two."""
    counts = {}
    for change in found:
        counts[change.verdict] = counts.get(change.verdict, 0) + 1
    good, both = agreement(found)
    share = f"; intervals overlap in {good} of {both} cells ({100 * good / both:.0f} %)" if both else ""
    return ", ".join(f"{n} {verdict}" for verdict, n in counts.items()) + share
