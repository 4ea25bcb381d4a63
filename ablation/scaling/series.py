"""Rows -> medians, overhead, speed-up and efficiency of primal and gradient."""

from dataclasses import dataclass

from ablation.rows import Row

from .. import statistics
from . import rows

COLUMNS = ("primal", "gradient")


@dataclass(frozen=True)
class Measured:
    """One point of a series. times: {column: [seconds]} of all launches, the i-th of both from one pair of runs; empty where
    cores were too few or every launch failed. reason: why there is no time."""

    ranks: int
    threads: int
    size: dict
    work: float
    times: dict
    counts: dict
    oversubscribed: bool
    reason: str

    @property
    def units(self) -> int:
        return self.ranks * self.threads

    def median(self, column: str) -> float | None:
        return statistics.quantile(self.times[column], 0.5) if self.times else None

    def quartiles(self, column: str) -> tuple[float, float]:
        low, high = (statistics.quantile(self.times[column], q) for q in (0.25, 0.75))
        return low, high

    def overhead(self) -> float | None:
        """Median of gradient / primal over the pairs of runs."""
        if not self.times:
            return None
        return statistics.quantile([g / p for p, g in zip(*(self.times[c] for c in COLUMNS))], 0.5)


@dataclass(frozen=True)
class Series:
    """The points of one study that differ in the number of ranks (or threads, where there is one rank)."""

    suite: str
    model: str
    mode: str
    threads: int  # of a rank, where the model is hybrid; otherwise None
    base: dict
    points: list
    rows: list

    @property
    def name(self) -> str:
        size = "-".join(f"{k}{v}" for k, v in self.base.items())
        threads = f"-t{self.threads}" if self.threads else ""
        return f"{self.suite}-{self.model}-{self.mode}{threads}-{size}"

    @property
    def title(self) -> str:
        threads = f", {self.threads} threads a rank" if self.threads else ""
        size = ", ".join(f"{k}={v}" for k, v in self.base.items())
        return f"{self.suite} {self.model}{threads}, {self.mode} scaling ({size})"

    def speedup(self, point: Measured, column: str) -> float | None:
        """Work per second, relative to one unit of the smallest point that was timed."""
        timed = [p for p in self.points if p.times]
        if not point.times:
            return None
        first = timed[0]
        rate = first.median(column) / point.median(column) * (point.work / first.work)
        return first.units * rate

    def efficiency(self, point: Measured, column: str) -> float | None:
        speedup = self.speedup(point, column)
        return None if speedup is None else speedup / point.units


def collect(measured: list[Row]) -> list[Series]:
    """The series in rows of one machine. Of a program that was built anew the last one's rows count."""
    groups = {}
    for row in measured:
        threads = row["threads"] if row["model"] == "hybrid" else None
        key = (row["suite"], row["model"], row["mode"], threads, tuple(row["base"].items()))
        groups.setdefault(key, []).append(row)
    found = []
    for (suite, model, mode, threads, base), members in sorted(groups.items(), key=lambda g: str(g[0])):
        last = members[-1]["identity"]
        members = [row for row in members if row["identity"] == last]
        at = sorted({(r["ranks"] * r["threads"], r["ranks"], r["threads"], r["key"]) for r in members})
        points = [point([r for r in members if r["key"] == key]) for *_, key in at]
        found.append(Series(suite, model, mode, threads, dict(base), points, members))
    return found


def point(members: list[Row]) -> Measured:
    timed, counted = rows.good(members, "times"), rows.good(members, "counts")
    checked = rows.good(members, "check")
    times = {c: [t for row in timed for t in row["times"][c]] for c in COLUMNS}
    failures = [row["reason"] for row in members if row["status"] != "ok"]
    last = members[-1]
    over = bool(last["oversubscribed"])
    missing = "not timed yet" if checked else "not verified yet"
    return Measured(
        last["ranks"],
        last["threads"],
        last["size"],
        last["work"],
        times if timed and checked else {},
        counted[-1]["counts"] if counted else {},
        over and not timed,
        None if timed and checked or over else (failures or [missing])[-1],
    )
