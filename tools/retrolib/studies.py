"""Studies on the command line: `./retro ablate --study`, and `./retro bench --compare`."""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from . import ROOT, Failure
from . import build as builder
from . import toggles as toggle_table
from .progress import span

if TYPE_CHECKING:
    from ablation.manifest import Benchmark
    from ablation.matrix import Cell
    from ablation.runner import Options
    from ablation.study import Study
    from ablation.study_report import Outcome


def chosen(names: list[str]) -> list[Study]:
    """The studies of these names; every one for 'all'. Failure for a name that is none."""
    from ablation import study

    try:
        names = study.names() if "all" in names else names
        return [study.read(name) for name in dict.fromkeys(names)]
    except study.StudyError as error:
        raise Failure(str(error)) from error


def expand(
    studies: list[Study], benchmarks: Iterable[Benchmark], full: bool, only: Sequence[str] = ()
) -> tuple[list[tuple[Study, list[Cell]]], dict[str, list[str]]]:
    """([(study, cells)], {study's name: what is not built}). only: names of benchmarks; [] for all."""
    from ablation import study

    declared, plan, absent = toggle_table.read(), [], {}
    try:
        for one in studies:
            cells, missing = study.cells(one, benchmarks, declared, full)
            plan.append((one, [c for c in cells if not only or c.benchmark.name in only]))
            if missing:
                absent[one.name] = missing
    except study.StudyError as error:
        raise Failure(str(error)) from error
    return plan, absent


def list_studies() -> None:
    """One line a study."""
    from ablation import study

    for one in study.read_all():
        print(f"{one.name:<24}{one.title}")


def options_of(args: argparse.Namespace, plan: list[tuple[Study, list[Cell]]], command: str | None) -> Options:
    from ablation import runner, study

    return runner.Options(
        quick=not getattr(args, "full", True),
        launches=args.launches,
        rounds_of=study.rounds_of(plan),
        timeout_of=study.timeout_of(plan),
        jobs=args.jobs,
        again=args.again,
        command=command,
    )


def dry_run(
    args: argparse.Namespace, plan: list[tuple[Study, list[Cell]]], absent: dict[str, list[str]], folder: Path
) -> None:
    """Say what would be measured and how long it would take."""
    from ablation import estimate, runner, study

    options, rows = options_of(args, plan, None), folder / "rows"
    whole = study.union(plan)
    pending = set(runner.pending_cells(whole, rows, builder.build_dir(args.preset), args.again)[0])
    claimed, total = set(), 0.0
    for one, cells in plan:
        own = [c for c in cells if c in pending and c not in claimed]
        claimed.update(own)
        found = estimate.estimate(own, rows, options, probing=False)
        total += found.total
        sources = ", ".join(f"{n} from {source}" for source, n in (found.sources or {}).items())
        print(
            f"{one.name:<24}{len(cells):>4} cells, {len(own):>4} to measure: about {span(found.total)}"
            + (f" (compiling {span(found.compiling)}; {sources})" if own else "")
        )
        for what in absent.get(one.name, ()):
            print(f"{'':<24}not built: {what}")
    print(f"{'together':<24}{len(whole):>4} cells, {len(pending):>4} to measure: about {span(total)}")


def dry_run_of_cells(args: argparse.Namespace, cells: list[Cell], folder: Path) -> None:
    """The same of cells that belong to no study."""
    from ablation import estimate, runner

    rows = folder / "rows"
    pending = runner.pending_cells(cells, rows, builder.build_dir(args.preset), args.again)[0]
    options = runner.Options(
        repetitions=args.repetitions, launches=args.launches, timeout=args.cell_timeout, jobs=args.jobs
    )
    found = estimate.estimate(pending, rows, options, probing=False)
    by_benchmark = Counter(c.benchmark.name for c in cells), Counter(c.benchmark.name for c in pending)
    for name, count in by_benchmark[0].items():
        print(f"{name:<24}{count:>4} cells, {by_benchmark[1][name]:>4} to measure")
    print(
        f"{'together':<24}{len(cells):>4} cells, {len(pending):>4} to measure: about {span(found.total)}; nothing was measured"
    )


def list_all(cells: list[Cell], each: list[tuple[str, list[Cell]]]) -> None:
    """The studies, and how many cells each benchmark has without --study; `each`: every cell by its name."""
    print("studies (--study NAME; with --list their cells):")
    list_studies()
    print(f"\ncells without --study: {len(cells)}{'' if each else ' (-b NAME --list names them)'}")
    if each:
        print(*(cell.key for cell in cells), sep="\n")
        return
    for name, count in Counter(c.benchmark.name for c in cells).items():
        print(f"{name:<24}{count:>4}")


def adopt(benchmarks: Iterable[Benchmark], folder: Path) -> None:
    """Put studies into the index whose cells were measured by other commands."""
    from ablation import study_report

    plan, absent = expand(chosen(["all"]), benchmarks, full=False)
    known = study_report.read_index(folder)
    there = {path.stem for path in (folder / "rows").glob("*.json")}
    found = [(one, cells) for one, cells in plan if one.name not in known and any(c.key in there for c in cells)]
    if found:
        study_report.remember(folder, found, absent, {})


def measure_roofs(folder: Path, preset: str) -> None:
    """What one core can do, for the roofline: folder/roofs.json, once a machine."""
    from ablation.roofs import roofs

    if not (folder / "roofs.json").exists():
        roofs.write(folder, builder.build_dir(preset) / "ablation")


def make_artefacts(plan: list[tuple[Study, list[Cell]]], folder: Path, preset: str) -> int:
    """Run what makes the files of the plan's studies that are not rows, where they are missing: those that `./retro scale` writes. Returns
    how many commands failed."""
    failed = 0
    for one, _ in plan:
        for name, command in one.artefacts.items():
            words = shlex.split(command)
            if words[:2] != ["./retro", "scale"] or (folder / name).exists():
                continue
            place = [
                "--no-build",
                "--preset",
                preset,
                "--results",
                str(folder.resolve().parent),
                "--machine",
                folder.resolve().name,
            ]
            print(f"retro: {command}", file=sys.stderr, flush=True)
            ran = subprocess.run([sys.executable, "-B", ROOT / "retro", *words[1:], *place], stdout=sys.stderr)
            failed += bool(ran.returncode)
    return failed


def finish(folder: Path, plan: list[tuple[Study, list[Cell]]], outcomes: list[Outcome]) -> int:
    """Print the tables of the plan's studies; the exit status that their rows ask for."""
    from ablation import failures, sheets

    names = {one.name for one, _ in plan}
    status = 0
    for found in outcomes:
        if found.study.name not in names:
            continue
        print(f"# {found.study.title}\n")
        if found.sheet:
            print(sheets.markdown(found.sheet))
        else:
            print("Nothing measured yet.", *found.sheet.notes, sep="\n- ")
        missing = set(found.record.get("cells", ())) - {row["cell"] for row in found.rows}
        if missing:
            print(f"{len(missing)} cells of {found.study.name} were not measured.\n")
        status = status or failures.exit_status(found.rows) or (1 if missing else 0)
    print(f"studies: {folder}/studies")
    return status


def run(
    args: argparse.Namespace,
    plan: list[tuple[Study, list[Cell]]],
    absent: dict[str, list[str]],
    folder: Path,
    command: str,
    deadline: float | None = None,
) -> int:
    """Measure the cells of the plan that have no current row."""
    from ablation import machine, runner, study, study_report

    options = replace(options_of(args, plan, command), deadline=deadline)
    conditions = {"date": machine.today(), "commit": machine.commit(), "command": command}
    study_report.remember(folder, plan, absent, conditions)
    return runner.run(study.union(plan), folder / "rows", builder.build_dir(args.preset), options)


def compare(old: Path, new: Path, threshold: float, agree: float | None) -> int:
    """Print what changed between two measurements. Exit status 1: something is slower, fails or is gone, or fewer than the share
    `agree` of the cells overlap."""
    from ablation import compare as comparison

    try:
        found = comparison.changes(comparison.load(old), comparison.load(new), threshold)
    except (OSError, ValueError) as error:
        raise Failure(f"cannot compare: {error}") from error
    print(comparison.as_markdown(found))
    print(comparison.summary(found))
    good, both = comparison.agreement(found)
    if agree is not None:
        return 0 if both and good >= agree * both else 1
    return 1 if any(change.verdict in comparison.BAD for change in found) else 0


def tune(args: argparse.Namespace, known: dict[str, Benchmark], folder: Path, build_dir: Path) -> int:
    """Search for each benchmark of --suite. Exit status 1 where one has no verified gradient."""
    from ablation import storage
    from ablation import tune as search

    chosen = [b for b in known.values() if args.suite in (b.name, b.suite)]
    if not chosen:
        raise Failure(f"no benchmark of '{args.suite}' is built here; there are: {', '.join(sorted(known))}")
    status, declared = 0, toggle_table.read()
    for benchmark in chosen:
        kernel, size = args.kernel or benchmark.kernels[0], args.size or benchmark.default_size
        found = search.search(
            benchmark,
            kernel,
            size,
            declared,
            build_dir / "tune" / benchmark.name,
            60 * args.minutes,
            args.seed,
            args.settings,
            say=lambda text: print(text, file=sys.stderr),
        )
        place = folder / "tune"
        place.mkdir(parents=True, exist_ok=True)
        data = search.as_json(found, benchmark, kernel, size, args.seed)
        storage.write(place / f"{benchmark.name}.json", json.dumps(data, indent=1) + "\n")
        left = f", {found.untried} settings not tried for lack of time" if found.untried else ""
        print(
            f"{benchmark.name} {kernel} {size}: {found.says()} ({len(found.trials)} trials in {span(found.seconds)}{left})"
        )
        status = status or (found.best is None)
    return int(status)
