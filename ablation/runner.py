"""Compiles, verifies and times the cells of the study; each leaves one JSON row.

A row is the benchmark's own row (verdicts, times, memory) with what was compiled, how long that took, where
and from which sources. A cell that fails leaves a row too: {"status": "failed", "reason": …} with whatever
was learned before.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from tools.retrolib import ROOT
from tools.retrolib.progress import Meter

from . import failures, launches, machine, matrix, statistics, storage
from .failures import Failed
from .forecast import Forecast
from .manifest import Benchmark, quoted
from .rows import Row

COMPILE_TIMEOUT = 600
WITH_PARENT = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
COUNTERS = ["-mllvm", "-retro-print-counters"]
LEAST_ROUNDS = 3  # fewer have no quartiles
QUICK_ROUNDS = 7
COMPILER_SECONDS = 12  # a compiler that has been timed for so long is not timed once more


@dataclass(frozen=True)
class Options:
    """How to measure.

    repetitions          timed rounds of a cell, of all its launches together
    launches             how often a cell's executable is started: each launch has its share of the rounds
    rounds_of            {cell's key: rounds}, of the cells for which it is another number
    timeout_of           {cell's key: seconds}, the same
    quick                fewer rounds (QUICK_ROUNDS at most) and no peak memory for cells other than all-on
    deadline             time.monotonic() at which measuring should end: where the forecast says that it will not,
                         cells get LEAST_ROUNDS; none is left out
    timeout              seconds that a cell may run
    jobs                 compilations side by side (timing is always alone)
    again                measure a cell even when it has a current row
    compile_repetitions  compilations of the all-on setting, with and without the plugin, to time the compiler
    tape_of_all          count the tape of every setting, not of all-on alone
    command              how the study was started, for the rows
    """

    repetitions: int = 7
    launches: int = 1
    rounds_of: dict = field(default_factory=dict)
    timeout_of: dict = field(default_factory=dict)
    timeout: float = 240
    jobs: int = 1
    again: bool = False
    compile_repetitions: int = 3
    tape_of_all: bool = False
    quick: bool = False
    deadline: float | None = None
    command: str | None = None

    def rounds(self, setting: matrix.Setting, hurry: bool = False) -> int:
        if hurry:
            return min(self.repetitions, LEAST_ROUNDS)
        if self.quick and setting.name != matrix.ALL_ON:
            return min(self.repetitions, QUICK_ROUNDS)
        return self.repetitions

    def of(self, cell: matrix.Cell) -> Options:
        """The options for one cell."""
        return replace(
            self,
            repetitions=self.rounds_of.get(cell.key, self.repetitions),
            timeout=self.timeout_of.get(cell.key, self.timeout),
        )

    def arguments(self, setting: matrix.Setting, hurry: bool = False) -> list[str]:
        """The benchmark's arguments for a cell of this setting."""
        rounds = self.rounds(setting, hurry)
        arguments = ["--repetitions", str(rounds if hurry else launches.rounds_each(rounds, self.launches))]
        # Every cell times every column, though the hand adjoint knows no toggles: what runs between two calls of the
        # gradient decides what it finds in the caches.
        return arguments + (["--no-memory"] if self.quick and setting.name != matrix.ALL_ON else [])

    def counts_tape(self, setting: matrix.Setting) -> bool:
        return self.tape_of_all or setting.name == matrix.ALL_ON


@dataclass
class Build:
    """The executable of one benchmark with one setting, for every variant of the study."""

    executable: Path | None = None
    tape_executable: Path | None = None  # counts its tape; None where that is not asked for
    failure: Failed | None = None
    tape_failure: str | None = None  # why the tape could not be counted; the times hold all the same
    commands: list[str] = field(default_factory=list)
    counters: dict = field(default_factory=dict)  # {variant: {toggle: how often it applied}}
    seconds: dict = field(default_factory=dict)  # {(variant, with plugin): [CPU seconds]}


def execute(command: Sequence[Path | str], timeout: float) -> tuple[int, float, str]:
    """Run a command to its end: (exit status, CPU seconds of it and its children, output). Failed after
    `timeout` seconds.

    CPU seconds and not wall-clock, because compilations run side by side. The command ends with this process, so that
    a study that is killed and goes on is not disturbed by what the killed one had started.
    """
    if not shutil.which(command[0]):
        raise Failed(f"there is no program '{command[0]}'", failures.NO_COMPILER)
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            [*WITH_PARENT, *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        killer = threading.Timer(timeout, os.killpg, (process.pid, signal.SIGKILL))
        killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        expired = killer.finished.is_set()
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if expired:
            raise Failed(f"ran past {timeout:g} s: {Path(command[0]).name}", failures.TIMEOUT)
        output.seek(0)
        return process.returncode, usage.ru_utime + usage.ru_stime, output.read()


def first_error(text: str) -> str:
    """The line of a compiler's or program's output that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "error:" in line or "Assertion" in line or "Unknown command line" in line]
    return (telling or lines[-1:] or ["no output"])[0][:300]


def must(command: Sequence[Path | str], timeout: float, what: str) -> tuple[float, str]:
    """(CPU seconds, output) of a compilation or link; Failed where it does."""
    status, seconds, output = execute(command, timeout)
    if status:
        reason = f"{what}: exit status {status}: {first_error(output)}"
        raise Failed(reason, failures.classify(what, status, output))
    return seconds, output


def read_counters(text: str) -> dict[str, int]:
    """{toggle: count} of what the plugin printed."""
    return {name: int(count) for name, count in re.findall(r"^retro-counter (\S+) (\d+)$", text, re.M)}


def build(benchmark: Benchmark, setting: matrix.Setting, variants: list[str], folder: Path, options: Options) -> Build:
    """Compile the gradient with the setting's toggles and link it with the benchmark's other objects.

    Where the tape is to be counted, that is done in a second executable: counting costs time.
    """
    result = Build()
    try:
        if not benchmark.plugin:
            raise Failed("the suites were built without the plugin")
        result.executable = _compile_and_link(result, benchmark, variants, folder, [*setting.flags(), *COUNTERS])
    except Failed as failure:
        result.failure = failure
    if result.executable and options.counts_tape(setting):
        flags = [*setting.flags(), "-mllvm", "-retro-tape-stats=1"]
        try:
            result.tape_executable = _compile_and_link(Build(), benchmark, variants, folder / "tape", flags)
        except Failed as failure:
            result.tape_failure = str(failure)
    return result


def _compile_and_link(record: Build, benchmark: Benchmark, variants: list[str], folder: Path, flags: list[str]) -> Path:
    """The executable, made in `folder`; commands and seconds go into `record`."""
    folder.mkdir(parents=True, exist_ok=True)
    objects = []
    for variant in variants:
        total = 0.0
        for command, out in benchmark.compile_commands(variant, folder, flags):
            record.commands.append(quoted(command))
            seconds, output = must(command, COMPILE_TIMEOUT, failures.COMPILE)
            total += seconds
            counted = record.counters.setdefault(variant, {})
            for name, count in read_counters(output).items():
                counted[name] = counted.get(name, 0) + count
            objects.append(out)
        record.seconds[variant, True] = [total]
    executable = folder / benchmark.name
    command = benchmark.link_command(objects, executable)
    record.commands.append(quoted(command))
    must(command, COMPILE_TIMEOUT, failures.LINK)
    return executable


def time_compiler(
    benchmark: Benchmark, setting: matrix.Setting, variants: list[str], folder: Path, repetitions: int
) -> dict[tuple[str, bool], list[float]]:
    """{(variant, with plugin): [CPU seconds]} of compiling the gradient's sources, alone and in turn."""
    seconds = {}
    for _ in range(repetitions):
        for variant in variants:
            for with_plugin in (True, False):
                commands = benchmark.compile_commands(variant, folder, setting.flags(), with_plugin)
                total = sum(must(command, COMPILE_TIMEOUT, failures.COMPILE)[0] for command, _ in commands)
                seconds.setdefault((variant, with_plugin), []).append(total)
        if sum(sum(times) for times in seconds.values()) > COMPILER_SECONDS:
            break
    return seconds


def compile_record(made: Build, variant: str) -> dict[str, dict[str, float] | str | None]:
    def of(with_plugin: bool) -> dict[str, float] | None:
        values = made.seconds.get((variant, with_plugin))
        return statistics.summary(values) if values else None

    return {"unit": "CPU seconds", "with_plugin": of(True), "without_plugin": of(False)}


def run_program(executable: Path, cell: matrix.Cell, timeout: float, *arguments: str) -> tuple[Row, list[Path | str]]:
    """(row, command) of one run of a benchmark, which verifies before it times. Failed when there is no row."""
    with tempfile.TemporaryDirectory(prefix="retro-cell-") as scratch:
        out = Path(scratch) / "row.json"
        which = ["--size", cell.size, "--kernel", cell.kernel, "--variant", cell.variant]
        launcher = cell.benchmark.launcher
        command: list[Path | str] = [*launcher, executable, *which, "--require", "gradient", *arguments]
        status, _, output = execute([*command, "--json", out], timeout)
        if not out.exists():
            reason = f"exit status {status}: {first_error(output)}"
            raise Failed(reason, failures.classify(failures.RUN, status, output))
        return json.loads(out.read_text())["rows"][0], command


def measure(cell: matrix.Cell, made: Build, options: Options, hurry: bool = False) -> Row:
    """The cell's row; Failed with the reason when there is none."""
    options = options.of(cell)
    arguments = options.arguments(cell.setting, hurry)
    row, command = run_program(made.executable, cell, options.timeout, *arguments)
    row["run"] = quoted([made.executable.name if word == made.executable else word for word in command])
    if made.tape_executable and "gradient" in row["columns"]:
        once = ["--repetitions", "1", "--column", "gradient", "--no-memory"]
        counted, _ = run_program(made.tape_executable, cell, options.timeout, *once)
        tape = counted["columns"].get("gradient", {}).get("tape_bytes")
        # The plugin defines the counter only where it emits a tape. Its record of toggles says that it was there.
        row["columns"]["gradient"]["tape_bytes"] = 0 if tape is None and counted["toggles"] else tape
    return row


def judge(row: Row, setting: matrix.Setting) -> None:
    """Failed where a measured row does not count."""
    wrong = [v for v in row["verdicts"] if v["column"] in ("gradient", "primal") and v["outcome"] == "failed"]
    if wrong:
        v = wrong[0]
        where = f"{v['column']} is wrong at {v['size']}"
        raise Failed(f"{where}: {v['check']}: error {v['error']}, tolerance {v['tolerance']}", failures.WRONG)
    if not row["verified"].get("gradient"):
        raise Failed("the gradient was not verified", failures.WRONG)
    if row["toggles"] != setting.applied():
        reason = f"asked for the toggles '{setting.applied()}', but '{row['toggles']}' applied"
        raise Failed(reason, failures.TOGGLES)
    if "gradient" not in row["columns"]:
        raise Failed("the gradient was not timed")


def place_of(size: str, sizes: list[str]) -> int:
    """A size's place from small to large; one that is given by its values comes after those with names."""
    return sizes.index(size) if size in sizes else len(sizes)


def run_cell(
    cell: matrix.Cell,
    made: Build,
    options: Options,
    conditions: dict[str, Any],
    hurry: bool = False,
) -> Row:
    """The cell's row, whatever happens. `conditions` are added to it: machine, commit, identity."""
    row: Row = {
        "benchmark": cell.benchmark.name,
        "suite": cell.benchmark.suite,
        "kernel": cell.kernel,
        "size": cell.size,
        "size_values": {},
        "size_index": place_of(cell.size, cell.benchmark.sizes),
        "is_default_size": cell.size == cell.benchmark.default_size,
        "is_default_kernel": cell.kernel == cell.benchmark.kernels[0],
        "variant": cell.variant,
        "columns": {},
        "verified": {},
    }
    start, failure = time.monotonic(), None
    try:
        if made.failure:
            raise made.failure
        row.update(measure(cell, made, options, hurry))
        judge(row, cell.setting)
    except Failed as caught:
        failure = caught
    if failure:
        # A time without a verified gradient is no result.
        row["columns"].pop("gradient", None)
    row.update(
        cell=cell.key,
        setting=cell.setting.name,
        toggles_asked=dict(cell.setting.toggles),
        status="failed" if failure else "ok",
        reason=str(failure) if failure else None,
        failure=failure.kind if failure else None,
        digest=None if failure else row.get("results", {}).get("gradient", {}).get("digest"),
        counters=made.counters.get(cell.variant),
        compile=compile_record(made, cell.variant),
        tape_failure=made.tape_failure,
        commands=made.commands,
        date=machine.today(),
        seconds=round(time.monotonic() - start, 1),
        **conditions,
    )
    return row


def tree_token(build_dir: Path) -> str:
    """A word of its own for each build tree, so that a clean clone measures anew what another one measured."""
    path = build_dir / "ablation" / "token"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        storage.write(path, uuid.uuid4().hex)
    return path.read_text()


def identity_of(benchmark: Benchmark, token: str) -> str:
    """Changes when the plugin, the benchmark or the way it is compiled changes: a row of another identity
    is out of date.
    """
    files = [Path(f) for f in (benchmark.executable, benchmark.plugin) if f and Path(f).exists()]
    return machine.digest(token, benchmark.path, *files)


def current(path: Path, identity: str) -> Row | None:
    """The row of this identity, or None."""
    try:
        row = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    return row if row.get("identity") == identity and row.get("status") == "ok" else None


def pending_cells(
    cells: list[matrix.Cell], rows: Path, build_dir: Path, again: bool = False
) -> tuple[list[matrix.Cell], dict[Benchmark, str]]:
    """(cells that have no current row, {benchmark: identity})."""
    token = tree_token(build_dir)
    identities = {b: identity_of(b, token) for b in {c.benchmark for c in cells}}
    return [c for c in cells if again or not current(rows / f"{c.key}.json", identities[c.benchmark])], identities


def compile_all(
    groups: dict[tuple[Benchmark, matrix.Setting], list[str]],
    folder: Callable[..., Any],
    options: Options,
    out: TextIO | None = None,
) -> dict[tuple[Benchmark, matrix.Setting], Build]:
    """{(benchmark, setting): Build} of {(benchmark, setting): variants}. Side by side; then the compiler is timed alone, for all-on."""
    made, meter = {}, Meter(len(groups), "compiling", out=out)
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        jobs = [(g, pool.submit(build, *g, variants, folder(g), options)) for g, variants in groups.items()]
        for group, job in jobs:
            made[group] = job.result()
            meter.advance(note=f"{group[0].name} {group[1].name}")
    meter.close()

    timed = [g for g in groups if g[1].name == matrix.ALL_ON and not made[g].failure]
    meter = Meter(len(timed), "timing the compiler", out=out)
    for group in timed:
        try:
            made[group].seconds = time_compiler(*group, groups[group], folder(group), options.compile_repetitions)
        except Failed as failure:  # the times of the gradient hold all the same
            print(f"{group[0].name}: the compiler was not timed: {failure}", file=sys.stderr)
        meter.advance(note=group[0].name)
    meter.close()
    return made


def write_row(rows: Path, cell: matrix.Cell, row: Row) -> None:
    """Leave the row. Commands are told relative to the source tree, wherever it stands."""
    storage.write(rows / f"{cell.key}.json", json.dumps(row, indent=1).replace(f"{ROOT}/", "") + "\n")


def record(rows: Path, cell: matrix.Cell, row: Row, reserve: storage.Reserve) -> bool:
    """Write a cell's row. Where the disk is full: a failed one that says so, in the space that was kept, and no further cell can be
    measured; False then."""
    try:
        write_row(rows, cell, row)
        return True
    except OSError as error:
        if not storage.is_full(error):
            raise
    reserve.release()
    row["columns"].pop("gradient", None)
    row.update(status="failed", failure=failures.DISK, reason="no space was left to write the row", digest=None)
    row.update(verdicts=[], commands=[])
    write_row(rows, cell, row)
    return False


def launch_again(
    cells: list[matrix.Cell],
    made: dict[tuple[Benchmark, matrix.Setting], Build],
    rows: Path,
    options: Options,
    reserve: storage.Reserve,
    out: TextIO | None = None,
) -> tuple[int, str]:
    """One more launch of each cell that has fewer than asked for. Returns (how many failed, why not all were launched or "")."""
    failed, meter = 0, Meter(len(cells), "launching again", out=out)
    for at, cell in enumerate(cells):
        if options.deadline and time.monotonic() > options.deadline:
            meter.close()
            return failed, "the budget is spent"
        own, build, start = options.of(cell), made[cell.benchmark, cell.setting], time.monotonic()
        arguments = [*own.arguments(cell.setting), "--time-only"]
        arguments += [] if "--no-memory" in arguments else ["--no-memory"]
        path = rows / f"{cell.key}.json"
        row = launches.extend(path, cell, lambda: run_program(build.executable, cell, own.timeout, *arguments)[0])
        row["seconds"] = round(row["seconds"] + time.monotonic() - start, 1)
        try:
            write_row(rows, cell, row)
        except OSError as error:
            if not storage.is_full(error):
                raise
            reserve.release()  # the row as it was, of fewer launches, is there and right
            meter.close()
            return failed + len(cells) - at, "the disk is full"
        failed += row["status"] != "ok"
        meter.advance(note=cell.key)
    meter.close()
    return failed, ""


def run(cells: list[matrix.Cell], rows: Path, build_dir: Path, options: Options, out: TextIO | None = None) -> int:
    """Measure the cells that have no current row, and those that were launched too seldom. Returns how many of all the cells failed.

    rows: folder of the rows; build_dir: of the preset, where executables are made. Compilations first, side
    by side; then each cell alone, so that nothing disturbs the times; then all of them again, as often as they are launched.
    """
    rows.mkdir(parents=True, exist_ok=True)
    storage.sweep(rows)
    pending, identities = pending_cells(cells, rows, build_dir, options.again)
    forecast = Forecast(pending, rows)

    def unfinished() -> list[matrix.Cell]:
        found = [(c, current(rows / f"{c.key}.json", identities[c.benchmark])) for c in cells]
        return [c for c, row in found if row and launches.is_unfinished(row, options.launches)]

    begun = [c for c in unfinished() if c not in set(pending)]
    groups = {(c.benchmark, c.setting): [] for c in pending + begun}
    for c in cells:
        if c.variant not in groups.get((c.benchmark, c.setting), [c.variant]):
            groups[c.benchmark, c.setting].append(c.variant)

    place = {"machine": machine.describe(), "commit": machine.commit(), "study": options.command}
    failed, hurried = 0, 0
    with storage.Reserve(rows) as reserve:
        made = compile_all(
            groups,
            lambda g: build_dir / "ablation" / g[0].name / g[1].name,
            options,
            out,
        )
        meter = Meter(len(pending), "verifying and timing", out=out)
        for at, cell in enumerate(pending):
            left = forecast.total(pending[at:])
            hurry = bool(options.deadline) and time.monotonic() + left > options.deadline
            conditions: dict[str, Any] = {**place, "identity": identities[cell.benchmark]}
            row = run_cell(cell, made[cell.benchmark, cell.setting], options, conditions, hurry)
            kept = record(rows, cell, row, reserve)
            failed += row["status"] != "ok"
            hurried += hurry
            if not kept:
                failed += len(pending) - at - 1
                print(f"the disk is full: {len(pending) - at - 1} cells were not measured", file=sys.stderr)
                return failed
            forecast.learn(cell, row["seconds"])
            meter.advance(note=cell.key, left=forecast.total(pending[at + 1 :]))
        meter.close()
        for _ in range(1, options.launches):
            wrong, stopped = launch_again(unfinished(), made, rows, options, reserve, out)
            failed += wrong
            if stopped:
                print(f"{stopped}: not all cells were launched as often as asked for", file=sys.stderr)
                break
    if hurried:
        print(
            f"{hurried} of {len(pending)} cells were timed in {LEAST_ROUNDS} rounds to keep within the budget",
            file=sys.stderr,
        )
    return failed
