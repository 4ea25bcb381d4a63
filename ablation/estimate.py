"""How long a study will take: from rows of earlier runs; where there are none, from a run of one round."""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import failures, matrix, runner
from .rows import Row

MIN_TIME = 0.02  # seconds of one column in one round, the benchmarks' own default
COMPILE = 4.0  # CPU seconds of a compilation of which nothing is known
UNKNOWN = 3.0  # seconds of a cell of which nothing is known
EARLIER, SIMILAR, MEASURED, GUESSED = "earlier rows", "rows of the same kind", "a run of one round", "nothing known"


@dataclass
class Estimate:
    compiling: float = 0.0  # seconds, side by side
    running: float = 0.0
    sources: dict[str, int] | None = None  # {where it is from: cells}

    @property
    def total(self) -> float:
        return self.compiling + self.running


def _round_seconds(row: Row) -> float:
    """One round of a row: every column, for MIN_TIME at least."""
    return sum(max(MIN_TIME, timed["median"]) for timed in row["columns"].values())


def seconds_of(row: Row, rounds: int) -> float:
    """Seconds of the row's cell in so many rounds, instead of those that it had."""
    had = max((len(t.get("runs", ())) for t in row["columns"].values()), default=0)
    return max(0.1, row["seconds"] + (rounds - had) * _round_seconds(row))


def _read(folder: Path) -> dict[str, Row]:
    rows = {}
    for path in folder.glob("*.json") if folder.exists() else ():
        try:
            row = json.loads(path.read_text())
            rows[row["cell"]] = row
        except (ValueError, KeyError, OSError):
            continue
    return rows


def probe(cell: matrix.Cell, timeout: float = 60) -> Row | None:
    """A row of one round, by the executable that the build made; None where it does not run."""
    if not Path(cell.benchmark.executable).exists():
        return None
    with tempfile.TemporaryDirectory(prefix="retro-probe-") as scratch:
        out = Path(scratch) / "row.json"
        which = ["--size", cell.size, "--kernel", cell.kernel, "--variant", cell.variant]
        once: list[Path | str] = ["--repetitions", "1", "--no-memory", "--json", out]
        start = runner.time.monotonic()
        try:
            runner.execute([*cell.benchmark.launcher, cell.benchmark.executable, *which, *once], timeout)
            row = json.loads(out.read_text())["rows"][0]
        except (failures.Failed, OSError, ValueError, KeyError, IndexError):
            return None
        return {**row, "seconds": runner.time.monotonic() - start}


def _compile_seconds(row: Row) -> float:
    return ((row.get("compile") or {}).get("with_plugin") or {}).get("median") or COMPILE


def estimate(pending: list[matrix.Cell], rows_folder: Path, options: runner.Options, probing: bool = True) -> Estimate:
    """The Estimate of cells that have no current row. probing: run what nothing is known of for one round."""
    rows, probed = _read(rows_folder), {}
    found = Estimate(sources={})

    def kind(cell: matrix.Cell) -> tuple[str, str, str]:
        return cell.benchmark.name, cell.kernel, cell.size

    similar = {}
    for row in rows.values():
        if row["status"] == "ok":
            similar.setdefault((row["benchmark"], row["kernel"], row["size"]), row)
    for cell in pending:
        rounds = options.of(cell).rounds(cell.setting)
        row, source = rows.get(cell.key), EARLIER
        if row is None:
            row, source = similar.get(kind(cell)), SIMILAR
        if row is None and probing:
            if kind(cell) not in probed:
                probed[kind(cell)] = probe(cell)
            row, source = probed[kind(cell)], MEASURED
        if row is None:
            source = GUESSED
        found.running += UNKNOWN if row is None else seconds_of(row, rounds)
        found.sources[source] = found.sources.get(source, 0) + 1
    by_benchmark = {row["benchmark"]: row for row in rows.values() if row.get("compile")}
    for benchmark, setting in dict.fromkeys((c.benchmark, c.setting) for c in pending):
        once = _compile_seconds(by_benchmark.get(benchmark.name, {}))
        again = options.compile_repetitions if setting.name == matrix.ALL_ON else 0
        found.compiling += once * (1 + options.counts_tape(setting)) / max(1, options.jobs)
        found.compiling += min(1.5 * again * once, max(1.5 * once, runner.COMPILER_SECONDS))
    return found
