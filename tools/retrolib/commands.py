"""What each command of `./retro` does. Every function takes the parsed arguments and returns an exit status."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import JOBS, LLVM_MAJOR, ROOT, Failure
from . import build as builder
from . import gpu_commands, names, packaging, studies, system, testing
from . import toggles as toggle_table
from .progress import Steps, span

if TYPE_CHECKING:
    from ablation.manifest import Benchmark
    from ablation.matrix import Cell
    from ablation.study import Study
    from ablation.study_report import Outcome

# Seconds on two cores; replaced by measured times after the first run.
EXPECTED = {
    "configure": 5,
    "build": 300,
    "build everything": 1700,
    "build benchmarks": 700,
    "tests": 1800,
    "study": 600,
    "report": 30,
}
BUILD_STEPS = {builder.USER: "build", builder.SUITES: "build benchmarks", builder.TESTS: "build everything"}
TARGETS = {builder.USER: ("user",), builder.SUITES: ("benchmarks",), builder.TESTS: ()}
PACKAGED = ("user", "retro_gpu_pass", "retro_gpu")  # what kernels need to run on the CPU is in the packages, too
SECONDS_PER_PACKAGE = 1
SECONDS_PER_CELL = 2.5  # compiling included, until measured
REPORT_SECONDS = 60  # kept of the budget for tables and figures


def steps_of(args: argparse.Namespace, needs: str, *names: str) -> Steps:
    """The steps of a command: packages, unless they are not to be looked for, configuration and build, then those named."""
    steps = Steps(
        [*([] if args.no_install else ["packages"]), "configure", BUILD_STEPS[needs], *names],
        EXPECTED,
        builder.build_dir(args.preset) / "retro-times.json",
    )
    if not args.no_install:
        missing = len(system.missing_packages(builder.SECTIONS[needs]))
        steps.expect("packages", 20 + SECONDS_PER_PACKAGE * missing if missing else 0)
    return steps


def prepare(
    args: argparse.Namespace, steps: Steps, needs: str, targets: Sequence[str] | Callable[[], list[str] | None] = ()
) -> None:
    """Packages, configuration, build of the targets, which may be asked for when all is configured (default: all that `needs` stands for)."""
    if not args.no_install:
        steps.begin("packages")
        system.install_missing(builder.SECTIONS[needs])
    steps.begin("configure")
    builder.configure(args.preset, args.define, needs)
    steps.begin(BUILD_STEPS[needs])
    chosen = targets() if callable(targets) else targets or None
    if chosen != []:
        builder.build(
            args.preset, TARGETS[needs] if chosen is None else chosen, args.jobs, steps.seconds(BUILD_STEPS[needs])
        )


def build(args: argparse.Namespace) -> None:
    """Build what a user needs: the plugin, its runtime, the verifier and what `cmake --install` installs, and say how to compile with it.
    Missing packages are installed first (as root; otherwise the command is printed).

    --all builds tests and benchmarks as well; `./retro test`, `bench`, `reproduce` and the like build what they need themselves.
    """
    needs = builder.TESTS
    for part, targets in (
        (builder.SUITES, {"user", "retrograde", "benchmarks"}),
        (builder.USER, {"user", "retrograde"}),
    ):
        if not args.all and set(args.target) <= targets:
            needs = part
    steps = steps_of(args, needs)
    prepare(args, steps, needs, args.target)
    steps.end()
    plugin = builder.plugin_path(args.preset)
    if plugin.exists():
        print(f"The plugin is {plugin}. Compile with\n  {compile_line(plugin)}")


def compile_line(plugin: Path) -> str:
    """The one line that a gradient needs."""
    return f"clang-{LLVM_MAJOR} -O2 -fpass-plugin={plugin} -I{ROOT / 'engine' / 'include'} FILE.c -lm"


def package(args: argparse.Namespace) -> int:
    """Make what others install, in build/<preset>/packages (or --out): a tarball that can be unpacked anywhere, a Debian package, and a wheel of
    the Python package with the plugin in it. What cannot be made for want of a tool is said, and the exit status is 77 where nothing was.
    """
    steps = steps_of(args, builder.USER, "packages' files")
    prepare(args, steps, builder.USER, PACKAGED)
    steps.begin("packages' files")
    made = packaging.make(
        builder.build_dir(args.preset),
        Path(args.out) if args.out else builder.build_dir(args.preset) / "packages",
        args.kind,
    )
    steps.end()
    for path in made:
        print(f"{path}  ({path.stat().st_size / 1e6:.1f} MB)")
    return 0 if made else 77


def test(args: argparse.Namespace) -> int:
    """Build everything, or what the tests of -R take, then run ctest. The exit status is ctest's, and its closing lines come last on stdout.

    Labels: unit (seconds), lit (IR tests of the engine), conformance and users (skipped where the programs are absent),
    suite (benchmarks against their published values), slow (sanitizers, large sizes).
    """
    # What all tests take is remembered apart from what a choice of them takes.
    step = "chosen tests" if args.label or args.exclude or args.match else "tests"
    steps = steps_of(args, builder.TESTS, step)
    prepare(args, steps, builder.TESTS, lambda: testing.needed(args))
    return testing.run(args, steps, step)


def lit(args: argparse.Namespace) -> int:
    """Build the plugin alone, and run the tests of IR, plans and messages (engine/test/lit) whose names match; all of them without a name.

    Of what fails the commands and their output are shown. The exit status is lit's."""
    steps = steps_of(args, builder.TESTS, "lit tests")
    prepare(args, steps, builder.TESTS, ("retrograde",))
    steps.begin("lit tests")
    command = [f"lit-{LLVM_MAJOR}", "-v", f"-j{args.jobs}"]
    for name, value in (
        ("plugin", builder.plugin_path(args.preset)),
        ("out", builder.build_dir(args.preset) / "engine" / "test" / "lit"),
    ):
        command += ["--param", f"{name}={value}"]
    if args.name:
        command += ["--filter", args.name]
    status = subprocess.run([*command, str(ROOT / "engine" / "test" / "lit")]).returncode
    steps.end()
    return status


def executables(preset: str) -> dict[str, Benchmark]:
    """{benchmark: manifest} of what the build wrote."""
    from ablation import manifest

    return {m.name: m for m in manifest.read_all(builder.build_dir(preset))}


def looked_up(args: argparse.Namespace) -> dict[str, Benchmark]:
    """The same where nothing is to be built: configured if it is not, and nothing is installed."""
    if not executables(args.preset):
        if missing := system.missing_packages(builder.SECTIONS[builder.SUITES]):
            raise Failure(f"the benchmarks are not configured, and packages are missing: {' '.join(missing)}")
        builder.configure(args.preset, args.define, builder.SUITES)
    return executables(args.preset)


def bench(args: argparse.Namespace) -> int:
    """Verify one benchmark's gradients, then time them. The arguments after the name go to the benchmark
    itself.

    With --device cuda the suites' kernels are verified and timed on this machine's NVIDIA device, from the folder that
    `./retro pack` made (build/<preset>/pack, or --pack); exit status 77 where there is no driver. All other
    arguments go to that folder's bench.py, a name as --suite.

    With --compare OLD NEW nothing is run: two measurements (a folder of results, a benchmark's --json file) are held against each
    other, and the exit status is 1 when something became slower, fails or is gone."""
    if args.compare:
        old, new = args.compare
        return studies.compare(old, new, args.threshold, args.agree)
    if args.device == "cuda":
        return gpu_commands.bench(args)
    declared = names.benchmarks()
    if not args.name:
        return list_benchmarks(args, declared)
    names.check("benchmark", [args.name], declared)
    steps = steps_of(args, builder.SUITES)
    # Its executable's target is named as the file is; one that is not configured yet is known afterwards.
    known = executables(args.preset)
    prepare(args, steps, builder.SUITES, [Path(known[args.name].executable).name] if args.name in known else [])
    steps.end()
    known = executables(args.preset)
    if args.name not in known:
        raise Failure(f"{args.name} is not built here: what it needs (MPI, OpenMP) was not found")
    benchmark = known[args.name]
    return subprocess.run([*benchmark.launcher, benchmark.executable, *args.arguments]).returncode


def list_benchmarks(args: argparse.Namespace, declared: dict[str, str]) -> int:
    """One line a benchmark, with its sizes where a configuration has written them. Builds nothing."""
    known = executables(args.preset)
    for name, suite in sorted(declared.items(), key=lambda entry: (entry[1], entry[0])):
        print(f"{suite}/{name}{': ' + ', '.join(known[name].sizes) if name in known else ''}")
    if not known:
        print("Their sizes are known when one was built.", file=sys.stderr)
    return 0


def verify(args: argparse.Namespace) -> int:
    """Check generated gradients with the verifier. Its own --help says what it accepts."""
    folder = builder.build_dir(args.preset) / "verify"
    needed = {"retro-verify": folder / "retro-verify", "retro-verify-driver": folder / "retro-verify-driver"}
    words = args.arguments[: args.arguments.index("--")] if "--" in args.arguments else args.arguments
    if words[:1] == ["rules"]:
        needed["retro-verify-rules"] = folder / "rules" / "retro-verify-rules"
    elif {"-h", "--help"} & set(words):
        return system.run_module("verify.tool.retro_verify", "--help")
    elif "--prove" in words:
        needed["retro-validate"] = folder / "validate" / "retro-validate"
    if not all(path.exists() for path in needed.values()):
        make_verifier(args.preset, needed)
    return subprocess.run([str(needed["retro-verify"]), *args.arguments]).returncode


def make_verifier(preset: str, needed: dict[str, Path]) -> None:
    """Build what is missing of the verifier; its proofs need Z3."""
    if not builder.plugin_path(preset).exists():
        raise Failure("there is no plugin yet: run ./retro build")
    if needed.keys() & {"retro-verify-rules", "retro-validate"}:
        if missing := [p for p in ("libz3-dev", "libcli11-dev") if p in system.missing_packages(("suites", "tests"))]:
            raise Failure(f"proofs need {' and '.join(missing)}: apt-get install {' '.join(missing)}")
    builder.configure(preset, again=True)  # Z3 may have come since
    builder.build(preset, sorted(needed.keys() - {"retro-verify"}))


def rounding(args: argparse.Namespace) -> int:
    """Say which lines of a function lose digits, and which variables could be float. Its own --help says what it accepts."""
    plugin = builder.plugin_path(args.preset)
    own = ["--include", str(ROOT / "engine" / "include")]
    if not {"-h", "--help"} & set(args.arguments):
        if not plugin.exists():
            raise Failure("there is no plugin yet: run ./retro build")
        own += ["--plugin", str(plugin)]
    return system.run_module("verify.tool.retro_rounding", *own, *args.arguments)


def fuzz(args: argparse.Namespace) -> int:
    """Mutate programs and judge their derivatives. Its own --help says what it accepts."""
    plugin = ["--plugin", str(builder.plugin_path(args.preset))]
    given = any(a.split("=")[0] == "--plugin" for a in args.arguments)
    return system.run_module("verify.fuzz.retro_fuzz", *([] if given else plugin), *args.arguments)


def python(args: argparse.Namespace) -> int:
    """Run Debian's python3 so that `import retro.numpy` and `import retro.torch` find this tree and its plugin."""
    plugin = builder.plugin_path(args.preset)
    if not plugin.exists():
        raise Failure(f"{plugin.relative_to(ROOT)} is not built; run ./retro build")
    places = [str(ROOT / "python"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "RETRO_PLUGIN": str(plugin)}
    return subprocess.run([system.DEBIAN_PYTHON, *args.arguments], env=environment).returncode


def results_folder(args: argparse.Namespace) -> Path:
    from ablation import machine

    return Path(args.results) if args.results else ROOT / "results" / machine.slug()


def say_place(folder: Path, cells: list[Cell], pending: list[Cell]) -> None:
    """Where the rows go, and what becomes of those that are there: a machine of the same name may have measured them."""
    print(f"retro: {len(cells)} cells, {len(cells) - len(pending)} of them measured before", file=sys.stderr)
    there = sum((folder / "rows" / f"{cell.key}.json").exists() for cell in pending)
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    replaced = f"; {there} rows there, measured by another build or on another machine of this name, are replaced (--results DIR: elsewhere)"
    print(f"retro: results go to {shown}{replaced if there else ''}", file=sys.stderr)


def chosen_benchmarks(args: argparse.Namespace) -> list[Benchmark]:
    known = executables(args.preset)
    names.check("benchmark", args.benchmark, known)
    return [m for name, m in sorted(known.items()) if not args.benchmark or name in args.benchmark]


def variants(args: argparse.Namespace) -> list[str]:
    return ["restrict", "plain"] if args.variant == "all" else [args.variant]


def command_of(args: argparse.Namespace) -> str:
    """The command as it is typed, without what does not change the numbers' meaning."""
    skip = ("--no-install", "--again", "--update-docs")
    words = [w for w in sys.argv[1:] if w not in skip and not w.startswith("--results=")]
    while "--results" in words:
        at = words.index("--results")
        del words[at : at + 2]
    return shlex.join(["./retro", *words])


def measure(args: argparse.Namespace, cells: list[Cell], **how: Any) -> int:
    """Measure the cells that have no current row. Returns how many failed."""
    from ablation import runner

    options = runner.Options(
        repetitions=args.repetitions,
        launches=args.launches,
        timeout=args.cell_timeout,
        jobs=args.jobs,
        again=args.again,
        command=command_of(args),
        **how,
    )
    return runner.run(cells, results_folder(args) / "rows", builder.build_dir(args.preset), options)


def draw(args: argparse.Namespace, tables: bool = True) -> list[Outcome]:
    """Tables and figures of all rows that are there, of the studies too. Returns the studies' outcomes. tables: print those of all rows."""
    from ablation import conclusions, report, study_report
    from ablation.html import page

    folder, declared = results_folder(args), toggle_table.read()
    try:
        rows = report.write(folder, declared)
        outcomes = study_report.write(folder, declared)
        # All machines stand on one page; a folder of one's own has a page of its own.
        together = [p.parent for p in sorted((ROOT / "results").glob("*/rows"))] if not args.results else [folder]
        html = (folder if args.results else ROOT / "results") / "report.html"
        page.write(html, together, declared, {folder: outcomes})
    except FileNotFoundError as error:
        raise Failure(f"nothing to draw: {error}") from error
    if args.update_docs:
        for changed in report.update_pages(rows, declared, folder.resolve()):
            print(f"updated {changed.relative_to(ROOT)}", file=sys.stderr)
    for name in ("overhead.md", "ablation.md", "costs.md") if tables else ():
        lines = (folder / name).read_text().splitlines()
        print("\n".join(line for line in lines if not line.startswith("![")) + "\n")
    if tables:
        print("# Conclusions\n")
        print(*conclusions.conclude(rows), sep="\n")
        print(f"\ntables: {folder}/README.md   figures: {folder}/figures   rows: {folder}/rows")
    print(f"report: {html}")
    return outcomes


def study(args: argparse.Namespace, steps: Steps, cells: list[Cell], **how: Any) -> int:
    """Measure, then draw; exit status 1 when a cell failed."""
    from ablation import runner

    rows = results_folder(args) / "rows"
    pending = runner.pending_cells(cells, rows, builder.build_dir(args.preset), args.again)[0]
    steps.expect("study", len(pending) * steps.known.get("cell", SECONDS_PER_CELL))
    steps.begin("study")
    say_place(results_folder(args), cells, pending)
    failed = measure(args, cells, **how)
    seconds = steps.end()
    if seconds is not None and len(pending) >= 10:
        steps.remember("cell", seconds / len(pending))
    steps.begin("report")
    draw(args)
    steps.end()
    if failed:
        print(f"retro: {failed} cells failed; their rows say why", file=sys.stderr)
    return 1 if failed else 0


def ablate_studies(args: argparse.Namespace) -> int:
    """The studies of --study: measure, then their tables and figures."""
    chosen, folder = studies.chosen(args.study), results_folder(args)
    if args.list or args.dry_run:
        plan, absent = studies.expand(chosen, looked_up(args).values(), args.full, args.benchmark)
        if args.list:
            print(*(cell.key for _, cells in plan for cell in cells), sep="\n")
        else:
            studies.dry_run(args, plan, absent, folder)
        return 0
    steps = steps_of(args, builder.SUITES, "study", "report")
    prepare(args, steps, builder.SUITES)
    chosen_benchmarks(args)  # an error for one that could not be built
    plan, absent = studies.expand(chosen, executables(args.preset).values(), args.full, args.benchmark)
    return run_studies(args, steps, plan, absent)


def run_studies(
    args: argparse.Namespace,
    steps: Steps,
    plan: list[tuple[Study, list[Cell]]],
    absent: dict[str, list[str]],
    deadline: float | None = None,
) -> int:
    """Measure the studies of a plan and draw everything; the exit status says the worst that happened."""
    from ablation import estimate, runner, study

    folder, pages = results_folder(args), builder.build_dir(args.preset)
    cells = study.union(plan)
    pending = runner.pending_cells(cells, folder / "rows", pages, args.again)[0]
    guess = estimate.estimate(pending, folder / "rows", studies.options_of(args, plan, None), probing=False)
    steps.expect("study", guess.total)
    steps.begin("study")
    say_place(folder, cells, pending)
    studies.run(args, plan, absent, folder, command_of(args), deadline)
    if any(one.figure == "roofline" for one, _ in plan):
        studies.measure_roofs(folder, args.preset)
    broken = studies.make_artefacts(plan, folder, args.preset)
    steps.end()
    steps.begin("report")
    outcomes = draw(args, tables=False)
    steps.end()
    return studies.finish(folder, plan, outcomes) or int(bool(broken))


def ablate(args: argparse.Namespace) -> int:
    """The matrix {all on; each toggle off, one at a time; all off} x benchmarks x sizes.

    Every cell is compiled, verified, and only then timed; each leaves one JSON row, so that a run that was
    stopped goes on where it was. A failed cell leaves a row with the reason and makes the exit status 1.
    """
    names.check("benchmark", args.benchmark, names.benchmarks())
    names.check("toggle", args.toggle, [t.name for t in toggle_table.read()])
    if args.study:
        return ablate_studies(args)
    if args.report:
        if known := executables(args.preset):
            studies.adopt(known.values(), results_folder(args))
        draw(args)
        return 0
    if args.list or args.dry_run:
        looked_up(args)
        cells = matrix_of(args)
        if args.dry_run:
            studies.dry_run_of_cells(args, cells, results_folder(args))
        else:
            studies.list_all(cells, each=args.benchmark)
        return 0
    steps = steps_of(args, builder.SUITES, "study", "report")
    prepare(args, steps, builder.SUITES)
    cells = matrix_of(args)
    if not cells:
        raise Failure("no benchmark has such a size; ./retro bench lists the sizes")
    return study(args, steps, cells, tape_of_all=not args.no_tape)


def matrix_of(args: argparse.Namespace) -> list[Cell]:
    """The cells of `./retro ablate` without --study."""
    from ablation import matrix

    try:
        return matrix.cells(
            chosen_benchmarks(args),
            toggle_table.read(),
            args.size or ["default"],
            variants(args),
            args.toggle,
            args.only_on,
            args.all_kernels,
        )
    except KeyError as error:
        raise Failure(error.args[0]) from error


def tune(args: argparse.Namespace) -> int:
    """Search the toggle settings, the order of passes among them, for the fastest gradient that is verified, by successive halving
    within --minutes. The fastest is held against all on, in turn. results/<machine>/tune/<benchmark>.json says what was tried; the same
    seed tries the same settings."""
    known = names.benchmarks()
    names.check("benchmark or suite", [args.suite], {*known, *known.values()})
    steps = steps_of(args, builder.SUITES)
    prepare(args, steps, builder.SUITES)
    steps.end()
    return studies.tune(args, executables(args.preset), results_folder(args), builder.build_dir(args.preset))


def reproduce(args: argparse.Namespace) -> int:
    """From nothing to the report: build, then every study of ablation/studies, every gradient verified before it is timed, then
    tables (Markdown, CSV, JSON), figures (PNG and SVG), what they say about each bar, and results/report.html, where all of it stands.

    The whole command is planned for --budget minutes on two cores: packages and build take what they take, and
    where the rest would not be enough for the studies, their cells are timed in fewer rounds. No cell is left out. --full measures
    the studies' full form, without a budget.
    """
    start = time.monotonic()
    names.check("benchmark", args.benchmark, names.benchmarks())
    steps = steps_of(args, builder.SUITES, "study", "report")
    if not args.full:
        steps.budget = start, 60 * args.budget
    if args.dry_run:
        plan, absent = studies.expand(studies.chosen(["all"]), looked_up(args).values(), args.full, args.benchmark)
        studies.dry_run(args, plan, absent, results_folder(args))
        print(f"packages and build before: about {span(sum(map(steps.seconds, steps.names[:-2])))}")
        return 0
    prepare(args, steps, builder.SUITES)
    chosen_benchmarks(args)  # an error for one that could not be built
    plan, absent = studies.expand(studies.chosen(["all"]), executables(args.preset).values(), args.full, args.benchmark)
    deadline = None if args.full else start + 60 * args.budget - REPORT_SECONDS
    status = run_studies(args, steps, plan, absent, deadline)
    used = time.monotonic() - start
    if args.full:
        print(f"time: {span(used)}")
        return status
    within = "within" if used <= 60 * args.budget else "OVER"
    print(f"time: {span(used)}, {within} the budget of {span(60 * args.budget)}")
    return status


def toggles(args: argparse.Namespace) -> None:
    """List the optimization switches of engine/base/toggles.def."""
    rows = toggle_table.read()
    text = toggle_table.to_markdown(rows, toggle_table.traits(toggle_table.DEFINITIONS.read_text()))
    if args.check_markdown:
        page = Path(args.check_markdown)
        if not page.exists() or page.read_text() != text:
            raise Failure(f"{page} is not current; run ./retro toggles --markdown > {page.name}")
        print(f"{page.name} is current")
    elif args.json:
        print(toggle_table.to_json(rows))
    elif args.markdown:
        print(text, end="")
    else:
        width = 2 + max(len(t.name) for t in rows)
        for t in rows:
            print(f"{t.name:<{width}}{'on' if t.default else 'off':<5}{t.description}")


def doctor(args: argparse.Namespace) -> int:
    """Say what is installed and what is missing; exit status 1 when a package that `./retro build` needs is missing."""
    missing = system.missing_packages()
    later = {name: system.missing_packages([name]) for name in ("suites", "tests")}
    tools = {
        name: system.version_of(name)
        for name in (
            f"clang++-{LLVM_MAJOR}",
            f"opt-{LLVM_MAJOR}",
            f"lit-{LLVM_MAJOR}",
            f"clang-format-{LLVM_MAJOR}",
            "cmake",
            "ninja",
            "ccache",
        )
    }
    parts = system.optional_parts()
    plugin = builder.plugin_path()
    if args.json:
        print(
            json.dumps(
                {
                    "python": platform.python_version(),
                    "cpu": system.cpu_name(),
                    "cores": JOBS,
                    "tools": tools,
                    "missing_packages": missing,
                    "missing_later": later,
                    "plugin": str(plugin) if plugin.exists() else None,
                    "optional": [{"part": n, "found": f, "enables": e} for n, f, e in parts],
                },
                indent=1,
            )
        )
        return 1 if missing else 0
    print(f"machine   {system.cpu_name()}, {JOBS} cores, Python {platform.python_version()}")
    for name, version in tools.items():
        print(f"{'ok' if version else 'MISSING':<10}{name:<16}{version or ''}")
    built = plugin.exists()
    print(
        f"{'ok' if built else '-':<10}{'plugin':<16}{plugin.relative_to(ROOT) if built else 'not built: ./retro build'}"
    )
    print("\noptional parts, and what each is for (the project builds and passes its tests without them)")
    for name, found, enables in parts:
        print(f"{'ok' if found else '-':<10}{name:<24}{enables}{f'  ({found})' if found else ''}")
    if system.installed_packages() is None:
        print("\npackages: this machine has no dpkg; tools/packages.txt lists what is needed")
    else:
        say_missing(missing, later)
    return 1 if missing else 0


def say_missing(missing: list[str], later: dict[str, list[str]]) -> None:
    """What `./retro build` lacks, then what the benchmarks and the tests do."""
    install = "sudo apt-get install -y --no-install-recommends"
    if missing:
        print(
            f"\nmissing packages: {' '.join(missing)}\n  ./retro build installs them as root; otherwise\n  sudo apt-get update && {install} {' '.join(missing)}"
        )
    else:
        print("\nevery package that ./retro build needs is installed")
    for section, who in (("suites", "./retro bench, ablate and reproduce"), ("tests", "./retro test")):
        if later[section]:
            print(f"{who} will install: {' '.join(later[section])}")
