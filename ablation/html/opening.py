"""The sentences above the first figure. Every number in them is computed from the rows that the figure shows."""

from .. import drawing, intervals, rows, statistics, study_tables
from ..tables import number

WHAT = (
    "Retrograde is a plugin for clang and LLVM: it writes the exact gradient of a function while the compiler optimizes it, "
    "in C, C++, Fortran, Rust, CUDA and HIP."
)


def _range(found: list[tuple[str, float]]) -> str:
    """The smallest and the largest of [(label, value)], with their names."""
    (low, least), (high, most) = (pick(found, key=lambda pair: pair[1]) for pick in (min, max))
    return f"{number(least)} ({low}) to {number(most)} ({high})"


def _cost(timed: list[tuple[rows.Key, rows.Row]], names: list[str], where: str) -> str:
    found = [(n, intervals.overhead(row).value) for n, (_, row) in zip(names, timed)]
    mean = statistics.geometric_mean([value for _, value in found])
    every = all(study_tables.status(row) == "verified" for _, row in timed)
    checked = "; each gradient was verified before it was timed" if every else ""
    return f"On {where} a gradient takes {_range(found)} times as long, {number(mean)} in the geometric mean{checked}."


def _published(timed: list[tuple[rows.Key, rows.Row]]) -> str:
    bars = rows.read_bars()
    found = [(intervals.overhead(row).value, rows.bar_of(row, bars).get("enzyme")) for _, row in timed]
    found = [(value, bar) for value, bar in found if bar]
    if not found:
        return ""
    good = sum(value <= bar for value, bar in found)
    share = f"all {good}" if good == len(found) else f"{good} of these {len(found)}"
    return f"Diamonds are the published overheads of Enzyme at the same sizes, measured on another machine: Retrograde is at or below {share}."


def _by_hand(timed: list[tuple[rows.Key, rows.Row]], names: list[str]) -> str:
    found = [(n, study_tables.over(row, "hand")) for n, (_, row) in zip(names, timed)]
    found = [(n, ratio) for n, ratio in found if ratio]
    if not found:
        return ""
    sure = [(n, ratio.value) for n, ratio in found if ratio.differs_from(1) is not False]
    faster = [pair for pair in sure if pair[1] > 1]
    most = max(faster, key=lambda pair: pair[1], default=None)
    named = f", most that of {most[0]}, {number(most[1])} times" if most else ""
    text = f"Of {len(found)} adjoints written by hand and timed beside it, {len(faster)} are faster than Retrograde's{named}"
    text += f", and {len(sure) - len(faster)} are slower"
    return text + (
        f"; the other {len(found) - len(sure)} differ by less than the noise." if len(found) > len(sure) else "."
    )


def sentences(measured: list[rows.Row]) -> list[str]:
    """What Retrograde is, what the figure shows, what it says. measured: the rows of a figure of overheads."""
    timed = [(key, row) for key, row in rows.all_on(measured) if intervals.overhead(row)]
    if not timed:
        return [WHAT]
    names = drawing.labels([key for key, _ in timed])
    shown = (
        f"The figure shows what a gradient costs, for {len(timed)} kernels of {len({key[0] for key, _ in timed})} benchmarks: its time over "
        f"the time of the function alone, whatever the number of inputs; finite differences need one more call for each input."
    )
    where = rows.conditions(measured)[0]
    return [s for s in (WHAT, shown, _cost(timed, names, where), _published(timed), _by_hand(timed, names)) if s]
