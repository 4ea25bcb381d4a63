"""What the commands of `./retro` do that are about GPUs. Every function takes the parsed arguments and returns an exit status."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from . import ROOT, Failure
from . import build as builder
from . import system


def bench(args: argparse.Namespace) -> int:
    """Run a pack, which is made first where there is none. 77 where there is no NVIDIA driver."""
    driver = os.environ.get("RETRO_CUDA_DRIVER") or "libcuda.so.1"
    if not system.loads(driver):
        print(f"there is no NVIDIA driver here ({driver})")
        return 77
    folder = Path(args.pack) if args.pack else builder.build_dir(args.preset) / "pack"
    if not (folder / "pack.json").exists():
        if args.pack:
            raise Failure(f"{folder} is no folder that ./retro pack made")
        if status := make_pack(args.preset, ["--out", str(folder)]):
            return status
    words = args.arguments
    if words and not words[0].startswith("-"):
        words = ["--suite", *words]
    out = [] if "--out" in words else ["--out", str(ROOT / "results")]
    return subprocess.run([sys.executable, "-B", str(folder / "bench.py"), *out, *words]).returncode


def make_pack(preset: str, arguments: list[str]) -> int:
    folder = builder.build_dir(preset)
    found = [f"--build={folder}", f"--plugin={builder.plugin_path(preset)}", f"--work={folder / 'pack-work'}"]
    if not any(a.split("=")[0] == "--out" for a in arguments):
        found.append(f"--out={folder / 'pack'}")
    if not {"-h", "--help"} & set(arguments):
        builder.configure(preset, needs=builder.SUITES)
        builder.build(preset, ["retrograde", "benchmarks", "retro_suite_device", "retro_cuda"])
    return system.run_module("tools.gpu.pack", *found, *arguments)


def pack(args: argparse.Namespace) -> int:
    """Build a folder that runs the suites on a machine with an NVIDIA driver and nothing else of CUDA. Its own --help says more."""
    return make_pack(args.preset, args.arguments)


def emulate(args: argparse.Namespace) -> int:
    """Compile CUDA or HIP sources, or device IR, so that their kernels run on the CPU. Its own --help says what it accepts."""
    folder = builder.build_dir(args.preset) / "engine" / "runtime" / "gpu_on_cpu"
    if not (folder / "retrograde_gpu.so").exists() or not (folder / "libretro_gpu.a").exists():
        if not builder.plugin_path(args.preset).exists():
            raise Failure("there is no plugin yet: run ./retro build")
        builder.build(args.preset, ["retro_gpu_pass", "retro_gpu"])
    found = [
        f"--pass-plugin={folder / 'retrograde_gpu.so'}",
        f"--library={folder / 'libretro_gpu.a'}",
        f"--include={ROOT / 'engine' / 'include'}",
    ]
    return system.run_module("engine.runtime.gpu_on_cpu.gpu_on_cpu", *found, *args.arguments)


def mutate(args: argparse.Namespace) -> int:
    """Remove one barrier, atomic or store at a time from gradients of kernels and see that a test notices. Its own --help says more."""
    folder = builder.build_dir(args.preset) / "engine" / "runtime" / "gpu_on_cpu"
    found = [
        f"--plugin={builder.plugin_path(args.preset)}",
        f"--pass-plugin={folder / 'retrograde_gpu.so'}",
        f"--library={folder / 'libretro_gpu.a'}",
    ]
    return system.run_module("tools.gpu.mutate", *found, *args.arguments)


def resources(args: argparse.Namespace) -> int:
    """Print what the suites' kernels and their gradients use on each architecture. Its own --help says what it accepts."""
    plugin = ["--plugin", str(builder.plugin_path(args.preset))]
    given = any(a.split("=")[0] == "--plugin" for a in args.arguments)
    return system.run_module("tools.gpu.resources", *([] if given else plugin), *args.arguments)
