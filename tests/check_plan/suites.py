"""The gradients of a suite, compiled with -retro-check-plan: they must come out right, and no claim of a plan may turn out to be false.

Each benchmark is linked from what its build left, with the gradient compiled anew, and verified at its smallest size."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.dont_write_bytecode = True

from ablation import manifest

CHECKED = ["-g", "-mllvm", "-retro-check-plan"]
VARIANT = "plain"  # nothing is promised of pointers: more has to be found out


def run(command: Sequence[Path | str], seconds: float) -> tuple[int, str]:
    done = subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=seconds,
    )
    return done.returncode, done.stdout


def check(benchmark: manifest.Benchmark, folder: Path, plugin: str | None, seconds: float) -> str:
    """An empty string, or what is wrong."""
    objects = []
    variant = VARIANT if VARIANT in benchmark.variants else benchmark.variants[0]
    for command, made in benchmark.compile_commands(variant, folder, CHECKED):
        command = [
            f"-fpass-plugin={plugin}" if plugin and str(word).startswith("-fpass-plugin=") else word for word in command
        ]
        status, said = run(command, seconds)
        if status:
            return f"does not compile\n{said}"
        objects.append(made)
    program = folder / benchmark.name
    status, said = run(benchmark.link_command(objects, program), seconds)
    if status:
        return f"does not link\n{said}"
    kernels = [word for kernel in benchmark.kernels for word in ("--kernel", kernel)]
    status, said = run(
        [
            *benchmark.launcher,
            program,
            "--verify",
            "--size",
            benchmark.sizes[0],
            *kernels,
            "--variant",
            variant,
            "--require",
            "gradient",
        ],
        seconds,
    )
    return f"status {status}\n{said}" if status or "plan check" in said else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--only", help="this benchmark")
    parser.add_argument("--plugin", help="another than the one that the suites were built with")
    parser.add_argument("--seconds", type=float, default=600, help="for each command")
    args = parser.parse_args()
    found = [b for b in manifest.read_all(args.build) if b.suite == args.suite and args.only in (None, b.name)]
    if not found or not (args.plugin or found[0].plugin):
        print(f"skipped: {args.build} has no gradients of the suite {args.suite}")
        return 77
    bad = 0
    for benchmark in found:
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(benchmark, Path(folder), args.plugin, args.seconds)
        print(f"{benchmark.suite}/{benchmark.name} {benchmark.sizes[0]}: {wrong or 'ok'}", flush=True)
        bad += bool(wrong)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
