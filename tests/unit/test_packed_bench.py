"""tools/gpu/packed: what it measures, when a row counts, and its tables."""

import argparse
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from tools.gpu.packed import bench, tables

PROGRAM = {
    "name": "lbm",
    "program": "lbm-cuda",
    "suite": "fluid",
    "kernels": ["grid", "other"],
    "check": "small",
    "usual": "large",
    "full": ["huge"],
    "sizes": [{"name": name, "values": "n=1"} for name in ("small", "large", "huge")],
}
PACK = {
    "programs": [PROGRAM],
    "toggles": {"min-cut": True, "inline": True},
    "settings": {"no-min-cut": ["-mllvm", "-retro-min-cut=0"], "counted": []},
}


def chosen(**options: bool | list[str]) -> list[str]:
    given = {"suite": [], "check": False, "full": False, "no_ablation": False, **options}
    return [cell.key for cell in bench.cells_of(PACK, argparse.Namespace(**given))]


def row(setting: str, primal: float, gradient: float | None, **more: Any) -> dict[str, Any]:
    columns = {"primal": {"median": primal}, **({"gradient": {"median": gradient}} if gradient else {})}
    return {
        "benchmark": "lbm-cuda",
        "kernel": "grid",
        "size": "large",
        "setting": setting,
        "columns": columns,
        "reason": None,
        "is_default_kernel": True,
        "is_default_size": True,
        **more,
    }


class PackedBench(unittest.TestCase):
    def test_what_is_measured(self) -> None:
        first = ["lbm-cuda.grid.large.restrict.all-on", "lbm-cuda.other.large.restrict.all-on"]
        # There is no file of device code for the setting.
        self.assertEqual(chosen(), first)
        self.assertEqual(chosen(full=True), [*first, "lbm-cuda.grid.huge.restrict.all-on"])
        self.assertEqual(chosen(check=True)[0], "lbm-cuda.grid.small.restrict.all-on")
        self.assertEqual(chosen(suite=["dg"]), [])

    def test_baselines_that_take_long_come_last(self) -> None:
        settings = {"no-preopt": [], "all-off": [], "no-min-cut": []}
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "HERE", Path(folder)):
            (Path(folder) / "code").mkdir()
            for name in settings:
                (Path(folder) / "code" / f"lbm.{name}.fatbin").touch()
            with mock.patch.dict(PACK, settings=settings):
                self.assertEqual([cell.split(".")[-1] for cell in chosen()[2:]], ["no-min-cut", "no-preopt", "all-off"])

    def test_what_has_the_same_code_is_not_measured(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "HERE", Path(folder)):
            code = Path(folder) / "code" / "lbm.no-min-cut.fatbin"
            code.parent.mkdir()
            code.touch()
            self.assertIn("lbm-cuda.grid.large.restrict.no-min-cut", chosen())
            with mock.patch.dict(PACK, same_code={"lbm": ["no-min-cut"]}):
                self.assertNotIn("lbm-cuda.grid.large.restrict.no-min-cut", chosen())

    def test_programs_of_the_tests_by_their_exit_status(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "HERE", Path(folder)):
            (Path(folder) / "tests").mkdir()
            for name, status in (("right", 0), ("wrong", 1), ("no-device", 77)):
                program = Path(folder) / "tests" / name
                program.write_text(f"#!/bin/sh\necho 3 checks\nexit {status}\n")
                program.chmod(0o755)
            found = bench.run_tests({"tests": ["right", "wrong", "no-device"]}, argparse.Namespace(timeout=60, jobs=2))
        self.assertEqual([t["outcome"] for t in found], ["passed", "failed", "not measured"])
        self.assertEqual(found[1]["reason"], "exit status 1: 3 checks")

    def test_toggles_that_were_asked_for(self) -> None:
        self.assertEqual(bench.asked_for(PACK, "all-on"), {"min-cut": True, "inline": True})
        self.assertEqual(bench.asked_for(PACK, "no-min-cut"), {"min-cut": False, "inline": True})

    def test_when_a_row_counts(self) -> None:
        good = {
            "verdicts": [{"column": "gradient", "outcome": "passed"}, {"column": "hand", "outcome": "failed"}],
            "verified": {"gradient": True},
            "toggles": "min-cut=1 inline=1",
            "columns": {"gradient": {}},
        }
        asked = bench.asked_for(PACK, "all-on")
        self.assertIsNone(bench.judged(good, asked))
        wrong = {"column": "gradient", "outcome": "failed", "size": "n=1", "check": "c", "error": 1, "tolerance": 0}
        self.assertEqual(bench.judged({**good, "verdicts": [wrong]}, asked)[0], "wrong")
        self.assertEqual(bench.judged({**good, "verified": {"gradient": False}}, asked)[0], "wrong")
        self.assertEqual(bench.judged({**good, "toggles": None}, asked)[0], "toggles")
        self.assertEqual(bench.judged(good, bench.asked_for(PACK, "no-min-cut"))[0], "toggles")
        self.assertEqual(bench.judged({**good, "columns": {}}, asked)[0], "run")

    def test_the_short_name_of_a_kernel(self) -> None:
        self.assertEqual(
            tables.short("_ZN6suites3lbm20cuda_restrict_model_12sweep_kernelIdEEvNS0_3BoxEPKhPKT_S7_PS5_"),
            "sweep_kernel",
        )
        self.assertEqual(tables.short("_Z5scalePKdPdid"), "scale")
        self.assertEqual(tables.short("plain"), "plain")

    def test_the_ablation_is_relative_to_all_on(self) -> None:
        rows = [row("all-on", 1.0, 2.0), row("no-min-cut", 1.0, 5.0), row("no-inline", 1.0, None)]
        text = tables.ablation_table(rows, ["no-min-cut", "no-inline", "no-unroll"], {"lbm": ["no-unroll"]})
        self.assertIn("| no-min-cut | 2.50 |", text)
        self.assertIn("| no-inline | not measured |", text)
        self.assertIn("| no-unroll | same |", text)
        self.assertEqual(tables.ablation_table(rows[:1], [], {}), "")

    def test_the_kernel_that_takes_longest_stands_for_a_column(self) -> None:
        kernels = [
            {"name": "a", "seconds": 1, "registers": 10, "local_bytes": 0},
            {"name": "b", "seconds": 2, "registers": 99, "local_bytes": 8},
        ]
        rows = [row("all-on", 1e-3, 2.5e-3)]
        rows[0]["columns"]["gradient"].update(kernels=kernels, tape_bytes_of_thread=16)
        self.assertIn(
            "| lbm | grid | large | 1 | 2.5 | 2.50 | 6.3 | –/99 | –/8 | 16 | verified |", tables.results_table(rows)
        )

    def test_a_kernel_and_its_gradient(self) -> None:
        def kernel(name: str, seconds: float, registers: int) -> dict[str, float | str]:
            return {"name": f"_ZN6suites{len(name)}{name}Ev", "seconds": seconds, "launches": 2, "registers": registers}

        found = row("all-on", 1, 2)
        found["columns"]["primal"]["kernels"] = [kernel("force_kernel", 0.002, 10), kernel("limits_kernel", 1, 1)]
        found["columns"]["gradient"]["kernels"] = [
            kernel("force_kernel", 0.002, 10),
            kernel("force_gradient_kernel", 0.008, 99),
        ]
        lines = tables.pairs_table([found]).splitlines()
        self.assertEqual(lines[2:], ["| lbm | large | force | 1 | 4 | 4.00 | 10/99 |"])


if __name__ == "__main__":
    unittest.main()
