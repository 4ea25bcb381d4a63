#!/usr/bin/python3
"""How compile time grows with a function: generated functions of several shapes.

Prints, for each shape and size (about that many IR instructions), the
compiler's CPU seconds without and with the plugin, and those of the engine's
stages that matter.
"""
import argparse
import pathlib
import random
import re
import resource
import subprocess
import tempfile

PROLOGUE = "double __enzyme_autodiff(void *, ...);\n"


def straight(size: int) -> tuple[list[str], str, str]:
    """One block of values."""
    names = [f"x[{i}]" for i in range(8)]
    lines = ["double f(const double *x) {"]
    for i in range(size // 2):
        left, right = random.choices(names[-40:], k=2)
        lines.append(f"double v{i} = {left} {random.choice('+*-')} 0.5 * {right};")
        names.append(f"v{i}")
    return lines + ["return " + " + ".join(names[-20:]) + "; }"], "const double *x, double *dx", "x, dx"


def memory(size: int) -> tuple[list[str], str, str]:
    """One block that overwrites an array."""
    lines = ["double f(double *x) {"]
    for _ in range(size // 5):
        to, left, right = random.choices(range(64), k=3)
        lines.append(f"x[{to}] = x[{left}] * x[{right}] + 0.1;")
    return lines + ["return x[0]; }"], "double *x, double *dx", "x, dx"


def loops(size: int) -> tuple[list[str], str, str]:
    """Loops in a row that overwrite an array."""
    lines = ["double f(const double *x, double *restrict y, int n) { double s = 0;"]
    for i in range(size // 20):
        lines.append(f"for (int i = 0; i < n; ++i) {{ y[i] = y[i] * x[i] + {i}.0; s += y[i] * y[i] * x[i]; }}")
    signature = "const double *x, double *dx, double *y, double *dy, int n"
    return lines + ["return s; }"], signature, "x, dx, y, dy, n"


def calls(size: int) -> tuple[list[str], str, str]:
    """A chain of functions that are not inlined."""
    lines = []
    for i in range(size // 30):
        rest = f"g{i - 1}(x, s * x[1])" if i else "0"
        body = " + ".join(f"x[{k}] * s" for k in range(8))
        lines.append(
            f"__attribute__((noinline)) static double g{i}(const double *x, double s) {{ return {body} + {rest}; }}"
        )
    return (
        lines + [f"double f(const double *x) {{ return g{size // 30 - 1}(x, 1); }}"],
        "const double *x, double *dx",
        "x, dx",
    )


def branches(size: int) -> tuple[list[str], str, str]:
    """Branches that depend on values, with calls that keep them branches."""
    lines = ["double exp(double), sin(double);", "double f(const double *x) { double s = x[0];"]
    for i in range(size // 10):
        then, otherwise = f"s = exp(s * x[{i * 7 % 16}]);", f"s += sin(x[{i * 5 % 16}] * s);"
        lines.append(f"if (x[{i % 16}] > {i % 7}.5) {then} else {otherwise}")
    return lines + ["return s; }"], "const double *x, double *dx", "x, dx"


SHAPES = {f.__name__: f for f in (straight, memory, loops, calls, branches)}
STAGE = re.compile(r"\s+([0-9.]+) \([^)]*\).*\s([0-9.]+) \([^)]*\)  (\S.*)")


def compile_seconds(command: list[str], limit: float) -> tuple[float | None, str]:
    """CPU seconds of a compilation and its standard error; None if it took too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, done.stderr


def stages(report: str) -> list[tuple[float, str]]:
    """Seconds of each stage in a report of -retro-time, longest first."""
    found = [(float(m[1]), m[3]) for m in map(STAGE.match, report.splitlines()) if m and m[3] != "Total"]
    return sorted(found, reverse=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--sizes", default="5000,10000,20000")
    parser.add_argument("--limit", type=float, default=120, help="seconds a compilation may take")
    args = parser.parse_args()
    plugin = str(pathlib.Path(args.plugin).resolve())
    with tempfile.TemporaryDirectory() as folder:
        source, output = pathlib.Path(folder, "f.c"), str(pathlib.Path(folder, "f.o"))
        for shape in args.shapes.split(","):
            for size in map(int, args.sizes.split(",")):
                random.seed(1)
                lines, signature, actual = SHAPES[shape](size)
                request = f"double r({signature}) {{ return __enzyme_autodiff((void *)f, {actual}); }}\n"
                source.write_text(PROLOGUE + "\n".join(lines) + "\n" + request)
                base = [args.clang, "-O2", "-c", str(source), "-o", output]
                with_plugin = [
                    f"-fpass-plugin={plugin}",
                    "-Xclang",
                    "-load",
                    "-Xclang",
                    plugin,
                    "-mllvm",
                    "-retro-time",
                ]
                without, _ = compile_seconds(base, args.limit)
                total, report = compile_seconds(base + with_plugin, args.limit)
                if total is None or without is None:
                    print(f"{shape:9} {size:7}  more than {args.limit:.0f} s", flush=True)
                    continue
                shown = ", ".join(f"{name} {t:.2f}" for t, name in stages(report)[:3])
                print(f"{shape:9} {size:7}  without {without:6.2f}  with {total:6.2f}  {shown}", flush=True)


if __name__ == "__main__":
    main()
