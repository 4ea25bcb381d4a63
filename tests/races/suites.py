"""Gradients of the OpenMP suites under ThreadSanitizer, which libarcher tells what OpenMP orders: they must come out right, and no two threads
may meet in what the engine has emitted. The gradient is compiled anew, the rest is what the build left."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.dont_write_bytecode = True

from ablation import manifest

FLAGS = ["-O1", "-g", "-fsanitize=thread"]
VARIANT = "restrict"


def run(command: Sequence[Path | str], seconds: float, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=seconds,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stdout


def library(compiler: str) -> str:
    """libarcher.so of the compiler, or None."""
    said = subprocess.run([compiler, "-print-file-name=libarcher.so"], capture_output=True, text=True).stdout.strip()
    return said if Path(said).is_absolute() and Path(said).exists() else None


def build(benchmark: manifest.Benchmark, folder: Path, plugin: str | None, seconds: float) -> tuple[Path, str]:
    """(program, '') or (None, why there is none)."""
    objects = []
    for command, made in benchmark.compile_commands(VARIANT, folder, FLAGS):
        command = [
            f"-fpass-plugin={plugin}" if plugin and str(word).startswith("-fpass-plugin=") else word for word in command
        ]
        status, said = run(command, seconds)
        if status:
            return None, f"does not compile\n{said}"
        objects.append(made)
    program = folder / benchmark.name
    status, said = run([*benchmark.link_command(objects, program), "-fsanitize=thread"], seconds)
    return (None, f"does not link\n{said}") if status else (program, "")


def judge(status: int, said: str, ordered: bool) -> str:
    """An empty string, or what is wrong. Without the order of OpenMP, the sanitizer must find something: so it is known that it looked."""
    if not ordered:
        return "" if "ThreadSanitizer" in said else "the sanitizer is silent where it knows nothing of OpenMP"
    return f"status {status}\n{said}" if status or "ThreadSanitizer" in said else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--benchmark", required=True)
    parser.add_argument("--size", required=True)
    parser.add_argument("--kernel", required=True)
    parser.add_argument("--threads", default="4")
    parser.add_argument(
        "--control", action="store_true", help="once more without libarcher: the sanitizer must find something then"
    )
    parser.add_argument("--plugin", help="another than the one that the suites were built with")
    parser.add_argument("--seconds", type=float, default=600, help="for each command")
    args = parser.parse_args()
    found = [b for b in manifest.read_all(args.build) if b.name == args.benchmark]
    if not found or not (args.plugin or found[0].plugin):
        print(f"skipped: {args.build} has no gradient of {args.benchmark}")
        return 77
    archer = library(found[0].data["compiler"])
    if not archer:
        print("skipped: libarcher.so is not installed")
        return 77
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        program, why = build(found[0], Path(folder), args.plugin, args.seconds)
        which = [
            "--size",
            args.size,
            "--kernel",
            args.kernel,
            "--variant",
            VARIANT,
            "--require",
            "gradient",
            "--verify",
        ]
        orders = [True, False] if args.control else [True]
        for ordered in orders if program else ():
            tool = {"OMP_TOOL_LIBRARIES": archer} if ordered else {"OMP_TOOL": "disabled"}
            options = {
                "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
                "OMP_NUM_THREADS": args.threads,
                "OMP_WAIT_POLICY": "passive",
            }
            status, said = run([program, *which], args.seconds, **tool, **options)
            why = judge(status, said, ordered)
            print(
                f"{args.benchmark} {args.size}, {'with' if ordered else 'without'} libarcher: {why or 'ok'}", flush=True
            )
            bad += bool(why)
    if not program:
        print(f"{args.benchmark}: {why}")
    return bad != 0 or not program


if __name__ == "__main__":
    sys.exit(main())
