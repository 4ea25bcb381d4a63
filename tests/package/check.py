"""Install the package, then build and run the example outside the tree: with CMake, with the wrappers, with the
verifier, and with the wrong compiler."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.gpu.device_code import Tools


def run(*cmd: object, fails: bool = False, **kw: Any) -> str:
    """Run a command, show its output, and return the output. Exits when the status is not the one wanted."""
    cmd = [str(c) for c in cmd]
    print("+", " ".join(cmd), flush=True)
    out = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kw)
    print(out.stdout, flush=True)
    if (out.returncode != 0) != fails:
        sys.exit(f"exit status {out.returncode} of: {' '.join(cmd)}")
    return out.stdout


# A gradient for the installed verifier; f(x) = sum of k x^3 with k from the command line.
CUBES = """double cubes(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += K * x[i] * x[i] * x[i];
  return s;
}
"""


# A program that makes a request, and is verified as it stands. C and C++.
PROGRAM = """#include <retrograde/retrograde.h>
#include <stdio.h>
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}
int main(void) {
  double x[] = {1, 2}, g[] = {0, 0};
  __enzyme_autodiff%s((void *)f, enzyme_dup, x, g, enzyme_const, 2);
  printf("%%g %%g\\n", g[0], g[1]);
  return 0;
}
"""

# One for each entry point of the C header that returns a number.
NUMBERS = """#include <retrograde/retrograde.h>
#include <retrograde/retrograde.h>
#include <stdio.h>
static double f(double x) { return x * x * x; }
static float h(float x) { return x * x; }
static void in_place(double *x) { *x *= *x; }
int main(void) {
  double x = 3, dx = 1, t[] = {5, 1};
  void *tape;
  printf("%g %g ", __enzyme_autodiff_double((void *)f, x), (double)__enzyme_autodiff_float((void *)h, 3.0f));
  printf("%g %g ", __enzyme_fwddiff_double((void *)f, enzyme_dup, x, dx), (double)__enzyme_fwddiff_float((void *)h, enzyme_dup, 3.0f, 1.0f));
  __enzyme_fwddiff((void *)in_place, enzyme_dup, &x, &dx);
  printf("%g ", dx);
  tape = __enzyme_augmentfwd((void *)in_place, enzyme_dup, &t[0], &t[1]);
  __enzyme_reverse((void *)in_place, enzyme_dup, &t[0], &t[1], tape);
  printf("%g\\n", t[1]);
  return 0;
}
"""


def must_say(text: str, output: str, complaint: str) -> None:
    if text not in output:
        sys.exit(complaint)


def check_verifier(prefix: Path, scratch: Path) -> None:
    """The installed tool passes a right gradient, and says so when there is no such function."""
    tool, source = prefix / "bin" / "retro-verify", scratch / "cubes.c"
    source.write_text(CUBES)
    said = run(tool, f"{source}::cubes", "--arg", "x=vector:4", "--arg", "n=4", "--", "-DK=2")
    must_say("0 failed, 0 unknown", said, "the verifier gave no verdicts")
    said = run(tool, f"{source}::absent", "--", "-DK=2", fails=True)
    must_say("absent", said, "the verifier did not say which function is absent")


def check_header(prefix: Path, scratch: Path) -> None:
    """The header for C compiles without a warning in every standard, and its declarations are answered."""
    strict, include = ["-O2", "-Wall", "-Wextra", "-pedantic", "-Werror"], prefix / "include"
    for standard, text, printed in (("c99", PROGRAM % "", "3 12"), ("c17", NUMBERS, "27 6 27 6 6 10")):
        source, exe = scratch / f"{standard}.c", scratch / standard
        source.write_text(text)
        run(prefix / "bin" / "retro-clang", *strict, f"-std={standard}", source, "-lm", "-o", exe)
        must_say(printed, run(exe), "the header's entry points gave other derivatives")
    for standard in ("c++11", "c++20"):
        source, exe = scratch / f"{standard}.cpp", scratch / standard
        source.write_text(PROGRAM % "<void>")
        run(prefix / "bin" / "retro-clang++", *strict, f"-std={standard}", source, "-o", exe)
        must_say("3 12", run(exe), "the header's entry points gave other derivatives")
    both = scratch / "both.cpp"
    both.write_text(
        "#include <retrograde/retrograde.h>\n#include <enzyme/enzyme>\n#include <retrograde/retrograde.h>\n"
    )
    run(
        prefix / "bin" / "retro-clang++",
        "-std=c++17",
        "-Wall",
        "-Wextra",
        "-pedantic",
        "-Werror",
        f"-I{include}",
        "-fsyntax-only",
        both,
    )
    # What the program holds beside the function is no hindrance to the verifier.
    said = run(prefix / "bin" / "retro-verify", f"{scratch / 'c99.c'}::f", "--arg", "x=vector:3", "--arg", "n=3")
    must_say("PASSED", said, "the verifier did not pass a function of a program with a request")


FORTRAN = """cmake_minimum_required(VERSION 3.24)
project(Heat LANGUAGES Fortran)
find_package(Retrograde REQUIRED)
add_executable(heat heat.f90)
target_compile_options(heat PRIVATE -O2)
retro_enable_differentiation(heat)
"""


def check_fortran(args: argparse.Namespace, prefix: Path, scratch: Path, heat: Path) -> None:
    """`use retrograde` finds its module by the wrapper and by CMake, whether or not the program includes the module's source as well."""
    if not shutil.which("flang-22"):
        return
    folder = scratch / "fortran"
    folder.mkdir()
    text = heat.read_text()
    for including in (True, False):
        (folder / "heat.f90").write_text(text if including else text.replace('include "retrograde/retrograde.f90"', ""))
        run(prefix / "bin" / "retro-flang", "-O2", folder / "heat.f90", "-o", folder / "heat")
        must_say("gradient:     0.00464208", run(folder / "heat"), "retro-flang gave another gradient")
        (folder / "CMakeLists.txt").write_text(FORTRAN)
        build = folder / f"build{including}"
        configure = [args.cmake, "-G", "Ninja", "-S", folder, f"-DCMAKE_PREFIX_PATH={prefix}"]
        run(*configure, "-B", build, "-DCMAKE_Fortran_COMPILER=flang-22")
        run(args.cmake, "--build", build)
        must_say("gradient:     0.00464208", run(build / "heat"), "the project in Fortran gave another gradient")
    run(prefix / "bin" / "retro-flang", "-O2", "-c", folder / "heat.f90", "-o", folder / "heat.o")
    run(prefix / "bin" / "retro-flang", folder / "heat.o", "-o", folder / "linked")
    must_say("gradient:     0.00464208", run(folder / "linked"), "objects of retro-flang gave another gradient")
    if shutil.which("gfortran"):
        text = run(*configure, "-B", folder / "gfortran", "-DCMAKE_Fortran_COMPILER=gfortran", fails=True)
        must_say("the plugin works in flang", text, "a wrong Fortran compiler was refused without the reason")


def check_refusals(args: argparse.Namespace, prefix: Path, scratch: Path) -> None:
    """What could not be differentiated is an error when the project is configured."""
    folder = scratch / "refused"
    folder.mkdir()
    for name in ("main.cpp", "kernel.cu", "part.f90"):
        (folder / name).write_text("int main() { return 0; }\n" if name == "main.cpp" else "")
    for source, wish, said in (
        ("kernel.cu", "", "kernel.cu is CUDA, which the project does not enable"),
        ("part.f90", "", "part.f90 is Fortran, which the project does not enable"),
        ("", "TOGGLES mincut=0", "there is no toggle 'mincut'"),
        ("", "TOGGLES min-cut", "a toggle is written name=0 or name=1"),
    ):
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.24)\nproject(Refused LANGUAGES C CXX)\nfind_package(Retrograde REQUIRED)\n"
            f"add_executable(main main.cpp {source})\nretro_enable_differentiation(main {wish})\n"
        )
        clang = [f"-DCMAKE_C_COMPILER={args.clang}", f"-DCMAKE_CXX_COMPILER={args.clangxx}"]
        text = run(
            args.cmake,
            "-G",
            "Ninja",
            "-S",
            folder,
            "-B",
            scratch / "refused-build",
            f"-DCMAKE_PREFIX_PATH={prefix}",
            *clang,
            fails=True,
        )
        must_say(said, " ".join(text.split()), f"{source or wish} was refused without the reason")


def check_nvcc(args: argparse.Namespace, prefix: Path, scratch: Path) -> None:
    """CUDA by another compiler than clang is refused; what the message advises is compiled."""
    library = Tools(clangxx=args.clangxx).libdevice
    cuda = library and library.parents[2]
    if not cuda or not (cuda / "bin" / "nvcc").exists() or not shutil.which("g++"):
        return
    nvcc = cuda / "bin" / "nvcc"
    folder = scratch / "cuda"
    folder.mkdir()
    (folder / "kernel.cu").write_text(KERNEL)
    lists, head = (
        folder / "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.24)\nproject(Cuda LANGUAGES CXX%s)\nfind_package(Retrograde REQUIRED)\n",
    )
    tail = "add_library(kernel STATIC kernel.cu)\nretro_enable_differentiation(kernel)\n"
    configure = [
        args.cmake,
        "-G",
        "Ninja",
        "-S",
        folder,
        f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={args.clangxx}",
    ]
    lists.write_text(head % " CUDA" + tail)
    text = run(
        *configure,
        "-B",
        folder / "nvcc",
        f"-DCMAKE_CUDA_COMPILER={nvcc}",
        "-DCMAKE_CUDA_HOST_COMPILER=g++",
        "-DCMAKE_CUDA_ARCHITECTURES=90",
        fails=True,
    )
    must_say("the CUDA compiler is NVIDIA", " ".join(text.split()), "nvcc was refused without the reason")
    options = f"-xcuda;--cuda-path={cuda};--cuda-gpu-arch=sm_90;-Wno-unknown-cuda-version"
    lists.write_text(
        head % ""
        + f'set_source_files_properties(kernel.cu PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "{options}")\n'
        + tail
    )
    run(*configure, "-B", folder / "clang")
    text = run(args.cmake, "--build", folder / "clang", "--verbose")
    must_say("-fpass-plugin=", text, "a CUDA source was compiled without the plugin")


KERNEL = """template <typename R, typename... A> __device__ R __enzyme_autodiff(A...);
__device__ double square(double x) { return x * x; }
__global__ void slope(double *x) { x[0] = __enzyme_autodiff<double>((void *)square, x[0]); }
"""


def check_pkg_config(args: argparse.Namespace, prefix: Path, scratch: Path) -> None:
    """The flags of pkg-config are those that a gradient needs."""
    if not shutil.which("pkg-config"):
        return
    folder = next(prefix.rglob("retrograde.pc")).parent
    flags = run("pkg-config", "--cflags", "retrograde", env={**os.environ, "PKG_CONFIG_PATH": str(folder)}).split()
    source, exe = scratch / "flags.c", scratch / "flags"
    source.write_text(PROGRAM % "")
    run(args.clang, "-O2", *flags, source, "-o", exe)
    must_say("3 12", run(exe), "a program with the flags of pkg-config gave another gradient")


def check_python(prefix: Path, scratch: Path) -> None:
    """The installed Python package finds the installed plugin. Where NumPy is missing there is nothing to check."""
    if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], capture_output=True).returncode:
        return
    folder = next(prefix.rglob("retrograde/python"))
    environment = {k: v for k, v in os.environ.items() if k != "RETRO_PLUGIN"}
    environment |= {"PYTHONPATH": str(folder), "RETRO_CACHE": str(scratch / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    program = f"from retro.numpy import foreign; print(foreign({str(scratch / 'cubes.c')!r}, 'cubes', flags=['-DK=2']).gradient([1.0, 3]))"
    must_say(
        "[ 6. 54.]",
        run("/usr/bin/python3", "-c", program, env=environment),
        "the installed Python package gave no gradient",
    )


def check_readme(readme: Path, prefix: Path, scratch: Path) -> None:
    """README's program in C compiles without a warning and prints what README says that it prints."""
    text = readme.read_text()
    program = re.search(r"^```c [^\n]*\n(.*?)^```$", text, re.M | re.S)[1]
    printed = re.search(r"^    \$ clang-22 [^\n]*\n    ([^\n]*\n)", text, re.M)[1]
    source, exe = scratch / "readme.c", scratch / "readme"
    source.write_text(program)
    compiler = prefix / "bin" / "retro-clang"
    run(compiler, "-O2", "-Wall", "-Wextra", "-Werror", source, "-lm", "-o", exe)
    if run(exe) != printed:
        sys.exit(f"README says that its program prints\n{printed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("build", "example", "readme", "clang", "clangxx", "cmake"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="retro-package-") as name:
        scratch = Path(name)
        first, prefix, source = scratch / "first", scratch / "moved" / "prefix", scratch / "example"
        run(args.cmake, "--install", args.build, "--prefix", first)
        # An installed tree can be moved: nothing in it may hold the place it was installed to.
        prefix.parent.mkdir()
        shutil.move(first, prefix)
        shutil.copytree(args.example, source)

        configure = [args.cmake, "-G", "Ninja", "-S", source, f"-DCMAKE_PREFIX_PATH={prefix}"]
        clang = [f"-DCMAKE_C_COMPILER={args.clang}", f"-DCMAKE_CXX_COMPILER={args.clangxx}"]
        run(*configure, "-B", scratch / "build", *clang)
        run(args.cmake, "--build", scratch / "build", "--verbose")
        tests = run("ctest", "--test-dir", scratch / "build", "--verbose")
        must_say("the gradient agrees", tests, "the example did not check its gradient")
        must_say("taylor", tests.lower(), "the example did not use the library that checks gradients")
        check_verifier(prefix, scratch)
        check_header(prefix, scratch)
        check_fortran(args, prefix, scratch, Path(args.example).parent / "fortran" / "heat.f90")
        check_refusals(args, prefix, scratch)
        check_nvcc(args, prefix, scratch)
        check_pkg_config(args, prefix, scratch)
        check_python(prefix, scratch)
        check_readme(Path(args.readme), prefix, scratch)

        for wrapper, program, flags in (
            ("retro-clang", "spring.c", ["-lm"]),
            ("retro-clang++", "descent.cpp", ["-std=c++20"]),
            ("retro-clang++", "fit.cpp", ["-std=c++17"]),
        ):
            exe, obj = scratch / program.split(".")[0], scratch / "part.o"
            run(prefix / "bin" / wrapper, "-O2", "-Wall", "-Werror", source / program, *flags, "-o", exe)
            run(exe)
            # Compile and link apart: the link must not stumble over the plugin's options.
            run(prefix / "bin" / wrapper, "-O2", "-Werror", "-c", source / program, "-o", obj)
            run(prefix / "bin" / wrapper, "-Werror", obj, "-lm", "-o", exe)
            run(exe)

        gcc = shutil.which("gcc")
        if gcc and shutil.which("g++"):
            text = run(
                *configure,
                "-B",
                scratch / "gcc",
                f"-DCMAKE_C_COMPILER={gcc}",
                f"-DCMAKE_CXX_COMPILER={shutil.which('g++')}",
                fails=True,
            )
            must_say("the plugin works in clang", text, "a wrong compiler was refused without the reason")
    print("package: installed, moved, found by CMake, wrapped, verified, and refused for another compiler")


if __name__ == "__main__":
    main()
