"""Which runs a scaling study consists of. A point is one number of ranks and threads at one size."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MODELS = ("openmp", "mpi", "hybrid")
MODES = ("strong", "weak")


class BadStudy(ValueError):
    """The study cannot be run as it was asked for; the text says why."""


@dataclass(frozen=True)
class Point:
    """program: file name of the executable; counted: of the one that counts its tape.

    arguments time it; check_arguments verify the same program, ranks and threads on a small problem; both get the file
    for the row appended.
    """

    suite: str
    model: str
    mode: str
    ranks: int
    threads: int
    size: tuple
    base: tuple  # the size that the study's points have in common
    work: float  # of all units together, to compare with that of another point
    program: str
    counted: str
    arguments: tuple = field(compare=False)
    check_arguments: tuple = field(compare=False)
    once: tuple = field(compare=False)  # arguments for one repetition, to count

    @property
    def units(self) -> int:
        """What the study adds: cores."""
        return self.ranks * self.threads

    @property
    def uses_mpi(self) -> bool:
        return self.model != "openmp"

    @property
    def size_text(self) -> str:
        return ",".join(f"{k}={v}" for k, v in self.size)

    @property
    def key(self) -> str:
        size = "-".join(f"{k}{v}" for k, v in self.size)
        return f"{self.suite}.{self.model}.{self.mode}.r{self.ranks}.t{self.threads}.{size}"


def numbers(text: str) -> list[int]:
    """'1,8,27' -> [1, 8, 27]."""
    try:
        found = [int(word) for word in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1 or len(set(found)) != len(found):
        raise BadStudy(f"'{text}' is no list of different positive numbers such as 1,8,27")
    return found


def size_values(text: str) -> dict[str, int]:
    """'s=48,cycles=2' -> {'s': 48, 'cycles': 2}."""
    values = {}
    for word in filter(None, (text or "").split(",")):
        name, _, value = word.partition("=")
        if not value.isdigit():
            raise BadStudy(f"'{word}' is not of the form name=number")
        values[name] = int(value)
    return values


def cube_edge(n: int, what: str) -> int:
    edge = round(n ** (1 / 3))
    if edge**3 != n:
        raise BadStudy(f"{what} must be a cube (1, 8, 27, 64, …), not {n}")
    return edge


def filled(defaults: dict[str, int], given: dict[str, int], suite: str) -> dict[str, int]:
    unknown = set(given) - set(defaults)
    if unknown:
        raise BadStudy(f"{suite} has no {', '.join(sorted(unknown))}; it has {', '.join(defaults)}")
    return {**defaults, **given}


def lulesh(model: str, mode: str, ranks: int, threads: int, given: dict[str, int], repetitions: int) -> tuple[Any, ...]:
    """The published study's sizes: 192³ elements in all for MPI, 96³ for threads; weak 96³ a rank, 48³ with threads in each,
    24³ times the threads. `s` is the edge of the whole mesh (strong), of a rank's cube (weak), of one thread's share
    (weak, openmp)."""
    usual = {
        ("mpi", "strong"): 192,
        ("openmp", "strong"): 96,
        ("hybrid", "strong"): 192,
        ("mpi", "weak"): 96,
        ("hybrid", "weak"): 48,
        ("openmp", "weak"): 24,
    }
    values = filled({"s": usual[model, mode], "cycles": 1, "start": 9}, given, "lulesh")
    per_edge = cube_edge(ranks, "the number of ranks")
    s = values["s"]
    if mode == "strong":
        if s % per_edge:
            raise BadStudy(f"an edge of {s} elements cannot be divided among {per_edge} ranks")
        s //= per_edge
    elif model == "openmp":
        s = round(s * threads ** (1 / 3))
    size = {"s": s, "cycles": values["cycles"], "start": values["start"]}
    run = ["-q", "-s", s, "-i", size["cycles"], "--start", size["start"], "--gradient"]
    # Late enough that the blast has reached all ranks.
    check = ["-q", "-s", "5" if ranks == 1 else "2", "--start", "30", "-i", "2", "--gradient", "--verify"]
    name = f"lulesh-{model}"
    work = ranks * s**3
    return (
        size,
        values,
        work,
        name,
        f"{name}-counted",
        run,
        check,
        [*run, "--repetitions", 1],
        ["--repetitions", repetitions],
    )


def benchmark(
    name: str, dims: dict[str, int], grows: str, kernel: str, tiny: str, counted: str | None = None
) -> Callable[..., tuple[Any, ...]]:
    """A suite whose program has the benchmarks' common command line. `grows` is the entry of the size that weak scaling
    multiplies."""

    def define(
        model: str, mode: str, ranks: int, threads: int, given: dict[str, int], repetitions: int
    ) -> tuple[Any, ...]:
        base = filled(dims, given, name)
        work = ranks * threads if mode == "weak" else 1
        values = {**base, grows: base[grows] * work}
        program = name if model is None else name.format(model=model)
        size = ",".join(f"{k}={v}" for k, v in values.items())
        common = ["--kernel", kernel, "--require", "gradient"]
        run = ["--size", size, *common, "--column", "gradient", "--no-memory"]
        check = ["--size", tiny, *common, "--verify"]
        return (
            values,
            base,
            work,
            program,
            counted.format(model=model) if counted else None,
            run,
            check,
            [*run, "--repetitions", 1, "--min-time", 1e-9],
            ["--repetitions", repetitions],
        )

    return define


SUITES: dict[str, tuple[set[str], Callable[..., tuple[Any, ...]]]] = {
    "lulesh": ({"openmp", "mpi", "hybrid"}, lulesh),
    "minibude": (
        {"openmp"},
        benchmark("docking-minibude-openmp", {"poses": 2048, "group": 16}, "poses", "protein", "poses=32,group=1"),
    ),
    "lbm": (
        {"openmp"},
        benchmark(
            "fluid-lbm",
            {"nx": 40, "ny": 40, "nz": 50, "steps": 10},
            "nz",
            "openmp",
            "nx=12,ny=10,nz=14,steps=2",
        ),
    ),
    "xsbench": (
        {"openmp", "mpi"},
        benchmark(
            "transport-xsbench-{model}",
            {"nuclides": 68, "points": 11303, "lookups": 100000},
            "lookups",
            "unionized",
            "nuclides=68,points=64,lookups=1000",
        ),
    ),
    "rsbench": (
        {"openmp", "mpi"},
        benchmark(
            "transport-rsbench-{model}",
            {"nuclides": 68, "poles": 1000, "windows": 100, "lookups": 10200},
            "lookups",
            "doppler",
            "nuclides=68,poles=20,windows=4,lookups=1000",
        ),
    ),
    "brusselator": (
        {"openmp"},
        benchmark("neurips20-brusselator-{model}", {"N": 512, "evals": 8}, "evals", "dupnoneed", "N=32"),
    ),
}


def points(
    suite: str, model: str, mode: str, ranks: list[int], threads: list[int], size: dict[str, int], repetitions: int
) -> list[Point]:
    """The points of a study, from few cores to many. BadStudy where it makes no sense."""
    models, define = SUITES[suite]
    if model not in models:
        raise BadStudy(f"{suite} has the models {', '.join(sorted(models))}, not {model}")
    if model == "openmp" and ranks != [1]:
        raise BadStudy("openmp runs on one rank: give --threads 1,2,4,…")
    if model == "mpi" and threads != [1]:
        raise BadStudy("mpi runs one thread a rank: give --ranks, or choose --model hybrid")
    found = []
    for r, t in sorted(((r, t) for r in ranks for t in threads), key=lambda p: (math.prod(p), p)):
        values, base, work, program, counted, run, check, once, repeat = define(model, mode, r, t, size, repetitions)
        arguments = [tuple(map(str, words)) for words in ([*run, *repeat], check, once)]
        sizes = tuple(values.items()), tuple(base.items())
        found.append(Point(suite, model, mode, r, t, *sizes, work, program, counted, *arguments))
    return found
