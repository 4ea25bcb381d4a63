"""One case of the runtime over the driver: the program, what it finds in place of a driver, and what it must say."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--program", required=True)
parser.add_argument("--library", required=True, help="folder of the driver that runs kernels on the CPU")
parser.add_argument("--other", required=True, help="other device code")
parser.add_argument("case")
args = parser.parse_args()

FOUND = {"LD_LIBRARY_PATH": args.library}
MISSING = "no file of that name"
CASES: dict[str, tuple[dict[str, str], list[str], int, list[str]]] = {
    # name: environment, arguments, exit status, lines of the output
    "calls": (FOUND, [], 0, ["retrograde: the driver refuses device code: fake log", "ok"]),
    "other_code": (
        {**FOUND, "RETRO_CUDA_CODE": args.other},
        ["other-code"],
        0,
        ["cuModuleLoadDataEx other code", "no error"],
    ),
    "refused_code": (
        {**FOUND, "RETRO_CUDA_CODE": MISSING},
        ["other-code"],
        1,
        ["retrograde: RETRO_CUDA_CODE: there is no file 'no file of that name'", "fake error 1"],
    ),
    "no_driver": (
        {"RETRO_CUDA_DRIVER": MISSING},
        ["no-driver"],
        77,
        [
            "35 0 there is no NVIDIA driver here (no file of that name)",
            "there is no NVIDIA driver here (no file of that name)",
        ],
    ),
    "derivative_no_driver": (
        {"RETRO_CUDA_DRIVER": MISSING},
        [],
        -signal.SIGABRT,
        ["retrograde: allocating memory failed in a derivative: there is no NVIDIA driver here (no file of that name)"],
    ),
    "too_old": (
        {"RETRO_CUDA_DRIVER": "libm.so.6"},
        ["no-driver"],
        77,
        ["the NVIDIA driver is too old: it has no cuInit"],
    ),
    "no_device": (
        {**FOUND, "FAKE_CUDA_DEVICES": "0"},
        ["no-driver"],
        77,
        ["100 0 fake error 100", "the NVIDIA driver finds no device: fake error 100"],
    ),
}

environment, words, status, lines = CASES[args.case]
clean = {
    name: value
    for name, value in os.environ.items()
    if name not in ("RETRO_CUDA_DRIVER", "RETRO_CUDA_CODE", "FAKE_CUDA_DEVICES")
}
with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run(
        [args.program, *words],
        env={**clean, **environment},
        cwd=Path(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
sys.stdout.write(done.stdout)
missing = [line for line in lines if line not in done.stdout.splitlines()]
if done.returncode != status or missing:
    sys.exit(f"exit status {done.returncode} for {status}; missing: {missing}")
