"""Makes a folder that runs the suites on a machine which has an NVIDIA driver, Python 3 and nothing else of CUDA.

    bin/<benchmark>-cuda             driver, checks and timing; device code for each architecture is embedded
    code/<benchmark>.<setting>.fatbin  device code with other toggles, used in place of the embedded
    tests/<program>.<level>          the engine's own programs of GPUs, compiled as users compile CUDA
    bench.py, packed/, pack.json     what runs them, and what they are

A setting that changes nothing in a benchmark's PTX is named in pack.json, and its code is not packed. Device code is made by clang and the plugin, libdevice, llc and ptxas: CUDA_PATH or /usr/local/cuda has libdevice and ptxas. Without ptxas or fatbinary
PTX is packed, and the driver compiles it when a program starts. The tests need the toolkit's headers and libcudart_static; without them there are none.
Exit status 77: there is no libdevice."""

import argparse
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from engine.runtime.gpu_on_cpu.gpu_on_cpu import language

from .device_code import INCLUDE, ROOT, Failed, Tools, call, compile_ir, ptx_of
from .programs import PROGRAMS, Program, settings

PACKED = Path(__file__).with_name("packed")
START = """#!/usr/bin/env python3
import sys

from packed.bench import main

if __name__ == "__main__":
    sys.exit(main())
"""
LIMIT = 100 << 20
PTX_ARCH = "sm_80"  # of the PTX that is for any later device


class Packer:
    def __init__(self, args: argparse.Namespace, tools: Tools) -> None:
        self.args, self.tools = args, tools
        self.out, self.work = args.out, args.work
        self.fatbinary = (
            shutil.which("fatbinary", path=str(Path(tools.ptxas).parent)) or shutil.which("fatbinary")
            if tools.ptxas
            else None
        )
        # One kind of device code where nothing joins several.
        self.arches = args.arch if self.fatbinary else []

    def folder(self, *names: str) -> Path:
        path = self.work.joinpath(*names)
        path.mkdir(parents=True, exist_ok=True)
        return path

    def source(self, program: Program) -> Path:
        return ROOT / "suites" / program.folder / "cuda_gradient.cu"

    def ptx(self, program: Program, arch: str, flags: list[str], folder: Path) -> Path:
        ir, ptx = folder / f"{arch}.bc", folder / f"{arch}.ptx"
        compile_ir(self.tools, self.source(program), "cuda", arch, ir, flags)
        ptx_of(self.tools, ir, arch, ptx)
        return ptx

    def all_ptx(self, program: Program, setting: str, flags: list[str]) -> dict[str, Path]:
        """{architecture: PTX} of a setting."""
        folder = self.folder("device", f"{program.name}.{setting}")
        return {arch: self.ptx(program, arch, flags, folder) for arch in sorted({*self.arches, PTX_ARCH})}

    def device_code(self, texts: dict[str, Path], flags: list[str], output: Path) -> Path:
        """Code for each architecture, and PTX for later ones; or PTX alone."""
        images = []
        for arch, ptx in texts.items():
            if arch in self.arches:
                cubin = ptx.with_suffix(".cubin")
                assert self.tools.ptxas
                call(
                    self.tools.ptxas,
                    f"-arch={arch}",
                    "-O3",
                    ptx,
                    "-o",
                    cubin,
                    timeout=self.args.patience if flags else None,
                )
                images.append(f"--image3=kind=elf,sm={arch[3:]},file={cubin}")
            if arch == PTX_ARCH:
                images.append(f"--image3=kind=ptx,sm={arch[3:]},file={ptx}")
                text = ptx
        if self.fatbinary:
            call(self.fatbinary, "--64", "--compress-all", f"--create={output}", *images)
        else:
            output.write_bytes(text.read_bytes() + b"\0")
        return output

    def same_code(self, program: Program, texts: dict[str, Path]) -> bool:
        """Whether these are the PTX of all optimizations on, but for the record of toggles."""
        usual = self.folder("device", f"{program.name}.all-on")
        return all(without_record(ptx) == without_record(usual / ptx.name) for ptx in texts.values())

    # ---- the host's side

    def manifest(self, program: Program) -> dict[str, Any]:
        return json.loads((self.args.build / "suites" / f"{program.name}.json").read_text())

    def renamed(self, program: Program) -> list[str]:
        return [f"-Dcuda_restrict_{ours}={theirs}" for ours, theirs in program.symbols.items()]

    def host_object(self, program: Program, code: Path) -> Path:
        output = self.folder("host", program.name) / "kernels.o"
        call(
            self.tools.clangxx,
            *language("cuda", PTX_ARCH, INCLUDE),
            "-std=c++20",
            "-O2",
            "-fPIE",
            f"-I{ROOT / 'suites'}",
            *self.renamed(program),
            "--cuda-host-only",
            "-Xclang",
            "-fcuda-include-gpubinary",
            "-Xclang",
            code,
            "-c",
            self.source(program),
            "-o",
            output,
        )
        return output

    def driver_objects(self, program: Program, manifest: dict[str, Any]) -> list[Path]:
        folder = self.folder("host", program.name)
        version = call(self.tools.clangxx, "--version").split("\n")[0]
        kernels = ", ".join(f'"{kernel}"' for kernel in program.kernels)
        words = [
            manifest["suite"],
            program.program,
            "; ".join(program.sizes),
            program.usual,
            version,
            "-std=c++20 -O3 -fno-math-errno",
            "retrograde.so",
            "",
            "",
        ]
        quoted = ", ".join(json.dumps(word) for word in words)
        (folder / "build_info.h").write_text(
            f"#define RETRO_BUILD_INFO ::retro::suite::BuildInfo{{{quoted}}}\n#define RETRO_KERNELS {{{kernels}}}\n"
        )
        objects = []
        includes = [folder, *manifest["include_dirs"], ROOT / "suites", ROOT / "verify" / "include"]
        for source in manifest["sources"]:
            if source["role"] == "driver":
                objects.append(folder / (Path(source["path"]).stem + ".o"))
                call(
                    self.tools.clangxx,
                    "-std=c++20",
                    "-O2",
                    "-fPIE",
                    *(f"-I{path}" for path in includes),
                    "-c",
                    source["path"],
                    "-o",
                    objects[-1],
                )
        return objects

    def serial_objects(self, manifest: dict[str, Any]) -> list[str]:
        """The serial program, as variant 'plain', and hand adjoints of both variants."""
        found = [*manifest["link"]["kernel_objects"]]
        for variant in manifest["variants"]:
            found += variant["gradient_objects"] if variant["name"] == "plain" else []
        return [
            path
            for path in found
            if not Path(path).name.startswith("openmp")
            and not Path(path).name.endswith((".primal.restrict.o", ".compare.restrict.o"))
        ]

    def link(self, program: Program, code: Path) -> Path:
        manifest = self.manifest(program)
        output = self.out / "bin" / program.program
        build = self.args.build
        call(
            self.tools.clangxx,
            *self.driver_objects(program, manifest),
            self.host_object(program, code),
            *self.serial_objects(manifest),
            "-Wl,--whole-archive",
            build / "suites" / "common" / "libretro_suite_device.a",
            "-Wl,--no-whole-archive",
            *manifest["link"]["libraries"],
            build / "engine" / "runtime" / "gpu_driver" / "libretro_cuda.a",
            "-static-libstdc++",
            "-static-libgcc",
            "-ldl",
            "-lpthread",
            "-lm",
            "-Wl,--gc-sections",
            "-s",
            "-o",
            output,
        )
        return output

    # ---- the engine's own programs

    def tests(self) -> list[tuple[str, list[Path], str]]:
        """(name, sources, level) of each program that needs no option of its own: each at -O2, every other one at -O0 too."""
        folder = ROOT / "engine" / "test"
        sources = [
            p for part in ("gradients", "launches", "primal") for p in sorted((folder / "gpu" / part).glob("*.cu"))
        ]
        # Faults end the program, and what sets the order of threads is for the runner on the CPU.
        programs = {
            f"{p.parent.name}.{p.stem}": [p]
            for p in sources
            if p.stem != "faults" and "gpu_on_cpu.h" not in p.read_text()
        }
        math = folder / "device_math"
        programs["device_math"] = [math / "on_device.cu", math / "main.cpp"]
        return [
            (f"{name}.{level}", files, level)
            for number, (name, files) in enumerate(sorted(programs.items()))
            for level in (("O0", "O2") if number % 2 == 0 else ("O2",))
        ]

    def test(self, of: tuple[str, list[Path], str]) -> str | None:
        """Compiles a program in one step, with the toolkit's own headers and runtime; its name, or None where it does not compile here."""
        name, sources, level = of
        toolkit = self.tools.libdevice.parents[2] if self.tools.libdevice else Path("/usr/local/cuda")
        try:
            call(
                self.tools.clangxx,
                "--no-offload-new-driver",
                f"--cuda-path={toolkit}",
                "-Wno-unknown-cuda-version",
                *(f"--cuda-gpu-arch={arch}" for arch in self.args.arch),
                "-std=c++20",
                f"-{level}",
                f"-fpass-plugin={self.tools.plugin}",
                f"-I{INCLUDE}",
                *sources,
                f"-L{toolkit}/lib64",
                *("-lcudart_static", "-ldl", "-lrt", "-lpthread", "-static-libstdc++", "-static-libgcc", "-s"),
                "-o",
                self.out / "tests" / name,
            )
        except Failed as error:
            print(f"{name}: left out: {next((s for s in str(error).splitlines() if 'error' in s), '')}", flush=True)
            return None
        return name


def shared_libraries(program: Path) -> list[str]:
    """What a program asks the target for."""
    said = call("readelf", "-d", program)
    return sorted(line.split("[")[1].split("]")[0] for line in said.splitlines() if "(NEEDED)" in line)


def without_record(ptx: Path) -> str:
    return "".join(line for line in ptx.read_text().splitlines(True) if "__retro_applied_toggles" not in line)


def applied_toggles(ptx: Path) -> dict[str, bool]:
    """{toggle: on} that the plugin left in device code."""
    found = re.search(r"__retro_applied_toggles\[\d+\] = \{([\d, ]+)\}", ptx.read_text())
    if not found:
        raise Failed(f"{ptx}: the plugin left no record of its toggles")
    text = bytes(int(number) for number in found[1].split(",")).decode().strip("\0")
    return {name: value == "1" for name, value in (word.split("=") for word in text.split())}


def commit() -> str | None:
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True)
    changed = subprocess.run(
        [*git, "status", "--porcelain", "--", ".", ":!results", ":!docs"], capture_output=True, text=True
    ).stdout.strip()
    return head.stdout.strip() + ("+changes" if changed else "") if head.returncode == 0 else None


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def describe(packer: Packer, programs: list[Program], chosen: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "commit": commit(),
        "compiler": call(packer.tools.clangxx, "--version").split("\n")[0],
        "ptxas": call(packer.tools.ptxas, "--version").split("\n")[-2] if packer.tools.ptxas else None,
        "device_code": [*(f"cubin {arch}" for arch in packer.arches), f"PTX {PTX_ARCH}"],
        "toggles": applied_toggles(packer.work / "device" / f"{programs[0].name}.all-on" / f"{PTX_ARCH}.ptx"),
        "settings": {name: flags for name, flags in chosen.items()},
        "programs": [
            {
                "name": p.name,
                "program": p.program,
                "suite": packer.manifest(p)["suite"],
                "kernels": p.kernels,
                "check": p.check,
                "usual": p.usual,
                "full": p.full,
                "sizes": [{"name": size.split()[0], "values": size.split()[1]} for size in p.sizes],
                "needs": shared_libraries(packer.out / "bin" / p.program),
            }
            for p in programs
        ],
    }


def pack(args: argparse.Namespace, tools: Tools) -> None:
    programs = [p for p in PROGRAMS if not args.suite or p.name in args.suite]
    chosen = (
        {name: flags for name, flags in settings().items() if not args.setting or name in args.setting}
        if args.setting != ["none"]
        else {}
    )
    if args.out.exists() and not (args.out / "pack.json").exists() and any(args.out.iterdir()):
        raise Failed(f"{args.out} is there and is no pack")
    shutil.rmtree(args.out, ignore_errors=True)
    for name in ("bin", "code", "tests"):
        (args.out / name).mkdir(parents=True)
    packer = Packer(args, tools)

    left_out: dict[str, str] = {}
    same: dict[str, list[str]] = {p.name: [] for p in programs}

    def usual(program: Program) -> Path:
        texts = packer.all_ptx(program, "all-on", [])
        return packer.link(program, packer.device_code(texts, [], packer.folder("device") / f"{program.name}.fatbin"))

    def other(program: Program, setting: str, flags: list[str]) -> Path | None:
        try:
            texts = packer.all_ptx(program, setting, flags)
            if packer.same_code(program, texts):
                same[program.name].append(setting)
                return None
            return packer.device_code(texts, flags, args.out / "code" / f"{program.name}.{setting}.fatbin")
        except Failed as error:
            # Code that no optimization has touched can be more than an assembler takes.
            lines = str(error).strip().splitlines()
            left_out[f"{program.name} {setting}"] = next((line for line in lines if "error" in line), lines[0])
            return None

    def say(what: str, made: Path | None) -> None:
        why = f"left out: {left_out[what]}" if what in left_out else "the same code"
        print(f"{what}: {made.stat().st_size / 1e6:.2f} MB" if made else f"{what}: {why}", flush=True)

    with ThreadPoolExecutor(args.jobs) as pool:
        for program, made in zip(programs, pool.map(usual, programs)):
            say(f"{program.name} all-on", made)
        cells = [(p, name, flags) for p in programs for name, flags in chosen.items()]
        for cell, code in zip(cells, pool.map(lambda cell: other(*cell), cells)):
            say(f"{cell[0].name} {cell[1]}", code)
        tests = [] if args.no_tests else [name for name in pool.map(packer.test, packer.tests()) if name]
    shutil.copytree(PACKED, args.out / PACKED.name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (args.out / "bench.py").write_text(START)
    (args.out / "pack.json").write_text(
        json.dumps(
            {**describe(packer, programs, chosen), "left_out": left_out, "same_code": same, "tests": tests}, indent=1
        )
        + "\n"
    )
    size = size_of(args.out)
    print(f"{args.out}: {size / 1e6:.1f} MB; there: python3 bench.py")
    if size > LIMIT:
        raise Failed(f"the folder is larger than {LIMIT >> 20} MB")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="retro pack", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--build", type=Path, required=True, help="the build folder")
    parser.add_argument("--plugin", required=True, help="retrograde.so")
    parser.add_argument("--work", type=Path, required=True, help="folder of what is made on the way")
    parser.add_argument(
        "--suite", action="append", default=[], choices=[p.name for p in PROGRAMS], help="repeatable; default: all"
    )
    parser.add_argument(
        "--setting",
        action="append",
        default=[],
        choices=[*settings(), "none"],
        help="of the ablation; repeatable; default: all",
    )
    parser.add_argument(
        "--arch", action="append", default=[], metavar="ARCH", help="repeatable; default: sm_80 and sm_90"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=90,
        metavar="S",
        help="seconds that ptxas may take for one setting of the ablation (90)",
    )
    parser.add_argument("--no-tests", action="store_true", help="without the engine's own programs")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    args = parser.parse_args(argv)
    args.arch = args.arch or ["sm_80", "sm_90"]
    args.out, args.work = args.out.resolve(), args.work.resolve()
    tools = Tools(args.plugin, args.clangxx)
    if tools.missing_library("cuda"):
        print(
            "there is no libdevice here, of which kernels have their mathematics: set CUDA_PATH to a CUDA toolkit",
            file=sys.stderr,
        )
        return 77
    try:
        pack(args, tools)
    except Failed as error:
        sys.exit(f"retro pack: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
