"""What others install: a tarball, a Debian package, a wheel. Each is made of what `cmake --install` installs, and of nothing from the network."""

import gzip
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, cast

from . import LLVM_MAJOR, ROOT, Failure, system

CONTROL = """Package: retrograde
Version: {version}
Architecture: {architecture}
Maintainer: Retrograde
Section: devel
Priority: optional
Installed-Size: {size}
Depends: clang-{llvm}, libc6, libstdc++6
Recommends: python3, libomp-{llvm}-dev
Suggests: flang-{llvm}, llvm-{llvm}, lld-{llvm}, python3-numpy, python3-torch, pkg-config
Description: differentiation of C, C++, Fortran, CUDA and HIP inside clang
 A plugin for clang and LLVM {llvm} that turns a call of __enzyme_autodiff(f, …)
 into code for the gradient of f, with its headers, a verifier of gradients,
 a CMake package and a Python package.
"""


def version() -> str:
    return re.findall(r"^project\(Retrograde VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[0]


def call(*command: object, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise Failure(f"failed: {' '.join(map(str, command))}")
    return done.stdout


def install(build: Path, prefix: Path) -> None:
    call("cmake", "--install", build, "--prefix", prefix, "--strip")


def tarball(build: Path, out: Path, scratch: Path) -> Path:
    """retrograde-<version>-linux-<machine>.tar.gz: one folder, which can stand anywhere."""
    name = f"retrograde-{version()}-linux-{platform.machine()}"
    install(build, scratch / name)
    path = out / f"{name}.tar.gz"
    with gzip.GzipFile(path, "wb", mtime=0) as packed, tarfile.open(fileobj=cast(IO[bytes], packed), mode="w") as tar:
        tar.add(scratch / name, name, filter=of_nobody)
    return path


def of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def debian(build: Path, out: Path, scratch: Path) -> Path:
    """retrograde_<version>_<architecture>.deb, with everything in /usr."""
    if not shutil.which("dpkg-deb"):
        raise Failure("there is no dpkg-deb here, which makes Debian packages")
    root, architecture = scratch / "deb", call("dpkg", "--print-architecture").strip()
    install(build, root / "usr")
    size = sum(p.stat().st_size for p in root.rglob("*") if p.is_file()) // 1024
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(
        CONTROL.format(version=version(), architecture=architecture, size=size, llvm=LLVM_MAJOR)
    )
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
    path = out / f"retrograde_{version()}_{architecture}.deb"
    call("dpkg-deb", "--root-owner-group", "--build", root, path)
    return path


def wheel(build: Path, out: Path, scratch: Path) -> Path:
    """The Python package with the plugin in it, for this kind of machine."""
    have = "import sys; from importlib.util import find_spec as f; sys.exit(not all(map(f, ('pip', 'setuptools', 'wheel'))))"
    if subprocess.run([system.DEBIAN_PYTHON, "-c", have]).returncode:
        raise Failure("a wheel needs python3-pip, python3-setuptools and python3-wheel")
    install(build, scratch / "installed")
    source, made = scratch / "python", scratch / "wheel"
    shutil.copytree(ROOT / "python", source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    # The plugin, and the engine that it loads.
    for library in (scratch / "installed").rglob("retrograde*.so"):
        if library.parent.name != "gpu":
            shutil.copyfile(library, source / "retro" / library.name)
    call(
        *(
            system.DEBIAN_PYTHON,
            "-m",
            "pip",
            "--quiet",
            "--disable-pip-version-check",
            "wheel",
            "--no-index",
            "--no-deps",
        ),
        *(
            "--no-build-isolation",
            f"--config-settings=--build-option=--plat-name=linux_{platform.machine()}",
            "--wheel-dir",
            made,
            source,
        ),
        cwd=scratch,
    )
    [path] = made.glob("*.whl")
    return Path(shutil.move(path, out / path.name))


KINDS = {"tar": tarball, "deb": debian, "wheel": wheel}


def make(build: Path, out: Path, kinds: Sequence[str]) -> list[Path]:
    """The files of these kinds; of every kind that can be made here where none is named."""
    out.mkdir(parents=True, exist_ok=True)
    out, made = out.resolve(), []
    for kind in kinds or KINDS:
        with tempfile.TemporaryDirectory(prefix="retro-package-") as scratch:
            try:
                made.append(KINDS[kind](build, out, Path(scratch)))
            except Failure as failure:
                if kinds:
                    raise
                print(f"retro: no {kind}: {failure}", file=sys.stderr)
    return made
