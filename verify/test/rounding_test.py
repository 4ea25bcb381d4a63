"""Tests of `retro rounding`: lines and variables of functions whose roundings are known, and bounds beside true errors.

Usage: python3 -m verify.test.rounding_test --plugin PATH [unittest arguments]."""

import contextlib
import io
import json
import re
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any

from verify.tool import retro_rounding
from verify.tool.retro_verify import understand

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent / "tool"
PLUGIN = ""
CANCELS = ["rounding.c::cancels", "--range", "1e-4:1e-3"]
MIXED = ["rounding.c::mixed", "--arg", "x=vector:7", "--arg", "n=7"]
SPREAD = ["rounding.c::spread", "--arg", "x=in:4", "--arg", "y=out:4", "--arg", "n=4"]
CHAIN = ["rounding.cpp::model::chain", "--arg", "x=vector:5", "--arg", "n=5", "--arg", "longest=inout:1"]


def rounding(target: str, *arguments: str) -> tuple[int, str, str]:
    """(exit status, standard output, standard error)"""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = retro_rounding.main([str(HERE / target), "--plugin", PLUGIN, *arguments])
    return status, out.getvalue(), err.getvalue()


def names(row: dict[str, Any]) -> list[str]:
    return [name for _, name in row["variables"]]


class Reports(unittest.TestCase):
    def report(self, target: str, *arguments: str, status: int = 0) -> dict[str, Any]:
        got, out, err = rounding(target, *arguments, "--json")
        self.assertEqual(got, status, out + err)
        return json.loads(out)

    def line_of(self, name: str, text: str) -> int:
        lines = (HERE / name).read_text().splitlines()
        return next(number for number, line in enumerate(lines, 1) if text in line)

    def cost(self, report: dict[str, Any], name: str) -> float:
        return next(row["cost"] for row in report["variables"] if name in names(row))

    def test_the_line_that_loses_most(self) -> None:
        report = self.report(*CANCELS)
        first = report["lines"][0]
        self.assertEqual(first["line"], self.line_of("rounding.c", "= cos(x)"))
        self.assertEqual(Path(first["file"]).name, "rounding.c")
        self.assertGreater(first["relative"] / report["relative"], 0.99)
        # One unit of a number just below 1, beside half the square of x.
        self.assertTrue(2**-53 / 5e-7 * 0.5 < report["relative"] < 2**-53 / 5e-9 * 2, report["relative"])
        self.assertLess(report["error"], report["bound"])
        # It is seen where the digits are gone, which is the next line.
        worst = max(report["lines"], key=lambda row: row["worst"])
        self.assertGreaterEqual(worst["line"], self.line_of("rounding.c", "= 1 - c"))

    def test_parts_of_lines_are_the_whole(self) -> None:
        for target in (CANCELS, MIXED, SPREAD, CHAIN):
            report = self.report(*target)
            parts = sum(row["relative"] for row in report["lines"])
            self.assertAlmostEqual(parts / report["relative"], 1, 9, target)

    def test_variables_that_could_be_float(self) -> None:
        report = self.report(*CANCELS)
        # The cosine loses all; the difference and the argument keep what float has.
        self.assertGreater(self.cost(report, "c"), 2**-25 / 5e-7 * 0.5)
        self.assertTrue(2**-25 < self.cost(report, "d") <= 2**-22.9)
        self.assertNotIn([["cancels", "c"]], report["together"]["variables"])
        allowed = self.report(*CANCELS, "--tolerance", "1e-3")["together"]
        self.assertIn([["cancels", "d"]], allowed["variables"])
        self.assertLessEqual(allowed["relative"], 1e-3)

    def test_what_float_cannot_hold(self) -> None:
        report = self.report("rounding.c::large")
        row = next(row for row in report["variables"] if "huge" in names(row))
        self.assertTrue(row["overflows"])
        self.assertNotIn([["large", "huge"]], report["together"]["variables"])

    def test_outputs(self) -> None:
        report = self.report(*SPREAD, "--output", "2")
        self.assertEqual(report["output"], 2)
        self.assertEqual(
            sorted(row["variables"] for row in report["variables"]),
            [[["spread", "x"]], [["spread", "y"]], [["square", "y"]], [["square", "z"]]],
        )
        self.assertGreaterEqual(report["as_it_is"]["compared"], 12)

    def test_what_has_several_names(self) -> None:
        """A number that another function adds to is as wide as its parameter."""
        report = self.report("rounding.c::added", "--arg", "x=vector:6", "--arg", "n=6")
        rows = [row for row in report["variables"] if "sum" in names(row)]
        self.assertEqual([sorted(row["variables"]) for row in rows], [[["add", "to"], ["added", "sum"]]])
        self.assertGreater(rows[0]["cost"], 2**-25)

    def test_cxx(self) -> None:
        status, out, err = rounding(*CHAIN)
        self.assertEqual(status, 0, out + err)
        self.assertIn("stretched in model::Spring::energy", out)
        self.assertIn("between in model::chain", out)
        self.assertRegex(out, r"as it is: the true error is below its bound at 6 of 6 outputs")
        self.assertRegex(out, r"in float: the true error is below its bound at 6 of 6 outputs")

    def test_without_a_wider_format(self) -> None:
        status, out, err = rounding("wide.c::wide")
        self.assertEqual(status, 3, out + err)
        self.assertIn("the true error is not known", out)
        self.assertIn("note: ", err)

    def test_wrong_questions(self) -> None:
        self.assertEqual(rounding("rounding.c::nothing")[0], 2)
        self.assertEqual(rounding("rounding.c::mixed", "--arg", "x=vector:7")[0], 2)


class Page(unittest.TestCase):
    """docs/rounding.md shows what is printed."""

    def test_output(self) -> None:
        page = (ROOT / "docs" / "rounding.md").read_text()
        found = re.search(r"^    \$ \./retro rounding (examples/\S+) (.*)\n((?:    .*\n|\n(?=    ))*)", page, re.M)
        assert found
        out = io.StringIO()
        # As the page says it, from the root.
        with contextlib.chdir(ROOT), contextlib.redirect_stdout(out):
            status = retro_rounding.main([str(ROOT / found[1]), "--plugin", PLUGIN, *found[2].split()])
        self.assertEqual(status, 0)
        shown = [line[4:] for line in found[3].splitlines()]
        self.assertEqual(shown, [line.rstrip() for line in out.getvalue().splitlines()])

    def test_source(self) -> None:
        page = (ROOT / "docs" / "rounding.md").read_text()
        (shown,) = re.findall(r"^```c (\S+)\n(.*?)^```$", page, re.M | re.S)
        self.assertIn(shown[1], (ROOT / shown[0]).read_text())


class Bounds(unittest.TestCase):
    """One variable is float, and nothing else: the error stays below what the report says."""

    def check(self, target: list[str], variables: list[str]) -> None:
        options = retro_rounding.parse([str(HERE / target[0]), *target[1:], "--plugin", PLUGIN, "--points", "5"])
        with tempfile.TemporaryDirectory() as folder:
            question = understand(options)
            runner = retro_rounding.Runner(options, Path(folder), question, retro_rounding.draw(question[4], 5, 1))
            estimates, wide = runner.estimates(), runner.values("long double")
            assert wide
            for name in variables:
                got = runner.run("one_float", runner.unit().value(""), ["-O1", f"-DT_{name}=float"])
                for estimate, true, value in zip(estimates, wide, got):
                    output = estimate["output"]
                    bound = estimate["bounds"][output] + sum(
                        row["part"] for row in estimate["variables"] if f":{name}," in row["names"] + ","
                    )
                    error = abs(retro_rounding.exact(true[output]) - retro_rounding.exact(value[output]))
                    self.assertLessEqual(error, Fraction(bound), name)
                    self.assertGreater(error, Fraction(bound) / 10**4, name)

    def test_scalars(self) -> None:
        self.check(CANCELS, ["c", "d"])

    def test_arrays_constants_and_copies(self) -> None:
        self.check(MIXED, ["buffer", "s", "t"])


def main() -> bool:
    global PLUGIN
    at = sys.argv.index("--plugin")
    PLUGIN = sys.argv[at + 1]
    return not unittest.main(
        "verify.test.rounding_test", argv=[sys.argv[0], *sys.argv[1:at], *sys.argv[at + 2 :]], exit=False
    ).result.wasSuccessful()


if __name__ == "__main__":
    import verify.test.rounding_test as module

    sys.exit(module.main())
