"""Device code of the suites: from source to PTX, cubin or code object, with what each kernel uses.

A source is compiled in one step, with our own headers, the plugin and the vendor's device library, which clang links before the plugin runs. ptxas (of $CUDA_PATH, or of the path) counts registers where it is there; llc alone gives PTX. For AMD, llc gives both."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

from engine.runtime.gpu_on_cpu.gpu_on_cpu import language

INCLUDE = ROOT / "engine" / "include"
ARCHES = {"sm_80": "cuda", "sm_90": "cuda", "gfx90a": "hip", "gfx942": "hip"}
SUFFIX = {"cuda": "cu", "hip": "hip"}


@dataclass
class Suite:
    """A suite's folder, and pairs of kernels (label, primal, gradient), each a regular expression of the demangled name."""

    name: str
    folder: str
    kernels: list


def _steps(*names: str) -> list[tuple[str, str, str]]:
    return [(name, rf"::{name}_kernel\(", rf"::{name}_gradient_kernel\(") for name in names]


SUITES = [
    Suite("lbm", "lbm", [("sweep", r"sweep_kernel<double>", r"reverse_kernel<double>")]),
    Suite("dg", "dg", [("volume", r"volume_kernel<double>", r"volume_gradient_kernel<double>")]),
    Suite(
        "xsbench",
        "xsbench",
        [
            (
                label,
                rf"event_kernel<.*, [\w:]*::LookUp<\(suites::xsbench::GridType\){k}>",
                rf"DifferentiateLookUp<\(suites::xsbench::GridType\){k}>",
            )
            for k, label in enumerate(("unionized", "nuclide", "hash"))
        ],
    ),
    Suite(
        "rsbench",
        "rsbench",
        [
            (label, rf"event_kernel<.*, [\w:]*::LookUp<{k}>", rf"DifferentiateLookUp<{k}>")
            for k, label in (("true", "doppler"), ("false", "cold"))
        ],
    ),
    Suite(
        "lulesh",
        "lulesh",
        [
            *_steps("force", "node", "shape", "viscosity", "material"),
            ("energy", r"::material_kernel\(", r"::energy_gradient_kernel\("),
        ],
    ),
    Suite("brusselator", "neurips20/brusselator", _steps("brusselator")),
    Suite(
        "minibude",
        "minibude",
        [
            (f"{of}-{n}", rf"dock_kernel<float, {n}>", rf"{of}_gradient_kernel<float, {n}>")
            for of in ("protein", "pose")
            for n in (1, 4)
        ],
    ),
]


@dataclass
class Usage:
    """What one kernel uses; None: not measured. Spills in bytes, or in registers on AMD."""

    registers: int | None = None
    spills: int | None = None
    scratch: int | None = None
    shared: int | None = None
    more: dict[str, int] = field(default_factory=dict)


class Failed(Exception):
    pass


def call(*command: Path | str, text: str | None = None, timeout: float | None = None) -> str:
    try:
        done = subprocess.run(
            [str(word) for word in command], input=text, capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired as late:
        raise Failed(f"{Path(str(command[0])).name} takes longer than {timeout:g} s") from late
    if done.returncode:
        raise Failed(f"{' '.join(str(word) for word in command)}\n{done.stderr}")
    return done.stdout + done.stderr


class Tools:
    def __init__(self, plugin: str | None = None, clangxx: str = "clang++-22") -> None:
        self.plugin = plugin
        self.clangxx = clangxx
        folder = Path(call(clangxx, "-print-prog-name=llc").strip()).parent
        self.llvm = folder if (folder / "llvm-link").exists() else None
        cuda = os.environ.get("CUDA_PATH") or "/usr/local/cuda"
        self.ptxas = shutil.which("ptxas", path=f"{cuda}/bin") or shutil.which("ptxas")
        roots = [Path(cuda), *([Path(self.ptxas).resolve().parents[1]] if self.ptxas else [])]
        self.libdevice = next(
            (p for r in roots for p in sorted((r / "nvvm" / "libdevice").glob("libdevice*.bc"))), None
        )
        rocm = [Path(os.environ[name]) for name in ("ROCM_PATH", "HIP_DEVICE_LIB_PATH") if name in os.environ]
        places = [
            p / tail
            for p in [*rocm, Path("/opt/rocm"), Path("/usr/lib/x86_64-linux-gnu")]
            for tail in (".", "amdgcn/bitcode")
        ]
        self.ocml = next((p for p in places if (p / "ocml.bc").exists()), None)

    def llvm_tool(self, name: str) -> Path | str:
        return self.llvm / name if self.llvm else f"{name}-22"

    def missing_library(self, vendor: str) -> str | None:
        """The device library that is not there, or None."""
        if vendor == "cuda":
            return None if self.libdevice else "libdevice"
        return None if self.ocml else "rocm-device-libs"


def with_library(tools: Tools, vendor: str, arch: str, folder: Path) -> list[str]:
    """Compiler options of a vendor's language with our headers and the vendor's device library."""
    flags = [f for f in language(vendor, arch, INCLUDE) if f != "-nogpulib"]
    if vendor == "cuda":
        assert tools.libdevice
        return [*flags, f"--cuda-path={tools.libdevice.parents[2]}"]
    assert tools.ocml
    # Packages without a processor's file: the versions of other processors say nothing that ocml's arithmetic asks for.
    places, isa = tools.ocml, f"oclc_isa_version_{arch.removeprefix('gfx')}.bc"
    if not (places / isa).exists():
        places = folder / f"{arch}.bitcode"
        places.mkdir(exist_ok=True)
        for file in tools.ocml.glob("*.bc"):
            if not (places / file.name).exists():
                (places / file.name).symlink_to(file)
        if not (places / isa).exists():
            (places / isa).symlink_to(tools.ocml / "oclc_isa_version_90a.bc")
    return [*flags, f"--rocm-path={places}", f"--rocm-device-lib-path={places}", "-mcode-object-version=5"]


def compile_ir(tools: Tools, source: Path, vendor: str, arch: str, output: Path, flags: Sequence[str] = ()) -> None:
    """Device IR, with what it calls of the vendor's library."""
    plugin = [f"-fpass-plugin={tools.plugin}"] if tools.plugin else []
    call(
        tools.clangxx,
        *with_library(tools, vendor, arch, output.parent),
        "-std=c++20",
        "-O3",
        "-fno-math-errno",
        f"-I{ROOT / 'suites'}",
        *flags,
        *plugin,
        "--cuda-device-only",
        "-emit-llvm",
        "-c",
        source,
        "-o",
        output,
    )


def compile_plan(tools: Tools, source: Path, vendor: str, arch: str, output: Path) -> str:
    """What the compiler says of a source with the plans of its gradients printed."""
    return call(
        tools.clangxx,
        *language(vendor, arch, INCLUDE),
        "-std=c++20",
        "-O3",
        "-fno-math-errno",
        f"-I{ROOT / 'suites'}",
        f"-fpass-plugin={tools.plugin}",
        "-mllvm",
        "-retro-print-plan",
        "--cuda-device-only",
        "-emit-llvm",
        "-c",
        source,
        "-o",
        output,
    )


def ptx_of(tools: Tools, ir: Path, arch: str, output: Path) -> None:
    call(tools.llvm_tool("llc"), f"-mcpu={arch}", "-mattr=+ptx80", "-O3", ir, "-o", output)


def usage_by_ptxas(tools: Tools, ptx: Path, arch: str, cubin: Path) -> dict[str, Usage]:
    """{mangled name: Usage}."""
    assert tools.ptxas
    said = call(tools.ptxas, f"-arch={arch}", "-v", ptx, "-o", cubin)
    found = {}
    for block in re.split(r"(?=ptxas info\s+: Compiling entry function )", said)[1:]:
        (name,) = re.findall(r"entry function '([^']+)'", block)[:1]
        # The entry first, then the functions that it alone calls.
        frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", block)
        (used,) = re.findall(r"Used (\d+) registers", block)[:1]
        shared = re.search(r"(\d+) bytes smem", block)
        spills = sum(int(stores) + int(loads) for _, stores, loads in frames)
        found[name] = Usage(int(used), spills, int(frames[0][0]), int(shared[1]) if shared else 0)
    return found


def usage_of_code_object(tools: Tools, ir: Path, arch: str, output: Path) -> dict[str, Usage]:
    """{mangled name: Usage} of an AMD code object, from its metadata."""
    call(tools.llvm_tool("llc"), f"-mcpu={arch}", "-O3", "-filetype=obj", ir, "-o", output)
    notes = call(tools.llvm_tool("llvm-readelf"), "--notes", output)
    found = {}
    for block in re.split(r"(?m)^  - (?=\.agpr_count|\.args)", notes.split("amdhsa.kernels:")[-1])[1:]:
        value = {key: int(number) for key, number in re.findall(r"\.(\w+):\s+(\d+)\s*$", block, re.MULTILINE)}
        (name,) = re.findall(r"(?m)^    \.name:\s+(\S+)", block)[:1]
        found[name] = Usage(
            value["vgpr_count"],
            value["vgpr_spill_count"],
            value["private_segment_fixed_size"],
            value["group_segment_fixed_size"],
            {"sgpr": value["sgpr_count"], "sgpr_spills": value["sgpr_spill_count"], "agpr": value.get("agpr_count", 0)},
        )
    return found


def demangled(tools: Tools, names: Iterable[str]) -> dict[str, str]:
    names = list(names)
    return (
        dict(zip(names, call(tools.llvm_tool("llvm-cxxfilt"), text="\n".join(names) + "\n").splitlines()))
        if names
        else {}
    )


def kernels_of(tools: Tools, source: Path, arch: str, folder: Path, flags: Sequence[str] = ()) -> dict[str, Usage]:
    """{demangled name: Usage} of a source's kernels; the registers are None where ptxas is missing."""
    vendor = ARCHES[arch]
    whole = folder / f"{arch}.bc"
    compile_ir(tools, source, vendor, arch, whole, flags)
    if vendor == "hip":
        found = usage_of_code_object(tools, whole, arch, folder / f"{arch}.o")
    else:
        ptx = folder / f"{arch}.ptx"
        ptx_of(tools, whole, arch, ptx)
        if tools.ptxas:
            found = usage_by_ptxas(tools, ptx, arch, folder / f"{arch}.cubin")
        else:
            found = {name: Usage() for name in re.findall(r"(?m)^\.visible \.entry (\w+)\(", ptx.read_text())}
    names = demangled(tools, found)
    return {names[name]: usage for name, usage in found.items()}
