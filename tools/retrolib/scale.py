"""`./retro scale`: strong and weak scaling of primal and gradient."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from . import ROOT, Failure
from . import build as builder

if TYPE_CHECKING:
    from ablation.scaling.measure import Options
    from ablation.scaling.places import Place
    from ablation.scaling.points import Point


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ablation.scaling import points

    study = parser.add_argument_group("the study")
    study.add_argument("--suite", choices=sorted(points.SUITES))
    study.add_argument("--model", choices=points.MODELS)
    study.add_argument("--mode", choices=points.MODES)
    study.add_argument("--ranks", default="1", metavar="N,…", help="numbers of MPI ranks (default: 1)")
    study.add_argument("--threads", default="1", metavar="N,…", help="numbers of threads of a rank (default: 1)")
    study.add_argument("--size", metavar="NAME=N,…", help="other than the published study's: docs/scaling.md")
    study.add_argument("--repetitions", type=int, default=5, help="pairs of primal and gradient a launch (default: 5)")
    study.add_argument("--launches", type=int, default=3, help="timed launches of a point (default: 3)")
    study.add_argument("--timeout", type=float, default=3600, metavar="S", help="seconds of a launch (default: 3600)")
    place = parser.add_argument_group("where it runs (default: on this machine)")
    kind = place.add_mutually_exclusive_group()
    kind.add_argument("--hostfile", metavar="FILE", help="mpirun on the hosts of this file")
    kind.add_argument("--slurm", action="store_true", help="write and submit a SLURM job for each point")
    kind.add_argument("--pbs", action="store_true", help="the same for PBS")
    kind.add_argument("--inside", choices=["slurm", "pbs"], help="in this job's allocation; what a job calls")
    place.add_argument("--no-pin", action="store_true", help="do not bind ranks and threads to cores")
    place.add_argument(
        "--starter",
        metavar="TEXT",
        help="what starts ranks, for instance 'srun --mpi=pmix -n {ranks} -c {threads}'",
    )
    place.add_argument(
        "--cores-per-node", type=int, default=64, metavar="N", help="of the nodes jobs ask for (default: 64)"
    )
    place.add_argument("--hours", type=float, default=2, help="a job may take (default: 2)")
    place.add_argument(
        "--job-option",
        action="append",
        default=[],
        metavar="TEXT",
        help="one more directive, for instance --partition=compute",
    )
    place.add_argument(
        "--job-setup",
        action="append",
        default=[],
        metavar="COMMAND",
        help="run in a job first, for instance 'module load openmpi'",
    )
    place.add_argument("--write-only", action="store_true", help="write the jobs and submit nothing")
    rows = parser.add_argument_group("rows")
    rows.add_argument(
        "--machine",
        metavar="NAME",
        help="folder of the rows in results/ (default: from the processor's name; for jobs: slurm or pbs)",
    )
    rows.add_argument("--results", metavar="DIR", type=Path, default=ROOT / "results", help="default: results")
    rows.add_argument("--programs", metavar="DIR", type=Path, help="where the executables are (default: the build's)")
    rows.add_argument("--no-build", action="store_true", help="take the executables as they are")
    rows.add_argument("--report", action="store_true", help="run nothing; draw what was measured")
    rows.add_argument(
        "--export", metavar="FILE", type=Path, help="run nothing; write all rows of the machine to one file"
    )
    rows.add_argument(
        "--merge",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="run nothing; add the rows of an exported file",
    )


def machine_of(args: argparse.Namespace) -> str:
    from ablation import machine

    kind = "slurm" if args.slurm else "pbs" if args.pbs else args.inside
    return args.machine or kind or machine.slug()


def points_of(args: argparse.Namespace) -> list[Point]:
    from ablation.scaling import points

    missing = [f"--{name}" for name in ("suite", "model", "mode") if not getattr(args, name)]
    if missing:
        raise Failure(f"{', '.join(missing)} is missing; docs/scaling.md has examples")
    try:
        ranks, threads = points.numbers(args.ranks), points.numbers(args.threads)
        size = points.size_values(args.size)
        return points.points(args.suite, args.model, args.mode, ranks, threads, size, args.repetitions)
    except points.BadStudy as error:
        raise Failure(str(error)) from error


def place_of(args: argparse.Namespace) -> Place:
    from ablation.scaling import places

    how = {"starter": args.starter, "pin": not args.no_pin}
    try:
        if args.inside:
            return places.allocation(args.inside, **how)
        return places.hosts(args.hostfile, **how) if args.hostfile else places.local(**how)
    except (OSError, ValueError) as error:
        raise Failure(str(error)) from error


def build_programs(args: argparse.Namespace, points: list[Point]) -> None:
    targets = {name for p in points for name in (p.program, p.counted) if name}
    builder.configure(args.preset, needs=builder.SUITES)
    builder.build(args.preset, sorted(targets))


def counted_programs(args: argparse.Namespace, points: list[Point]) -> dict[str, Path]:
    """{program: executable that counts its tape}, compiled where the build has none."""
    from ablation import manifest, runner

    if args.programs:
        return {}
    folder, made = builder.build_dir(args.preset), {}
    known = {Path(b.executable).name: b for b in manifest.read_all(folder)}
    for name in {p.program for p in points if not p.counted} & set(known):
        target = folder / "scaling" / name
        flags = ["-mllvm", "-retro-tape-stats=1"]
        try:
            if args.no_build:
                made[name] = target / known[name].name
            else:
                made[name] = runner._compile_and_link(runner.Build(), known[name], ["restrict"], target, flags)
        except runner.Failed as failure:
            print(f"retro: the tape of {name} is not counted: {failure}", file=sys.stderr)
    return made


def options_of(args: argparse.Namespace, points: list[Point]) -> Options:
    from ablation.scaling import measure

    programs = args.programs or builder.build_dir(args.preset) / "suites"
    absent = {p.program for p in points if not (programs / p.program).exists()}
    if absent:
        raise Failure(f"{programs} has no {', '.join(sorted(absent))}: run ./retro build --target benchmarks")
    command = shlex.join(["./retro", *sys.argv[1:]])
    return measure.Options(programs.resolve(), counted_programs(args, points), args.launches, args.timeout, command)


def inside_command(args: argparse.Namespace, point: Point, kind: str) -> list[str]:
    """What a job runs: the same study, one point."""
    words = ["./retro", "scale", "--inside", kind, "--no-build", "--preset", args.preset]
    words += ["--suite", point.suite, "--model", point.model, "--mode", point.mode]
    words += ["--ranks", point.ranks, "--threads", point.threads]
    words += ["--repetitions", args.repetitions, "--launches", args.launches, "--timeout", args.timeout]
    for name in ("size", "starter", "programs"):
        value = getattr(args, name)
        words += [f"--{name}", value.resolve() if isinstance(value, Path) else value] if value else []
    words += ["--no-pin"] if args.no_pin else []
    return [*words, "--machine", machine_of(args), "--results", args.results.resolve()]


def submit(args: argparse.Namespace, points: list[Point], kind: str, folder: Path) -> None:
    """Write a job a point and hand those over that lack rows."""
    from ablation.scaling import jobs, measure, places

    options = options_of(args, points)
    enough = max(p.units for p in points)
    scripts = folder / "jobs"
    scripts.mkdir(parents=True, exist_ok=True)
    for point in points:
        if not measure.pending([point], places.Place(kind, enough), folder / "rows", options):
            print(f"{point.key}: measured")
            continue
        path = scripts / f"{point.key}.sh"
        text = jobs.script(
            kind,
            point,
            ROOT,
            inside_command(args, point, kind),
            args.cores_per_node,
            args.hours,
            (scripts / f"{point.key}.log").resolve(),
            args.job_option,
            args.job_setup,
        )
        path.write_text(text)
        if args.write_only:
            print(path)
            continue
        try:
            job, new = jobs.submit(kind, path)
        except (OSError, RuntimeError) as error:
            raise Failure(f"no job was submitted: {error}") from error
        print(f"{point.key}: job {job}{'' if new else ' is there already'}")


def draw(results: Path, machines: Iterable[str]) -> None:
    from ablation.scaling import report

    for name in machines:
        folder = results / name / "scaling"
        drawn = report.write(folder)
        if not drawn:
            raise Failure(f"nothing to draw: there are no rows in {folder / 'rows'}")
        print((folder / "README.md").read_text())
        print(f"page: {folder / 'README.md'}   figures: {folder / 'figures'}")
    report.index(results)


def merge(args: argparse.Namespace) -> None:
    from ablation.scaling import rows

    machines = []
    for path in args.merge:
        try:
            document = json.loads(path.read_text())
            new, known = rows.merge(document, args.results)
        except (OSError, ValueError, KeyError, rows.Conflict) as error:
            raise Failure(f"{path}: {error}") from error
        print(f"{path}: {new} rows of {document['machine']}, {known} of its rows were here")
        machines.append(document["machine"])
    draw(args.results, dict.fromkeys(machines))


def scale(args: argparse.Namespace) -> int:
    """Strong and weak scaling of a suite's primal and gradient: verified, counted, then timed, in one allocation.

    Every launch leaves one JSON row in results/<machine>/scaling/rows. A study that was stopped goes on where it was; rows
    are never overwritten. On a machine with fewer cores than ranks times threads a point is 'oversubscribed': messages,
    bytes and tape are counted, and no times are reported. docs/scaling.md shows the commands for a cluster.
    """
    from ablation.scaling import measure, rows

    name = machine_of(args)
    folder = args.results / name / "scaling"
    if args.merge:
        merge(args)
        return 0
    if args.export:
        args.export.write_text(json.dumps(rows.export(folder / "rows", name), indent=1) + "\n")
        print(f"{args.export}: rows of {name}")
        return 0
    if args.report:
        draw(args.results, [name])
        return 0
    points = points_of(args)
    if not args.no_build and not args.programs:
        build_programs(args, points)
    kind = "slurm" if args.slurm else "pbs" if args.pbs else None
    if kind:
        submit(args, points, kind, folder)
        return 0
    failed = measure.run(points, place_of(args), folder / "rows", options_of(args, points), sys.stderr)
    if not args.inside:  # jobs that end together must not write one page
        draw(args.results, [name])
    return 1 if failed else 0
