"""Compiles and runs programs written as users write them, and compares what becomes of them with the list of what is known.

A program is right, or it is on the list with the verdict that it has. A verdict that is worse than the listed one fails this check (refused is better than a
wrong number, a crash or an internal error), and so does one that is not listed. One that is better is told, so that it is taken off the list. Each is tried at one of five levels, the next one at
another, and those that compile fast, of C and Fortran, at two; with --all-levels, or RETRO_USERS_LEVELS=all in the environment, at all of them. Exit status
77 when the programs are not there.
"""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

from verify.fuzz import corpus

SKIPPED = 77
LEVELS = list(corpus.LEVELS)
PAIRS = [("O0", "O2"), ("fast", "O1"), ("O3", "O0"), ("O2", "fast"), ("O1", "O3")]
SLOW = (".cpp", "")  # C++, and a folder with a script of its own
# What is listed may become better in this order.
BETTER = ["right", "refused"]


def read_expected(path: Path) -> dict[str, dict[str, str]]:
    """{program: {level: verdict}} of lines `folder/program levels verdict # reason`; * is every level."""
    expected = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        entry, _, reason = line.partition("#")
        words = entry.split()
        if not words:
            continue
        if len(words) != 3 or not reason.strip():
            raise ValueError(f"{path}:{number}: wanted `folder/program levels verdict # reason`")
        levels = LEVELS if words[1] == "*" else words[1].split(",")
        if unknown := set(levels) - set(LEVELS):
            raise ValueError(f"{path}:{number}: no level {', '.join(sorted(unknown))}")
        expected.setdefault(words[0], {}).update(dict.fromkeys(levels, words[2]))
    return expected


def chosen(number: int, case: corpus.Case) -> list[str]:
    """The level of the number-th program, or two of one that compiles fast; where it does not run at these, others at which it does."""
    allowed = [level for level in LEVELS if case.levels is None or level in case.levels]
    pair = [level for level in PAIRS[number % len(PAIRS)] if level in allowed]
    return (pair + [level for level in allowed if level not in pair])[: 1 if case.path.suffix in SLOW else 2]


def listed_verdict(expected: dict[str, dict[str, str]], program: str, level: str) -> str | None:
    """The listed verdict, or None. `fast` is compiled for the processor at hand: what is listed at another level may be so there, too."""
    levels = expected.get(program, {})
    return levels.get(level) or (next(iter(levels.values()), None) if level == "fast" else None)


def is_better(verdict: str, listed: str) -> bool:
    """Is a verdict better than the listed one?"""
    return verdict in BETTER and (listed not in BETTER or BETTER.index(verdict) < BETTER.index(listed))


def judge(
    rows: list[tuple[str, str, corpus.Verdict]], expected: dict[str, dict[str, str]]
) -> tuple[list[str], list[str]]:
    """(complaints, news) about (program, level, verdict), one line each: what is worse than the list, and what the list may leave out now."""
    complaints, news = [], []
    for program, level, verdict in rows:
        listed = listed_verdict(expected, program, level)
        if verdict.name == "skipped" or verdict.name == (listed or "right"):
            continue
        if listed and is_better(verdict.name, listed):
            what = "take it off the list" if verdict.name == "right" else f"the list says {listed}"
            news.append(f"{program} {level}: {verdict.name} now; {what}")
        else:
            instead = f", and the list says {listed}" if listed else ""
            complaints.append(f"{program} {level}: {verdict.name}{instead}: {verdict.detail}\n    {verdict.command}")
    return complaints, news


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--programs", type=Path, required=True, help="the folder; reduced and convention are looked for in it"
    )
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--flang", default="flang-22")
    parser.add_argument("--expected", type=Path, default=Path(__file__).resolve().parent / "expected.txt")
    parser.add_argument("--group", default="", help="only programs whose folder/name begins so")
    parser.add_argument("--levels", help="instead of those chosen")
    parser.add_argument("--all-levels", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    found = corpus.users(args.programs)
    if not found:
        print(f"skipped: no programs of users in {args.programs}")
        return SKIPPED
    expected = read_expected(args.expected)
    every = args.all_levels or os.environ.get("RETRO_USERS_LEVELS") == "all"
    tools = corpus.Toolchain(str(Path(args.plugin).resolve()), args.clang, args.clangxx, args.flang)
    todo = [
        (case, level)
        for number, case in enumerate(found)
        if case.name.startswith(args.group)
        for level in (args.levels.split(",") if args.levels else LEVELS if every else chosen(number, case))
        if case.levels is None or level in case.levels
    ]

    def one(job: tuple[corpus.User, str]) -> tuple[str, str, corpus.Verdict]:
        with tempfile.TemporaryDirectory(prefix="retro-users-") as folder:
            return job[0].name, job[1], corpus.one(job[0], tools, job[1], [], Path(folder))

    with ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(one, todo))
    complaints, news = judge(rows, expected)
    names = {case.name for case in found}
    complaints += [
        f"{program}: on the list, but there is no such program"
        for program in expected
        if program.startswith(args.group) and program not in names
    ]
    for line in complaints:
        print("FAIL", line)
    for line in news:
        print("BETTER", line)
    for program, level, verdict in rows:
        if verdict.name == "skipped":
            print("SKIP", program, level, verdict.detail)
    counts = {name: sum(v.name == name for _, _, v in rows) for name in dict.fromkeys(v.name for _, _, v in rows)}
    print(
        f"{len({program for program, *_ in rows})} programs, {len(rows)} runs: "
        + ", ".join(f"{name} {n}" for name, n in counts.items())
    )
    return 1 if complaints else SKIPPED if rows and not set(counts) - {"skipped"} else 0


if __name__ == "__main__":
    sys.exit(main())
