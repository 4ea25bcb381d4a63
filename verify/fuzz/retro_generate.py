"""Generates C and C++ programs, and holds their derivatives against each other and against differences.

Each program is compiled at one level with random switches of the engine: forward, reverse, vector (2 to 4 lanes) and forward-over-reverse mode must agree
with each other to rounding, and with differences where the program is smooth. At a second level primal and gradient must come out the same. Some are
built with AddressSanitizer and UndefinedBehaviorSanitizer. A program that the engine refuses with a diagnostic is counted, and is no defect.

A defect is made smaller, and left as a program that checks itself (--keep). Exit status: 0 without defects, 1 with defects."""

import argparse
import collections
import json
import os
import random
import shlex
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from tools.retrolib import toggles as toggle_table

from .generator.batch import MODES, Bench, Result, Setting, far, source
from .generator.device import Device
from .generator.linked import Linked
from .generator.nests import Nests
from .generator.program import Program
from .generator.reduce import Reducer, formatted, test_text

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LEVELS = ["O0", "O1", "O2", "O3"]


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="retro fuzz --generate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", "-n", type=int, default=1000, help="how many (default %(default)s)")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first: program N of a seed is always the same"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="begin no file after so long")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    parser.add_argument("--per-file", type=int, default=20, help="programs in a file (default %(default)s)")
    parser.add_argument("--language", choices=["c", "c++"], help="only this one")
    parser.add_argument("--parallel", action="store_true", help="programs with parallel regions (OpenMP)")
    parser.add_argument("--nests", action="store_true", help="loop nests over arrays that may overlap")
    parser.add_argument(
        "--forms",
        action="store_true",
        help="more of exceptions, records, bits, pointers in vectors, arrays of a size known when the program runs",
    )
    parser.add_argument(
        "--lto",
        action="store_true",
        help="programs of two files, with registered derivatives, that lld links with the plugin",
    )
    parser.add_argument(
        "--device",
        action="store_true",
        help="functions of device code (CUDA), whose kernels run on the CPU: ./retro gpu-emulate",
    )
    parser.add_argument(
        "--emulator",
        type=shlex.split,
        default=[sys.executable, "-B", str(ROOT / "retro"), "gpu-emulate"],
        help="what compiles these (default: ./retro gpu-emulate)",
    )
    parser.add_argument("--level", choices=LEVELS, help="only this level")
    parser.add_argument(
        "--toggle",
        action="append",
        metavar="OPTION",
        help="these options of the engine, such as -retro-inline=0, and no random ones",
    )
    parser.add_argument(
        "--sanitize", type=float, default=0.05, help="share of files built with sanitizers (default %(default)s)"
    )
    parser.add_argument("--no-second-level", action="store_true")
    parser.add_argument("--no-reduce", action="store_true")
    parser.add_argument("--reduce-seconds", type=float, default=120, help="for each defect (default %(default)s)")
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="OUTCOME",
        help="leave these in the --keep folder too, reduced: refused, or refused:IDENTIFIER",
    )
    parser.add_argument("--plugin", default=os.environ.get("RETRO_FUZZ_PLUGIN"), help="retrograde.so")
    parser.add_argument("--clang", type=shlex.split, default=["clang-22"])
    parser.add_argument("--clangxx", type=shlex.split, default=["clang++-22"])
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the defects there, reduced")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts and defects there")
    parser.add_argument(
        "--hang",
        type=float,
        default=120,
        help="seconds of processor time after which a compilation hangs (default %(default)s)",
    )
    parser.add_argument("--run-seconds", type=float, default=20)
    parser.add_argument("--show", type=int, metavar="N", help="print program N and end")
    parser.add_argument("--verbose", "-v", action="store_true")
    options = parser.parse_args(argv)
    options.here = HERE
    return options


def is_cxx(options: argparse.Namespace, number: int) -> bool:
    """Which language a program is in: that of its file."""
    if options.device:
        return False
    if options.language:
        return options.language == "c++"
    return random.Random(f"{options.seed}:{number // options.per_file}:language").random() < 0.4


def program_of(options: argparse.Namespace, number: int) -> Linked | Nests | Program:
    cxx = is_cxx(options, number)
    if options.device:
        return Device(options.seed, number)
    if options.lto:
        return Linked(options.seed, number, cxx)
    if options.nests:
        return Nests(options.seed, number, cxx, options.parallel)
    return Program(options.seed, number, cxx, options.parallel, forms=options.forms)


def settings(options: argparse.Namespace, file: int) -> tuple[Setting, Setting]:
    """How a file is compiled, and how it is a second time."""
    r = random.Random(f"{options.seed}:{file}:setting")
    levels = [options.level] * 2 if options.level else r.sample(LEVELS, 2)
    sanitize, debug = r.random() < options.sanitize, r.random() < 0.3
    # Sanitizers would have been there before the plugin, at link time; of device code there are none.
    sanitize &= not options.lto and not options.device
    pool = toggle_table.names(gpu=options.device)
    toggles = [f"-retro-{t}=0" for t in r.sample(pool, r.choice([0, 0, 1, 2, 4, 8]))]
    # With ThinLTO bodies may be missing: refused, or right.
    lto = ("thin" if r.random() < 0.1 else "full") if options.lto else ""
    if lto:
        toggles = []  # lld reads options before it loads the plugin
    if options.toggle is not None:
        toggles = options.toggle
    # A gradient in threads that is differentiated is emitted in another way than one that is not.
    modes = (
        tuple(m for m in MODES if m != "second") if options.device or options.parallel and r.random() < 0.5 else MODES
    )
    return Setting(levels[0], toggles, debug, sanitize, modes, lto), Setting(
        levels[1], [], debug, modes=("reverse",), lto=lto
    )


class Tally:
    def __init__(self) -> None:
        self.counts, self.refused, self.partly = collections.Counter(), collections.Counter(), collections.Counter()
        self.decided = self.doubtful = self.smooth = 0
        self.defects = []


def one_file(
    options: argparse.Namespace, file: int, numbers: range
) -> list[tuple[Linked | Nests | Program, Setting, Result]]:
    """[(program, setting, Result)] and what each was compiled with."""
    with tempfile.TemporaryDirectory(prefix="retro-generate-") as folder:
        bench = Bench(options, Path(folder))
        first, second = settings(options, file)
        programs = [program_of(options, n) for n in numbers]
        results = bench.run(programs, first)
        # What is refused may be the tangent of the gradient: the rest is judged all the same, but where refusals are looked for.
        refused = [p for p in programs if results[p.number].name == "refused"]
        fewer = replace(first, modes=tuple(m for m in first.modes if m != "second"))
        if refused and fewer != first and not options.also:
            for number, other in bench.run(refused, fewer).items():
                if other.name != "refused":
                    results[number] = replace(other, partly=results[number].detail)
        kept = [p for p in programs if results[p.number].name == "right"]
        if kept and not options.no_second_level and not options.level:
            for number, other in bench.run(kept, second).items():
                program = next(p for p in kept if p.number == number)
                if other.defect:
                    results[number] = Result(other.name, f"at {second}: {other.detail}")
                elif other.name == "right" and far(program.single, results[number].values, other.values):
                    results[number] = Result("differs", f"from {second}: {results[number].values} and {other.values}")
        made = []
        for p in programs:
            result = results[p.number]
            if result.defect and (why := bench.sound(p)):
                result = Result("generator", why)
            made.append((p, fewer if result.partly else first, result))
    return made


def report(options: argparse.Namespace, program: Program, setting: Setting, result: Result, tally: Tally) -> None:
    line = f"{program.number:7} {result.name:9} {'c++' if program.cxx else 'c':3} {setting} {result.detail}"
    print(line, flush=True)
    if result.defect:
        tally.defects.append(
            {
                "program": program.number,
                "language": "c++" if program.cxx else "c",
                "setting": str(setting),
                "outcome": result.name,
                "detail": result.detail,
            }
        )
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        suffix = ".cpp" if program.cxx else ".c"
        (options.keep / f"{options.seed}-{program.number}.whole{suffix}").write_text(
            f"// {line}\n{whole(program, setting)}"
        )
        # What is of two files, or of two sides, is no test in one.
        if not options.no_reduce and not program.linked and not program.device:
            keep_reduced(options, program, setting, result, suffix)


def whole(program: Program, setting: Setting) -> str:
    """The text of a program that stands alone; of one that is linked, its two files one after the other."""
    first = (
        f'#include "generated.h"\n{program.text(f"p{program.number}_")}\n// ---- the file that asks\n'
        if program.linked
        else ""
    )
    return first + source([program], setting.modes)


def keep_reduced(options: argparse.Namespace, program: Program, setting: Setting, result: Result, suffix: str) -> None:
    with tempfile.TemporaryDirectory(prefix="retro-reduce-") as folder:
        reducer = Reducer(Bench(options, Path(folder)), program, setting, result, options.reduce_seconds)
        small = reducer.run()
        if not small:
            print(f"{program.number:7} does not fail alone", flush=True)
            return
        name = options.keep / f"{options.seed}-{program.number}{suffix}"
        name.write_text(formatted(test_text(*small, result, options.seed), suffix, ROOT))
        print(
            f"{program.number:7} reduced to {len(small[0].text('').splitlines())} lines: {name} at {small[1]}",
            flush=True,
        )


def generate(options: argparse.Namespace) -> tuple[Tally, float]:
    tally, start = Tally(), time.monotonic()
    last = options.first + options.programs
    files = range(options.first // options.per_file, (last + options.per_file - 1) // options.per_file)

    def one(file: int) -> list[tuple[Linked | Nests | Program, Setting, Result]]:
        if options.minutes and time.monotonic() - start > 60 * options.minutes:
            return []
        numbers = range(max(file * options.per_file, options.first), min((file + 1) * options.per_file, last))
        return one_file(options, file, numbers)

    with ThreadPoolExecutor(options.jobs) as pool:
        for made in pool.map(one, files):
            before = sum(tally.counts.values())
            if made and before // 500 != (before + len(made)) // 500:
                print(f"{before + len(made)} programs after {time.monotonic() - start:.0f} s", flush=True)
            for program, setting, result in made:
                tally.counts[result.name] += 1
                tally.decided += result.decided
                tally.doubtful += result.doubtful
                tally.smooth += result.decided > 0
                if result.name == "refused":
                    tally.refused[result.detail] += 1
                if result.partly:
                    tally.partly[result.partly] += 1
                if result.defect or {result.name, f"{result.name}:{result.detail}"} & set(options.also):
                    report(options, program, setting, result, tally)
                elif options.verbose:
                    print(f"{program.number:7} {result.name} {setting} {result.detail}", flush=True)
    return tally, time.monotonic() - start


def main(argv: list[str]) -> int:
    options = parse(argv)
    if options.show is not None:
        print(program_of(options, options.show).text(""))
        return 0
    if not options.plugin or not Path(options.plugin).is_file():
        print("retro fuzz: no plugin; give --plugin PATH (./retro build makes it)", file=sys.stderr)
        return 2
    options.plugin = str(Path(options.plugin).resolve())
    print(f"seed {options.seed}, programs from {options.first}", flush=True)
    tally, seconds = generate(options)
    total = sum(tally.counts.values())
    print(", ".join(f"{name} {n}" for name, n in tally.counts.most_common()))
    if tally.refused:
        print("refused: " + ", ".join(f"{name} {n}" for name, n in tally.refused.most_common()))
    if tally.partly:
        print(
            "right but for second derivatives, which are refused: "
            + ", ".join(f"{name} {n}" for name, n in tally.partly.most_common())
        )
    print(f"differences: {tally.decided} decided, {tally.doubtful} doubtful; {tally.smooth} programs have at least one")
    print(
        f"{total} programs, seed {options.seed}, {options.first} to {options.first + total - 1}, in {seconds:.0f} s ({3600 * total / max(seconds, 1):.0f} an hour): {len(tally.defects)} defects"
    )
    if options.json:
        options.json.write_text(
            json.dumps(
                {
                    "seed": options.seed,
                    "first": options.first,
                    "programs": total,
                    "seconds": round(seconds),
                    "counts": tally.counts,
                    "refused": tally.refused,
                    "partly": tally.partly,
                    "decided": tally.decided,
                    "doubtful": tally.doubtful,
                    "defects": tally.defects,
                },
                indent=1,
            )
            + "\n"
        )
    return 1 if tally.defects else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
