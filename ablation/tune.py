"""Search of the toggle settings for the fastest verified gradient of one benchmark: successive halving.

Every candidate is compiled, verified and timed for a few rounds; the faster third goes on with three times the rounds, until few are left.
The fastest of these is then held against the setting with all on, in turn, so that what the machine does meanwhile falls on both.
Which candidates there are follows from the seed alone. "preopt" and "post-opt" are the order of passes: whether the primal is optimized
before it is differentiated, and the gradient before the rest of the pipeline.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.retrolib.toggles import Toggle

from . import failures, intervals, matrix, runner
from .manifest import Benchmark
from .rows import Row

FIRST_ROUNDS = 3
KEEP = 3  # of so many candidates one goes on
FINAL_ROUNDS = 15
DUELS = 3  # runs of either in the last comparison


@dataclass
class Trial:
    """A setting with what became of it."""

    setting: matrix.Setting
    rounds: int = 0
    overhead: intervals.Interval | None = None
    failure: str | None = None
    digest: str | None = None

    @property
    def off(self) -> list[str]:
        return [name for name, on in self.setting.toggles if not on]


@dataclass
class Found:
    """What a search found. gain: overhead of all on over that of the best, or None where none is better than all on."""

    trials: list = field(default_factory=list)
    best: Trial | None = None
    gain: intervals.Interval | None = None
    untried: int = 0
    seconds: float = 0.0

    def says(self) -> str:
        """One sentence."""
        if self.best is None:
            return "no setting gave a verified gradient"
        if self.best.setting.name == matrix.ALL_ON:
            return "all on is the fastest that was found"
        without = ", ".join(self.best.off)
        if self.gain is None or self.gain.low is None:
            return f"without {without} seemed fastest; too few rounds to say by how much"
        if self.gain.low <= 1:
            return f"without {without} seemed fastest, but held against all on the difference is within the noise"
        percent = 100 * (self.gain.value - 1)
        return f"without {without} the gradient is {percent:.1f} % faster than with all on"


def candidates(toggles: list[Toggle], count: int, seed: int) -> list[matrix.Setting]:
    """All on, each toggle off, then subsets drawn at random: the same for the same seed. A subset switches off two to four."""
    found = [s for s in matrix.settings(toggles) if s.name != matrix.ALL_OFF][:count]
    names, generator = [t.name for t in toggles], random.Random(seed)
    able = [t.name for t in toggles if not t.of_gpus]
    seen = {s.toggles for s in found}
    for _ in range(100 * count):
        if len(found) >= count:
            break
        off = set(generator.sample(able, min(len(able), generator.randint(2, 4))))
        toggled = tuple((n, n not in off) for n in names)
        if toggled not in seen:
            seen.add(toggled)
            found.append(matrix.Setting("tune-" + "-".join(n for n in names if n in off), toggled))
    return found


def try_setting(
    benchmark: Benchmark,
    kernel: str,
    size: str,
    setting: matrix.Setting,
    rounds: int,
    folder: Path,
    timeout: float,
    built: dict[str, runner.Build],
) -> tuple[Trial, Row | None]:
    """A Trial of so many rounds. built: {setting's name: Build}, filled."""
    trial = Trial(setting, rounds)
    cell = matrix.Cell(benchmark, kernel, size, "restrict", setting)
    if setting.name not in built:
        built[setting.name] = runner.build(benchmark, setting, ["restrict"], folder / setting.name, _NoTape())
    made = built[setting.name]
    try:
        if made.failure:
            raise made.failure
        arguments = ["--repetitions", str(rounds), "--no-memory"]
        row, _ = runner.run_program(made.executable, cell, timeout, *arguments)
        runner.judge(row, setting)
        trial.overhead = intervals.overhead(row)
        trial.digest = row.get("results", {}).get("gradient", {}).get("digest")
        return trial, row
    except failures.Failed as failure:
        trial.failure = f"{failure.kind}: {failure}"
        return trial, None


class _NoTape(runner.Options):
    """Options of a build that counts no tape."""

    @staticmethod
    def counts_tape(_: matrix.Setting) -> bool:
        return False


def halve(
    settings: list[matrix.Setting],
    attempt: Callable[..., Any],
    clock: Callable[[], float],
    deadline: float,
    first: int = FIRST_ROUNDS,
    last: int = FINAL_ROUNDS,
) -> tuple[list[Trial], Trial | None, int]:
    """(trials, the best of the last round, how many were not tried). attempt(setting, rounds) -> Trial.

    Where the time is up, what was tried by then decides: a round that is not finished counts for those that it tried.
    """
    trials, untried, rounds, left = [], 0, first, list(settings)
    best = None
    while left:
        tried = []
        for at, setting in enumerate(left):
            if clock() >= deadline and (tried or trials):
                untried += len(left) - at if rounds == first else 0
                break
            tried.append(attempt(setting, rounds))
        trials += tried
        good = sorted((t for t in tried if t.overhead), key=lambda t: t.overhead.value)
        if not good:
            break
        best = good[0]
        if rounds >= last or len(good) == 1 or clock() >= deadline:
            break
        left = [t.setting for t in good[: max(2, -(-len(good) // KEEP))]]
        rounds = min(last, KEEP * rounds)
    return trials, best, untried


def search(
    benchmark: Benchmark,
    kernel: str,
    size: str,
    toggles: list[Toggle],
    folder: Path,
    budget: float,
    seed: int = 1,
    count: int = 24,
    timeout: float = 120,
    say: Callable[[str], None] = lambda text: None,
) -> Found:
    """The Found of one benchmark within about `budget` seconds."""
    start, built = time.monotonic(), {}
    settings = candidates(toggles, count, seed)

    def attempt(setting: matrix.Setting, rounds: int) -> Trial:
        trial, _ = try_setting(benchmark, kernel, size, setting, rounds, folder, timeout, built)
        shown = trial.failure or f"overhead {trial.overhead.value:.3f}"
        say(f"{rounds:>3} rounds  {setting.name:<40} {shown}")
        return trial

    found = Found()
    # A fifth of the time is kept for the comparison at the end.
    found.trials, found.best, found.untried = halve(settings, attempt, time.monotonic, start + 0.8 * budget)
    if found.best and found.best.setting.name != matrix.ALL_ON:
        found.gain = duel(benchmark, kernel, size, found.best.setting, settings[0], folder, timeout, built)
    found.seconds = time.monotonic() - start
    return found


def duel(
    benchmark: Benchmark,
    kernel: str,
    size: str,
    one: matrix.Setting,
    other: matrix.Setting,
    folder: Path,
    timeout: float,
    built: dict[str, runner.Build],
) -> intervals.Interval | None:
    """Overhead of `other` over that of `one`, run in turn; None where one of them fails."""
    ratios = {one.name: [], other.name: []}
    for _ in range(DUELS):
        for setting in (other, one):
            _, row = try_setting(benchmark, kernel, size, setting, FINAL_ROUNDS // DUELS, folder, timeout, built)
            if row is None:
                return None
            ratios[setting.name] += intervals.ratios(row)
    return intervals.of_ratio(ratios[other.name], ratios[one.name])


def as_json(found: Found, benchmark: Benchmark, kernel: str, size: str, seed: int) -> dict[str, Any]:
    """What results/<machine>/tune/<benchmark>.json holds."""

    def bounds(interval: intervals.Interval) -> list[float]:
        return None if interval is None else [interval.value, interval.low, interval.high]

    return {
        "benchmark": benchmark.name,
        "kernel": kernel,
        "size": size,
        "seed": seed,
        "seconds": round(found.seconds, 1),
        "untried": found.untried,
        "says": found.says(),
        "best_without": found.best.off if found.best else None,
        "gain": bounds(found.gain),
        "trials": [
            {
                "without": t.off,
                "rounds": t.rounds,
                "overhead": bounds(t.overhead),
                "failure": t.failure,
                "digest": t.digest,
            }
            for t in found.trials
        ],
    }
