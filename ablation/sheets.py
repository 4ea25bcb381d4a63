"""A table before it is Markdown, CSV or HTML: cells are texts, numbers, None (not measured) or intervals."""

import csv
import io
from dataclasses import dataclass, field

from . import tables
from .intervals import Interval


@dataclass
class Sheet:
    header: list
    lines: list = field(default_factory=list)
    left: int = 1  # columns that are texts
    notes: list = field(default_factory=list)  # sentences below

    def add(self, *cells: Interval | float | str | None) -> None:
        assert len(cells) == len(self.header), (self.header, cells)
        self.lines.append(list(cells))

    def __bool__(self) -> bool:
        return bool(self.lines)


def text(cell: Interval | float | str | None) -> str:
    """A cell as it is read."""
    if isinstance(cell, Interval):
        return tables.interval(cell)
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:d}"
    if cell is None or isinstance(cell, float):
        return tables.number(cell)
    return str(cell)


def sort_value(cell: Interval | float | str | None) -> float | str | None:
    """What a column is sorted by: a number, a text, or None, which comes last."""
    return cell.value if isinstance(cell, Interval) else cell


def markdown(sheet: Sheet) -> str:
    body = tables.markdown(sheet.header, [list(map(text, line)) for line in sheet.lines], left=sheet.left)
    return body + ("\n" + "\n".join(f"- {note}" for note in sheet.notes) + "\n" if sheet.notes else "")


def as_csv(sheet: Sheet) -> str:
    """Numbers in full; an interval has columns of its own for its bounds."""
    wide = [any(isinstance(line[i], Interval) for line in sheet.lines) for i in range(len(sheet.header))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [[h, f"{h} low", f"{h} high"] if w else [h] for h, w in zip(sheet.header, wide)]
    writer.writerow([name for group in names for name in group])
    for line in sheet.lines:
        cells = []
        for cell, w in zip(line, wide):
            if isinstance(cell, Interval):
                cells += [cell.value, cell.low, cell.high]
            else:
                cells += [cell, None, None] if w else [cell]
        writer.writerow(["" if c is None else c for c in cells])
    return out.getvalue()
