"""Builds the functions of one language with a program that checks their gradients, links and differentiates both, and runs the program.

The functions are functions.rs or functions.f90 in the folder given, where functions.def names them; the program is check.cpp beside that
folder. Exit status 77, with the reason, where the language's compiler or lld is missing."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

SKIPPED = 77
PATHS = os.pathsep.join([os.environ["PATH"], str(Path.home() / ".cargo/bin"), "/usr/lib/llvm-22/bin"])
TARGET = "x86_64-unknown-linux-gnu"


def compile_rust(compiler: str, source: Path, out: Path, level: str, debug: bool) -> tuple[Path, list[list[str]]]:
    library = out / "libfunctions.a"
    return library, [
        [
            compiler,
            "-Awarnings",
            "-C",
            f"opt-level={level}",
            *(["-g"] if debug else []),
            "--crate-type=staticlib",
            "-C",
            "linker-plugin-lto",
            "-C",
            "lto=fat",
            str(source),
            "-o",
            str(library),
        ]
    ]


def compile_fortran(compiler: str, source: Path, out: Path, level: str, debug: bool) -> tuple[Path, list[list[str]]]:
    library = out / "functions.o"
    return library, [
        [
            compiler,
            f"--target={TARGET}",
            f"-O{level}",
            *(["-g"] if debug else []),
            "-flto",
            "-c",
            str(source),
            "-J",
            str(out),
            "-o",
            str(library),
        ]
    ]


def fortran_runtime(compiler: str) -> list[str]:
    """The library that flang links."""
    resources = subprocess.run([compiler, "-print-resource-dir"], capture_output=True, text=True).stdout.strip()
    found = [str(p) for p in Path(resources).glob("lib/*linux*/libflang_rt.runtime.a")]
    # Without optimization, procedures within others are passed as code that is written on the stack.
    return ["-DCOUNT=int", *(found[:1] or ["-lflang_rt.runtime"]), "-Wl,-z,execstack"]


LANGUAGES: dict[str, tuple[str, Callable[..., tuple[Path, list[list[str]]]], Callable[[str], list[str]]]] = {
    ".rs": ("rustc", compile_rust, lambda compiler: []),
    ".f90": ("flang-22", compile_fortran, fortran_runtime),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--level", default="2")
    parser.add_argument("--debug", action="store_true", help="with debug information")
    parser.add_argument("--timeout", type=int, default=300)
    args = parser.parse_args()
    source = next(p for p in sorted(args.folder.glob("functions.*")) if p.suffix in LANGUAGES)
    name, compile_it, libraries = LANGUAGES[source.suffix]
    compiler = shutil.which(name, path=PATHS) or name
    for program in (name, "ld.lld"):
        if not shutil.which(program, path=PATHS):
            print(f"skipped: {program} is not installed")
            return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        library, steps = compile_it(compiler, source, out, args.level, args.debug)
        steps.append(
            [
                args.clangxx,
                f"--target={TARGET}",
                f"-O{args.level}",
                *(["-g"] if args.debug else []),
                "-std=c++20",
                "-flto",
                "-fuse-ld=lld",
                f"-Wl,--load-pass-plugin={args.plugin}",
                f"-I{args.folder}",
                str(args.folder.parent / "check.cpp"),
                str(library),
                *libraries(compiler),
                "-lm",
                "-o",
                str(out / "check"),
            ]
        )
        steps.append([str(out / "check")])
        for command in steps:
            if subprocess.run(command, timeout=args.timeout).returncode:
                print("failed:", " ".join(command))
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
