"""What each command of `./retro` does. Every function takes the parsed arguments and returns an exit status."""

import json
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

from . import JOBS, LLVM_MAJOR, ROOT, Failure
from . import build as builder
from . import studies, system
from . import toggles as toggle_table
from .progress import Meter, Steps, span

# Seconds on two cores; replaced by measured times after the first run.
EXPECTED = {
    "configure": 10,
    "build": 330,
    "build benchmarks": 240,
    "tests": 600,
    "study": 600,
    "report": 30,
}
SECONDS_PER_PACKAGE = 3
SECONDS_PER_CELL = 2.5  # compiling included, until measured
REPORT_SECONDS = 60  # kept of the budget for tables and figures


def steps_of(args, *names):
    """The steps of a command, packages first unless they are not to be looked for."""
    steps = Steps(
        [*([] if args.no_install else ["packages"]), *names],
        EXPECTED,
        builder.build_dir(args.preset) / "retro-times.json",
    )
    if not args.no_install:
        missing = len(system.missing_packages())
        steps.expect("packages", 20 + SECONDS_PER_PACKAGE * missing if missing else 0)
    return steps


def prepare(args, steps, targets=(), step="build"):
    """Packages, configuration, build: the common beginning."""
    if not args.no_install:
        steps.begin("packages")
        system.install_missing()
    steps.begin("configure")
    builder.configure(args.preset, args.define)
    steps.begin(step)
    builder.build(args.preset, targets, args.jobs)


def build(args):
    """Install missing packages (as root; otherwise the command is printed), configure, and build."""
    steps = steps_of(args, "configure", "build")
    prepare(args, steps, args.target)
    steps.end()


def ctest_command(args):
    cmd = [
        "ctest",
        "--test-dir",
        str(builder.build_dir(args.preset)),
        "--output-on-failure",
        "--no-tests=error",
        "-j",
        str(args.jobs),
    ]
    if args.label:
        cmd += ["-L", f"^({'|'.join(args.label)})$"]
    if args.exclude:
        cmd += ["-LE", f"^({'|'.join(args.exclude)})$"]
    if args.match:
        cmd += ["-R", args.match]
    return cmd


def test(args):
    """Build, then run ctest. The exit status is ctest's, and its closing lines come last on stdout.

    Labels: unit (seconds), lit (IR tests of the engine), conformance and users (skipped where the programs are absent),
    suite (benchmarks against their published values), slow (sanitizers, large sizes).
    """
    # What all tests take is remembered apart from what a choice of them takes.
    step = "chosen tests" if args.label or args.exclude or args.match else "tests"
    steps = steps_of(args, "configure", "build", step)
    prepare(args, steps)
    steps.begin(step)
    env = dict(os.environ)
    if args.preset == "asan":
        env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    process = subprocess.Popen(
        ctest_command(args),
        cwd=ROOT,
        env=env,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    meter, start = None, time.monotonic()
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        m = re.match(r"\s*(\d+)/(\d+) Test +#", line)
        if m:
            meter = meter or Meter(int(m[2]), "tests", every=30)
            # Tests are of very different length: what all took last time says more than how many are left.
            left = steps.seconds(step) - (time.monotonic() - start)
            meter.to(int(m[1]), left=left if step == "tests" and left > 0 else None)
    status = process.wait()
    if meter and meter.tty:
        meter.close()
    steps.end()
    return status


def executables(preset):
    """{benchmark: manifest} of what the build wrote."""
    from ablation import manifest

    return {m.name: m for m in manifest.read_all(builder.build_dir(preset))}


def bench(args):
    """Verify one benchmark's gradients, then time them. The arguments after the name go to the benchmark
    itself.

    With --device cuda the suites' kernels are verified and timed on this machine's NVIDIA device, from the folder that
    `./retro pack` made (build/<preset>/pack, or --pack); exit status 77 where there is no driver. All other
    arguments go to that folder's bench.py, a name as --suite.

    With --compare OLD NEW nothing is run: two measurements (a folder of results, a benchmark's --json file) are held against each
    other, and the exit status is 1 when something became slower, fails or is gone."""
    if args.compare:
        return studies.compare(*args.compare, args.threshold, args.agree)
    if args.device == "cuda":
        return bench_on_gpu(args)
    steps = steps_of(args, "configure", "build")
    prepare(args, steps)
    steps.end()
    known = executables(args.preset)
    if not args.name:
        for name, m in sorted(known.items()):
            print(f"{m.suite}/{name}: {', '.join(m.sizes)}")
        return 0
    if args.name not in known:
        raise Failure(f"no benchmark '{args.name}'; there are: {', '.join(sorted(known))}")
    benchmark = known[args.name]
    return subprocess.run([*benchmark.launcher, benchmark.executable, *args.arguments]).returncode


def bench_on_gpu(args):
    """Run a pack, which is made first where there is none. 77 where there is no NVIDIA driver."""
    driver = os.environ.get("RETRO_CUDA_DRIVER") or "libcuda.so.1"
    if not system.loads(driver):
        print(f"there is no NVIDIA driver here ({driver})")
        return 77
    folder = Path(args.pack) if args.pack else builder.build_dir(args.preset) / "pack"
    if not (folder / "pack.json").exists():
        if args.pack:
            raise Failure(f"{folder} is no folder that ./retro pack made")
        if status := make_pack(args.preset, ["--out", str(folder)]):
            return status
    words = args.arguments
    if words and not words[0].startswith("-"):
        words = ["--suite", *words]
    out = [] if "--out" in words else ["--out", str(ROOT / "results")]
    return subprocess.run([sys.executable, "-B", str(folder / "bench.py"), *out, *words]).returncode


def make_pack(preset, arguments):
    folder = builder.build_dir(preset)
    found = [f"--build={folder}", f"--plugin={builder.plugin_path(preset)}", f"--work={folder / 'pack-work'}"]
    if not any(a.split("=")[0] == "--out" for a in arguments):
        found.append(f"--out={folder / 'pack'}")
    if not {"-h", "--help"} & set(arguments):
        builder.configure(preset)
        builder.build(preset, ["retrograde", "benchmarks", "retro_suite_device", "retro_cuda"])
    script = ROOT / "tools" / "gpu" / "pack.py"
    return subprocess.run([sys.executable, "-B", str(script), *found, *arguments]).returncode


def pack(args):
    """Build a folder that runs the suites on a machine with an NVIDIA driver and nothing else of CUDA. Its own --help says more."""
    return make_pack(args.preset, args.arguments)


def verify(args):
    """Check generated gradients with the verifier. Its own --help says what it accepts."""
    tool = builder.build_dir(args.preset) / "verify" / "retro-verify"
    if tool.exists():
        return subprocess.run([str(tool), *args.arguments]).returncode
    if {"-h", "--help"} & set(args.arguments):
        script = ROOT / "verify" / "tool" / "retro_verify.py"
        print("The verifier is not built yet (./retro build does it). Then:\n", flush=True)
        return subprocess.run([sys.executable, "-B", str(script), "--help"]).returncode
    raise Failure(f"{tool.relative_to(ROOT)} is not built; run ./retro build")


def fuzz(args):
    """Mutate programs and judge their derivatives. Its own --help says what it accepts."""
    script = ROOT / "verify" / "fuzz" / "retro_fuzz.py"
    plugin = ["--plugin", str(builder.plugin_path(args.preset))]
    given = any(a.split("=")[0] == "--plugin" for a in args.arguments)
    return subprocess.run([sys.executable, "-B", str(script), *([] if given else plugin), *args.arguments]).returncode


def gpu_emulate(args):
    """Compile CUDA or HIP sources, or device IR, so that their kernels run on the CPU. Its own --help says what it accepts."""
    folder = builder.build_dir(args.preset) / "engine" / "runtime" / "gpu_on_cpu"
    if not (folder / "retrograde_gpu.so").exists():
        raise Failure("there is no emulator yet: run ./retro build")
    script = ROOT / "engine" / "runtime" / "gpu_on_cpu" / "gpu_on_cpu.py"
    found = [
        f"--pass-plugin={folder / 'retrograde_gpu.so'}",
        f"--library={folder / 'libretro_gpu.a'}",
        f"--include={ROOT / 'engine' / 'include'}",
    ]
    return subprocess.run([sys.executable, "-B", str(script), *found, *args.arguments]).returncode


def gpu_mutate(args):
    """Remove one barrier, atomic or store at a time from gradients of kernels and see that a test notices. Its own --help says more."""
    folder = builder.build_dir(args.preset) / "engine" / "runtime" / "gpu_on_cpu"
    found = [
        f"--plugin={builder.plugin_path(args.preset)}",
        f"--pass-plugin={folder / 'retrograde_gpu.so'}",
        f"--library={folder / 'libretro_gpu.a'}",
    ]
    script = ROOT / "tools" / "gpu" / "mutate.py"
    return subprocess.run([sys.executable, "-B", str(script), *found, *args.arguments]).returncode


def gpu_resources(args):
    """Print what the suites' kernels and their gradients use on each architecture. Its own --help says what it accepts."""
    script = ROOT / "tools" / "gpu" / "resources.py"
    plugin = ["--plugin", str(builder.plugin_path(args.preset))]
    given = any(a.split("=")[0] == "--plugin" for a in args.arguments)
    return subprocess.run([sys.executable, "-B", str(script), *([] if given else plugin), *args.arguments]).returncode


def python(args):
    """Run Debian's python3 so that `import retro.numpy` and `import retro.torch` find this tree and its plugin."""
    plugin = builder.plugin_path(args.preset)
    if not plugin.exists():
        raise Failure(f"{plugin.relative_to(ROOT)} is not built; run ./retro build")
    places = [str(ROOT / "python"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "RETRO_PLUGIN": str(plugin)}
    return subprocess.run([system.DEBIAN_PYTHON, *args.arguments], env=environment).returncode


def results_folder(args):
    from ablation import machine

    return Path(args.results) if args.results else ROOT / "results" / machine.slug()


def chosen_benchmarks(args):
    known = executables(args.preset)
    unknown = set(args.benchmark) - set(known)
    if unknown:
        raise Failure(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(sorted(known))}")
    return [m for name, m in sorted(known.items()) if not args.benchmark or name in args.benchmark]


def variants(args):
    return ["restrict", "plain"] if args.variant == "all" else [args.variant]


def command_of(args):
    """The command as it is typed, without what does not change the numbers' meaning."""
    skip = ("--no-install", "--again", "--update-docs")
    words = [w for w in sys.argv[1:] if w not in skip and not w.startswith("--results=")]
    while "--results" in words:
        at = words.index("--results")
        del words[at : at + 2]
    return shlex.join(["./retro", *words])


def measure(args, cells, **how):
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


def draw(args, tables=True):
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


def study(args, steps, cells, **how):
    """Measure, then draw; exit status 1 when a cell failed."""
    from ablation import runner

    rows = results_folder(args) / "rows"
    pending = runner.pending_cells(cells, rows, builder.build_dir(args.preset), args.again)[0]
    steps.expect("study", len(pending) * steps.known.get("cell", SECONDS_PER_CELL))
    steps.begin("study")
    print(f"retro: {len(cells)} cells, {len(cells) - len(pending)} of them measured before", file=sys.stderr)
    failed = measure(args, cells, **how)
    seconds = steps.end()
    if len(pending) >= 10:
        steps.remember("cell", seconds / len(pending))
    steps.begin("report")
    draw(args)
    steps.end()
    if failed:
        print(f"retro: {failed} cells failed; their rows say why", file=sys.stderr)
    return 1 if failed else 0


def ablate_studies(args):
    """The studies of --study: measure, then their tables and figures."""
    chosen, folder = studies.chosen(args.study), results_folder(args)
    looking = args.list or args.dry_run
    steps = steps_of(args, "configure", "build benchmarks", *([] if looking else ["study", "report"]))
    prepare(args, steps, ["benchmarks"], "build benchmarks")
    chosen_benchmarks(args)  # an error for a name that is none
    plan, absent = studies.expand(chosen, executables(args.preset).values(), args.full, args.benchmark)
    if looking:
        steps.end()
        if args.list:
            print(*(cell.key for _, cells in plan for cell in cells), sep="\n")
        else:
            studies.dry_run(args, plan, absent, folder)
        return 0
    return run_studies(args, steps, plan, absent)


def run_studies(args, steps, plan, absent, deadline=None):
    """Measure the studies of a plan and draw everything; the exit status says the worst that happened."""
    from ablation import estimate, runner, study

    folder, pages = results_folder(args), builder.build_dir(args.preset)
    cells = study.union(plan)
    pending = runner.pending_cells(cells, folder / "rows", pages, args.again)[0]
    guess = estimate.estimate(pending, folder / "rows", studies.options_of(args, plan, None), probing=False)
    steps.expect("study", guess.total)
    steps.begin("study")
    print(f"retro: {len(cells)} cells, {len(cells) - len(pending)} of them measured before", file=sys.stderr)
    studies.run(args, plan, absent, folder, command_of(args), deadline)
    if any(one.figure == "roofline" for one, _ in plan):
        studies.measure_roofs(folder, args.preset)
    broken = studies.make_artefacts(plan, folder, args.preset)
    steps.end()
    steps.begin("report")
    outcomes = draw(args, tables=False)
    steps.end()
    return studies.finish(folder, plan, outcomes) or int(bool(broken))


def ablate(args):
    """The matrix {all on; each toggle off, one at a time; all off} x benchmarks x sizes.

    Every cell is compiled, verified, and only then timed; each leaves one JSON row, so that a run that was
    stopped goes on where it was. A failed cell leaves a row with the reason and makes the exit status 1.
    """
    from ablation import matrix

    if args.study:
        return ablate_studies(args)
    if args.report:
        if known := executables(args.preset):
            studies.adopt(known.values(), results_folder(args))
        draw(args)
        return 0
    steps = steps_of(args, "configure", "build benchmarks", "study", "report")
    prepare(args, steps, ["benchmarks"], "build benchmarks")
    try:
        cells = matrix.cells(
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
    if args.list:
        print("studies (--study NAME):")
        studies.list_studies()
        print(f"\ncells without --study: {len(cells)}", *(cell.key for cell in cells), sep="\n")
        return 0
    if not cells:
        raise Failure("no benchmark has such a size; ./retro bench lists the sizes")
    return study(args, steps, cells, tape_of_all=not args.no_tape)


def tune(args):
    """Search the toggle settings, the order of passes among them, for the fastest gradient that is verified, by successive halving
    within --minutes. The fastest is held against all on, in turn. results/<machine>/tune/<benchmark>.json says what was tried; the same
    seed tries the same settings."""
    steps = steps_of(args, "configure", "build benchmarks")
    prepare(args, steps, ["benchmarks"], "build benchmarks")
    steps.end()
    return studies.tune(args, executables(args.preset), results_folder(args), builder.build_dir(args.preset))


def reproduce(args):
    """From nothing to the report: build, then every study of ablation/studies, every gradient verified before it is timed, then
    tables (Markdown, CSV, JSON), figures (PNG and SVG), what they say about each bar, and results/report.html, where all of it stands.

    The whole command is planned for --budget minutes on two cores: packages and build take what they take, and
    where the rest would not be enough for the studies, their cells are timed in fewer rounds. No cell is left out. --full measures
    the studies' full form, without a budget.
    """
    start = time.monotonic()
    steps = steps_of(args, "configure", "build benchmarks", "study", "report")
    if not args.full:
        steps.budget = start, 60 * args.budget
    if args.dry_run:
        plan, absent = studies.expand(studies.chosen(["all"]), executables(args.preset).values(), args.full, args.benchmark)
        studies.dry_run(args, plan, absent, results_folder(args))
        print(f"packages and build before: about {span(sum(map(steps.seconds, steps.names[:-2])))}")
        return 0
    prepare(args, steps, ["benchmarks"], "build benchmarks")
    chosen_benchmarks(args)  # an error for a name that is none
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


def toggles(args):
    """List the optimization switches of engine/toggles.def."""
    rows = toggle_table.read()
    if args.check_markdown:
        page = Path(args.check_markdown)
        if not page.exists() or page.read_text() != toggle_table.to_markdown(rows):
            raise Failure(f"{page} is not current; run ./retro toggles --markdown > {page.name}")
        print(f"{page.name} is current")
    elif args.json:
        print(toggle_table.to_json(rows))
    elif args.markdown:
        print(toggle_table.to_markdown(rows), end="")
    else:
        for t in rows:
            print(f"{t.name:<14}{'on' if t.default else 'off':<5}{t.description}")


def doctor(args):
    """Say what is installed and what is missing; exit status 1 when a required package is missing."""
    missing = system.missing_packages()
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
    elif missing:
        print(
            f"\nmissing packages: {' '.join(missing)}\n  ./retro build installs them as root; otherwise\n"
            f"  sudo apt-get update && sudo apt-get install -y --no-install-recommends {' '.join(missing)}"
        )
    else:
        print("\nevery required package is installed")
    return 1 if missing else 0
