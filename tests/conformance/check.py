"""Run one group of conformance programs and compare the outcome with the list of programs that may stop
with a diagnostic.

A program passes, or it is on the list and its compilation stops with a diagnostic of the engine. Everything
else fails this check: a wrong number, a crash, a hang, a diagnostic of a program that is not on the list,
and a listed program that passes now (take it off the list). Each is compiled at one level, the next one at
another; with RETRO_CONFORMANCE_LEVELS=all in the environment each at all four. Exit status 77 when the programs
are not there.
"""

import argparse
import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.conformance.repeat import load_runner

SKIPPED = 77
TURNS = ["O0", "O2", "O1", "O3"]
CRASH = re.compile(
    r"PLEASE submit a bug report|Stack dump:|Assertion .* failed|LLVM ERROR|UNREACHABLE executed|terminate called"
    r"|Segmentation fault|clang frontend command failed|AddressSanitizer|core dumped|Broken module found"
)
# How the engine ends a diagnostic: error: <sentence> [retro-<id>]. `internal` is a defect, not an answer.
ENGINE_ERROR = re.compile(r"error: .*\[retro-(?!internal)[a-z-]+\]")


def read_expected(path: Path) -> dict[str, set[str] | None]:
    """{program: {level, …} or None for every level} of lines `core/name.c [O0,O1] # reason`. A reason is
    required."""
    expected = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        entry, _, reason = line.partition("#")
        words = entry.split()
        if not words:
            continue
        if len(words) > 2 or not reason.strip():
            raise ValueError(f"{path}:{number}: wanted `folder/program [levels] # reason`")
        expected[words[0]] = set(words[1].split(",")) if len(words) == 2 else None
    return expected


def commands_of(log: str) -> dict[tuple[str, str], str]:
    """{(program file name, level): command} from the command lines that `run -v` prints."""
    found = {}
    for line in log.splitlines():
        level = re.search(r" -(O[0-3]) ", line)
        program = re.search(r" \S*?([\w.+-]+\.(?:c|cpp)) ", line)
        if level and program and " -o " in line:
            found[program[1], level[1]] = line
    return found


def stops_with_diagnostic(command: str, folder: str) -> tuple[bool, str]:
    """Compile once more and look at everything the compiler says: (True, the error) only for a clean error
    of the engine."""
    command = re.sub(r" -o \S+", " -o /dev/null", command)
    out = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    if out.returncode != 1 or CRASH.search(out.stderr):
        return False, f"exit {out.returncode}: " + (CRASH.search(out.stderr) or [""])[0]
    found = ENGINE_ERROR.search(out.stderr)
    return (True, found[0]) if found else (False, "no error of the engine")


def chosen(number: int, levels: Collection[str]) -> str:
    """The level of the number-th program of its folder, of those at which it runs."""
    turn = number % len(TURNS)
    return next(level for level in TURNS[turn:] + TURNS[:turn] if level in levels)


def outcomes(runner: Any, jobs: int, work: list[tuple[Any, list[str]]]) -> tuple[list[dict[str, Any]], str]:
    """(rows as `run` writes them, what it printed) of (program, its levels)."""
    todo = [(test, level) for test, levels in work for level in levels]
    log = io.StringIO()
    with contextlib.redirect_stdout(log), ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda job: runner.one(*job), todo))
    rows: dict[str, dict[str, Any]] = {}
    for (test, level), (status, message) in zip(todo, results):
        row = rows.setdefault(test.name, {"test": test.name, "levels": {}})
        row["levels"][level] = {"status": status, "message": message}
    return list(rows.values()), log.getvalue()


# What `run` says of a program of errors/ that compiles. Differentiating it correctly is better than refusing it:
# a listed one is differentiated, and the list names the program that proves its value.
REFUSAL_WANTED = "compiled, but must be refused"


def judge(
    tests: list[dict[str, Any]],
    expected: Mapping[str, Collection[str] | None],
    diagnosed: Callable[[str, str], tuple[bool, str]],
) -> list[str]:
    """The complaints, one line each.

    tests: rows of run's JSON; expected: see read_expected; diagnosed(program, level) -> (bool, text).
    """
    complaints = []
    for row in tests:
        program = row["test"]
        for level, outcome in row["levels"].items():
            listed = program in expected and (expected[program] is None or level in expected[program])
            status, message = outcome["status"], outcome["message"]
            if status == "pass":
                if listed:
                    complaints.append(f"{program} -{level}: passes now; take it off the list")
            elif status == "skip":
                complaints.append(f"{program} -{level}: skipped: {message}")
            elif listed and program.startswith("errors/") and message.startswith(REFUSAL_WANTED):
                continue
            elif not listed:
                complaints.append(f"{program} -{level}: {message}")
            elif not message.startswith("compile: "):
                complaints.append(f"{program} -{level}: may stop with a diagnostic, but: {message}")
            else:
                clean, text = diagnosed(program, level)
                if not clean:
                    complaints.append(f"{program} -{level}: no proper diagnostic: {text}")
    return complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--expected", type=Path, required=True)
    parser.add_argument("--group", required=True, help="folder/prefix, for instance core/scalar_")
    parser.add_argument("--levels", help="instead of one each")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    if not (args.programs / "run").exists():
        print(f"skipped: no conformance programs in {args.programs}")
        return SKIPPED

    expected = read_expected(args.expected)
    folder = args.programs.resolve() / args.group.split("/")[0]
    conformance = load_runner(args.programs.resolve())
    every = conformance.LEVELS if os.environ.get("RETRO_CONFORMANCE_LEVELS") == "all" else None
    asked = args.levels.split(",") if args.levels else every
    runner = conformance.Runner(
        SimpleNamespace(clang=args.clang, plugin=args.plugin, clang_plugin=None, extra="", timeout=60, verbose=True)
    )
    work = [
        (test, [level for level in asked if level in test.levels] if asked else [chosen(number, test.levels)])
        for number, test in enumerate(conformance.collect([folder]))
        if test.name.startswith(args.group)
    ]
    tests, log = outcomes(runner, args.jobs, work)
    commands = commands_of(log)
    programs = {row["test"] for row in tests}

    def diagnosed(program: str, level: str) -> tuple[bool, str]:
        return stops_with_diagnostic(commands[Path(program).name, level], folder)

    complaints = judge(tests, expected, diagnosed)
    complaints += [
        f"{p}: on the list, but there is no such program"
        for p in expected
        if p.startswith(args.group) and p not in programs
    ]
    for line in complaints:
        print("SKIP" if ": skipped: " in line else "FAIL", line)
    if complaints and all(": skipped: " in line for line in complaints):
        print(f"skipped: {len(complaints)} of {args.group} need what this machine lacks")
        return SKIPPED
    passing = sum(all(o["status"] == "pass" for o in row["levels"].values()) for row in tests)
    runs = sum(len(row["levels"]) for row in tests)
    print(f"{args.group}: {passing} of {len(tests)} programs pass, {runs} runs, {len(complaints)} complaints")
    return 1 if complaints or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
