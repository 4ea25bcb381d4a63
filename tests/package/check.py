"""Install the package, then build and run the example outside the tree: with CMake, with the wrappers, and
with the wrong compiler."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*cmd, fails=False, **kw):
    """Run a command, show its output, and return the output. Exits when the status is not the one wanted."""
    cmd = [str(c) for c in cmd]
    print("+", " ".join(cmd), flush=True)
    out = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kw)
    print(out.stdout, flush=True)
    if (out.returncode != 0) != fails:
        sys.exit(f"exit status {out.returncode} of: {' '.join(cmd)}")
    return out.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("build", "example", "clang", "clangxx", "cmake"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="retro-package-") as scratch:
        scratch = Path(scratch)
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
        if "the gradient agrees" not in tests:
            sys.exit("the example did not check its gradient")

        for wrapper, program, flags in (
            ("retro-clang", "spring.c", ["-lm"]),
            ("retro-clang++", "descent.cpp", ["-std=c++20"]),
        ):
            exe, obj = scratch / program.split(".")[0], scratch / "part.o"
            run(prefix / "bin" / wrapper, "-O2", "-Wall", "-Werror", source / program, *flags, "-o", exe)
            run(exe)
            # Compile and link apart: the link must not stumble over the plugin's options.
            run(prefix / "bin" / wrapper, "-O2", "-Werror", "-c", source / program, *flags[:0], "-o", obj)
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
            if "the plugin works in clang" not in text:
                sys.exit("a wrong compiler was refused without the reason")
    print("package: installed, moved, found by CMake, wrapped, and refused for another compiler")


if __name__ == "__main__":
    main()
