"""Mutates programs, compiles them with the plugin, and sorts what becomes of them.

A mutant ends well if its derivative is right, if the engine refuses it with a diagnostic, or if the compiler does.
A crash, a hang, invalid IR or a wrong derivative is a defect of the engine. Kinds of mutants:
  keep      a program that checks itself, rewritten so that it computes the same
  passes    the same, with passes of LLVM in random order before the engine's
  change    a function that computes something else; its derivative is compared with differences
  ask       a changed request; any answer is right that is one

With --generate as the first argument, programs are made, not mutated: --generate --help.
With --corpus, every program that is there is compiled in every ordinary way: --corpus --help.

Exit status: 0 without defects, 1 with defects, 77 if there are no programs to mutate."""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import random
import re
import shlex
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tools.retrolib import toggles

from . import harness, judge, mutations, retro_corpus, retro_generate
from .judge import Judge, Outcome
from .source import Source, Span

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "engine" / "test" / "programs"
# Folders of it whose programs end otherwise, or take libraries.
OTHERS = {"failures", "faulty", "libraries", "mpi"}
SKIPPED = 77
LEVELS = ["O0", "O1", "O2", "O3"]
TOGGLES = toggles.names(gpu=False)
PASSES = """sroa mem2reg instcombine<no-verify-fixpoint> simplifycfg gvn loop-mssa(licm) loop-rotate loop-unroll indvars reassociate jump-threading sccp dse adce
    early-cse aggressive-instcombine loop-idiom loop-simplify lcssa lower-switch reg2mem sink correlated-propagation tailcallelim
    bdce newgvn mldst-motion loop-deletion loop-load-elim loop-distribute slp-vectorizer loop-vectorize vector-combine mergereturn
    float2int div-rem-pairs memcpyopt partially-inline-libcalls callsite-splitting nary-reassociate separate-const-offset-from-gep
    constraint-elimination break-crit-edges fix-irreducible unify-loop-exits lower-invoke scalarizer""".split()
# No mergefunc: what is registered for one function would hold for its twin.
MODULE_PASSES = "ipsccp globalopt deadargelim argpromotion function-attrs inline called-value-propagation hotcoldsplit partial-inliner".split()


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="retro fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", "-n", type=int, default=500, help="how many (default %(default)s)")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first: mutant N of a seed is always the same"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kind", choices=["keep", "passes", "change", "ask"], help="only this kind")
    parser.add_argument("--only", default="", help="only programs whose name contains this")
    parser.add_argument(
        "--programs",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="where the programs are (default: the conformance programs, or --own)",
    )
    parser.add_argument(
        "--own",
        action="store_const",
        const=[OWN, OWN / "libraries"],
        dest="programs",
        help="those of engine/test/programs",
    )
    parser.add_argument("--plugin", default=os.environ.get("RETRO_FUZZ_PLUGIN"), help="retrograde.so")
    parser.add_argument("--clang", type=shlex.split, default=["clang-22"])
    parser.add_argument("--clangxx", type=shlex.split, default=["clang++-22"])
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the defects there, each with its command")
    parser.add_argument(
        "--also", action="append", default=[], metavar="OUTCOME", help="leave these there too, for instance diagnostic"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts and defects there")
    parser.add_argument(
        "--hang",
        type=float,
        default=60,
        help="seconds of processor time after which a compilation hangs (default %(default)s)",
    )
    parser.add_argument("--run-seconds", type=float, default=5)
    parser.add_argument("--show", type=int, metavar="N", help="print mutant N and end")
    parser.add_argument("--verbose", "-v", action="store_true")
    return parser.parse_args(argv)


class Program:
    """A program to mutate, with what its first lines say of how it is built."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, f"{path.parent.name}/{path.name}"
        self.text = path.read_text()
        head = "\n".join(self.text.splitlines()[:20])
        self.flags, self.sources = [f"-I{path.parent}", f"-I{path.parent.parent}"], []
        self.cxx, self.more = path.suffix == ".cpp", False
        if self.cxx:
            self.flags.append("-std=c++20" if OWN in path.parents else "-std=c++17")
        for key, value in re.findall(r"(FLAGS|SOURCES|REQUIRES|LINK):\s*(.*?)\s*(?:\*/)?$", head, re.M):
            if key == "FLAGS":
                self.flags += shlex.split(value)
            elif key == "LINK":
                self.flags += [f"-l{name}" for name in value.split()]
            elif key == "SOURCES":
                self.sources += [str(path.parent / s) for s in value.split()]
            elif "lib:" in value or "openmp" in value or "mpi" in value or "clang-plugin" in value:
                self.more = True  # than a compiler
            elif "header:Eigen" in value:
                self.flags += ["-I/usr/include/eigen3"]
        self.error = re.search(r"MODE:\s*error", head) is not None
        # The engine is told something of a function, which does not hold of a changed one.
        self.told = (
            re.search(
                r"__enzyme_(register|inactive|function_like|allocation|should|iter)|enzyme_(inactive|function_like|should)|enzyme\(\"",
                self.text,
            )
            is not None
        )
        self.heavy = "Eigen" in self.text or "boost/" in self.text

    @property
    def usable(self) -> bool:
        return not self.more and not self.heavy


def sources(folder: Path) -> list[Path]:
    """By their names: the engine's own lie in folders by subject, and one that moves is to change no choice."""
    found = (
        [f for f in folder.rglob("*.c*") if f.parent.name not in OTHERS] if folder == OWN else [*folder.glob("*.c*")]
    )
    return sorted(found, key=lambda f: f.name)


def programs(folders: list[Path]) -> list[Program]:
    if not folders:
        conformance = Path(os.environ.get("RETRO_CONFORMANCE_DIR", ROOT.parent / "shared" / "conformance"))
        folders = [conformance / "core", conformance / "library"]
        if not folders[0].is_dir():
            folders = [OWN, OWN / "libraries"]
    found = [
        Program(f)
        for folder in folders
        for f in sources(folder)
        if f.suffix in (".c", ".cpp") and ".aux." not in f.name
    ]
    return [p for p in found if p.usable and not p.error]


class Mutant:
    def __init__(self, number: int, options: argparse.Namespace, all_programs: list[Program]) -> None:
        self.number = number
        self.random = random.Random(f"{options.seed}:{number}")
        self.kind = options.kind or self.random.choices(["keep", "passes", "change", "ask"], [5, 2, 5, 1])[0]
        self.program = self.choose(all_programs)
        self.level = self.random.choice(LEVELS)
        self.toggles = []
        if self.random.random() < 0.3:
            self.toggles = ["-mllvm", f"-retro-{self.random.choice(TOGGLES)}=0"]
        self.debug = ["-g"] if self.random.random() < 0.5 else []
        self.done: list[str] = []
        self.text, self.file = "", Path()

    def choose(self, all_programs: list[Program]) -> Program:
        """A program by rank, not by place: one more in the folder leaves nearly every mutant what it was."""
        mark = self.random.random()
        if self.kind == "change":
            all_programs = [p for p in all_programs if not p.told] or all_programs
        return min(all_programs, key=lambda p: hashlib.sha256(f"{mark} {p.name}".encode()).digest())

    @property
    def flags(self) -> list[str]:
        return [*self.program.flags, *self.debug]

    def bodies(self, source: Source) -> list[Span]:
        """Every function but those that ask: main and the like compute nothing that is differentiated."""
        return [
            Span(source.tokens[i].at, source.tokens[j].end)
            for name, i, j in source.functions
            if name != "main"
            and not name.startswith(("fz_", "check_"))
            and "__enzyme_" not in source.text[source.tokens[i].at : source.tokens[j].end]
        ]

    def make(self, judging: Judge, folder: Path) -> None:
        count = self.random.choice([1, 1, 2, 2, 3, 4, 6])
        text, cxx = self.program.text, self.program.cxx
        trial = folder / f"trial{self.program.path.suffix}"
        prelude = "" if self.kind == "ask" else mutations.PRELUDE + "/* FZ_END_PRELUDE */\n"

        def compiles(text: str) -> bool:
            trial.write_text(prelude + text)
            return (
                judge.run(
                    [
                        *judging.compiler(trial),
                        "-w",
                        "-Werror=incompatible-pointer-types",
                        "-fsyntax-only",
                        *self.program.flags,
                        str(trial),
                    ],
                    30,
                )[0]
                == 0
            )

        def whole(source: Source) -> list[Span]:
            return [Span(0, len(source.text))]

        if self.kind == "ask":
            table, where = mutations.ASK, whole
        else:
            where = self.bodies
            table = mutations.CHANGE if self.kind == "change" else mutations.KEEP
        if self.kind == "change":
            text = harness.without_requests(Source(text))
        text, self.done = mutations.mutate(text, where, table, count, self.random, cxx, compiles)
        self.text = prelude + text

    def judge(
        self, options: argparse.Namespace, folder: Path, all_programs: list[Program]
    ) -> tuple[list[str], Outcome]:
        judging = judge.Judge(options, folder)
        for _ in range(5):
            command, outcome = self.judge_once(judging, folder)
            if outcome.name not in ("unmutated", "no target"):
                break
            self.program = self.choose([p for p in all_programs if p is not self.program] or all_programs)
        return command, outcome

    def judge_once(self, judging: Judge, folder: Path) -> tuple[list[str], Outcome]:
        self.make(judging, folder)
        path = self.file = folder / f"mutant{self.program.path.suffix}"
        if not self.done:
            return [], judge.Outcome("unmutated")
        path.write_text(self.text)
        if self.kind == "change":
            return self.judge_function(judging, path)
        if self.kind == "ask":
            command, status, said = judging.compile(
                path, self.level, self.flags, self.program.sources, folder / "a.out"
            )
            return command, judging.after_compile(path, status, said, self.flags) or judge.Outcome("right", "compiles")
        passes = self.passes() if self.kind == "passes" else None
        flags = self.flags + ([] if passes else self.toggles)
        command, outcome = judging.program(path, self.level, flags, self.program.sources, passes)
        if outcome.defect:
            # What fails without a mutation is no find; the conformance tests count it.
            path.write_text(self.program.text)
            if judging.program(path, self.level, flags, self.program.sources)[1].name != "right":
                outcome = judge.Outcome("unmutated fails", outcome.detail)
            path.write_text(self.text)
        return command, outcome

    def judge_function(self, judging: Judge, path: Path) -> tuple[list[str], Outcome]:
        compiler = judging.compiler(path)
        names = [t for t in harness.targets(self.program.text) if re.search(rf"\b{t}\s*\(", self.text)]
        self.random.shuffle(names)
        for name in names:
            try:
                found = harness.read(" ".join(compiler[:1]), path, name, [*compiler[1:], *self.flags])
                path.write_text(self.text + harness.write(found, self.random))
            except harness.NotCallable:
                continue
            return judging.function(path, self.level, self.flags + self.toggles)
        status, said = judge.run([*compiler, "-w", "-c", *self.flags, str(path), "-o", str(path.with_suffix(".o"))], 60)
        return [], judge.Outcome("compiler", judge.first_line(said)) if status else judge.Outcome("no target")

    def passes(self) -> str:
        chosen = [self.random.choice(PASSES) for _ in range(self.random.randrange(1, 9))]
        text = f"function({','.join(chosen)})"
        if self.random.random() < 0.5:
            name = self.random.choice(MODULE_PASSES)
            text = f"{'cgscc(' + name + ')' if name in ('argpromotion', 'function-attrs', 'inline') else name},{text}"
        return text


def fuzz(
    options: argparse.Namespace, all_programs: list[Program]
) -> tuple[Counter[str], Counter[tuple[str, str]], Counter[str], list[dict[str, Any]], float]:
    counts, kinds, defects = collections.Counter(), collections.Counter(), []
    diagnostics = collections.Counter()
    start = time.monotonic()

    def one(number: int) -> tuple[Mutant, list[str], judge.Outcome, str]:
        mutant = Mutant(number, options, all_programs)
        with tempfile.TemporaryDirectory(prefix="retro-fuzz-") as folder:
            command, outcome = mutant.judge(options, Path(folder), all_programs)
            text = (Path(folder) / f"mutant{mutant.program.path.suffix}").read_text() if mutant.done else ""
        return mutant, command, outcome, text

    with ThreadPoolExecutor(options.jobs) as pool:
        for mutant, command, outcome, text in pool.map(one, range(options.first, options.first + options.mutants)):
            counts[outcome.name] += 1
            kinds[mutant.kind, outcome.name] += 1
            if outcome.name == "diagnostic":
                diagnostics[outcome.detail] += 1
            if outcome.defect or options.verbose:
                print(
                    f"{mutant.number:6} {outcome.name:10} {mutant.kind:6} {mutant.program.name} -{mutant.level} {' '.join(mutant.toggles[1:])} "
                    f"[{'; '.join(mutant.done)}] {outcome.detail}",
                    flush=True,
                )
            if outcome.defect:
                defects.append(
                    {
                        "mutant": mutant.number,
                        "kind": mutant.kind,
                        "outcome": outcome.name,
                        "program": mutant.program.name,
                        "mutations": mutant.done,
                        "detail": outcome.detail,
                        "level": mutant.level,
                    }
                )
            if options.keep and (outcome.defect or outcome.name in options.also):
                options.keep.mkdir(parents=True, exist_ok=True)
                file = options.keep / f"{options.seed}-{mutant.number}{mutant.program.path.suffix}"
                line = " ".join(map(str, command)).replace(str(mutant.file), str(file))
                file.write_text(
                    f"// {line}\n// {mutant.kind}: {mutant.done}\n// {outcome.name}: {outcome.detail}\n{text}"
                )
    return counts, kinds, diagnostics, defects, time.monotonic() - start


def main(argv: list[str]) -> int:
    if "--generate" in argv:
        return retro_generate.main([a for a in argv if a != "--generate"])
    if "--corpus" in argv:
        return retro_corpus.main([a for a in argv if a != "--corpus"])
    options = parse(argv)
    if not options.plugin or not Path(options.plugin).is_file():
        print("retro fuzz: no plugin; give --plugin PATH (./retro build makes it)", file=sys.stderr)
        return 2
    options.plugin = str(Path(options.plugin).resolve())
    found = [p for p in programs(options.programs) if options.only in p.name]
    if not found:
        print("retro fuzz: there are no programs to mutate")
        return SKIPPED
    if options.show is not None:
        mutant = Mutant(options.show, options, found)
        with tempfile.TemporaryDirectory(prefix="retro-fuzz-") as folder:
            mutant.make(judge.Judge(options, Path(folder)), Path(folder))
        print(f"// {mutant.program.name}: {mutant.done}\n{mutant.text}")
        return 0
    print(
        f"seed {options.seed}, mutants {options.first} to {options.first + options.mutants - 1} of {len(found)} programs",
        flush=True,
    )
    counts, kinds, diagnostics, defects, seconds = fuzz(options, found)
    print(f"\n{'':10}" + "".join(f"{k:>9}" for k in ("keep", "passes", "change", "ask", "all")))
    for name, total in counts.most_common():
        print(f"{name:10}" + "".join(f"{kinds[k, name]:9}" for k in ("keep", "passes", "change", "ask")) + f"{total:9}")
    print("diagnostics: " + ", ".join(f"{name} {n}" for name, n in diagnostics.most_common()))
    ended = sum(n for name, n in counts.items() if name in judge.GOOD)
    thrown = sum(n for name, n in counts.items() if name in judge.DISCARDED)
    print(
        f"{options.mutants} mutants of {len(found)} programs, seed {options.seed}, in {seconds:.0f} s: {ended} ended well, {thrown} say nothing, "
        f"{len(defects)} defects"
    )
    if options.json:
        options.json.write_text(
            json.dumps(
                {
                    "seed": options.seed,
                    "first": options.first,
                    "mutants": options.mutants,
                    "counts": counts,
                    "diagnostics": diagnostics,
                    "defects": defects,
                },
                indent=1,
            )
            + "\n"
        )
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
