"""Checks the gradient of a function in a C or C++ file: reverse and forward mode, against each other, against central
differences, and by the order of the Taylor remainder, at random points.

With --prove: executes the compiled primal and the compiled gradient symbolically, over the reals, and asks Z3 whether the
gradient is the derivative of the primal for all inputs.

Exit status: 0 if every check passed, 1 if one failed, 3 if none failed but something is not known, 2 if the question
could not be put (wrong arguments, a file that does not compile).

`retro verify rules` proves the engine's derivative rules instead; it has a --help of its own."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import arguments, builder, proof, signature
from .signature import Problem

EXIT = {"passed": 0, "failed": 1, "unknown": 3}


def parse(argv: list[str]) -> argparse.Namespace:
    flags = []
    if "--" in argv:
        at = argv.index("--")
        argv, flags = argv[:at], argv[at + 1 :]
    parser = argparse.ArgumentParser(
        prog="retro verify",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="retro verify FILE::FUNCTION [--arg NAME=…]… [options] [-- COMPILER-FLAGS…]",
        epilog="arguments of the function:\n" + arguments.GRAMMAR,
    )
    parser.add_argument("target", metavar="FILE::FUNCTION", help="e.g. model.cpp::energy or model.cpp::ns::energy")
    parser.add_argument(
        "--arg", action="append", default=[], metavar="NAME=…", help="what a parameter is given; see below"
    )
    parser.add_argument(
        "--range",
        default="0.25:1.75",
        metavar="LOW:HIGH",
        help="where numbers are drawn from unless --arg says otherwise (default %(default)s)",
    )
    parser.add_argument("--mode", choices=["reverse", "forward", "both"], default="both")
    parser.add_argument(
        "--opt", choices=["O0", "O1", "O2", "O3"], default="O2", help="level of the gradient (default O2)"
    )
    parser.add_argument("--points", type=int, default=3, help="random points (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--sample",
        type=int,
        default=64,
        help="entries of the gradient checked one by one, 0 for all (default 64); a random direction "
        "covers the rest",
    )
    parser.add_argument("--allow-zero", action="store_true", help="a gradient that is zero everywhere can pass")
    parser.add_argument("--prove", action="store_true", help="for all inputs, instead of at points")
    parser.add_argument("--paths", type=int, default=256, help="--prove: ways through the program that are followed")
    parser.add_argument("--solver-ms", type=int, default=10000, help="--prove: time for one question to Z3")
    parser.add_argument("--seconds", type=float, default=120, help="--prove: time to find ways through the program")
    parser.add_argument("--smt2", metavar="FOLDER", help="--prove: write the questions there as SMT-LIB2")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    parser.add_argument(
        "--plugin", default=os.environ.get("RETRO_VERIFY_PLUGIN"), help="retrograde.so; 'none' for no plugin"
    )
    parser.add_argument("--driver", default=os.environ.get("RETRO_VERIFY_DRIVER"), help=argparse.SUPPRESS)
    parser.add_argument("--validate", default=os.environ.get("RETRO_VERIFY_VALIDATE"), help=argparse.SUPPRESS)
    parser.add_argument("--include", default=os.environ.get("RETRO_VERIFY_INCLUDE", ""), help=argparse.SUPPRESS)
    parser.add_argument(
        "--clang", default=os.environ.get("RETRO_VERIFY_CLANG", "clang-22"), help="for C (default %(default)s)"
    )
    parser.add_argument(
        "--clangxx", default=os.environ.get("RETRO_VERIFY_CLANGXX", "clang++-22"), help="for C++ (default %(default)s)"
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="-retro-…", help="an option of the engine, for the derivatives"
    )
    parser.add_argument("--extra", action="append", default=[], metavar="FILE", help="another source or object to link")
    parser.add_argument("--keep", metavar="FOLDER", help="leave the generated files there")
    options = parser.parse_args(argv)
    options.flags = flags
    if options.points < 1 or options.sample < 0:
        parser.error("--points must be at least 1, --sample at least 0")
    return options


def given_arguments(texts: list[str]) -> dict[str, str]:
    given = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise Problem(f"--arg {text}: write NAME=…, one of\n{arguments.GRAMMAR}")
        if name in given:
            raise Problem(f"--arg {name}= is given twice")
        given[name] = value
    return given


def understand(options: argparse.Namespace) -> tuple[str, list[str], Path, signature.Signature, arguments.Layout]:
    """The question: (compiler, flags, source, signature, layout)."""
    path, _, function = options.target.partition("::")
    source = Path(path).resolve()
    if not function:
        raise Problem(f"'{options.target}': write FILE::FUNCTION")
    if not source.is_file():
        raise Problem(f"there is no file {path}")
    cxx = source.suffix in signature.CXX_SUFFIXES
    if not cxx and source.suffix not in signature.C_SUFFIXES:
        raise Problem(f"{path}: neither C nor C++ by its suffix")
    compiler = options.clangxx if cxx else options.clang
    # The package's headers come last, so that a file may have others.
    flags = [
        f"-I{source.parent}",
        *options.flags,
        *(f"-I{folder}" for folder in options.include.split(os.pathsep) if folder),
    ]

    low, colon, high = options.range.partition(":")
    if not colon:
        raise Problem(f"--range {options.range}: a range is LOW:HIGH")
    default_range = arguments.parse_range([low, high], None, "--range")
    found = signature.read(compiler, source, function, flags)
    layout = arguments.plan(found, given_arguments(options.arg), default_range)
    return compiler, flags, source, found, layout


def plan_of(options: argparse.Namespace, layout: arguments.Layout, folder: Path, modes: list[str]) -> dict[str, Any]:
    return {
        "inputs": builder.inputs_of(layout),
        "num_inputs": layout.inputs,
        "num_outputs": layout.outputs,
        "returns_real": layout.returns_real,
        "single": layout.is_single,
        "allow_zero": options.allow_zero,
        "points": options.points,
        "sample": options.sample,
        "seed": options.seed,
        "primal": str(folder / "primal.so"),
        "gradient": str(folder / "gradient.so"),
        "reverse": "reverse" in modes,
        "forward": "forward" in modes,
    }


def prepare(
    options: argparse.Namespace,
    folder: Path,
    question: tuple[str, list[str], Path, signature.Signature, arguments.Layout],
) -> tuple[signature.Signature, Path]:
    """Builds the primal and the gradient in `folder`. Returns (signature, path of the plan)."""
    compiler, flags, source, found, layout = question
    modes = {"both": ["reverse", "forward"]}.get(options.mode, [options.mode])
    builder.build(options, folder, compiler, flags, layout, source, modes)
    (folder / "plan.json").write_text(json.dumps(plan_of(options, layout, folder, modes)))
    return found, folder / "plan.json"


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1e}"


def verdict(outcome: str, counts: dict[str, int]) -> str:
    """The first line: what all checks together say."""
    total = sum(counts.values())
    if outcome == "passed":
        return f"PASSED, all {total} checks"
    if outcome == "failed":
        return f"FAILED, {counts['failed']} of {total} checks"
    return f"NOT KNOWN, {counts['unknown']} of {total} checks could not tell"


def show(found: signature.Signature, options: argparse.Namespace, report: dict[str, Any]) -> None:
    counts = dict.fromkeys(EXIT, 0)
    for v in report["verdicts"]:
        counts[v["outcome"]] += 1
    print(
        f"{verdict(report['outcome'], counts)}: {found}   -{options.opt}, {options.points} points, seed {options.seed}"
    )
    width = max(len(v["check"]) for v in report["verdicts"])
    for v in report["verdicts"]:
        print(
            f"{v['outcome']:7}  {v['check']:{width}}  error {number(v['error']):8} tolerance "
            f"{number(v['tolerance']):8} {v['detail']}".rstrip()
        )
    print(", ".join(f"{count} {name}" for name, count in counts.items()))


def run(options: argparse.Namespace, folder: Path) -> int:
    if not options.plugin:
        raise Problem("no plugin: give --plugin PATH (retrograde.so is built by ./retro build)")
    if options.plugin != "none" and not Path(options.plugin).is_file():
        raise Problem(f"there is no plugin {options.plugin}; build it with ./retro build, or give --plugin PATH")
    question = understand(options)
    if options.prove:
        return proof.run(options, folder, question)
    if not options.driver or not Path(options.driver).is_file():
        raise Problem("retro-verify-driver is not built; run ./retro build")
    found, plan = prepare(options, folder, question)
    # What the user's function prints is no part of the verdicts, but is shown.
    done = subprocess.run(
        [options.driver, str(plan), str(folder / "report.json")],
        stdout=sys.stderr.fileno(),
        stderr=subprocess.PIPE,
        text=True,
    )
    sys.stderr.write(done.stderr)
    if done.returncode < 0:
        # A crash is a result about the gradient (or the function), not about the question.
        reason = f"the run was ended by signal {-done.returncode}: the function or its derivative crashed"
        report: dict[str, Any] = {
            "outcome": "failed",
            "verdicts": [
                {
                    "check": "run",
                    "outcome": "failed",
                    "passed": False,
                    "error": None,
                    "tolerance": None,
                    "detail": reason,
                }
            ],
        }
    elif done.returncode:
        raise Problem(f"the run ended with status {done.returncode} before its report")
    else:
        report = json.loads((folder / "report.json").read_text())
    if options.json:
        head = {
            "function": str(found),
            "line": found.line,
            "opt": options.opt,
            "mode": options.mode,
            "points": options.points,
            "seed": options.seed,
        }
        print(json.dumps({**head, **report}, indent=2))
    else:
        show(found, options, report)
    return EXIT[report["outcome"]]


def in_folder(command: str, options: argparse.Namespace, run: Callable[[argparse.Namespace, Path], int]) -> int:
    """Runs a command in the folder that is to be kept, or in one that goes. Returns its exit status: 2 where it is asked what makes no sense."""
    try:
        if options.keep:
            folder = Path(options.keep).resolve()
            folder.mkdir(parents=True, exist_ok=True)
            return run(options, folder)
        with tempfile.TemporaryDirectory(prefix=f"retro-{command}-") as scratch:
            return run(options, Path(scratch))
    except Problem as problem:
        print(f"retro {command}: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, `head` for instance, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def main(argv: list[str]) -> int:
    return in_folder("verify", parse(argv), run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
