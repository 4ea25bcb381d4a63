#!/usr/bin/env python3
"""Whether two engines emit the same code: for changes that move code and are to change nothing.

    same_ir.py collect FOLDER --plugin retrograde.so    the optimized IR and the messages of every program that there is, one file each
    same_ir.py compare BEFORE AFTER                     what differs between two such folders; exit status 1 if anything does

The programs are those of the corpus (corpus.py: users', conformance, the engine's own, the suites' gradients), each at one level, in turns from program to
program (--levels: at these), and the compilations of the lit tests, with their options. All of it takes hours on two cores; --every 5 takes each fifth
program, and all lit tests; --only PATTERN what has such a name."""

import argparse
import concurrent.futures
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from . import corpus

LIT = corpus.ROOT / "engine" / "test" / "lit"
SOURCES = (".c", ".cpp", ".ll", ".cu", ".hip")


def compiled(command: list[str], plugin: str, folder: str) -> str:
    """The IR, status and messages of a command, whose words for the output are left out. The plugin's place is no part of them."""
    words, skip = [], False
    for word in command:
        if skip or word in ("-c", "-S", "-emit-llvm"):
            skip = False
        elif word == "-o":
            skip = True
        else:
            words.append(word)
    ir = ["-S"] if Path(words[0]).name.startswith("opt") else ["-S", "-emit-llvm"]
    try:
        done = subprocess.run(
            [*words, *ir, "-o", "-"], capture_output=True, text=True, cwd=folder, timeout=600, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return "timeout\n"
    text = f"{done.stdout}\nstatus {done.returncode}\n{done.stderr}"
    # A crash prints addresses.
    text = re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", text) if done.returncode not in (0, 1) else text
    return text.replace(str(Path(plugin).parent), "ENGINE").replace(str(folder), "FOLDER")


def of_corpus(
    plugin: str, build: Path, levels: list[str] | None, every: int
) -> Iterator[tuple[str, corpus.Case, str, corpus.Toolchain]]:
    """(name, function of a folder that gives the command) of each program."""
    tools = corpus.Toolchain(plugin=plugin)
    made, _ = corpus.cases(("users", "conformance", "programs", "suites"), build)
    turn = 0
    for cases in made.values():
        for case in cases:
            if not case.path.is_file():
                continue
            turn += 1
            if turn % every:
                continue
            for level in levels or [("O2", "O0", "O3", "O1")[turn % 4]]:
                yield f"{case.name}.{level}", case, level, tools


def commands_of(case: corpus.Case, level: str, tools: corpus.Toolchain, folder: Path) -> Iterator[list[str]]:
    """A command for each source file."""
    if case.missing(tools, []):
        return
    command, _ = case.command(tools, level, [], folder)
    sources = [
        w
        for w in command
        if Path(w).suffix in (*corpus.SUFFIXES, ".cc") and Path(w).is_file() and not w.startswith("-")
    ]
    for source in sources:
        yield [*(w for w in command if w not in sources or w == source), f"-fpass-plugin={tools.plugin}"]


def of_lit(plugin: str) -> Iterator[tuple[str, list[str]]]:
    """(name, command) of each compilation in the lit tests of the file itself."""
    inputs = LIT / "Inputs"
    load = f"-fpass-plugin={plugin}"
    replaced = [
        ("%retro-plain", f"/usr/lib/llvm-22/bin/opt -load-pass-plugin={plugin} -passes=retrograde -retro-plain"),
        ("%retro-opt", f"/usr/lib/llvm-22/bin/opt -load-pass-plugin={plugin} -passes=retrograde"),
        ("%retro-clang++", f"clang++-22 -std=c++20 {load} -I{inputs}"),
        ("%retro-clang", f"clang-22 {load} -I{inputs}"),
        ("%plugin", plugin),
        ("%inputs", str(inputs)),
        ("%include", str(corpus.INCLUDE)),
    ]
    for file in sorted(f for f in LIT.rglob("*") if f.suffix in SOURCES and "Inputs" not in f.parts):
        text = re.sub(r"\\\n\W*RUN:", " ", file.read_text(errors="replace"))
        for number, line in enumerate(re.findall(r"RUN:(.*)", text)):
            first = re.split(r"\||&&|2>&1|>", line)[0].strip()
            for name, by in [*replaced, ("%s", str(file)), ("%S", str(file.parent))]:
                first = first.replace(name, by)
            try:
                words = [w for w in shlex.split(first) if w not in ("not", "--crash")]
            except ValueError:
                continue
            if (
                not words
                or not re.search(r"clang|opt$", words[0])
                or str(file) not in words
                or any("%t" in w and words[i - 1] != "-o" for i, w in enumerate(words))
            ):
                continue
            words[0] = {"clang": "clang-22", "clang++": "clang++-22", "opt": "/usr/lib/llvm-22/bin/opt"}.get(
                words[0], words[0]
            )
            yield f"lit/{file.relative_to(LIT)}.{number}", words


def collect(args: argparse.Namespace) -> int:
    plugin, folder = str(Path(args.plugin).resolve()), Path(args.folder)

    def one(name: str, make: Callable[[Path], Iterable[list[str]]]) -> bool:
        with tempfile.TemporaryDirectory() as work:
            texts = [compiled(command, plugin, work) for command in make(Path(work))]
        if texts:
            path = folder / name.replace("/", "_").replace(" ", "")
            path.write_text("\n".join(texts))
        return bool(texts)

    def one_case(name: str, case: corpus.Case, level: str, tools: corpus.Toolchain) -> bool:
        return one(name, lambda work: commands_of(case, level, tools, work))

    def one_command(name: str, words: list[str]) -> bool:
        return one(name, lambda work: [words])

    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        named = re.compile(args.only)
        programs = of_corpus(plugin, Path(args.build), args.levels, args.every)
        jobs = [pool.submit(one_case, *of) for of in programs if named.search(of[0])]
        jobs += [pool.submit(one_command, *of) for of in of_lit(plugin) if named.search(of[0])]
        print(f"{sum(job.result() for job in jobs)} compilations in {folder}")
    return 0


def lasting(path: Path) -> str:
    """What a compilation gave, without what differs from run to run: times of stages, and how a planted crash came about."""
    return (
        re.sub(r"^( *#\d+ |.*wall clock| +\d+\.\d{4} \().*\n", "", path.read_text(), flags=re.M)
        if path.is_file()
        else ""
    )


def compare(args: argparse.Namespace) -> int:
    before, after = Path(args.before), Path(args.after)
    names = sorted({p.name for p in before.iterdir()} | {p.name for p in after.iterdir()})
    differ = [n for n in names if lasting(before / n) != lasting(after / n)]
    for name in differ:
        print(f"differs: {name}")
    print(f"{len(names)} compilations, {len(differ)} differ")
    return 1 if differ or not names else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    made = commands.add_parser("collect")
    made.add_argument("folder")
    made.add_argument("--plugin", required=True)
    made.add_argument(
        "--build", default=str(corpus.ROOT / "build" / "release"), help="whose suites' compilations are taken"
    )
    made.add_argument("--levels", type=lambda text: text.split(","))
    made.add_argument("--every", type=int, default=1, help="only each Nth program")
    made.add_argument("--only", default="", metavar="PATTERN", help="only what has a name like this")
    made.add_argument("--jobs", "-j", type=int, default=2)
    made.set_defaults(run=collect)
    compared = commands.add_parser("compare")
    compared.add_argument("before")
    compared.add_argument("after")
    compared.set_defaults(run=compare)
    args = parser.parse_args()
    status: int = args.run(args)
    return status


if __name__ == "__main__":
    sys.exit(main())
