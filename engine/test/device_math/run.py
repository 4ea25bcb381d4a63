#!/usr/bin/env python3
"""run.py --plugin P [--clangxx C] [--flag F]...: compile math.cu as its users do, lower the device's code to this machine, and run it. Needs a CUDA toolkit, no GPU; 77 without one."""
import argparse, os, subprocess, sys, tempfile
HERE = os.path.dirname(os.path.abspath(__file__))

def toolkit():
    for place in filter(None, [os.environ.get("CUDA_PATH"), "/usr/local/cuda"]):
        if os.path.exists(f"{place}/nvvm/libdevice/libdevice.10.bc"):
            return place
    return None

def main():
    p = argparse.ArgumentParser()
    p.add_argument("--plugin", required=True)
    p.add_argument("--clangxx", default="clang++-22")
    p.add_argument("--flag", action="append", default=[])
    p.add_argument("--loose", default="1", help="factor of all tolerances")
    p.add_argument("--keep", help="folder for what is made")
    a = p.parse_args()
    cuda = toolkit()
    if not cuda:
        print("no CUDA toolkit")
        return 77
    with tempfile.TemporaryDirectory() as t:
        t = a.keep or t
        def run(*command): subprocess.run(command, check=True)
        run(a.clangxx, "-x", "cuda", f"{HERE}/math.cu", f"--cuda-path={cuda}", "--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version", *a.flag,
            "--cuda-device-only", f"-fpass-plugin={a.plugin}", "-S", "-emit-llvm", "-o", f"{t}/device.ll")
        run(sys.executable, f"{HERE}/lower.py", f"{t}/device.ll", f"{t}/host.ll")
        with open(f"{t}/shims.c", "w") as f:
            subprocess.run([sys.executable, f"{HERE}/shims.py"], check=True, stdout=f)
        for source in (f"{t}/host.ll", f"{t}/shims.c"):
            run(a.clangxx, "-x", "c" if source.endswith(".c") else "ir", "-O1", "-w", "-c", source, "-o", source + ".o")
        run(a.clangxx, "-O1", "-w", f"{HERE}/main.cpp", f"{t}/host.ll.o", f"{t}/shims.c.o", "-lm", "-o", f"{t}/program")
        return subprocess.run([f"{t}/program", a.loose]).returncode

if __name__ == "__main__":
    sys.exit(main())
