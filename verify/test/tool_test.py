"""Tests of `retro verify`. Usage: tool_test.py RETRO-VERIFY [--plugin PATH] [unittest arguments].

Without a plugin, gradients written by hand (tool/by_hand.c) stand in for generated ones, right and wrong."""

import json
import subprocess
import sys
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent / "tool"
TOOL = None
PLUGIN = None

WRONG = {"SIGN", "FACTOR", "MISSING", "NOT_A_NUMBER", "ZERO"}


def verify(target: str, *arguments: str) -> tuple[int, str, str]:
    """(exit status, standard output, standard error)"""
    done = subprocess.run([TOOL, str(HERE / target), *arguments], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def by_hand(
    target: str, function: int, *arguments: str, wrong: str = "NONE", flags: Sequence[str] = ()
) -> tuple[int, str, str]:
    return verify(
        target,
        "--plugin",
        "none",
        "--extra",
        str(HERE / "by_hand.c"),
        *arguments,
        "--",
        f"-DFUNCTION={function}",
        f"-DWRONG={wrong}",
        *flags,
    )


RELAX: list[Any] = ["functions.c::relax", 2, "--arg", "u=vector:9:-1:1", "--arg", "n=9", "--arg", "sweeps=3"]
MIXED: list[Any] = [
    "functions.c::mixed",
    3,
    "--mode",
    "reverse",
    "--arg",
    "weight=const:4",
    "--arg",
    "index=ints:2,0,1,3",
    "--arg",
    "n=4",
    "--arg",
    "row=in:8",
    "--arg",
    "out=out:4",
]
SINGLE: list[Any] = ["functions.c::single", 4, "--mode", "reverse", "--arg", "x=vector:6", "--arg", "n=6"]


@unittest.skipIf("--plugin" in sys.argv, "by hand")
class ByHand(unittest.TestCase):
    def passes(self, *arguments: Any) -> None:
        status, out, err = by_hand(*arguments)
        self.assertEqual(status, 0, out + err)
        self.assertRegex(out, r"\n[1-9]\d* passed, 0 failed, 0 unknown")

    def test_right_scalars(self) -> None:
        self.passes("functions.c::product", 1)

    def test_right_in_place(self) -> None:
        self.passes(*RELAX)

    def test_right_mixed_arguments(self) -> None:
        self.passes(*MIXED)

    def test_right_single_precision(self) -> None:
        self.passes(*SINGLE)

    def test_one_mode_only(self) -> None:
        self.passes("functions.c::product", 1, "--mode", "forward")
        self.passes("functions.c::product", 1, "--mode", "reverse", "--opt", "O0", "--points", "1", "--seed", "7")

    def test_the_verdict_comes_first(self) -> None:
        _, out, _ = by_hand("functions.c::product", 1)
        self.assertRegex(out, r"^PASSED, all 15 checks: double product\(double a, double b\) ")
        _, out, _ = by_hand("functions.c::product", 1, wrong="SIGN")
        self.assertRegex(out, r"^FAILED, \d+ of 15 checks: ")

    def test_a_reader_that_has_seen_enough(self) -> None:
        command = [
            TOOL,
            str(HERE / "functions.c::product"),
            "--plugin",
            "none",
            "--extra",
            str(HERE / "by_hand.c"),
            "--",
            "-DFUNCTION=1",
            "-DWRONG=NONE",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            process.stdout.close()
            self.assertEqual(process.stderr.read(), "")
        self.assertEqual(process.returncode, 141)

    def test_a_program_with_requests_of_its_own(self) -> None:
        status, out, err = verify(
            "requests.c::misfit",
            "--plugin",
            "none",
            "--extra",
            str(HERE / "by_hand.c"),
            "--mode",
            "reverse",
            "--arg",
            "p=vector:2",
            "--arg",
            "t=const:3",
            "--arg",
            "n=3",
            "--",
            "-DFUNCTION=6",
        )
        self.assertEqual(status, 0, out + err)

    def test_wrong_fails(self) -> None:
        for case in (["functions.c::product", 1], RELAX, MIXED):
            for wrong in sorted(WRONG):
                with self.subTest(case=case[0], wrong=wrong):
                    status, out, err = by_hand(*case, wrong=wrong)
                    self.assertEqual(status, 1, out + err)

    def test_wrong_single_precision_fails(self) -> None:
        for wrong in sorted(WRONG - {"FACTOR"}):  # 1e-6 is below what floats resolve
            with self.subTest(wrong=wrong):
                status, out, err = by_hand(*SINGLE, wrong=wrong)
                self.assertEqual(status, 1, out + err)

    def test_state_left_behind_is_seen(self) -> None:
        status, out, _ = by_hand("functions.c::product", 1, wrong="STATE")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"failed +point 1: reverse, same when repeated")

    def test_wrong_outputs_are_seen(self) -> None:
        status, out, _ = by_hand(*RELAX, wrong="OUTPUT")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"failed +point 1: outputs after reverse")

    def test_forward_is_held_against_reverse(self) -> None:
        status, out, _ = by_hand("functions.c::product", 1, wrong="SIGN")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"failed +point 1: forward against reverse")
        self.assertRegex(out, r"passed +point 1: forward, differences")

    def test_kink_is_unknown(self) -> None:
        # All draws are 1 to rounding: on the kink itself.
        status, out, err = by_hand(
            "functions.c::kink",
            5,
            "--arg",
            "a=range:1:1.0000000000000004",
            "--mode",
            "reverse",
            flags=["-DDERIVATIVE=0.0"],
        )
        self.assertEqual(status, 3, out + err)
        self.assertIn("unknown", out)

    def test_zero_is_vacuous_unless_allowed(self) -> None:
        arguments: list[Any] = ["functions.c::constant", 5, "--mode", "reverse"]
        status, out, err = by_hand(*arguments, flags=["-DDERIVATIVE=0.0"])
        self.assertEqual(status, 3, out + err)
        self.assertIn("vacuous", out)
        status, out, err = by_hand(*arguments, "--allow-zero", flags=["-DDERIVATIVE=0.0"])
        self.assertEqual(status, 0, out + err)

    def test_crash_is_a_failure(self) -> None:
        status, out, err = by_hand("functions.c::kink", 5, "--mode", "reverse", flags=["-DDERIVATIVE=(abort(),0)"])
        self.assertEqual(status, 1, out + err)
        self.assertIn("crashed", out)

    def test_json(self) -> None:
        status, out, _ = by_hand("functions.c::product", 1, "--json", "--points", "2")
        self.assertEqual(status, 0)
        report = json.loads(out)
        self.assertEqual(report["outcome"], "passed")
        self.assertEqual(report["function"], "double product(double a, double b)")
        self.assertEqual(len(report["verdicts"]), 10)
        for verdict in report["verdicts"]:
            self.assertTrue(verdict["passed"])
            self.assertLessEqual(verdict["error"], verdict["tolerance"])


@unittest.skipIf("--plugin" in sys.argv, "by hand")
class Questions(unittest.TestCase):
    """Questions that cannot be put: status 2 and a sentence that helps."""

    def refused(self, target: str, *arguments: str, says: str) -> None:
        status, out, err = verify(target, "--plugin", "none", *arguments)
        self.assertEqual(status, 2, out + err)
        self.assertIn(says, err)

    def test_targets(self) -> None:
        self.refused("functions.c", says="FILE::FUNCTION")
        self.refused("nowhere.c::f", says="no file")
        self.refused("functions.c::nothing", says="defines no function 'nothing'")
        self.refused("functions.cpp::energy", "--arg", "n=3", says="there is model::energy")
        self.refused("functions.cpp::model::overloaded", says="model::overloaded(double, double)")
        self.refused("functions.cpp::model::ofPair", says="parameter 'p' has the type 'Pair'")

    def test_arguments(self) -> None:
        energy = "functions.c::energy"
        self.refused(energy, says="--arg x=vector:N")
        self.refused(energy, "--arg", "x=vector:3", says="--arg n=NUMBER")
        self.refused(energy, "--arg", "x=vector:0", "--arg", "n=3", says="'0' is not a length")
        self.refused(energy, "--arg", "x=out:3", "--arg", "n=3", says="pointer to const")
        self.refused(energy, "--arg", "x=vector:3:2:1", "--arg", "n=3", says="is empty")
        self.refused(energy, "--arg", "y=3", says="no parameter 'y'")
        self.refused(energy, "--arg", "x=const:3", "--arg", "n=3", says="nothing to differentiate")
        self.refused(
            "functions.c::relax", "--arg", "u=in:3", "--arg", "n=3", "--arg", "sweeps=1", says="no active output"
        )
        self.refused(
            "functions.c::mixed",
            "--arg",
            "weight=const:4",
            "--arg",
            "index=ints:0",
            "--arg",
            "n=1",
            "--arg",
            "row=in:3",
            "--arg",
            "out=out:1",
            says="no multiple of 2",
        )

    def test_missing_gradient_is_not_a_pass(self) -> None:
        self.refused("functions.c::product", says="__enzyme_autodiff_verify")


class Generated(unittest.TestCase):
    """Gradients made by the plugin."""

    CASES = [
        ["functions.c::product"],
        ["functions.c::energy", "--arg", "x=vector:7:-2:2", "--arg", "n=7"],
        RELAX[:1] + RELAX[2:],
        MIXED[:1] + MIXED[4:],
        ["functions.c::single", "--arg", "x=vector:6", "--arg", "n=6"],
        ["functions.cpp::model::energy", "--arg", "x=vector:5", "--arg", "n=5"],
        ["functions.cpp::model::overloaded(double,double)"],
        ["functions.cpp::model::rotate"],
        ["functions.cpp::model::Spring::force"],
        ["functions.cpp::model::cube<double>"],
        ["requests.c::misfit", "--arg", "p=vector:2", "--arg", "t=const:3", "--arg", "n=3"],
        ["requests.c::step", "--arg", "x=vector:2", "--arg", "y=out:1"],
        ["requests.c::slope"],
        ["requests.cpp::chain", "--arg", "x=vector:4", "--arg", "n=4"],
    ]

    def setUp(self) -> None:
        if not PLUGIN:
            self.skipTest("no plugin")

    def check(self, level: str) -> None:
        for target, *arguments in self.CASES:
            with self.subTest(target):
                status, out, err = verify(target, "--plugin", PLUGIN, "--opt", level, *arguments)
                self.assertEqual(status, 0, out + err)

    def test_a_function_that_calls_a_derivative_says_so(self) -> None:
        status, _, err = (
            verify("requests.c::slope", "--plugin", PLUGIN, "--points", "1") if PLUGIN else (0, "", "with the plugin")
        )
        self.assertEqual(status, 0, err)
        self.assertIn("with the plugin", err)

    def test_O0(self) -> None:
        self.check("O0")

    def test_O1(self) -> None:
        self.check("O1")

    def test_O2(self) -> None:
        self.check("O2")

    def test_O3(self) -> None:
        self.check("O3")


if __name__ == "__main__":
    TOOL = sys.argv.pop(1)
    if "--plugin" in sys.argv:
        at = sys.argv.index("--plugin")
        PLUGIN = sys.argv[at + 1]
        del sys.argv[at : at + 2]
    unittest.main()
