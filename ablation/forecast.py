"""How long cells will take, learned from those that were measured."""

import json
from pathlib import Path

from .matrix import Cell

UNKNOWN = 2.0  # seconds of a cell of which nothing is known


class Forecast:
    """Seconds a cell: what it took before; else the mean of its kernel and size; else of its benchmark; else
    of all."""

    def __init__(self, cells: list[Cell], rows: Path | None = None) -> None:
        """rows: folder with rows of earlier runs, out of date or not, or None."""
        self.known, self.means = {}, {}
        for cell in cells if rows else ():
            try:
                seconds = json.loads((rows / f"{cell.key}.json").read_text())["seconds"]
            except (OSError, ValueError, KeyError):
                continue
            self.learn(cell, seconds)

    @staticmethod
    def _groups(cell: Cell) -> tuple[tuple[str, str, str], tuple[str], tuple[()]]:
        """From near to far."""
        return (cell.benchmark.name, cell.kernel, cell.size), (cell.benchmark.name,), ()

    def learn(self, cell: Cell, seconds: float) -> None:
        self.known[cell.key] = seconds
        for group in self._groups(cell):
            count, total = self.means.get(group, (0, 0.0))
            self.means[group] = count + 1, total + seconds

    def seconds(self, cell: Cell) -> float:
        if cell.key in self.known:
            return self.known[cell.key]
        for group in self._groups(cell):
            if group in self.means:
                count, total = self.means[group]
                return total / count
        return UNKNOWN

    def total(self, cells: list[Cell]) -> float:
        return sum(map(self.seconds, cells))
