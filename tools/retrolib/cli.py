"""Command line of `./retro`: one function a command, each with its own --help."""

import argparse
import errno
import inspect
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from . import JOBS, LLVM_MAJOR, Failure, commands, gpu_commands, names, packaging, scale

DESCRIPTION = """Retrograde: differentiation for LLVM, and the harness that proves it.

Start with
  ./retro build        the plugin; then: clang-22 -O2 -fpass-plugin=build/release/engine/retrograde.so -Iengine/include FILE.c -lm
"""

GROUPS = {
    "your gradients": ("build", "verify", "rounding", "python", "gpu-emulate", "tune", "toggles", "doctor", "package"),
    "tests and measurements": ("test", "reproduce", "bench", "ablate", "scale"),
    "for developers of the engine": ("lit", "fuzz", "gpu-mutate", "gpu-resources", "pack"),
}


class Parser(argparse.ArgumentParser):
    """The commands stand in the groups of GROUPS."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.texts = {}  # of the commands

    def format_help(self) -> str:
        if not self.texts:
            return super().format_help()
        parts = ["usage: retro [--help] [--version] COMMAND …\n", DESCRIPTION]
        for group, commands_of in GROUPS.items():
            parts += [f"{group}:", *(f"  {name:<15}{self.texts[name]}" for name in commands_of), ""]
        return "\n".join([*parts, "`./retro COMMAND --help` says what a command does and takes.\n"])


def version() -> str:
    """Of the source tree, as CMakeLists.txt has it."""
    return f"retrograde {packaging.version()}, for LLVM {LLVM_MAJOR}"


def add_preset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="release", help="CMake preset (release, debug, asan)")


def add_build_options(parser: argparse.ArgumentParser) -> None:
    add_preset(parser)
    parser.add_argument("--jobs", "-j", type=int, default=JOBS, help="parallel jobs (default: %(default)s)")
    parser.add_argument("--no-install", action="store_true", help="do not look for missing packages")
    parser.add_argument(
        "--define",
        "-D",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="CMake definition, for instance RETRO_COMPARE_PLUGIN=/path/to/plugin.so",
    )


def add_study_options(parser: argparse.ArgumentParser, repetitions: int) -> None:
    """The options of the study that `ablate` and `reproduce` share."""
    parser.add_argument("--benchmark", "-b", action="append", default=[], help="only this benchmark (repeatable)")
    parser.add_argument(
        "--variant",
        choices=["restrict", "plain", "all"],
        default="restrict",
        help="with no-alias qualifiers on pointer parameters, or without",
    )
    parser.add_argument(
        "--repetitions",
        type=int,
        default=repetitions,
        help="timed rounds of each cell, of all its launches together (default: %(default)s)",
    )
    parser.add_argument(
        "--launches",
        type=int,
        default=4,
        help="how often each cell's executable is started, spread over the time of the study (default: %(default)s)",
    )
    parser.add_argument(
        "--cell-timeout", type=float, default=240, metavar="S", help="seconds one cell may run (%(default)s)"
    )
    parser.add_argument(
        "--results", metavar="DIR", help="where rows, tables and figures go (default: results/<machine>)"
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="measure every cell again instead of going on where a run stopped",
    )
    parser.add_argument(
        "--update-docs",
        action="store_true",
        help="put the tables between their markers in pages of docs/",
    )


def parser() -> Parser:
    top = Parser(prog="retro")
    top.add_argument("--version", action="version", version=version())
    sub = top.add_subparsers(metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser)

    def command(name: str, function: Callable[..., Any], text: str, **options: Any) -> argparse.ArgumentParser:
        top.texts[name] = text
        p = sub.add_parser(
            name,
            help=text,
            description=inspect.getdoc(function),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )
        p.set_defaults(function=function)
        return p

    p = command("reproduce", commands.reproduce, "build, verify, time, ablate, and draw the tables and figures")
    add_build_options(p)
    add_study_options(p, repetitions=15)
    p.add_argument(
        "--budget", type=float, default=20, metavar="MIN", help="minutes for everything (default: %(default)s)"
    )
    p.add_argument("--full", action="store_true", help="the studies' full form, without a budget")
    p.add_argument("--dry-run", action="store_true", help="say what would be measured and how long it would take")

    p = command("test", commands.test, "build and run the tests")
    add_build_options(p)
    p.add_argument(
        "--label",
        "-L",
        action="append",
        default=[],
        help="only tests with this label: unit, lit, conformance, users, suite, slow",
    )
    p.add_argument("--exclude", "-E", action="append", default=[], help="leave out tests with this label")
    p.add_argument("--match", "-R", help="only tests whose name matches this regular expression")

    p = command("lit", commands.lit, "build the plugin alone, and run tests of IR, plans and messages")
    add_build_options(p)
    p.add_argument("name", nargs="?", help="a regular expression for the tests' names")

    p = command("build", commands.build, "the plugin and all that a user needs; --all: tests and benchmarks, too")
    add_build_options(p)
    p.add_argument("--all", action="store_true", help="everything, tests and benchmarks too")
    p.add_argument("--target", "-t", action="append", default=[], help="only this target (repeatable)")

    p = command("package", commands.package, "a tarball, a Debian package and a Python wheel of the plugin")
    add_build_options(p)
    p.add_argument("--out", metavar="FOLDER", help="where they go (default: build/<preset>/packages)")
    p.add_argument("--kind", action="append", choices=["tar", "deb", "wheel"], help="only this (repeatable)")

    p = command("bench", commands.bench, "verify and time one benchmark")
    add_build_options(p)
    p.add_argument("--compare", nargs=2, metavar=("OLD", "NEW"), help="hold two measurements against each other")
    p.add_argument(
        "--threshold",
        type=float,
        default=0.03,
        metavar="SHARE",
        help="of --compare: a change of less is none (default: %(default)s)",
    )
    p.add_argument(
        "--agree",
        type=float,
        metavar="SHARE",
        help="of --compare: instead, fail when the intervals of fewer cells overlap (0.95)",
    )
    p.add_argument(
        "--device", choices=["cpu", "cuda"], default="cpu", help="cuda: the suites' kernels, on an NVIDIA device"
    )
    p.add_argument("--pack", metavar="FOLDER", help="of --device cuda: what ./retro pack made")
    p.add_argument("name", nargs="?", help="benchmark; without one, they are listed")
    p.add_argument(
        "arguments",
        nargs=argparse.REMAINDER,
        help="passed on: --size, --seed, --repetitions, --variant, --verify, --json",
    )

    p = command("ablate", commands.ablate, "every toggle off, one at a time, on every benchmark")
    add_build_options(p)
    add_study_options(p, repetitions=7)
    p.add_argument(
        "--size",
        "-s",
        action="append",
        default=[],
        help="size by name, or 'default', 'scaling', 'test' or 'all' (repeatable; default: default)",
    )
    p.add_argument("--toggle", action="append", default=[], help="ablate only this toggle (repeatable)")
    p.add_argument("--all-kernels", action="store_true", help="every kernel of a benchmark, not its first alone")
    p.add_argument(
        "--only-on",
        action="store_true",
        help="only the cell with every toggle at its default: overhead and scaling",
    )
    p.add_argument(
        "--no-tape",
        action="store_true",
        help="count the tape of all-on alone, not of every setting (which compiles each twice)",
    )
    p.add_argument(
        "--report",
        action="store_true",
        help="measure nothing; draw tables and figures from the rows that are there",
    )
    p.add_argument(
        "--study",
        action="append",
        default=[],
        metavar="NAME",
        help="the study of one figure, or 'all' (repeatable); its file says which cells",
    )
    p.add_argument("--full", action="store_true", help="of studies: with the cells of their full form")
    p.add_argument(
        "--dry-run", action="store_true", help="say what would be measured and how long it would take; measure nothing"
    )
    p.add_argument("--list", action="store_true", help="print studies and cells; build and measure nothing")

    p = command("scale", scale.scale, "strong and weak scaling over ranks and threads, here or on a cluster")
    add_preset(p)
    scale.add_arguments(p)

    p = command("tune", commands.tune, "search the toggle settings for the fastest verified gradient")
    add_build_options(p)
    p.add_argument("--suite", "-s", required=True, metavar="NAME", help="benchmark, or a suite of several")
    p.add_argument("--kernel", help="default: the benchmark's first")
    p.add_argument("--size", help="default: the benchmark's default")
    p.add_argument("--minutes", type=float, default=5, metavar="MIN", help="for each benchmark (default: %(default)s)")
    p.add_argument("--seed", type=int, default=1, help="of the settings that are drawn (default: %(default)s)")
    p.add_argument("--settings", type=int, default=24, metavar="N", help="that are tried (default: %(default)s)")
    p.add_argument("--results", metavar="DIR", help="default: results/<machine>")

    p = command("python", commands.python, "Debian's python3, with the packages retro.numpy and retro.torch")
    add_preset(p)
    p.usage = "retro python [--preset PRESET] [PROGRAM.py, -c CODE or other arguments of python3]"

    # Its --help is the verifier's.
    p = command(
        "verify",
        commands.verify,
        "check a gradient: differences, dot product, Taylor remainder; `verify rules`: prove the rules",
        add_help=False,
    )
    add_preset(p)

    # Its --help is the tool's.
    p = command(
        "rounding",
        commands.rounding,
        "which lines of a function lose digits by rounding, and which variables could be float",
        add_help=False,
    )
    add_preset(p)

    # Its --help is the fuzzer's.
    p = command(
        "fuzz",
        commands.fuzz,
        "mutate or generate programs, or take those that are there, and see that each derivative is right or refused",
        add_help=False,
    )
    add_preset(p)

    # Its --help is the compiler's.
    p = command(
        "gpu-emulate",
        gpu_commands.emulate,
        "compile CUDA or HIP sources, or device IR, so that their kernels run on the CPU",
        add_help=False,
    )
    add_preset(p)

    # Its --help is the tool's.
    p = command(
        "gpu-resources",
        gpu_commands.resources,
        "registers, spills and memory of the suites' kernels and gradients on GPUs; needs none",
        add_help=False,
    )
    add_preset(p)

    # Its --help is the tool's.
    p = command(
        "pack",
        gpu_commands.pack,
        "a folder that runs the suites' kernels where there is an NVIDIA driver, and no toolkit",
        add_help=False,
    )
    add_preset(p)

    # Its --help is the tool's.
    p = command(
        "gpu-mutate",
        gpu_commands.mutate,
        "remove one barrier, atomic or store at a time from gradients of kernels: does a test notice?",
        add_help=False,
    )
    add_preset(p)

    p = command("toggles", commands.toggles, "list the optimization switches")
    form = p.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--markdown", action="store_true", help="docs/toggles.md")
    form.add_argument("--check-markdown", metavar="FILE", help="fail when FILE is not what --markdown prints")

    p = command("doctor", commands.doctor, "what is installed, what is missing, what each optional part enables")
    p.add_argument("--json", action="store_true")
    return top


FORWARDED = ("verify", "rounding", "fuzz", "gpu-emulate", "gpu-mutate", "gpu-resources", "pack", "python")


def of_device(top: Parser, argv: list[str]) -> argparse.Namespace:
    """What stands beside these options is for the pack's bench.py."""
    own, rest, words = ["bench"], [], iter(argv[1:])
    for word in words:
        if word.split("=")[0] not in ("--device", "--pack", "--preset"):
            rest.append(word)
        else:
            own += [word] if "=" in word else [word, next(words, "")]
    args = top.parse_args(own)
    args.arguments = rest
    return args


def parse(argv: list[str] | None) -> argparse.Namespace:
    """The arguments. What stands after a command of FORWARDED is that tool's, but for --preset; before a program of python's only."""
    top, argv = parser(), list(sys.argv[1:] if argv is None else argv)
    if argv and not argv[0].startswith("-") and argv[0] not in top.texts:
        raise Failure(names.unknown("command", argv[0], list(top.texts)))
    if argv[:1] == ["python"] and argv[1:2] in (["--help"], ["-h"]):
        return top.parse_args(argv)
    if argv[:1] == ["bench"] and re.search(r"--device[= ]cuda\b", " ".join(argv)):
        return of_device(top, argv)
    if not argv or argv[0] not in FORWARDED:
        return top.parse_args(argv)
    rest = argv[1:]
    end = rest.index("--") if "--" in rest else len(rest)
    if argv[0] == "python":
        end = 2 if rest and rest[0].split("=")[0] == "--preset" else 0
    at = next((i for i in range(end) if rest[i].split("=")[0] == "--preset"), end)
    own = rest[at:end][: 1 if "=" in "".join(rest[at : at + 1]) else 2]
    args = top.parse_args([argv[0], *own])
    args.arguments = rest[:at] + rest[at + len(own) :]
    return args


def main(argv: list[str] | None = None) -> int:
    try:
        args = parse(argv)
        return args.function(args) or 0
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # the reader, `head` for instance, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 141
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        print(f"retro: the disk is full: {error.filename or error}", file=sys.stderr)
        return 4
    except Failure as failure:
        print(f"retro: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nretro: interrupted", file=sys.stderr)
        return 130
