"""The generator of programs: it is deterministic, finds the faults that are planted in the engine, and reduces what it finds to a test that fails."""

import argparse
import contextlib
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True

from verify.fuzz import retro_generate
from verify.fuzz.generator import reduce, tree
from verify.fuzz.generator.batch import Bench, far, source
from verify.fuzz.generator.device import Device
from verify.fuzz.generator.linked import Linked
from verify.fuzz.generator.nests import Nests
from verify.fuzz.generator.program import Program

PLUGIN = None
LEAKING = """#include "generated.h"
static void call(const double *in, double *out) { out[0] = in[0] * in[0]; }
static void reverse(const double *in, const double *w, double *g) { %sg[0] = 2 * w[0] * in[0]; }
static const struct fz_program entry = {"1", 1, 1, 1, 0, 2, 1, call, 0, reverse, 0, 0, 0};
const struct fz_program *const fz_programs[] = {&entry};
const int fz_count = 1;
"""


def generate(*arguments: str) -> tuple[int, dict[str, Any]]:
    """(exit status, what was written with --json)"""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        with contextlib.redirect_stdout(io.StringIO()):
            status = retro_generate.main(["--plugin", str(PLUGIN), "--json", str(report), *arguments])
        return status, json.loads(report.read_text())


class Programs(unittest.TestCase):
    def test_a_number_is_a_program(self) -> None:
        for cxx in (False, True):
            self.assertEqual(Program(3, 7, cxx).text("p_"), Program(3, 7, cxx).text("p_"))
            self.assertNotEqual(Program(3, 7, cxx).text("p_"), Program(4, 7, cxx).text("p_"))

    def test_they_are_defined(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(retro_generate.parse([]), Path(folder))
            for number in range(6):
                self.assertEqual(bench.sound(Program(1, number, number % 2 == 1)), "")

    def test_parallel_ones_are_defined_and_the_same_each_time(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(retro_generate.parse([]), Path(folder))
            regions = 0
            for number in range(6):
                program = Program(1, number, number % 2 == 1, True)
                text = program.text("p_")
                regions += len(re.findall("#pragma omp parallel", text))
                self.assertEqual(bench.sound(program), "")
                values = [bench.values(program) for _ in range(2)]
                self.assertFalse(far(program.single, *values), text)
            self.assertGreater(regions, 6)

    def test_nests_are_defined_and_threads_do_not_meet(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(retro_generate.parse([]), Path(folder))
            overlapping = regions = 0
            for number in range(8):
                program = Nests(1, number, number % 4 == 1, number % 4 == 2)
                self.assertEqual(bench.sound(program), "")
                text = program.text("p_")
                self.assertEqual(text, Nests(1, number, number % 4 == 1, number % 4 == 2).text("p_"))
                places = sorted(map(int, re.search(r"p_at\[\d\] = \{(.*)\}", text)[1].split(", ")))
                overlapping += any(b - a < program.length for a, b in zip(places, places[1:]))
                if program.parallel:
                    regions += text.count("#pragma omp")
                    self.assertTrue(all(b - a in (0, program.length) for a, b in zip(places, places[1:])), text)
                    # Nor do they in what is made of it to reduce it.
                    own = set(re.findall(r"#pragma omp.*?\n\}", program.tree.text(), re.DOTALL))
                    for edit in (e for e in tree.smaller_expressions(program.tree) if e[0] == "zero"):
                        self.assertEqual(
                            set(re.findall(r"#pragma omp.*?\n\}", tree.apply(program.tree, edit).text(), re.DOTALL)),
                            own,
                        )
            self.assertGreater(overlapping, 1)
            self.assertGreater(regions, 0)

    def test_forms_are_defined_and_there(self) -> None:
        marks = (
            "try {",
            "struct p_rec o",
            "p_v2d w",
            "p_Term{",
            "throw ",
            "std::swap(",
            "qsort(",
            "int64_t b",
            "__builtin_alloca(",
            "p_Guard g",
            "p_Undo g",
        )
        text = "".join(Program(1, number, number % 2 == 1, forms=True).text("p_") for number in range(120))
        for mark in marks:
            self.assertIn(mark, text)
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(retro_generate.parse([]), Path(folder))
            for number in range(6):
                self.assertEqual(bench.sound(Program(1, number, number % 2 == 1, forms=True)), "")

    def test_linked_ones_register_in_either_file(self) -> None:
        beside = apart = 0
        for number in range(20):
            program = Linked(1, number, number % 2 == 1)
            self.assertEqual(program.text("p_"), Linked(1, number, number % 2 == 1).text("p_"))
            beside += "__enzyme_register_gradient_p_own" in program.text("p_")
            apart += "__enzyme_register_gradient_p_own" in program.request_text("p_")
            self.assertNotIn("__enzyme_autodiff", program.text("p_"))
        self.assertGreater(min(beside, apart), 2)
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(retro_generate.parse([]), Path(folder))
            for number in range(2):
                self.assertEqual(bench.sound(Linked(1, number, number % 2 == 1)), "")

    def test_the_device_has_what_it_calls(self) -> None:
        text = source([Device(1, number) for number in range(8)], ("forward", "reverse", "vector"))
        self.assertEqual(text, source([Device(1, number) for number in range(8)], ("forward", "reverse", "vector")))
        # One kernel for each function that asks.
        self.assertEqual(
            len(re.findall(r"static __global__ void \w+_kernel\(", text)), len(re.findall(r"<<<1, 1>>>", text))
        )
        self.assertEqual(
            re.findall(
                r"^(?:static )?(?:NOINLINE |inline |ALWAYS_INLINE )?(?:double|float|void|struct \w+) \*?p\d+_h\d+\(",
                text,
                re.MULTILINE,
            ),
            [],
        )
        for host in ("malloc(", "std::", "memcpy(&"):
            self.assertNotIn(host, text.split("/* program", 1)[1])

    def test_memory_that_stays_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(retro_generate.parse([]), Path(folder))
            for leak, expected in (("", 0), ("free(malloc(24)); ", 0), ("(void)!malloc(24); ", 1)):
                path, output = Path(folder) / "p.c", Path(folder) / "p"
                path.write_text(LEAKING % leak)
                built = subprocess.run(
                    [
                        "clang-22",
                        "-w",
                        "-O0",
                        "-I",
                        str(bench.options.here),
                        str(path),
                        str(bench.built_harness()),
                        "-o",
                        str(output),
                        "-lm",
                    ],
                    capture_output=True,
                    text=True,
                )
                self.assertEqual(built.stderr, "")
                said = subprocess.run([str(output)], capture_output=True, text=True).stdout
                self.assertEqual(len(re.findall("WRONG 1 memory of reverse", said)) > 0, bool(expected), said)

    def test_who_returns_early_has_a_result(self) -> None:
        early = 0
        # They are rare: these programs have some.
        for seed, number in ((162, 8), (203, 15), (210, 18)):
            for body in re.findall(
                r"void \w+\([^)]*double \*r\) \{\n(.*?)\n\}\n", Program(seed, number, False).text("p_"), re.DOTALL
            ):
                if "return;" in body:
                    self.assertTrue(body.startswith("*r = a;"), body)
                    early += 1
        self.assertGreater(early, 0)

    def test_every_edit_gives_a_tree(self) -> None:
        program = Program(1, 3, False)
        before = program.tree.text()
        edits = [*tree.smaller_blocks(program.tree), *tree.smaller_expressions(program.tree)]
        self.assertGreater(len(edits), 100)
        for edit in edits[::7]:
            tree.apply(program.tree, edit)
        self.assertEqual(program.tree.text(), before)

    def test_builds_that_differ(self) -> None:
        self.assertFalse(far(False, [[1.0, 2.0]], [[1.0, 2.0 + 1e-12]]))
        self.assertTrue(far(False, [[1.0, 2.0]], [[1.0, 2.001]]))
        self.assertTrue(far(False, [[1.0, float("nan")]], [[1.0, 2.0]]))

    def test_the_points_are_those_of_the_judge(self) -> None:
        x, w, v = next(reduce.points("5", 3, True, 4, False))
        self.assertEqual((len(x), w[0], w[4]), (3, 1.0, 1.0))
        self.assertTrue(all(0.15 <= abs(a) <= 1.4 for a in x))


class Faults(unittest.TestCase):
    def setUp(self) -> None:
        if not PLUGIN:
            self.skipTest("no plugin")

    def found(self, fault: str, *arguments: str) -> list[str]:
        """How programs end where the engine has the fault: twelve, three by three, until one computes a wrong number."""
        outcomes: list[str] = []
        for first in ("0", "3", "6", "9"):
            status, report = generate(
                "--seed",
                "1",
                "--first",
                first,
                "-n",
                "3",
                "--language",
                "c",
                "--no-reduce",
                "--level",
                "O1",
                "--no-second-level",
                f"--toggle=-retro-plant={fault}",
                *arguments,
            )
            outcomes += [d["outcome"] for d in report["defects"]]
            self.assertEqual(status, 1 if report["defects"] else 0, fault)
            if "wrong" in outcomes:
                break
        return outcomes

    def test_found(self) -> None:
        for fault in ("stale-reload", "inactive-value", "missed-cache", "wrong-sign", "dropped-sum", "wrong-branch"):
            with self.subTest(fault):
                self.assertIn("wrong", self.found(fault))

    def test_found_by_arrays_that_overlap(self) -> None:
        self.assertIn("wrong", self.found("blind-ranges", "--nests", "--first", "0", "-n", "20"))

    def test_reduced(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            generate(
                "--seed",
                "1",
                "--first",
                "7",
                "-n",
                "1",
                "--language",
                "c",
                "--level",
                "O1",
                "--toggle=-retro-plant=wrong-sign",
                "--keep",
                folder,
                "--reduce-seconds",
                "20",
            )
            small = [f for f in Path(folder).glob("*.c") if ".whole." not in f.name]
            self.assertTrue(small)
            ends: tuple[tuple[list[str], int], ...] = (([], 0), (["-mllvm", "-retro-plant=wrong-sign"], 1))
            for faulty, status in ends:
                built = subprocess.run(
                    [
                        "clang-22",
                        "-w",
                        "-O1",
                        f"-fpass-plugin={PLUGIN}",
                        *faulty,
                        "-I",
                        str(ROOT / "engine/test/programs"),
                        str(small[0]),
                        "-o",
                        folder + "/a",
                        "-lm",
                    ],
                    capture_output=True,
                    text=True,
                )
                self.assertEqual((built.returncode, built.stderr), (0, ""))
                self.assertEqual(subprocess.run([folder + "/a"], capture_output=True).returncode, status)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", type=Path)
    known, rest = parser.parse_known_args()
    PLUGIN = known.plugin
    unittest.main(argv=[sys.argv[0], *rest])
