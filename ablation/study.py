"""Study files: which cells a figure is made of. One TOML file a figure, in ablation/studies/ (README.md there says what stands in one)."""

import tomllib

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.retrolib.names import unknown
from tools.retrolib.toggles import Toggle

from . import matrix
from .manifest import Benchmark
from .rows import Key

FOLDER = Path(__file__).with_name("studies")
FIGURES = (
    "overhead",
    "before-after",
    "waterfall",
    "scaling",
    "roofline",
    "atomics",
    "memory",
    "coverage",
    "costs",
    "threads",
    "resources",
    "variants",
)
ALWAYS, FULL = "always", "full"


class StudyError(Exception):
    """A study file cannot be read or asks for what there is not; the text names the file."""


@dataclass(frozen=True)
class Selection:
    """Cells: the product of these lists, for benchmarks that are built.

    kernels   names; "first" and "all" as well
    sizes     names of the benchmark; "default", "scaling", "test", "all"; or values, "s=5,cycles=20"
    settings  "all-on", "all-off", "no-<toggle>"; "each": every toggle off, one at a time
    when      "always", or "full": only in the study's full form
    """

    benchmarks: tuple
    kernels: tuple = ("first",)
    sizes: tuple = ("default",)
    variants: tuple = ("restrict",)
    settings: tuple = (matrix.ALL_ON,)
    when: str = ALWAYS


@dataclass(frozen=True)
class Study:
    """One figure with its table.

    place        where it stands in the report: from the first, 1, to those that are for a second look, 100
    published    the figure of a publication that it answers, or ""
    differs      what differs from the original set-up, one sentence each
    repetitions  timed rounds of a cell
    tolerance    relative width of a confidence interval above which a number is marked as noisy
    timeout      seconds that a cell may run
    devices      "cpu", "gpu": where the cells run. What needs a device that is not there is shown as not measured
    work         {benchmark: {"flops": …, "bytes": …}} of one primal: arithmetic on the entries of a size
    artefacts    files of the results folder that the figure is drawn from beside the rows: {file: command that makes it}
    """

    name: str
    title: str
    figure: str
    text: str = ""
    published: str = ""
    differs: tuple = ()
    place: int = 100
    repetitions: int = 9
    tolerance: float = 0.05
    timeout: float = 240
    devices: tuple = ("cpu",)
    artefacts: dict = field(default_factory=dict, hash=False)
    work: dict = field(default_factory=dict, hash=False)
    cells: tuple = ()


def _checked(kind: type[Selection | Study], data: dict[str, Any], where: str) -> dict[str, Any]:
    """An object of a dataclass from a TOML table; StudyError for a key that is unknown, of another type, or missing."""
    fields = kind.__dataclass_fields__
    values = {}
    for key, value in data.items():
        if key not in fields or key == "name":
            raise StudyError(f"{where}: unknown key '{key}'")
        wanted = fields[key].type
        if wanted is float and type(value) is int:
            value = float(value)
        if type(value) is not (list if wanted is tuple else wanted):
            raise StudyError(f"{where}: '{key}' must be a {'list' if wanted is tuple else wanted.__name__}")
        values[key] = tuple(value) if wanted is tuple else value
    return values


def parse(name: str, text: str) -> Study:
    """A Study from the text of its file."""
    where = f"study {name}"
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{where}: {error}") from error
    values = _checked(Study, data, where)
    selections = []
    for table in values.pop("cells", ()):
        if not isinstance(table, dict):
            raise StudyError(f"{where}: 'cells' must be tables, [[cells]]")
        found = _checked(Selection, table, f"{where}, cells")
        if not found.get("benchmarks"):
            raise StudyError(f"{where}, cells: which benchmarks?")
        if found.get("when", ALWAYS) not in (ALWAYS, FULL):
            raise StudyError(f'{where}, cells: \'when\' is "{ALWAYS}" or "{FULL}"')
        selections.append(Selection(**found))
    for key in ("title", "figure"):
        if key not in values:
            raise StudyError(f"{where}: '{key}' is missing")
    if values["figure"] not in FIGURES:
        raise StudyError(f"{where}: no figure '{values['figure']}'; there are: {', '.join(FIGURES)}")
    return Study(name, cells=tuple(selections), **values)


def read(name: str) -> Study:
    path = FOLDER / f"{name}.toml"
    if not path.exists():
        raise StudyError(unknown("study", name, names()))
    return parse(name, path.read_text())


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read_all() -> list[Study]:
    return [read(name) for name in names()]


def _settings(wanted: tuple[str, ...], toggles: list[Toggle], where: str) -> list[matrix.Setting]:
    known = {s.name: s for s in matrix.settings(toggles)}
    each = [n for n in known if n not in (matrix.ALL_ON, matrix.ALL_OFF)]
    chosen = [n for w in wanted for n in (each if w == "each" else [w])]
    unknown = [n for n in chosen if n not in known]
    if unknown:
        raise StudyError(f"{where}: no setting '{unknown[0]}'; there are: {', '.join(known)}, each")
    return [known[n] for n in dict.fromkeys(chosen)]


def _kernels(wanted: tuple[str], benchmark: Benchmark) -> list[str]:
    """Those of the wanted kernels that the benchmark has: one that needs OpenMP may not be built."""
    groups = {"first": benchmark.kernels[:1], "all": benchmark.kernels}
    chosen = {name for w in wanted for name in groups.get(w, [w])}
    return [k for k in benchmark.kernels if k in chosen]


def _sizes(wanted: tuple[str, ...], benchmark: Benchmark) -> list[str]:
    return [*benchmark.choose_sizes(wanted), *(w for w in wanted if "=" in w)]


def cells(
    study: Study, benchmarks: Iterable[Benchmark], toggles: list[Toggle], full: bool = False
) -> tuple[list[matrix.Cell], list[str]]:
    """(cells, what is not built) of a study. An unbuilt benchmark or kernel is no error, because a machine may lack what it needs; it is
    told, and shown as missing."""
    where, known = f"study {study.name}", {b.name: b for b in benchmarks}
    found, absent = [], []
    for selection in study.cells:
        if selection.when == FULL and not full:
            continue
        settings = _settings(selection.settings, toggles, where)
        for name in selection.benchmarks:
            if name not in known:
                absent.append(f"benchmark {name}")
                continue
            benchmark = known[name]
            kernels, sizes = _kernels(selection.kernels, benchmark), _sizes(selection.sizes, benchmark)
            if not kernels:
                absent.append(f"{name}: kernel {', '.join(selection.kernels)}")
            if not sizes:
                raise StudyError(f"{where}: {name} has no size {', '.join(selection.sizes)}")
            found += [
                matrix.Cell(benchmark, kernel, size, variant, setting)
                for setting in settings
                for kernel in kernels
                for size in sizes
                for variant in selection.variants
            ]
    return list(dict.fromkeys(found)), list(dict.fromkeys(absent))


def rounds_of(plan: list[tuple[Study, list[matrix.Cell]]]) -> dict[str, int]:
    """{cell's key: rounds} of [(study, cells)]: the most that a study asks for."""
    rounds = {}
    for study, chosen in plan:
        for cell in chosen:
            rounds[cell.key] = max(rounds.get(cell.key, 0), study.repetitions)
    return rounds


def timeout_of(plan: list[tuple[Study, list[matrix.Cell]]]) -> dict[str, int]:
    """{cell's key: seconds}, the most that a study of the plan allows."""
    seconds = {}
    for study, chosen in plan:
        for cell in chosen:
            seconds[cell.key] = max(seconds.get(cell.key, 0), study.timeout)
    return seconds


def union(plan: list[tuple[Study, list[matrix.Cell]]]) -> list[matrix.Cell]:
    """Every cell of [(study, cells)] once. Cells with all on come first: they are what a run that is stopped should have.

    The variants of one kernel, size and setting are neighbours: their ratio is of two measurements a few seconds apart.
    """
    every = list(dict.fromkeys(cell for _, chosen in plan for cell in chosen))

    def together(cell: matrix.Cell) -> Key:
        return cell.benchmark.name, cell.kernel, cell.size, cell.setting.name

    first = {}
    for cell in every:
        first.setdefault(together(cell), len(first))
    return sorted(every, key=lambda cell: (cell.setting.name != matrix.ALL_ON, first[together(cell)]))
