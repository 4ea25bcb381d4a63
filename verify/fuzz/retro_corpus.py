"""Compiles every program that is there in every ordinary way, and runs those that check themselves.

The programs of ../shared/users, ../shared/conformance and engine/test, and the gradients of the suites, at five levels, without a further flag and with each of
a list, one at a time. What is refused with a message is counted by the message's identifier. A wrong number, a crash, an internal error or a compiler
that fails is a defect, and printed with the command that shows it again, unless --expected says that it is known.

What was done is remembered, for this plugin, compiler and text of the program: the same command goes on where it was stopped (--again starts over).
The order is random, and the same for a seed: what fits in some minutes is a sample of all.

Exit status: 0 without defects, 1 with defects, 77 if there are no programs."""

import argparse
import collections
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import corpus

KINDS = ["users", "conformance", "programs", "suites"]
FLAGS: dict[str, list[str]] = {
    "none": [],
    "g": ["-g"],
    "no-strict-aliasing": ["-fno-strict-aliasing"],
    "no-inline": ["-fno-inline"],
    "x86-64-v3": ["-march=x86-64-v3"],
    "address": ["-fsanitize=address"],
    "assertions": ["-D_GLIBCXX_ASSERTIONS"],
    "check-plan": ["-mllvm", "-retro-check-plan"],
}
ORDER = ["right", "refused", "accepted", "leak", "skipped", *corpus.DEFECTS]
# What is known of the corpus, and of the programs written as users write them.
EXPECTED = [
    Path(__file__).resolve().parent / "corpus_expected.txt",
    Path(__file__).resolve().parents[2] / "tests" / "users" / "expected.txt",
]


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="retro fuzz --corpus", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--kinds", type=lambda text: text.split(","), default=KINDS, help=f"which programs (default: {','.join(KINDS)})"
    )
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument(
        "--levels",
        type=lambda text: text.split(","),
        default=list(corpus.LEVELS),
        help=f"default: {','.join(corpus.LEVELS)}; fast is -O3 -march=native -ffast-math",
    )
    parser.add_argument(
        "--flags", type=lambda text: text.split(","), default=list(FLAGS), help=f"by name; default: {','.join(FLAGS)}"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="only so many compilations, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1, help="of the order (default %(default)s)")
    parser.add_argument("--minutes", type=float, help="begin none after so long")
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--plugin", default=os.environ.get("RETRO_FUZZ_PLUGIN"), help="retrograde.so")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--flang", default="flang-22")
    parser.add_argument(
        "--build", type=Path, help="where the suites were configured (default: the plugin's build folder)"
    )
    parser.add_argument(
        "--state", type=Path, metavar="FILE", help="what was done (default: corpus.jsonl in the build folder)"
    )
    parser.add_argument("--again", action="store_true", help="forget what was done")
    parser.add_argument("--expected", type=Path, nargs="+", default=EXPECTED, help="verdicts that are known")
    parser.add_argument("--leaks", action="store_true", help="memory that is not freed is a defect as well")
    parser.add_argument(
        "--hang",
        type=float,
        default=300,
        help="seconds of processor time after which a compilation hangs (default %(default)s)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts and defects there")
    parser.add_argument("--list", action="store_true", help="print what would be compiled, and end")
    parser.add_argument("--verbose", "-v", action="store_true")
    options = parser.parse_args(argv)
    choices: tuple[tuple[list[str], Iterable[str], str], ...] = (
        (options.levels, corpus.LEVELS, "level"),
        (options.flags, FLAGS, "flag"),
        (options.kinds, KINDS, "kind"),
    )
    for given, known, what in choices:
        for name in given:
            if name not in known:
                parser.error(f"there is no {what} {name}; there are {', '.join(known)}")
    return options


Job = tuple[corpus.Case, str, str]  # level and flag
Done = tuple[corpus.Case, str, str, corpus.Verdict]


def read_expected(path: Path) -> list[tuple[str, list[str], list[str], str]]:
    """[(program, levels, flags, verdict)] of lines `program levels [flags] verdict # reason`; * is any, and so is no flag."""
    rows = []
    for number, line in enumerate(path.read_text().splitlines() if path.is_file() else [], 1):
        entry, _, reason = line.partition("#")
        words = entry.split()
        if not words:
            continue
        if len(words) == 3:
            words.insert(2, "*")
        if len(words) != 4 or not reason.strip():
            raise ValueError(f"{path}:{number}: wanted `program levels [flags] verdict # reason`")
        rows.append((words[0], words[1].split(","), words[2].split(","), words[3]))
    return rows


def known(rows: list[tuple[str, list[str], list[str], str]], name: str, level: str, flag: str, verdict: str) -> bool:
    return any(
        program == name
        and verdict == what
        and (levels == ["*"] or level in levels)
        and (flags == ["*"] or flag in flags)
        for program, levels, flags, what in rows
    )


class State:
    """What was done, a line each, so that a run that is stopped loses nothing."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.file = options.state or options.build / "corpus.jsonl"
        # The plugin is a small file that loads the engine beside it.
        plugin = Path(options.plugin)
        files = sorted(plugin.parent.glob(f"{plugin.stem}*{plugin.suffix}"))
        self.engine = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
        version = subprocess.run([options.clang, "--version"], capture_output=True, text=True).stdout.splitlines()[:1]
        self.base, self.lock, self.done = f"{self.engine} {version}", threading.Lock(), {}
        self.new = 0
        if self.file.is_file() and not options.again:
            for line in self.file.read_text().splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue  # the last line of a run that was stopped
                self.done[row["key"]] = corpus.Verdict(row["verdict"], row["detail"], row["command"])
        self.file.parent.mkdir(parents=True, exist_ok=True)
        if options.again:
            self.file.write_text("")

    def key(self, case: corpus.Case, level: str, flag: str) -> str:
        return hashlib.sha256(f"{self.base} {case.name} {case.text} {level} {flag}".encode()).hexdigest()[:24]

    def add(self, case: corpus.Case, level: str, flag: str, verdict: corpus.Verdict) -> None:
        key = self.key(case, level, flag)
        with self.lock:
            self.done[key] = verdict
            with self.file.open("a") as out:
                out.write(
                    json.dumps(
                        {
                            "key": key,
                            "program": case.name,
                            "level": level,
                            "flag": flag,
                            "verdict": verdict.name,
                            "detail": verdict.detail,
                            "command": verdict.command,
                        }
                    )
                    + "\n"
                )


def again(verdict: corpus.Verdict, folder: str) -> str:
    """The command without the folder that is gone."""
    return verdict.command.replace(str(folder), str(Path(tempfile.gettempdir()) / "retro-corpus"))


def hunt(options: argparse.Namespace, todo: list[Job], state: State) -> tuple[list[Done], int, int, float]:
    """[(case, level, flag, verdict)] of what was done in time, and what was left."""
    tools = corpus.Toolchain(options.plugin, options.clang, options.clangxx, options.flang, options.hang)
    start, made, left = time.monotonic(), [], 0

    def one(job: Job) -> tuple[Job, corpus.Verdict | None]:
        case, level, flag = job
        found = state.done.get(state.key(case, level, flag))
        if found:
            return job, found
        if options.minutes and time.monotonic() - start > 60 * options.minutes:
            return job, None
        with tempfile.TemporaryDirectory(prefix="retro-corpus-") as folder:
            verdict = corpus.one(case, tools, level, FLAGS[flag], Path(folder))
            verdict.command = again(verdict, folder)
        state.add(case, level, flag, verdict)
        with state.lock:
            state.new += 1
            if options.verbose:
                print(f"{case.name} {level} {flag}: {verdict.name} {verdict.detail}", flush=True)
            elif state.new % 200 == 0:
                print(f"{state.new} compilations after {time.monotonic() - start:.0f} s", flush=True)
        return job, verdict

    with ThreadPoolExecutor(options.jobs) as pool:
        for (case, level, flag), verdict in pool.map(one, todo):
            if verdict is None:
                left += 1
            else:
                made.append((case, level, flag, verdict))
    return made, left, state.new, time.monotonic() - start


def report(options: argparse.Namespace, made: list[Done], left: int, new: int, seconds: float) -> int:
    rows = [row for path in options.expected for row in read_expected(path)]
    counts, refused, by_flag, defects, expected = (
        collections.Counter(),
        collections.Counter(),
        collections.defaultdict(collections.Counter),
        [],
        0,
    )
    for case, level, flag, verdict in made:
        counts[verdict.name] += 1
        by_flag[flag][verdict.name] += 1
        if verdict.name == "refused":
            refused[verdict.detail] += 1
        if verdict.defect or options.leaks and verdict.name == "leak":
            if known(rows, case.name, level, flag, verdict.name):
                expected += 1
                continue
            defects.append(
                {
                    "program": case.name,
                    "level": level,
                    "flag": flag,
                    "verdict": verdict.name,
                    "detail": verdict.detail,
                    "command": verdict.command,
                }
            )
    for d in sorted(defects, key=lambda d: (d["verdict"], d["program"])):
        print(f"{d['verdict']:9}{d['program']} {d['level']} {d['flag']}: {d['detail']}\n    {d['command']}")
    print(f"{'flag':<20}" + "".join(f"{name:>10}" for name in ORDER))
    for flag, row in [*by_flag.items(), ("all", counts)]:
        print(f"{flag:<20}" + "".join(f"{row[name]:>10}" for name in ORDER))
    if refused:
        print("refused: " + ", ".join(f"{name} {n}" for name, n in refused.most_common()))
    rate = f", {60 * new / seconds:.0f} a minute" if new and seconds > 1 else ""
    print(
        f"{len(made)} compilations of {len({case.name for case, *_ in made})} programs ({new} now, in {seconds:.0f} s{rate}; {left} left), seed {options.seed}: "
        f"{len(defects)} defects" + (f", {expected} that are known" if expected else "")
    )
    if options.json:
        options.json.write_text(
            json.dumps(
                {
                    "seed": options.seed,
                    "compilations": len(made),
                    "left": left,
                    "counts": counts,
                    "refused": refused,
                    "flags": by_flag,
                    "known": expected,
                    "defects": defects,
                },
                indent=1,
            )
            + "\n"
        )
    return 1 if defects else 0


def jobs(options: argparse.Namespace) -> tuple[list[Job], list[str]]:
    """([(case, level, flag)], [why a kind of program is not there])"""
    found, absent = corpus.cases(options.kinds, options.build)
    wanted = [case for cases in found.values() for case in cases if options.only in case.name]
    todo = [
        (case, level, flag)
        for case in wanted
        for level in options.levels
        for flag in options.flags
        if case.levels is None or level in case.levels
    ]
    random.Random(options.seed).shuffle(todo)
    return todo[: options.sample], absent


def main(argv: list[str]) -> int:
    options = parse(argv)
    if not options.plugin or not Path(options.plugin).is_file():
        print("retro fuzz: no plugin; give --plugin PATH (./retro build makes it)", file=sys.stderr)
        return 2
    options.plugin = str(Path(options.plugin).resolve())
    options.build = options.build or Path(options.plugin).parents[1]
    todo, absent = jobs(options)
    for why in absent:
        print(why)
    if options.list:
        for case, level, flag in todo:
            print(case.name, level, flag)
        print(f"{len(todo)} compilations")
        return 0
    if not todo:
        print("retro fuzz: there are no programs")
        return 77
    print(f"{len(todo)} compilations, seed {options.seed}", flush=True)
    return report(options, *hunt(options, todo, State(options)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
