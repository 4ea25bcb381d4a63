"""Make what `./retro package` makes, unpack each in a place of its own, and compile a gradient there with the compiler alone: no part of this tree,
no variable of this environment, and another's home. Exit status 77 where none could be made."""

import argparse
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from tests.package.check import PROGRAM, must_say, run
from tools.retrolib import Failure, packaging


def compiles(prefix: Path, clang: str, scratch: Path, environment: dict[str, str]) -> None:
    """A program by the wrapper and by the plain line; the version; the verifier."""
    source, exe = scratch / "program.c", scratch / "program"
    source.write_text(PROGRAM % "")
    plugin = prefix / "lib" / "retrograde" / "retrograde.so"
    lines: tuple[list[Path | str], ...] = (
        [prefix / "bin" / "retro-clang", "-O2"],
        [clang, "-O2", f"-fpass-plugin={plugin}", f"-I{prefix / 'include'}"],
    )
    for line in lines:
        run(*line, source, "-o", exe, env=environment)
        must_say("3 12", run(exe), f"{line[0]} gave another gradient")
        exe.unlink()
    said = run(
        clang,
        f"-fpass-plugin={plugin}",
        "-mllvm",
        "-retro-version",
        "-O2",
        source,
        f"-I{prefix / 'include'}",
        "-o",
        exe,
        env=environment,
    )
    must_say(f"retrograde {packaging.version()}, for LLVM", said, "the plugin has another version than the package")
    said = run(prefix / "bin" / "retro-verify", f"{source}::f", "--arg", "x=vector:3", "--arg", "n=3", env=environment)
    must_say("PASSED", said, "the verifier of the package did not pass a right gradient")
    for page in ("lto", "checkpointing", "custom-derivatives"):
        if not (prefix / "share" / "doc" / "retrograde" / "docs" / f"{page}.md").is_file():
            sys.exit(f"messages name docs/{page}.md, which the package lacks")


# A kernel that is differentiated, launched from a host that needs no vendor's toolkit.
KERNEL = """#include <cuda_runtime.h>
#include <cstdio>
template <typename... T> __device__ void __enzyme_autodiff(void *, T...);
__device__ int enzyme_dup;
__device__ void f(const double *x, double *y) { *y = log(*x); }
__global__ void slope(double *x, double *dx, double *y, double *dy) { __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy); }
int main() {
  double host[] = {4, 0, 0, 1}, *d;
  cudaMalloc(&d, sizeof host);
  cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
  slope<<<1, 1>>>(d, d + 1, d + 2, d + 3);
  cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("slope %g\\n", host[1]);
}
"""


def runs_kernels(prefix: Path, scratch: Path, environment: dict[str, str]) -> None:
    """retro-gpu-emulate, with the plugin that lies beside it."""
    source, exe = scratch / "kernel.cu", scratch / "kernel"
    source.write_text(KERNEL)
    run(prefix / "bin" / "retro-gpu-emulate", source, "-O2", "-o", exe, env=environment)
    must_say("slope 0.25", run(exe, env=environment), "a kernel gave another gradient")


def check_tar(path: Path, clang: str, scratch: Path, environment: dict[str, str]) -> None:
    with tarfile.open(path) as tar:
        names = tar.getnames()
        safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        tar.extractall(scratch, **safely)
    [top] = {name.split("/")[0] for name in names}
    compiles(scratch / top, clang, scratch, environment)
    runs_kernels(scratch / top, scratch, environment)


def check_deb(path: Path, clang: str, scratch: Path, environment: dict[str, str]) -> None:
    run("dpkg-deb", "-x", path, scratch / "root")
    fields = run("dpkg-deb", "-f", path)
    must_say(f"Version: {packaging.version()}", fields, "the Debian package has another version")
    must_say("Depends: clang-22", fields, "the Debian package does not ask for its compiler")
    compiles(scratch / "root" / "usr", clang, scratch, environment)
    runs_kernels(scratch / "root" / "usr", scratch, environment)


def check_wheel(path: Path, clang: str, scratch: Path, environment: dict[str, str]) -> None:
    del clang
    run("/usr/bin/python3", "-m", "venv", "--system-site-packages", scratch / "venv", env=environment)
    python = scratch / "venv" / "bin" / "python"
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", "--no-deps", path, env=environment)
    source = scratch / "cubes.c"
    source.write_text(
        "double cubes(const double *x, int n) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];\n  return s;\n}\n"
    )
    if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode:
        print("NumPy is missing: the wheel is installed, and not used")
        return
    program = f"import retro, retro.numpy as n; print(retro.__version__, n.foreign({str(source)!r}, 'cubes').gradient([1.0, 3]), retro.__file__)"
    said = run(python, "-I", "-c", program, cwd=scratch, env=environment)
    must_say(f"{packaging.version()} [ 3. 27.] {scratch}", said, "the package of the wheel gave another gradient")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("build", "clang"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    checks = {"tar": check_tar, "deb": check_deb, "wheel": check_wheel}
    done = []
    for kind, check in checks.items():
        with tempfile.TemporaryDirectory(prefix="retro-distribution-") as name:
            scratch = Path(name).resolve()
            environment = {"PATH": "/usr/bin:/bin", "HOME": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
            try:
                [path] = packaging.make(Path(args.build), scratch / "made", [kind])
            except Failure as failure:
                print(f"no {kind}: {failure}")
                continue
            check(path, args.clang, scratch, environment)
            done.append(kind)
    print(f"unpacked and used: {', '.join(done)}" if done else "skipped: none of them can be made here")
    return 0 if done else 77


if __name__ == "__main__":
    sys.exit(main())
