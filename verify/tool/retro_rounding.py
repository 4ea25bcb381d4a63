"""Says which lines of a function lose digits by rounding, and which of its variables could be float.

The function is run at random points as an error estimate (docs/modes/rounding.md): a bound of what all its roundings do to its
result. Each line, and each variable if it were float, is also estimated by itself. The true error, of the function as it is and of one that is float in all, is
measured beside the same text in long double, and held to the bound.

Exit status: 0 if every bound that could be measured holds, 1 if one does not, 3 if none could be measured, 2 if the question could
not be put."""

import argparse
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import arguments, builder, rounding_unit, signature
from .retro_verify import in_folder, understand
from .signature import Problem

HEADER = Path(__file__).with_name("rounding.h")
FLOAT_MAX, FLOAT_MIN = 3.4028234663852886e38, 1.1754943508222875e-38


def parse(argv: list[str]) -> argparse.Namespace:
    flags = []
    if "--" in argv:
        at = argv.index("--")
        argv, flags = argv[:at], argv[at + 1 :]
    parser = argparse.ArgumentParser(
        prog="retro rounding",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="retro rounding FILE::FUNCTION [--arg NAME=…]… [options] [-- COMPILER-FLAGS…]",
        epilog="arguments of the function:\n" + arguments.GRAMMAR,
    )
    parser.add_argument("target", metavar="FILE::FUNCTION", help="e.g. model.cpp::energy or model.cpp::ns::energy")
    parser.add_argument(
        "--arg", action="append", default=[], metavar="NAME=…", help="what a parameter is given; see below"
    )
    parser.add_argument(
        "--range", default="0.25:1.75", metavar="LOW:HIGH", help="where numbers are drawn from (default %(default)s)"
    )
    parser.add_argument("--points", type=int, default=3, help="random points; the worst is shown (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--output",
        type=int,
        default=-1,
        metavar="K",
        help="which output, from 0, the result first; without it the one with the greatest relative error",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-6,
        help="relative error that is allowed, for the variables that could be float together (default %(default)s)",
    )
    parser.add_argument("--lines", type=int, default=10, metavar="N", help="lines that are shown (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")
    parser.add_argument("--plugin", default=os.environ.get("RETRO_VERIFY_PLUGIN"), help="retrograde.so")
    parser.add_argument("--include", default=os.environ.get("RETRO_VERIFY_INCLUDE", ""), help=argparse.SUPPRESS)
    parser.add_argument("--clang", default="clang-22", help="for C (default %(default)s)")
    parser.add_argument("--clangxx", default="clang++-22", help="for C++ (default %(default)s)")
    parser.add_argument("--extra", action="append", default=[], metavar="FILE", help="another source or object to link")
    parser.add_argument("--keep", metavar="FOLDER", help="leave the generated files there")
    options = parser.parse_args(argv)
    options.flags = flags
    if options.points < 1:
        parser.error("--points must be at least 1")
    return options


def single(x: float) -> float:
    """As float has it."""
    return struct.unpack("f", struct.pack("f", x))[0]


def draw(layout: arguments.Layout, points: int, seed: int) -> list[list[float]]:
    """The inputs of each point."""
    numbers = random.Random(seed)
    drawn = []
    for _ in range(points):
        x = [0.0] * layout.inputs
        for a in layout.arguments:
            for k in range(a.length if a.x >= 0 else 0):
                value = a.low + (a.high - a.low) * numbers.random()
                x[a.x + k] = single(value) if a.single else value
        drawn.append(x)
    return drawn


class Runner:
    """Compiles the programs and runs them at the points."""

    def __init__(
        self, options: argparse.Namespace, folder: Path, question: arguments.Question, points: list[list[float]]
    ) -> None:
        self.options, self.folder = options, folder
        self.compiler, self.flags, self.source, self.found, self.layout = question
        self.cxx = self.compiler == options.clangxx
        lines = [f"{len(points)} {options.output}", *(" ".join(x.hex() for x in point) for point in points)]
        (folder / "points.txt").write_text("\n".join(lines) + "\n")

    def run(self, name: str, text: str, flags: list[str]) -> Any:
        source = self.folder / f"{name}{'.cpp' if self.cxx else '.c'}"
        source.write_text(text)
        program, report = self.folder / name, self.folder / f"{name}.json"
        command = [
            self.compiler,
            "-w",
            "-ffp-contract=off",
            "-ffunction-sections",
            "-Wl,--gc-sections",
            *flags,
            *self.flags,
        ]
        command += [str(source), *self.options.extra, "-lm", "-o", str(program)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            raise builder.Failed("\n".join([" ".join(command), *lines[:30]]))
        ran = subprocess.run([str(program), str(self.folder / "points.txt"), str(report)], stdout=subprocess.DEVNULL)
        if ran.returncode:
            raise Problem(f"the program '{name}' ended with status {ran.returncode}")
        return json.loads(report.read_text())

    def unit(self) -> rounding_unit.Unit:
        return rounding_unit.Unit(self.layout, self.source, self.cxx)

    def estimates(self) -> list[dict[str, Any]]:
        """Without optimization, so that every variable is still there."""
        flags = [
            "-O0",
            "-g",
            f"-fpass-plugin={Path(self.options.plugin).resolve()}",
            f"-fplugin={Path(self.options.plugin).resolve()}",
        ]
        return self.run(
            "estimate", self.unit().estimate(HEADER, self.found.symbol), [*flags, "-mllvm", "-retro-preopt=0"]
        )

    def values(self, real: str) -> list[list[str | None]] | None:
        """What the function gives where `double` is another word; None, and a note, if it is then no program."""
        try:
            return self.run(real.replace(" ", "_"), self.unit().value(real), ["-O1", "-Wno-c++11-narrowing"])
        except Problem as problem:
            reason = next(
                (line for line in str(problem).splitlines() if "error" in line), str(problem).splitlines()[-1]
            )
            print(
                f"note: the true error is not known, because the function is no program in {real}: {reason}",
                file=sys.stderr,
            )
            return None


def exact(text: str) -> Fraction:
    """A number in hexadecimal, as printf has it (%La), of any length."""
    found = re.fullmatch(r"(-?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]\d+)", text)
    assert found, text
    sign, whole, behind, exponent = found[1], found[2], found[3] or "", int(found[4])
    size = Fraction(int(whole + behind, 16)) * Fraction(2) ** (exponent - 4 * len(behind))
    return -size if sign else size


def measured(wide: list[list[str | None]], narrow: list[list[Any]], bounds: list[list[float | None]]) -> dict[str, Any]:
    """The greatest true error relative to its bound, over all points and outputs; of exact numbers, for 64 bits are not too many."""
    worst: dict[str, Any] = {"holds": True, "share": 0.0, "compared": 0}
    for exact_at, got_at, bound_at in zip(wide, narrow, bounds):
        for true, got, bound in zip(exact_at, got_at, bound_at):
            if true is None or got is None or bound is None:
                continue
            difference = abs(exact(true) - (exact(got) if isinstance(got, str) else Fraction(got)))
            # What long double itself rounds is a 2048th of the bound of double.
            worst["compared"] += 1
            worst["holds"] &= difference <= Fraction(bound) * (1 + Fraction(1, 2048)) + Fraction(5e-324)
            if bound:
                worst["share"] = max(worst["share"], float(difference / Fraction(bound)))
    return worst


def relative(part: float | None, value: float) -> float:
    return math.inf if part is None else part / abs(value) if value else (math.inf if part else 0.0)


def merged_variables(rows: list[dict[str, Any]], value: float) -> list[dict[str, Any]]:
    """Cheapest first, those that float cannot hold last."""
    for row in rows:
        row["variables"] = [name.split(":") for name in row.pop("names").split(",")]
        row["cost"] = relative(row["part"], value)
        row["overflows"] = row["greatest"] is None or row["greatest"] > FLOAT_MAX
        row["underflows"] = row["least"] is not None and row["least"] < FLOAT_MIN
    return sorted(rows, key=lambda row: (row["overflows"], row["cost"]))


def together(rows: list[dict[str, Any]], base: float, tolerance: float) -> tuple[list[dict[str, Any]], float]:
    """The cheapest variables whose costs, with what is rounded anyway, stay below the tolerance. Costs add up."""
    chosen: list[dict[str, Any]] = []
    for row in rows:
        if row["overflows"] or not base + row["cost"] <= tolerance:
            break
        chosen.append(row)
        base += row["cost"]
    return chosen, base


def examine(options: argparse.Namespace, folder: Path, question: arguments.Question) -> dict[str, Any]:
    points = draw(question[4], options.points, options.seed)
    runner = Runner(options, folder, question, points)
    estimates = runner.estimates()
    wide = runner.values("long double")
    narrow = runner.values("float") if wide else None

    def size(k: int) -> float:
        e = estimates[k]
        return relative(e["bounds"][e["output"]], e["values"][e["output"]] or 0.0)

    worst = max(range(len(estimates)), key=size)
    at = estimates[worst]
    value = at["values"][at["output"]]
    if value is None:
        raise Problem("the result is infinite or NaN where the function is called: give other ranges")
    base = relative(at["bounds"][at["output"]], value)
    for row in at["lines"]:
        row["relative"] = relative(row["part"], value)
    variables = merged_variables(at["variables"], value)
    chosen, total = together(variables, base, options.tolerance)
    report = {
        "function": str(question[3]),
        "points": options.points,
        "seed": options.seed,
        "point": worst,
        "output": at["output"],
        "value": value,
        "bound": at["bounds"][at["output"]],
        "relative": base,
        "float_bound": at["float_bounds"][at["output"]],
        "lines": sorted(at["lines"], key=lambda row: -row["relative"]),
        "variables": variables,
        "together": {
            "tolerance": options.tolerance,
            "relative": total,
            "variables": [row["variables"] for row in chosen],
        },
        "as_it_is": measured(wide, [e["values"] for e in estimates], [e["bounds"] for e in estimates])
        if wide
        else None,
        "in_float": measured(wide, narrow, [e["float_bounds"] for e in estimates]) if wide and narrow else None,
    }
    true, got = (f[worst][at["output"]] if f else None for f in (wide, narrow))
    if true is not None:
        report["error"] = float(abs(exact(true) - Fraction(value)))
    if true is not None and got is not None:
        report["float_error"] = float(abs(exact(true) - exact(got)))
    return report


def digits(part: float) -> str:
    return "all" if part == 0 else "none" if not part < 1 else f"{-math.log10(part):.1f}"


def demangled(names: set[str]) -> dict[str, str]:
    """As the program has them, if there is a tool that says so."""
    tool = shutil.which("llvm-cxxfilt-22") or shutil.which("c++filt")
    ordered = sorted(names)
    if not tool or not ordered:
        return {name: name for name in ordered}
    done = subprocess.run([tool], input="\n".join(ordered) + "\n", capture_output=True, text=True)
    return dict(zip(ordered, (line.split("(")[0] for line in done.stdout.splitlines())))


def source_line(cache: dict[str, list[str]], file: str, line: int) -> str:
    if file not in cache:
        try:
            cache[file] = Path(file).read_text(errors="replace").splitlines()
        except OSError:
            cache[file] = []
    return cache[file][line - 1].strip() if 0 < line <= len(cache[file]) else ""


def held(name: str, found: dict[str, Any] | None) -> str:
    if not found or not found["compared"]:
        return f"{name}: the true error is not known"
    if not found["holds"]:
        return f"{name}: the true error is ABOVE its bound"
    return f"{name}: the true error is below its bound at {found['compared']} of {found['compared']} outputs, and {found['share']:.2g} of it where it comes nearest"


def show(report: dict[str, Any], options: argparse.Namespace) -> None:
    print(f"{report['function']}, output {report['output']}, at the worst of {report['points']} points")
    print(f"value {report['value']:.17g}, off by at most {report['bound']:.1e}: {digits(report['relative'])} digits")
    if "error" in report:
        print(
            f"truly off by {report['error']:.1e}; all in float by {report.get('float_error', math.nan):.1e}, of at most {report['float_bound'] or math.inf:.1e}"
        )
    print(held("as it is", report["as_it_is"]))
    print(held("in float", report["in_float"]))
    print("\nlines that lose most        share  digits left there")
    cache: dict[str, list[str]] = {}
    for row in report["lines"][: options.lines]:
        share = row["relative"] / report["relative"] if report["relative"] else 0
        if share < 5e-4:
            break
        place = f"{Path(row['file']).name}:{row['line']}"
        print(
            f"{place:26} {share:6.1%}  {digits(row['worst'] or 0):>5}  {source_line(cache, row['file'], row['line'])[:90]}"
        )
    least = max(report["lines"], key=lambda row: row["worst"] or 0, default=None)
    if least and least["worst"]:
        place = f"{Path(least['file']).name}:{least['line']}"
        text = source_line(cache, least["file"], least["line"])
        print(f"fewest digits are left at {place}, {digits(least['worst'])}: {text}")
    print("\n  digits of the result left if these variables were float")
    names = demangled({function for row in report["variables"] for function, _ in row["variables"]})
    chosen = report["together"]["variables"]
    for row in report["variables"]:
        left = "overflows" if row["overflows"] else digits(report["relative"] + row["cost"])
        mark = "*" if row["variables"] in chosen else " "
        small = "  (numbers too small for float)" if row["underflows"] else ""
        text = ", ".join(f"{name} in {names.get(function, function)}" for function, name in row["variables"])
        print(f"{mark} {left:>5}  {text}{small}")
    if chosen:
        print(
            f"* all of these together: {digits(report['together']['relative'])} digits (--tolerance {options.tolerance:g})"
        )


def run(options: argparse.Namespace, folder: Path) -> int:
    if not options.plugin or not Path(options.plugin).is_file():
        raise Problem("no plugin: give --plugin PATH (retrograde.so is built by ./retro build)")
    report = examine(options, folder, understand(options))
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        show(report, options)
    found = [f for f in (report["as_it_is"], report["in_float"]) if f and f["compared"]]
    return 3 if not found else 0 if all(f["holds"] for f in found) else 1


def main(argv: list[str]) -> int:
    return in_folder("rounding", parse(argv), run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
