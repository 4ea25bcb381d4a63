"""Engines with a fault are caught: `retro verify --prove` refutes what they make, at inputs where it shows when it is run.

    faults_test.py --tool PROGRAM"""

import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

KERNELS = Path(__file__).resolve().parent / "kernels" / "small.c"
TOOL = None


def prove(target: str, arguments: Sequence[str] = (), options: Sequence[str] = ()) -> tuple[int, Any]:
    command = [TOOL, target, "--prove", "--json", *(part for a in arguments for part in ("--arg", a)), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


class Faults(unittest.TestCase):
    def refuted(self, fault: str, function: str, *arguments: str) -> None:
        target = f"{KERNELS}::{function}"
        status, report = prove(target, arguments)
        self.assertEqual((status, report["outcome"]), (0, "proved"), report)
        status, report = prove(target, arguments, [f"--option=-retro-plant={fault}"])
        self.assertEqual((status, report["outcome"]), (1, "refuted"), report)
        run = report["run"]
        # What the compiled gradient gives there is what was predicted, and is wrong.
        self.assertAlmostEqual(
            run["claimed"], report["counterexample"]["claimed"], delta=1e-9 * (1 + abs(run["claimed"]))
        )
        self.assertAlmostEqual(
            run["differences"], report["counterexample"]["right"], delta=1e-6 * (1 + abs(run["differences"]))
        )
        self.assertGreater(abs(run["claimed"] - run["differences"]), 1e-7 * (1 + abs(run["differences"])))

    def test_wrong_sign(self) -> None:
        self.refuted("wrong-sign", "product")

    def test_missed_cache(self) -> None:
        self.refuted("missed-cache", "recurrence", "x=vector:3", "n=3")

    def test_stale_recompute(self) -> None:
        self.refuted("stale-reload", "in_place", "x=vector:4", "n=4")

    def test_dropped_accumulation(self) -> None:
        self.refuted("dropped-sum", "root")

    def test_wrong_branch(self) -> None:
        self.refuted("wrong-branch", "branching", "x=vector:3", "n=3")

    def test_inactive(self) -> None:
        self.refuted("inactive-value", "root")


class Answers(unittest.TestCase):
    def source(self, text: str) -> tuple[Path, Path]:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "f.c"
        path.write_text(text)
        return path, Path(folder.name)

    def test_what_cannot_be_followed_is_not_known(self) -> None:
        path, _ = self.source("#include <math.h>\ndouble f(double x) { return tgamma(x); }\n")
        status, report = prove(f"{path}::f")
        self.assertEqual((status, report["outcome"]), (3, "unknown"))
        self.assertIn("not supported: a call of 'tgamma'", report["reasons"])

    def test_nothing_is_proved_of_no_inputs(self) -> None:
        path, _ = self.source("#include <math.h>\ndouble f(double x) { return sqrt(-1 - x * x) * x; }\n")
        status, report = prove(f"{path}::f")
        self.assertEqual((status, report["outcome"], report["proved"]), (3, "unknown", 0), report)
        self.assertIn("on one way through it, the function is differentiable nowhere", report["reasons"])

    def test_a_bound_is_told(self) -> None:
        path, _ = self.source("double f(double x) { while (x < 1000) x += x; return x; }\n")
        status, report = prove(f"{path}::f", options=["--seconds=2"])
        self.assertGreater(report["cut"], 0)
        self.assertNotEqual(report["outcome"], "refuted")

    def test_questions_are_written(self) -> None:
        path, folder = self.source("double f(double x) { return 1 / (1 + x * x); }\n")
        status, report = prove(f"{path}::f", options=[f"--smt2={folder}"])
        self.assertEqual(status, 0, report)
        questions = list(folder.glob("*-g0.smt2"))
        self.assertEqual(len(questions), 1)
        self.assertIn("(check-sat)", questions[0].read_text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    known, rest = parser.parse_known_args()
    TOOL = known.tool
    unittest.main(argv=[sys.argv[0], *rest])
