"""Compiles CUDA and HIP sources for the CPU: what they launch runs on it.

A source is compiled twice, for the device and for the host, with no GPU SDK; the device code is rewritten for the host (pass
retro-gpu-on-cpu) and both become one object. Device IR (.bc, .ll) of either vendor is rewritten and compiled alone. With -c each input
becomes an object; without, all are linked with the library into a program, or with --shared into a library. With -fgpu-rdc the device
code of all sources is linked first, and requests whose functions are in other sources are met then. Options that are not known here go to
the compiler."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ARCH = {"cuda": "sm_90", "hip": "gfx90a"}


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="retro gpu-emulate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    p.add_argument("inputs", nargs="*", type=Path, help=".cu and .hip sources, device IR (.bc, .ll), objects")
    p.add_argument("-o", dest="output", type=Path, required=True)
    p.add_argument("-c", dest="compile_only", action="store_true", help="one input to one object")
    p.add_argument("--shared", action="store_true", help="a shared library instead of a program")
    p.add_argument("--vendor", choices=ARCH, help="of the sources; default: by their suffix")
    p.add_argument("--arch", help=f"device architecture; default: {', '.join(f'{v} {a}' for v, a in ARCH.items())}")
    p.add_argument("--plugin", help="the differentiation plugin, for both sides")
    p.add_argument("--no-checks", action="store_true", help="no check of bounds and races: faster")
    p.add_argument(
        "--device-flag", action="append", default=[], metavar="FLAG", help="for the device side only (repeatable)"
    )
    p.add_argument(
        "--host-flag", action="append", default=[], metavar="FLAG", help="for the host side only (repeatable)"
    )
    p.add_argument("--keep-device", type=Path, metavar="FILE", help="also write the device IR here, as text")
    p.add_argument("--depfile", type=Path, help="write what the host side includes here, for a build system")
    p.add_argument("--clangxx", default="clang++-22")
    p.add_argument("--opt", default="opt-22")
    p.add_argument("--pass-plugin", help="retrograde_gpu.so")
    p.add_argument("--library", help="libretro_gpu.a")
    p.add_argument("--include", help="folder of the headers")
    return p


def run(command: Sequence[Path | str]) -> None:
    done = subprocess.run([str(word) for word in command])
    if done.returncode:
        sys.exit(done.returncode if done.returncode > 0 else 1)


def language(vendor: str, arch: str, include: Path) -> list[str]:
    """Compiler options of a vendor's language with our headers in place of the SDK."""
    flags = [
        "-x",
        vendor,
        "-nogpulib",
        "-nogpuinc",
        f"--cuda-gpu-arch={arch}",
        f"-I{include}",
        f"-I{include}/retrograde/gpu",
        "-include",
        f"retrograde/gpu/retro_{vendor}.h",
        "-Wno-unused-command-line-argument",
    ]
    if vendor == "cuda":
        flags += ["-Wno-unknown-cuda-version", "--cuda-feature=+ptx80", "-Xclang", "-target-sdk-version=12.9"]
    return flags


def level_of(flags: list[str]) -> str:
    return next((f for f in reversed(flags) if f.startswith("-O")), "-O2")


def vendor_of(args: argparse.Namespace, source: Path) -> str | None:
    return args.vendor or {".cu": "cuda", ".hip": "hip"}.get(source.suffix)


def link_device(args: argparse.Namespace, parts: list[Path], output: Path, level: str) -> None:
    """One module of the device code of all sources, and what waited for that."""
    linked = output.with_suffix(".all.bc")
    link = Path(args.opt).with_name(Path(args.opt).name.replace("opt", "llvm-link"))
    run([link, *parts, "-o", linked])
    # clang's options for LLVM are opt's own.
    options = [f for before, f in zip(args.device_flag, args.device_flag[1:]) if before == "-mllvm"]
    if any(vendor_of(args, source) == "hip" for source in args.inputs):
        options.append("-amdgpu-enable-lower-module-lds=false")  # shared variables stay what the rewriting knows
    run(
        [
            args.opt,
            *([f"-load-pass-plugin={args.plugin}"] if args.plugin else []),
            f"-passes=lto<{level[1:]}>",
            *options,
            linked,
            "-o",
            output,
        ]
    )
    if args.keep_device:
        run([args.opt, "-S", output, "-o", args.keep_device])


def device_object(args: argparse.Namespace, ir: Path, output: Path, level: str) -> None:
    host_ir = output.with_suffix(".host.bc")
    run(
        [
            args.opt,
            f"-load-pass-plugin={args.pass_plugin}",
            "-passes=retro-gpu-on-cpu",
            *(["-retro-gpu-checks=0"] if args.no_checks else []),
            ir,
            "-o",
            host_ir,
        ]
    )
    run([args.clangxx, level, "-fPIC", "-Wno-override-module", "-c", host_ir, "-o", output])


def compile_one(
    args: argparse.Namespace,
    source: Path,
    output: Path,
    folder: Path,
    flags: list[str],
    parts: list[Path] | None = None,
) -> bool:
    """One object; the device code is not in it but added to parts, where these are to be linked."""
    level = level_of(flags)
    if parts is not None and source.suffix in (".bc", ".ll"):
        parts.append(source)
        return False
    if source.suffix in (".bc", ".ll"):
        device_object(args, source, output, level)
        return True
    vendor = vendor_of(args, source)
    if not vendor:
        sys.exit(f"{source}: say --vendor cuda or --vendor hip")
    common = [args.clangxx, *language(vendor, args.arch or ARCH[vendor], args.include), level, "-fPIC", *flags]
    ir, device, host, stub = (
        folder / f"{output.stem}.{part}" for part in ("device.bc", "device.o", "host.o", "fatbin")
    )
    plugin = [f"-fpass-plugin={args.plugin}"] if args.plugin else []
    # The host's side stays as it is: its kernels and variables are found by name.
    linked = ["-fgpu-rdc", "-foffload-lto"] if parts is not None else []
    device_command = [
        *common,
        *linked,
        *args.device_flag,
        *plugin,
        "--cuda-device-only",
        "-gline-tables-only",
        "-emit-llvm",
    ]
    run([*device_command, "-c", source, "-o", ir])
    if parts is not None:
        parts.append(ir)
    else:
        if args.keep_device:
            run([args.opt, "-S", ir, "-o", args.keep_device])
        device_object(args, ir, device, level)
    stub.write_text("no code for a GPU\n")
    dependencies = ["-MD", "-MF", args.depfile, "-MT", output] if args.depfile else []
    run(
        [
            *common,
            *args.host_flag,
            *plugin,
            "--cuda-host-only",
            "-Xclang",
            "-fcuda-include-gpubinary",
            "-Xclang",
            stub,
            *dependencies,
            "-c",
            source,
            "-o",
            host,
        ]
    )
    run([args.clangxx, "-r", "-nostdlib", host, *([] if parts is not None else [device]), "-o", output])
    return True


def main(argv: list[str] | None = None) -> int:
    args, flags = parser().parse_known_args(argv)
    for name, what in (("pass_plugin", "--pass-plugin"), ("include", "--include")):
        if not getattr(args, name):
            sys.exit(f"{what} is missing")
    if args.compile_only and len(args.inputs) != 1:
        sys.exit("-c takes one input")
    parts = [] if "-fgpu-rdc" in flags else None
    flags = [f for f in flags if f != "-fgpu-rdc"]
    if parts is not None and args.compile_only:
        sys.exit("-fgpu-rdc links the device code of all sources: give them together, without -c")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        objects = []
        for number, source in enumerate(args.inputs):
            if source.suffix in (".o", ".a", ".so"):
                objects.append(source)
                continue
            if compile_one(args, source, folder / f"{number}.o", folder, flags, parts):
                objects.append(folder / f"{number}.o")
        if parts:
            objects.append(folder / "device.o")
            link_device(args, parts, folder / "device.bc", level_of(flags))
            device_object(args, folder / "device.bc", objects[-1], level_of(flags))
        if args.compile_only:
            shutil.copyfile(objects[0], args.output)
        else:
            link = [f for f in flags if f.startswith(("-l", "-L", "-Wl,", "-fopenmp", "-fsanitize"))]
            # The library's functions are wanted by name by whoever loads a shared one: all of it goes in.
            library = ["-Wl,--whole-archive", args.library, "-Wl,--no-whole-archive"] if args.shared else [args.library]
            run(
                [
                    args.clangxx,
                    *(["-shared"] if args.shared else []),
                    *objects,
                    *library,
                    "-lpthread",
                    "-lm",
                    *link,
                    "-o",
                    args.output,
                ]
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
