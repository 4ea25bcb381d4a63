"""What repeated runs say, and how surely: ratios round by round, bootstrap confidence intervals with fixed seeds, outliers and noise.

The columns of a row take turns in each round of one process, so a round's gradient and primal were measured next to each other: their
ratio is freed of what the machine did slowly. What differs from launch to launch is not in the rounds of one launch: the interval of a
cell that was launched several times spans the medians of its launches as well.
"""

from __future__ import annotations

import itertools
import numpy
import zlib
from dataclasses import dataclass

from . import statistics
from .rows import Row

RESAMPLES = 2000
CONFIDENCE = 0.95
LEAST = 3  # rounds; of fewer there is no interval
FENCE = 1.5  # interquartile ranges beyond the quartiles: an outlier


@dataclass(frozen=True)
class Interval:
    """A median with the bounds between which it lies with CONFIDENCE; None where there were too few rounds."""

    value: float
    low: float | None
    high: float | None
    rounds: int

    @property
    def width(self) -> float | None:
        """Relative to the value."""
        return None if self.low is None else (self.high - self.low) / self.value

    def overlaps(self, other: Interval) -> bool | None:
        if self.low is None or other.low is None:
            return None
        return self.low <= other.high and other.low <= self.high

    def differs_from(self, value: int) -> bool | None:
        """Whether `value` is outside; None where that cannot be told."""
        return None if self.low is None else not self.low <= value <= self.high

    def wider_than_effect(self) -> bool:
        """Whether what is a ratio says less than it seems to: it is known less exactly than it differs from 1."""
        return self.low is not None and self.high - self.low > abs(self.value - 1)


def _generator(*samples: list[float]) -> numpy.random.Generator:
    """Equal samples give equal intervals, in any order of evaluation."""
    return numpy.random.default_rng(zlib.crc32(b"".join(numpy.asarray(s, float).tobytes() for s in samples)))


def _medians(values: list[float], generator: numpy.random.Generator) -> numpy.ndarray:
    values = numpy.asarray(values, float)
    return numpy.median(values[generator.integers(0, len(values), (RESAMPLES, len(values)))], axis=1)


def _bounds(resampled: numpy.ndarray) -> tuple[float, float]:
    tail = 50 * (1 - CONFIDENCE)
    low, high = (float(v) for v in numpy.percentile(resampled, [tail, 100 - tail]))
    return low, high


def of_median(values: list[float]) -> Interval:
    """The median of a sample."""
    middle = statistics.quantile(values, 0.5)
    if len(values) < LEAST:
        return Interval(middle, None, None, len(values))
    return Interval(middle, *_bounds(_medians(values, _generator(values))), len(values))


def of_ratio(above: list[float], below: list[float]) -> Interval:
    """The ratio of the medians of two independent samples."""
    middle = statistics.quantile(above, 0.5) / statistics.quantile(below, 0.5)
    rounds = min(len(above), len(below))
    if rounds < LEAST:
        return Interval(middle, None, None, rounds)
    generator = _generator(above, below)
    resampled = _medians(above, generator) / _medians(below, generator)
    return Interval(middle, *_bounds(resampled), rounds)


def runs(row: Row | None, column: str) -> list[float]:
    return ((row or {}).get("columns", {}).get(column) or {}).get("runs") or []


def ratios(row: Row | None, column: str = "gradient", to: str = "primal") -> list[float]:
    """Column over column of one row, round by round; [] where one was not timed."""
    above, below = runs(row, column), runs(row, to)
    return [a / b for a, b in zip(above, below)] if len(above) == len(below) else []


def by_launch(row: Row, values: list[float]) -> list[list[float]]:
    """The values of a row's rounds, a list a launch."""
    ends = list(itertools.accumulate(row.get("launches") or [len(values)]))
    return [values[end - count : end] for end, count in zip(ends, row.get("launches") or [len(values)])]


def of_launches(parts: list[list[float]]) -> Interval:
    """The median of all, with bounds that hold the median of each part too."""
    found = of_median([v for part in parts for v in part])
    if len(parts) < 2 or found.low is None:
        return found
    middles = [statistics.quantile(part, 0.5) for part in parts]
    return Interval(found.value, min(found.low, *middles), max(found.high, *middles), found.rounds)


def overhead(row: Row | None, column: str = "gradient", to: str = "primal") -> Interval | None:
    """Gradient over primal of one row, or None."""
    found = ratios(row, column, to)
    return of_launches(by_launch(row, found)) if found else None


def slowdown(row: Row | None, base: Row) -> Interval | None:
    """The overhead of `row` over that of `base`, two cells of one benchmark; None where one was not timed. Of cells that were launched
    several times the bounds are those that the two intervals allow."""
    above, below = overhead(row), overhead(base)
    if not above or not below:
        return None
    rounds = of_ratio(ratios(row), ratios(base))
    if not (row.get("launches") and base.get("launches")) or rounds.low is None:
        return rounds
    return Interval(rounds.value, above.low / below.high, above.high / below.low, rounds.rounds)


def of_gradients(row: Row, base: Row) -> Interval | None:
    """The gradient's time in `row` over that in `base`, two cells whose primals differ; None where one was not timed."""
    above, below = runs(row, "gradient"), runs(base, "gradient")
    return of_ratio(above, below) if above and below else None


def outliers(values: list[float]) -> list[float]:
    """Those of a sample that lie beyond the fences."""
    if len(values) < LEAST:
        return []
    first, third = statistics.quantile(values, 0.25), statistics.quantile(values, 0.75)
    reach = FENCE * (third - first)
    return [v for v in values if not first - reach <= v <= third + reach]


def noise(values: list[float]) -> float | None:
    """Interquartile range over median; None of no value."""
    if not values:
        return None
    q = statistics.summary(values)
    return (q["q3"] - q["q1"]) / q["median"]


def noise_of(rows: list[Row]) -> list[tuple[Row, dict[str, tuple[float, int, int]]]]:
    """[(row, {column: (noise, outliers, rounds)})] of the rows that were timed."""
    report = []
    for row in rows:
        found = {}
        for column in row.get("columns", {}):
            values = runs(row, column)
            if values:
                found[column] = noise(values), len(outliers(values)), len(values)
        if found:
            report.append((row, found))
    return report
