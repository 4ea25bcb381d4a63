"""Run one group of conformance programs and compare the outcome with the list of programs that may stop
with a diagnostic.

A program passes, or it is on the list and its compilation stops with a diagnostic of the engine. Everything
else fails this check: a wrong number, a crash, a hang, a diagnostic of a program that is not on the list,
and a listed program that passes now (take it off the list). Each is compiled at -O0 and -O2; with
RETRO_CONFORMANCE_LEVELS=all in the environment at all four levels. Exit status 77 when the programs are not
there.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

SKIPPED = 77
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
    every = os.environ.get("RETRO_CONFORMANCE_LEVELS") == "all"
    parser.add_argument("--levels", default="O0,O1,O2,O3" if every else "O0,O2")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    if not (args.programs / "run").exists():
        print(f"skipped: no conformance programs in {args.programs}")
        return SKIPPED

    expected = read_expected(args.expected)
    folder = args.group.split("/")[0]
    with tempfile.TemporaryDirectory(prefix="retro-conformance-") as scratch:
        result = Path(scratch) / "result.json"
        out = subprocess.run(
            [
                sys.executable,
                str(args.programs / "run"),
                folder,
                "--clang",
                args.clang,
                "--plugin",
                args.plugin,
                "--levels",
                args.levels,
                "-j",
                str(args.jobs),
                "--only",
                args.group,
                "--json",
                str(result),
                "-v",
            ],
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        if not result.exists():
            print(out.stdout[-4000:])
            print(f"conformance/run gave no result (exit {out.returncode})")
            return 1
        report = json.loads(result.read_text())

    commands = commands_of(out.stdout)
    programs = {row["test"] for row in report["tests"]}

    def diagnosed(program: str, level: str) -> tuple[bool, str]:
        return stops_with_diagnostic(commands[Path(program).name, level], args.programs / folder)

    complaints = judge(report["tests"], expected, diagnosed)
    complaints += [
        f"{p}: on the list, but there is no such program"
        for p in expected
        if p.startswith(args.group) and p not in programs
    ]
    for line in complaints:
        print("SKIP" if ": skipped: " in line else "FAIL", line)
    total = report["total"]
    if complaints and all(": skipped: " in line for line in complaints):
        print(f"skipped: {len(complaints)} of {args.group} need what this machine lacks")
        return SKIPPED
    print(
        f"{args.group}: {total['pass']} of {total['tests']} programs pass, {total['fail'] + total['beyond']} do not, "
        f"{len(complaints)} complaints"
    )
    return 1 if complaints or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
