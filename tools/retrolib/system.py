"""What this machine has: packages, compilers, optional parts."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from . import ROOT, Failure

PACKAGES = ROOT / "tools" / "packages.txt"
DEBIAN_PYTHON = "/usr/bin/python3"


def read_packages(path: Path = PACKAGES) -> dict[str, list[str]]:
    """{section: [package, …]} of tools/packages.txt."""
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), [])
        elif line:
            assert current is not None, f"{line} stands in no section"
            current.append(line)
    return sections


def installed_packages() -> set[str] | None:
    """The set of installed Debian packages, or None on a machine without dpkg."""
    if not shutil.which("dpkg-query"):
        return None
    out = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Abbrev}\n"], capture_output=True, text=True
    ).stdout
    return {line.split()[0] for line in out.splitlines() if line.split()[1:2] == ["ii"]}


def missing_packages(sections: Sequence[str] = ("build",)) -> list[str]:
    have = installed_packages()
    return [] if have is None else [p for s in sections for p in read_packages()[s] if p not in have]


def install_missing(sections: Sequence[str] = ("build",)) -> None:
    """Install what is missing of these sections with apt when root; otherwise raise Failure with the exact command."""
    missing = missing_packages(sections)
    if not missing:
        return
    install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if os.geteuid() != 0:
        raise Failure("packages are missing; install them with\n  sudo apt-get update && sudo " + " ".join(install))
    print(f"retro: installing {len(missing)} packages: {' '.join(missing)}", file=sys.stderr, flush=True)
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for cmd in (["apt-get", "update"], install):
        # apt's own output goes to stderr: stdout belongs to the command's results.
        if subprocess.run(cmd, env=env, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode:
            raise Failure("failed: " + " ".join(cmd))
    reexec_debian_python()


def reexec_debian_python() -> None:
    """Run again under Debian's python3: its packages (matplotlib) are for that one only."""
    if not os.path.exists(DEBIAN_PYTHON) or os.environ.get("RETRO_PYTHON_CHOSEN"):
        return
    if os.path.realpath(sys.executable) != os.path.realpath(DEBIAN_PYTHON):
        os.environ["RETRO_PYTHON_CHOSEN"] = "1"
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])


def run_module(name: str, *arguments: str) -> int:
    """Run a module of this project, which it finds from the project's root, in a process of its own: its exit status."""
    places = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    return subprocess.run([sys.executable, "-B", "-P", "-m", name, *arguments], env=environment).returncode


def version_of(tool: str, *args: str) -> str | None:
    """First line of `tool --version`, or None when the tool is absent."""
    path = shutil.which(tool)
    if not path:
        return None
    out = subprocess.run([path, *(args or ["--version"])], capture_output=True, text=True)
    return next((l.strip() for l in (out.stdout + out.stderr).splitlines() if l.strip()), path)


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
        return True
    except OSError:
        return False


def first_existing(*paths: Path | str | None) -> str | None:
    return next((str(p) for p in paths if p and Path(p).exists()), None)


def conformance_folder() -> Path | None:
    """The folder of conformance programs: $RETRO_CONFORMANCE_DIR, or beside the project; None when absent."""
    named = os.environ.get("RETRO_CONFORMANCE_DIR")
    beside = ROOT.parent / "shared" / "conformance"
    folder = Path(named) if named else beside
    return folder if (folder / "run").exists() else None


def cuda_toolkit() -> str | None:
    homes = [os.environ.get(v) for v in ("CUDA_PATH", "CUDA_HOME")] + ["/usr/local/cuda"]
    return next((h for h in homes if h and (Path(h) / "nvvm" / "libdevice").is_dir()), None)


def rocm_bitcode() -> str | None:
    """The folder of ROCm's device libraries, or None."""
    return first_existing("/opt/rocm/amdgcn/bitcode", "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")


def rocm_flags() -> list[str]:
    """What clang has to be told of these libraries: it looks below /opt/rocm alone, and expects what ROCm 6.3 has."""
    places = rocm_bitcode()
    if not places:
        return []
    flags = [] if places.startswith("/opt/rocm") else ["--rocm-path=/usr", f"--rocm-device-lib-path={places}"]
    if not Path(places, "oclc_abi_version_600.bc").exists():
        flags += ["-mcode-object-version=5", "-D__AMDGCN_WAVEFRONT_SIZE=64"]
    return flags


def optional_parts() -> list[tuple[str, str | None, str]]:
    """[(name, what was found or None, what it enables)]"""
    return [
        (
            "CUDA toolkit",
            cuda_toolkit(),
            "CUDA device code: kernel variants, ptxas proxies (registers, spills)",
        ),
        (
            "libdevice",
            first_existing(*([f"{cuda_toolkit()}/nvvm/libdevice/libdevice.10.bc"] if cuda_toolkit() else [])),
            "mathematics in CUDA kernels, in one step: -x cuda --cuda-path=FOLDER --cuda-gpu-arch=sm_90",
        ),
        (
            "NVIDIA driver",
            "libcuda.so.1" if loads("libcuda.so.1") else None,
            "running and timing CUDA kernels",
        ),
        (
            "ROCm device libraries",
            rocm_bitcode(),
            f"mathematics in HIP kernels, in one step: -x hip --offload-arch=gfx90a {' '.join(rocm_flags())}",
        ),
        ("AMD GPU", first_existing("/dev/kfd"), "running and timing HIP kernels"),
        ("MPI", version_of("mpicc", "--showme:version"), "MPI variants of the suites"),
        ("Z3", first_existing("/usr/include/z3++.h"), "proofs of rules, gradients and races"),
        (
            "torch",
            first_existing("/usr/lib/python3/dist-packages/torch"),
            "retro.torch: functions of C and C++ in torch's autograd",
        ),
        ("ccache", version_of("ccache"), "faster rebuilds"),
        ("conformance programs", str(conformance_folder() or "") or None, "the ctest label `conformance`"),
    ]


def cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(l.split(":", 1)[1].strip() for l in lines if l.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown CPU"
