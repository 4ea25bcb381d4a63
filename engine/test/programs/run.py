"""Builds one program with the plugin, at each level asked for, and runs it. It must exit with 0.

With --sanitize it is built with AddressSanitizer (leaks included) and UndefinedBehaviorSanitizer, and they must be silent: what the engine
emits has no undefined behaviour and frees what it allocates; with --races, with ThreadSanitizer. With --expect TEXT the program must
fail, and say TEXT: so it is known that the sanitizers would have spoken. A program that says // NOT-SANITIZED: why is skipped under the
first two.
// LEVELS: names the levels at which alone it is run: where none of them is asked for, at the first.
// MPI: 3 runs it as three processes, of OpenMPI, or with --mpich or // LIBRARY: mpich of MPICH; // FLAGS: need what may not be installed, // OPTIONS: do not; // SOURCES: names further files beside it."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[2] / "include"
MPICH = Path(__file__).resolve().parents[1] / "mpich"
SANITIZE = ["-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# In C++ half of the compilation would go to what AddressSanitizer finds as well (each `this` that is asked whether it is null and aligned), and to the
# library's types: of debug information there are lines. C has all of both.
SANITIZE_CXX = ["-gline-tables-only", "-fno-sanitize=null,alignment,vptr"]
# What brings in a sanitizer's whole runtime is linked in half of the time.
LINKER = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []

# What the level "fast" stands for: clang takes -fast for an option that it does not need, and says no more.
FAST = ["-O3", "-march=native", "-ffast-math"]
RACES = ["-g", "-fsanitize=thread"]


def wants(program: Path, what: str) -> list[str]:
    """What the first lines of the program ask for."""
    with open(program) as text:
        head = [next(text, "") for _ in range(4)]
    found = [re.match(rf"(?://|!) {what}:(.*)", line) for line in head]
    return [name for line in found if line for name in line[1].split()]


def missing_tool(args: argparse.Namespace) -> str:
    """The first compiler or starter of processes that the program asks for and that is not there, or an empty string."""
    if args.program.suffix == ".f90" and not shutil.which(args.flang):
        return args.flang
    kind = ".mpich" if args.mpich else ""
    for tool in (f"mpicc{kind}", f"mpirun{kind}") if wants(args.program, "MPI") else ():
        if not shutil.which(tool):
            return tool
    if (
        args.races
        and not Path(
            subprocess.run([args.clang, "-print-file-name=libarcher.so"], capture_output=True, text=True).stdout.strip()
        ).is_absolute()
    ):
        return "libarcher.so"
    return ""


def missing_part(args: argparse.Namespace, folder: Path) -> str:
    """The same of headers and libraries, which compilers are asked for: for a program that could not be built."""
    for header in wants(args.program, "HEADER"):
        source = folder / "probe.cpp"
        source.write_text(f"#include <{header}>\n")
        if subprocess.run([args.clangxx, "-fsyntax-only", str(source)], capture_output=True).returncode:
            return f"the header {header}"
    for flag in wants(args.program, "FLAGS"):
        source = folder / "probe.cpp"
        source.write_text("int main() {}\n")
        if subprocess.run(
            [args.clangxx, flag, str(source), "-o", str(folder / "probe")], capture_output=True
        ).returncode:
            return f"what {flag} needs"
    for library in wants(args.program, "LINK"):
        source = folder / "probe.cpp"
        source.write_text("int main() {}\n")
        if subprocess.run(
            [args.clangxx, str(source), "-o", str(folder / "probe"), f"-l{library}"], capture_output=True
        ).returncode:
            return f"the library {library}"
    return ""


def mpi_flags(program: Path, what: str) -> list[str]:
    """What the MPI compiler adds to compile or to link the program, if it is one of several processes."""
    if not wants(program, "MPI"):
        return []
    return subprocess.run(["mpicc", f"--showme:{what}"], capture_output=True, text=True, check=True).stdout.split()


class Absent(Exception):
    """What a program asks for is not installed."""


def one_level(args: argparse.Namespace, level: str, folder: Path) -> str:
    """An empty string if the program does at this level what is expected of it, else the reason."""
    languages: dict[str, tuple[str, list[str]]] = {
        ".cpp": (args.clangxx, ["-std=c++20"]),
        ".f90": (args.flang, ["-J", str(folder)]),
        ".c": (args.clang, []),
    }
    compiler, options = languages[args.program.suffix]
    program = folder / f"{args.program.stem}.{level}"
    command = [
        compiler,
        *(FAST if level == "fast" else [f"-{level}"]),
        *options,
        f"-I{INCLUDE}",
        *([f"-fpass-plugin={args.plugin}"] if args.plugin else []),
        *(
            [*SANITIZE, *(SANITIZE_CXX if args.program.suffix == ".cpp" else ["-g"]), *LINKER]
            if args.sanitize
            else [*RACES, *LINKER]
            if args.races
            else []
        ),
        *wants(args.program, "FLAGS"),
        *wants(args.program, "OPTIONS"),
        *args.flag,
        *mpi_flags(args.program, "compile"),
        str(args.program),
        *(str(args.program.parent / name) for name in wants(args.program, "SOURCES")),
        "-o",
        str(program),
        *(f"-l{name}" for name in wants(args.program, "LINK")),
        *mpi_flags(args.program, "link"),
        "-lm",
    ]
    # What every stage of the engine leaves is verified.
    built = subprocess.run(command, capture_output=True, text=True, env={"RETRO_VERIFY_EACH": "1", **os.environ})
    if built.returncode:
        if absent := missing_part(args, folder):
            raise Absent(absent)
        return f"does not compile\n{' '.join(command)}\n{built.stderr}"
    environment = {
        **os.environ,
        "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        # Without it, dynamic loops steal iterations, and libomp's stealing now and then fails an assertion of its own where teams
        # change their size (kmp_dispatch.cpp:1618), in programs without a derivative as well (docs/parallel.md).
        "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE": "1",
        # Threads that wait in loops take the processor from those that they wait for, where other tests run beside this one.
        "OMP_WAIT_POLICY": "passive",
    }
    if args.races:
        archer = subprocess.run(
            [args.clang, "-print-file-name=libarcher.so"], capture_output=True, text=True
        ).stdout.strip()
        environment |= {"OMP_TOOL_LIBRARIES": archer, "TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}
    try:
        processes = wants(args.program, "MPI")
        start = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", *processes] if processes else []
        ran = subprocess.run(
            [*start, str(program)], capture_output=True, text=True, timeout=args.timeout, env=environment
        )
    except subprocess.TimeoutExpired:
        return f"still ran after {args.timeout} seconds"
    said = ran.stdout + ran.stderr
    if args.expect:
        return (
            ""
            if ran.returncode and args.expect in said
            else f"status {ran.returncode}, and no '{args.expect}' in\n{said}"
        )
    if ran.returncode:
        return f"status {ran.returncode}\n{said}"
    return f"a sanitizer spoke\n{said}" if "Sanitizer" in said or "runtime error" in said else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--flang", default="flang-22")
    parser.add_argument("--plugin", help="retrograde.so; without it, no plugin")
    parser.add_argument("--levels", default="O0,O1,O2,O3")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument(
        "--races", action="store_true", help="ThreadSanitizer, which libarcher tells what OpenMP orders"
    )
    parser.add_argument("--expect", metavar="TEXT")
    parser.add_argument("--mpich", action="store_true", help="MPICH instead of what mpicc and mpirun are")
    parser.add_argument("--flag", action="append", default=[], help="one more compiler flag (repeatable)")
    parser.add_argument("--timeout", type=int, default=60)
    args = parser.parse_args()
    args.mpich |= wants(args.program, "LIBRARY") == ["mpich"]
    if args.mpich:
        os.environ["PATH"] = f"{MPICH}{os.pathsep}{os.environ['PATH']}"
    only = {level for levels in wants(args.program, "LEVELS") for level in levels.split(",")}
    if args.sanitize and (why := wants(args.program, "NOT-SANITIZED")):
        print(f"{args.program.name}: skipped under the sanitizers, {' '.join(why)}")
        return 77
    bad = False
    try:
        if absent := missing_tool(args):
            raise Absent(absent)
        for level in [level for level in args.levels.split(",") if not only or level in only] or sorted(only)[:1]:
            with tempfile.TemporaryDirectory() as folder:
                reason = one_level(args, level, Path(folder))
            bad |= bool(reason)
            print(f"{args.program.name} -{level}: {reason or 'ok'}", flush=True)
    except Absent as absent:
        print(f"{args.program.name}: skipped, {absent} is not installed")
        return 77
    return bad


if __name__ == "__main__":
    sys.exit(main())
