"""Runs parallel conformance programs again and again, with several numbers of threads and ranks: a race or an order of messages that is wrong
shows only sometimes. Each program is built once."""

import argparse
import importlib.machinery
import importlib.util
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.dont_write_bytecode = True


def load_runner(programs: Path) -> Any:
    """The conformance programs' own runner, as a module: it knows their directives."""
    loader = importlib.machinery.SourceFileLoader("conformance_run", str(programs / "run"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def build(runner: Any, test: Any, level: str, program: Path, programs: Path, seconds: float) -> tuple[bool, str]:
    """An empty string, or why there is no program; with (True, …) where something is not installed."""
    compile_flags, link_flags = [], []
    for requirement in test.requires:
        problem, compiling, linking = runner.need(requirement)
        if problem:
            return True, problem
        compile_flags += compiling
        link_flags += linking
    compiler = [runner.cc] if test.path.suffix == ".c" else [runner.cxx, "-std=c++17"]
    command = [
        *compiler,
        f"-{level}",
        f"-I{programs}",
        *runner.plugin,
        *compile_flags,
        *test.flags,
        test.path,
        *test.sources,
    ]
    done = subprocess.run(
        [*map(str, command), "-o", str(program), *link_flags, "-lm"], capture_output=True, text=True, timeout=seconds
    )
    return False, f"does not compile: {done.stderr.strip()[:300]}" if done.returncode else ""


# Written for so many ranks: what they expect, or whom they send to.
RANKS = {"mpi_alltoall.c": [3], "mpi_alltoallv.c": [3], "mpi_send_recv.c": [2], "mpi_send_recv_status.c": [2]}


def settings(test: Any, threads: list[int], ranks: list[int]) -> list[tuple[str, list[str], dict[str, str]]]:
    """[(what, start of the command, environment)]: a program is run with every one of them."""
    ranks = RANKS.get(test.path.name, ranks)
    quiet = {
        "OMP_WAIT_POLICY": "passive",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    }
    environment = {**os.environ, **quiet, "OMP_NUM_THREADS": "4", **test.env}
    if "mpi" in test.requires:
        start = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]
        return [(f"{n} ranks", [*start, str(n)], environment) for n in ranks]
    if "openmp" in test.requires:
        return [(f"{n} threads", [], {**environment, "OMP_NUM_THREADS": str(n)}) for n in threads]
    return [("threads of its own", [], environment)]


def repeat(command: list[str], times: int, environment: dict[str, str], folder: str, seconds: float) -> tuple[int, str]:
    """(how many of the runs were right, what the first wrong one said)."""
    right, wrong = 0, ""
    for _ in range(times):
        try:
            ran = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, timeout=seconds)
            said = ran.stderr + ran.stdout
            good, why = ran.returncode == 0, f"status {ran.returncode}: {said.strip()[:200]}"
        except subprocess.TimeoutExpired:
            good, why = False, f"still ran after {seconds} s"
        right += good
        wrong = wrong or ("" if good else why)
    return right, wrong


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, required=True, help="folder of the conformance programs")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--only", default="", help="programs whose name starts so, or several, with commas")
    parser.add_argument("--level", default="O2")
    parser.add_argument("--threads", type=numbers, default=[1, 2, 4])
    parser.add_argument("--ranks", type=numbers, default=[2, 3, 4])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--timeout", type=float, default=120, help="seconds of a run")
    args = parser.parse_args()
    programs = args.programs.resolve()
    if not (programs / "run").exists():
        print(f"skipped: there are no conformance programs in {args.programs}")
        return 77
    module = load_runner(programs)
    runner = module.Runner(
        SimpleNamespace(clang=args.clang, plugin=args.plugin, clang_plugin=None, extra="", verbose=False)
    )
    tests = [t for t in module.collect([programs / "parallel"]) if t.path.name.startswith(tuple(args.only.split(",")))]
    all_runs = all_right = bad = skipped = 0
    for test in tests:
        with tempfile.TemporaryDirectory(prefix="repeat-") as folder:
            program = Path(folder) / "program"
            absent, why = build(runner, test, args.level, program, programs, args.timeout)
            if why:
                print(f"{test.path.name}: {'skipped, ' if absent else ''}{why}", flush=True)
                skipped += absent
                bad += not absent
                continue
            report = []
            for what, start, environment in settings(test, args.threads, args.ranks):
                right, wrong = repeat([*start, str(program)], args.times, environment, folder, args.timeout)
                all_runs += args.times
                all_right += right
                bad += right != args.times
                report.append(f"{what} {right}/{args.times}{' (' + wrong + ')' if wrong else ''}")
        print(f"{test.path.name}: {', '.join(report)}", flush=True)
    print(f"{len(tests) - skipped} programs at -{args.level}: {all_right} of {all_runs} runs were right")
    print(shlex.join(sys.argv))
    return 1 if bad else 77 if skipped == len(tests) else 0


if __name__ == "__main__":
    sys.exit(main())
