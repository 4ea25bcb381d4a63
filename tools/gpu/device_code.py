"""Device code of the suites: from source to PTX, cubin or code object, with what each kernel uses.

A source is compiled with our own headers and the plugin; the vendor's device library is linked afterwards, and everything is optimized
again. ptxas (of $CUDA_PATH, or of the path) counts registers where it is there; llc alone gives PTX. For AMD, llc gives both."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engine" / "runtime" / "gpu_on_cpu"))

from gpu_on_cpu import language

INCLUDE = ROOT / "engine" / "include"
ARCHES = {"sm_80": "cuda", "sm_90": "cuda", "gfx90a": "hip", "gfx942": "hip"}
# What stands in the name of an AMD device library of an architecture.
ISA = {"gfx90a": "90a", "gfx942": "942"}
SUFFIX = {"cuda": "cu", "hip": "hip"}


@dataclass
class Suite:
    """A suite's folder, and pairs of kernels (label, primal, gradient), each a regular expression of the demangled name."""

    name: str
    folder: str
    kernels: list


def _steps(*names):
    return [(name, rf"::{name}_kernel\(", rf"::{name}_gradient_kernel\(") for name in names]


SUITES = [
    Suite("lbm", "lbm", [("sweep", r"sweep_kernel<double>", r"reverse_kernel<double>")]),
    Suite("dg", "dg", [("volume", r"volume_kernel<double>", r"volume_gradient_kernel<double>")]),
    Suite("xsbench", "xsbench",
          [(label, rf"event_kernel<.*, [\w:]*::LookUp<\(suites::xsbench::GridType\){k}>", rf"DifferentiateLookUp<\(suites::xsbench::GridType\){k}>")
           for k, label in enumerate(("unionized", "nuclide", "hash"))]),
    Suite("rsbench", "rsbench",
          [(label, rf"event_kernel<.*, [\w:]*::LookUp<{k}>", rf"DifferentiateLookUp<{k}>")
           for k, label in (("true", "doppler"), ("false", "cold"))]),
    Suite("lulesh", "lulesh",
          [*_steps("force", "node", "shape", "viscosity", "material"), ("energy", r"::material_kernel\(", r"::energy_gradient_kernel\(")]),
    Suite("brusselator", "neurips20/brusselator", _steps("brusselator")),
    Suite("minibude", "minibude",
          [(f"{of}-{n}", rf"dock_kernel<float, {n}>", rf"{of}_gradient_kernel<float, {n}>") for of in ("protein", "pose") for n in (1, 4)]),
]


@dataclass
class Usage:
    """What one kernel uses; None: not measured. Spills in bytes, or in registers on AMD."""

    registers: int = None
    spills: int = None
    scratch: int = None
    shared: int = None
    more: dict = field(default_factory=dict)


class Failed(Exception):
    pass


def call(*command, text=None, timeout=None):
    try:
        done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"{Path(str(command[0])).name} takes longer than {timeout:g} s") from late
    if done.returncode:
        raise Failed(f"{' '.join(str(word) for word in command)}\n{done.stderr}")
    return done.stdout + done.stderr


class Tools:
    def __init__(self, plugin=None, clangxx="clang++-22"):
        self.plugin = plugin
        self.clangxx = clangxx
        folder = Path(call(clangxx, "-print-prog-name=llc").strip()).parent
        self.llvm = folder if (folder / "llvm-link").exists() else None
        cuda = os.environ.get("CUDA_PATH") or "/usr/local/cuda"
        self.ptxas = shutil.which("ptxas", path=f"{cuda}/bin") or shutil.which("ptxas")
        roots = [Path(cuda), *([Path(self.ptxas).resolve().parents[1]] if self.ptxas else [])]
        self.libdevice = next((p for r in roots for p in sorted((r / "nvvm" / "libdevice").glob("libdevice*.bc"))), None)
        rocm = [Path(os.environ[name]) for name in ("ROCM_PATH", "HIP_DEVICE_LIB_PATH") if name in os.environ]
        places = [p / tail for p in [*rocm, Path("/opt/rocm"), Path("/usr/lib/x86_64-linux-gnu")] for tail in (".", "amdgcn/bitcode")]
        self.ocml = next((p for p in places if (p / "ocml.bc").exists()), None)

    def llvm_tool(self, name):
        return self.llvm / name if self.llvm else f"{name}-22"

    def missing_library(self, vendor):
        """The device library that is not there, or None."""
        if vendor == "cuda":
            return None if self.libdevice else "libdevice"
        return None if self.ocml else "rocm-device-libs"


def compile_ir(tools, source, vendor, arch, output, flags=()):
    """Device IR, without the vendor's library."""
    plugin = [f"-fpass-plugin={tools.plugin}"] if tools.plugin else []
    call(tools.clangxx, *language(vendor, arch, INCLUDE), "-std=c++20", "-O3", "-fno-math-errno", f"-I{ROOT / 'suites'}", *flags, *plugin,
         "--cuda-device-only", "-emit-llvm", "-c", source, "-o", output)


def compile_plan(tools, source, vendor, arch, output):
    """What the compiler says of a source with the plans of its gradients printed."""
    return call(tools.clangxx, *language(vendor, arch, INCLUDE), "-std=c++20", "-O3", "-fno-math-errno", f"-I{ROOT / 'suites'}",
                f"-fpass-plugin={tools.plugin}", "-mllvm", "-retro-print-plan", "--cuda-device-only", "-emit-llvm", "-c", source, "-o", output)


def link_library(tools, ir, vendor, arch, output):
    """With the functions of libdevice or ocml that it calls, optimized."""
    if vendor == "cuda":
        libraries, passes = [tools.libdevice], "nvvm-reflect,default<O3>"
    else:
        # The versions of other architectures' hardware say nothing that ocml's arithmetic asks for.
        isa = next(p for p in (tools.ocml / f"oclc_isa_version_{ISA[arch]}.bc", tools.ocml / "oclc_isa_version_90a.bc") if p.exists())
        names = ["ocml", "ockl", "oclc_correctly_rounded_sqrt_on", "oclc_daz_opt_off", "oclc_finite_only_off", "oclc_unsafe_math_off",
                 "oclc_wavefrontsize64_on", "oclc_abi_version_500"]
        libraries, passes = [*(tools.ocml / f"{name}.bc" for name in names), isa], "default<O3>"
    linked = output.with_suffix(".linked.bc")
    call(tools.llvm_tool("llvm-link"), ir, "--only-needed", "--internalize", *libraries, "-o", linked)
    call(tools.llvm_tool("opt"), f"-passes={passes}", f"-mcpu={arch}", linked, "-o", output)


def ptx_of(tools, ir, arch, output):
    call(tools.llvm_tool("llc"), f"-mcpu={arch}", "-mattr=+ptx80", "-O3", ir, "-o", output)


def usage_by_ptxas(tools, ptx, arch, cubin):
    """{mangled name: Usage}."""
    said = call(tools.ptxas, f"-arch={arch}", "-v", ptx, "-o", cubin)
    found = {}
    for block in re.split(r"(?=ptxas info\s+: Compiling entry function )", said)[1:]:
        name = re.search(r"entry function '([^']+)'", block)[1]
        # The entry first, then the functions that it alone calls.
        frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", block)
        used = re.search(r"Used (\d+) registers", block)
        shared = re.search(r"(\d+) bytes smem", block)
        spills = sum(int(stores) + int(loads) for _, stores, loads in frames)
        found[name] = Usage(int(used[1]), spills, int(frames[0][0]), int(shared[1]) if shared else 0)
    return found


def usage_of_code_object(tools, ir, arch, output):
    """{mangled name: Usage} of an AMD code object, from its metadata."""
    call(tools.llvm_tool("llc"), f"-mcpu={arch}", "-O3", "-filetype=obj", ir, "-o", output)
    notes = call(tools.llvm_tool("llvm-readelf"), "--notes", output)
    found = {}
    for block in re.split(r"(?m)^  - (?=\.agpr_count|\.args)", notes.split("amdhsa.kernels:")[-1])[1:]:
        value = {key: int(number) for key, number in re.findall(r"\.(\w+):\s+(\d+)\s*$", block, re.MULTILINE)}
        name = re.search(r"(?m)^    \.name:\s+(\S+)", block)[1]
        found[name] = Usage(value["vgpr_count"], value["vgpr_spill_count"], value["private_segment_fixed_size"],
                            value["group_segment_fixed_size"], {"sgpr": value["sgpr_count"], "sgpr_spills": value["sgpr_spill_count"], "agpr": value.get("agpr_count", 0)})
    return found


def demangled(tools, names):
    names = list(names)
    return dict(zip(names, call(tools.llvm_tool("llvm-cxxfilt"), text="\n".join(names) + "\n").splitlines())) if names else {}


def kernels_of(tools, source, arch, folder, flags=()):
    """{demangled name: Usage} of a source's kernels; the registers are None where ptxas is missing."""
    vendor = ARCHES[arch]
    ir, whole = folder / f"{arch}.bc", folder / f"{arch}.all.bc"
    compile_ir(tools, source, vendor, arch, ir, flags)
    link_library(tools, ir, vendor, arch, whole)
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
