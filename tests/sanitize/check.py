"""Build one program with the plugin under the sanitizers, at several levels, and run it.

AddressSanitizer (with leak detection) sees the generated gradient: it instruments after the plugin has run.
UndefinedBehaviorSanitizer's checks are put in by the front end, so the engine has to carry them through.
A program with `SANITIZE: finds TEXT` in its first lines must be stopped by AddressSanitizer with TEXT.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ENV = dict(
    os.environ,
    ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1",
    UBSAN_OPTIONS="print_stacktrace=1",
)
COMBINATIONS = {"address": ("O0", "O1", "O2", "O3"), "undefined": ("O0", "O2"), "address,undefined": ("O1",)}


def problem_of(compile_command, source, wanted):
    """What is wrong with the program built by this command, or None. `wanted`: the report that must come."""
    with tempfile.TemporaryDirectory(prefix="retro-sanitize-") as folder:
        exe = Path(folder) / "program"
        command = [*compile_command, str(source), "-lm", "-o", str(exe)]
        build = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if build.returncode:
            return build.stderr
        try:
            run = subprocess.run(
                [str(exe)], capture_output=True, text=True, errors="replace", env=ENV, timeout=60
            )
        except subprocess.TimeoutExpired:
            return "ran past 60 s"
    said = run.stdout + run.stderr
    if wanted:
        return None if run.returncode and wanted in said else f"no {wanted} was reported:\n{said}"
    return (said or f"exit status {run.returncode}") if run.returncode else None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--plugin", required=True)
    args = parser.parse_args()
    args.plugin = os.path.abspath(args.plugin)
    found = re.search(r"SANITIZE: finds (\S+)", args.source.read_text())
    wanted = found[1] if found else None
    compiler = [args.clangxx, "-std=c++20"] if args.source.suffix == ".cpp" else [args.clang]

    failures = runs = 0
    for sanitizers, levels in COMBINATIONS.items():
        if wanted and sanitizers != "address":
            continue
        for level in levels:
            runs += 1
            flags = [f"-{level}", "-g", "-Wall", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
            problem = problem_of([*compiler, *flags, f"-fpass-plugin={args.plugin}"], args.source, wanted)
            if problem:
                failures += 1
                print(f"FAIL {args.source.name} -{level} -fsanitize={sanitizers}\n{problem[:3000]}")
    print(f"{args.source.name}: {runs - failures} of {runs} builds behave")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
