"""run.py --plugin P [--vendor cuda|hip] [--clangxx C] [--flag F]...: compile math.cu as its users do, lower the device's code to this machine, and
run it. Needs a CUDA toolkit or ROCm's device libraries, no GPU; 77 without."""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

from tools.gpu.device_code import Tools


def language(vendor: str, clangxx: str) -> list[str] | None:
    """Options that compile math.cu for the vendor's device as its users do, or None where its library is missing."""
    tools = Tools(clangxx=clangxx)
    if tools.missing_library(vendor):
        return None
    if vendor == "cuda":
        assert tools.libdevice
        return [
            "-x",
            "cuda",
            f"--cuda-path={tools.libdevice.parents[2]}",
            "--cuda-gpu-arch=sm_90",
            "-Wno-unknown-cuda-version",
        ]
    return [
        "-x",
        "hip",
        "--offload-arch=gfx90a",
        "--rocm-path=/usr",
        f"--rocm-device-lib-path={tools.ocml}",
        "-mcode-object-version=5",
        "-D__AMDGCN_WAVEFRONT_SIZE=64",
    ]


def main() -> int:
    p = argparse.ArgumentParser()
    p.add_argument("--plugin", required=True)
    p.add_argument("--vendor", choices=("cuda", "hip"), default="cuda")
    p.add_argument("--clangxx", default="clang++-22")
    p.add_argument("--flag", action="append", default=[])
    p.add_argument("--loose", default="1", help="factor of all tolerances")
    p.add_argument("--keep", help="folder for what is made")
    a = p.parse_args()
    options = language(a.vendor, a.clangxx)
    if not options:
        print("no library of this vendor's device")
        return 77
    hip = a.vendor == "hip"
    with tempfile.TemporaryDirectory() as t:
        t = a.keep or t

        def run(*command: str) -> None:
            subprocess.run(command, check=True)

        run(
            a.clangxx,
            *options,
            f"{HERE}/math.cu",
            *a.flag,
            "--cuda-device-only",
            f"-fpass-plugin={a.plugin}",
            "-S",
            "-emit-llvm",
            "-o",
            f"{t}/device.ll",
        )
        run(sys.executable, f"{HERE}/{'lower_hip' if hip else 'lower'}.py", f"{t}/device.ll", f"{t}/host.ll")
        shims = f"{HERE}/shims_hip.c"
        if not hip:
            shims = f"{t}/shims.c"
            with open(shims, "w") as f:
                subprocess.run([sys.executable, f"{HERE}/shims.py"], check=True, stdout=f)
        for kind, source, made in (("ir", f"{t}/host.ll", "host.o"), ("c", shims, "shims.o")):
            run(a.clangxx, "-x", kind, "-O1", "-w", "-c", source, "-o", f"{t}/{made}")
        run(
            a.clangxx,
            "-O1",
            "-w",
            *(["-DHIP"] if hip else []),
            f"{HERE}/main.cpp",
            f"{t}/host.o",
            f"{t}/shims.o",
            "-lm",
            "-o",
            f"{t}/program",
        )
        return subprocess.run([f"{t}/program", a.loose]).returncode


if __name__ == "__main__":
    sys.exit(main())
