"""Packs one benchmark and runs the pack's bench.py on a driver that runs kernels on the CPU (engine/test/gpu_driver/fake_cuda.cpp).

That driver has the code of all toggles on, whatever it is given: a cell of another setting has to be refused."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GLIBC = {
    "libc.so.6",
    "libm.so.6",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
}


def fail(text: object, said: object = "") -> None:
    sys.exit(f"{said}\n{text}")


def require(condition: object, text: object, said: object = "") -> None:
    if not condition:
        fail(text, said)


def run(command: Sequence[object], status: int, **environment: str) -> str:
    clean = {
        k: v for k, v in os.environ.items() if k not in ("RETRO_CUDA_DRIVER", "RETRO_CUDA_CODE", "LD_LIBRARY_PATH")
    }
    done = subprocess.run(
        [str(word) for word in command],
        env={**clean, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    require(done.returncode == status, f"exit status {done.returncode} for {status}: {command}", done.stdout)
    return done.stdout


def check_pack(pack: Path) -> None:
    about = json.loads((pack / "pack.json").read_text())
    (program,) = about["programs"]
    require(set(program["needs"]) <= GLIBC, f"the program needs {program['needs']}")
    require(set(about["settings"]) == {"no-min-cut", "counted"}, about["settings"])
    require(
        sum(f.stat().st_size for f in pack.rglob("*") if f.is_file()) < 10e6,
        "one benchmark's pack is larger than 10 MB",
    )
    binary = (pack / "bin" / program["program"]).read_bytes()
    require(
        b".nv_fatbin" in binary or b"\x50\xed\x55\xba" in binary or b".version 8" in binary,
        "no device code is embedded",
    )


def check_row(row: dict[str, Any]) -> None:
    require(row["status"] == "ok" and row["verified"]["gradient"] and row["verified"]["primal"], row["reason"])
    checks = {(v["column"], v["size"], v["check"]) for v in row["verdicts"] if v["outcome"] == "passed"}
    for size in ("N=8", "N=32", "smoke"):
        for column in ("primal", "gradient"):
            require(
                (column, size, "entries against the serial program") in checks,
                f"{column} at {size} was not compared: {checks}",
            )
    require(("gradient", "N=32", "entries against the hand adjoint") in checks, checks)
    require(("gradient", "N=32", "central differences") in checks, checks)
    # One launch takes two milliseconds on that driver.
    for column in ("primal", "gradient"):
        timed = row["columns"][column]
        require(abs(timed["median"] - 2e-3) < 1e-9 and len(timed["runs"]) == 3, timed)
        (kernel,) = timed["kernels"]
        name = "brusselator_kernel" if column == "primal" else "brusselator_gradient_kernel"
        require(
            name in kernel["name"]
            and kernel["launches"] == 1
            and kernel["grid"] == [1, 1, 1]
            and kernel["block"] == [8, 8, 1],
            kernel,
        )
        require(kernel["registers"] == 14 and kernel["local_bytes"] == 13, kernel)
    # u, v, their derivatives and parameters; the gradient's adjoints beside.
    require(row["columns"]["primal"]["device_bytes"] == 8 * (4 * 64 + 3), row["columns"]["primal"])
    require(row["columns"]["gradient"]["device_bytes"] == 16 * (4 * 64 + 3), row["columns"]["gradient"])
    require(row["machine"]["gpu"] == "Fake GPU 40" and row["machine"]["driver_cuda"] == "13.0", row["machine"])
    require(
        row["device"]["compute_capability"] == "9.0"
        and row["study"] == "./retro bench --device cuda"
        and row["commit"],
        row["device"],
    )
    require("min-cut=1" in row["toggles"] and row["toggles_asked"]["min-cut"] is True, row["toggles"])
    require(set(row["columns"]) == {"primal", "gradient"}, row["columns"].keys())


def check_results(folder: Path, said: str) -> None:
    rows = {f.name: json.loads(f.read_text()) for f in (folder / "rows").glob("*.json")}
    usual, other = (
        "brusselator-cuda.dup.smoke.restrict.all-on.json",
        "brusselator-cuda.dup.smoke.restrict.no-min-cut.json",
    )
    require(set(rows) == {usual, other}, rows.keys(), said)
    check_row(rows[usual])
    refused = rows[other]
    require(
        refused["status"] == "failed" and refused["failure"] == "toggles" and "gradient" not in refused["columns"],
        refused["reason"],
    )
    page = (folder / "gpu.md").read_text()
    require(
        re.search(r"\| brusselator \| dup \| smoke \| 2 \| 2 \| 1\.00 \|", page), "the table has no such line", page
    )
    require("| no-min-cut | not measured |" in page, "the ablation has no such line", page)
    require(
        "compute-sanitizer is not here" in page or shutil.which("compute-sanitizer"),
        "the sanitizer is not mentioned",
        page,
    )


# A stand-in that finds a race and nothing else.
SANITIZER = """#!/bin/sh
case "$2 $4" in
"memcheck 86") "$5" --device && echo "========= ERROR SUMMARY: 0 errors" ;;
"racecheck 86") echo "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"; exit 86 ;;
*) exit 3 ;;
esac
"""


def check_sanitizer(bench: list[object], work: Path, results: Path, library: str) -> None:
    folder = work / "tools"
    folder.mkdir()
    (folder / "compute-sanitizer").write_text(SANITIZER)
    (folder / "compute-sanitizer").chmod(0o755)
    said = run([*bench, "--no-ablation"], 1, LD_LIBRARY_PATH=library, PATH=f"{folder}:{os.environ['PATH']}")
    found = {s["tool"]: (s["outcome"], s["reason"]) for s in json.loads((results / "sanitizer.json").read_text())}
    require(found["memcheck"] == ("passed", "ERROR SUMMARY: 0 errors"), found, said)
    require(
        found["racecheck"] == ("failed", "RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"), found, said
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clangxx", required=True)
    parser.add_argument("--library", required=True, help="folder of that driver")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        pack, results = work / "pack", work / "results"
        command = [
            sys.executable,
            "-B",
            "-P",
            "-m",
            "tools.gpu.pack",
            "--build",
            args.build,
            "--plugin",
            args.plugin,
            "--clangxx",
            args.clangxx,
            "--out",
            pack,
            "--work",
            work / "work",
            "--suite",
            "brusselator",
            "--arch",
            "sm_90",
            "--setting",
            "no-min-cut",
            "--setting",
            "counted",
            "--no-tests",
        ]
        done = subprocess.run(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode:
            print(done.stdout)
            return done.returncode
        check_pack(pack)
        bench = [
            "/usr/bin/env",
            "python3",
            pack / "bench.py",
            "--check",
            "--repetitions",
            3,
            "--no-tape",
            "--out",
            results,
        ]
        said = run(bench, 77, RETRO_CUDA_DRIVER="no file of that name")
        require(said.strip() == "there is no NVIDIA driver here (no file of that name)", "not that sentence", said)
        said = run(bench, 1, LD_LIBRARY_PATH=args.library)
        check_results(results / "fake-gpu-40", said)
        # What was measured is not measured again; what failed is.
        said = run([*bench, "--archive", work / "all.tar.gz"], 1, LD_LIBRARY_PATH=args.library)
        require(
            "[2/2]" in said and "[1/2]" not in said and (work / "all.tar.gz").exists(),
            "it did not go on where it was",
            said,
        )
        check_sanitizer(bench, work, results / "fake-gpu-40", args.library)
        said = run(
            [sys.executable, "-B", ROOT / "retro", "bench", "--device", "cuda"],
            77,
            RETRO_CUDA_DRIVER="no file of that name",
        )
        require(said.strip() == "there is no NVIDIA driver here (no file of that name)", "not that sentence", said)
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
