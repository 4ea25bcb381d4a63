"""Compiles one program with kernels for the CPU, at each level asked for, and runs it in each order of threads with races checked.

It must exit with 0. With --expect TEXT it must fail in every order and say TEXT, and with --faults it must do so for each line
`// FAULT number: text` of the program, run with the number (`// FAULT vendor number: text`: for this vendor alone); with --some-order it must give a wrong result in at least
one order, races unchecked: so it is known that the orders show a missing barrier."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ORDERS = ["forward", "reverse", "random:1", "random:2"]
SCRIPT = Path(__file__).resolve().parents[2] / "runtime" / "gpu_on_cpu" / "gpu_on_cpu.py"
INCLUDE = Path(__file__).resolve().parents[2] / "include"


def build(args: argparse.Namespace, level: str, program: Path) -> str:
    command = [
        sys.executable,
        "-B",
        str(SCRIPT),
        str(args.program),
        *map(str, args.also),
        "-o",
        str(program),
        "--vendor",
        args.vendor,
        "--pass-plugin",
        args.pass_plugin,
        "--library",
        args.library,
        "--include",
        str(INCLUDE),
        "--clangxx",
        args.clangxx,
        "--opt",
        args.opt,
        *(f"--device-flag={f}" for f in args.device_flag),
        *(["--plugin", args.plugin] if args.plugin else []),
        f"-{level}",
        "-std=c++20",
        *args.flag,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"does not compile\n{' '.join(command)}\n{done.stdout}{done.stderr}"


def one_level(args: argparse.Namespace, level: str, folder: Path) -> str:
    """An empty string if the program does at this level what is expected of it, else the reason."""
    program = folder / f"{args.program.stem}.{level}"
    reason = build(args, level, program)
    if args.refused:
        return "" if reason and args.refused in reason else f"compiles, or does not say '{args.refused}'\n{reason}"
    if reason:
        return reason
    if args.faults:
        faults = re.findall(r"^// FAULT (?:(\w+) )?(\d+): (.*)$", args.program.read_text(), re.MULTILINE)
        reasons = [runs(args, program, text, number) for vendor, number, text in faults if vendor in ("", args.vendor)]
        return "\n".join(filter(None, reasons)) if reasons else "no faults"
    return runs(args, program, args.expect)


def runs(args: argparse.Namespace, program: Path, expect: str, *arguments: str) -> str:
    """The same, of the built program in every order."""
    wrong = 0
    for order in ORDERS:
        environment = {**os.environ, "RETRO_GPU_ORDER": order, "RETRO_GPU_RACES": "0" if args.some_order else "1"}
        done = subprocess.run(
            [str(program), *arguments], capture_output=True, text=True, timeout=args.timeout, env=environment
        )
        said = done.stdout + done.stderr
        wrong += done.returncode != 0
        if expect and (done.returncode == 0 or expect not in said):
            return f"order {order}: status {done.returncode}, and no '{expect}' in\n{said}"
        if not expect and not args.some_order and done.returncode:
            return f"order {order}: status {done.returncode}\n{said}"
        if "gpu on cpu:" in said and not expect:
            return f"order {order}:\n{said}"
    return "right in every order" if args.some_order and not wrong else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--vendor", required=True, choices=["cuda", "hip"])
    parser.add_argument("--pass-plugin", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--plugin", help="retrograde.so")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--levels", default="O0,O2")
    parser.add_argument("--expect", metavar="TEXT")
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        type=Path,
        metavar="SOURCE",
        help="one more source of the program (repeatable)",
    )
    parser.add_argument("--refused", metavar="TEXT", help="it must not compile, and the compiler must say this")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--some-order", action="store_true")
    parser.add_argument("--flag", action="append", default=[], help="one more compiler flag (repeatable)")
    parser.add_argument("--device-flag", action="append", default=[], help="the same, for the device side only")
    parser.add_argument("--timeout", type=int, default=60)
    args = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for level in args.levels.split(","):
            reason = one_level(args, level, Path(folder))
            bad += bool(reason)
            print(f"{args.program.name} {args.vendor} -{level}: {reason or 'ok'}", flush=True)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
