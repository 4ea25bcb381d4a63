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


def run(*cmd, fails=False, **kw):
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


def must_say(text, output, complaint):
    if text not in output:
        sys.exit(complaint)


def check_verifier(prefix, scratch):
    """The installed tool passes a right gradient, and says so when there is no such function."""
    tool, source = prefix / "bin" / "retro-verify", scratch / "cubes.c"
    source.write_text(CUBES)
    said = run(tool, f"{source}::cubes", "--arg", "x=vector:4", "--arg", "n=4", "--", "-DK=2")
    must_say("0 failed, 0 unknown", said, "the verifier gave no verdicts")
    said = run(tool, f"{source}::absent", "--", "-DK=2", fails=True)
    must_say("absent", said, "the verifier did not say which function is absent")


def check_python(prefix, scratch):
    """The installed Python package finds the installed plugin. Where NumPy is missing there is nothing to check."""
    if subprocess.run(["/usr/bin/python3", "-c", "import numpy"], capture_output=True).returncode:
        return
    folder = next(prefix.rglob("retrograde/python"))
    environment = {k: v for k, v in os.environ.items() if k != "RETRO_PLUGIN"}
    environment |= {"PYTHONPATH": str(folder), "RETRO_CACHE": str(scratch / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    program = f"from retro.numpy import foreign; print(foreign({str(scratch / 'cubes.c')!r}, 'cubes', flags=['-DK=2']).gradient([1.0, 3]))"
    must_say("[ 6. 54.]", run("/usr/bin/python3", "-c", program, env=environment), "the installed Python package gave no gradient")


def check_readme(readme, prefix, scratch):
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("build", "example", "readme", "clang", "clangxx", "cmake"):
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
        must_say("the gradient agrees", tests, "the example did not check its gradient")
        must_say("taylor", tests.lower(), "the example did not use the library that checks gradients")
        check_verifier(prefix, scratch)
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
