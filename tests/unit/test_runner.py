import io
import json
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

import support
from ablation import manifest, matrix, runner

COMPILER = Path(__file__).with_name("fake_compiler.py")


class Runner(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "suites").mkdir()
        for name in ("plugin.so", "cube.cpp", "cube"):
            (self.folder / name).write_text(name)
        self.rows = self.folder / "rows"

    def benchmarks(self, *definitions):
        data = {
            "suite": "TEST DATA",
            "name": "cube",
            "executable": str(self.folder / "cube"),
            "compiler": str(COMPILER),
            "plugin": str(self.folder / "plugin.so"),
            "sources": [{"path": str(self.folder / "cube.cpp"), "role": "gradient"}],
            "include_dirs": [],
            "flags": ["-O2"],
            "definitions": list(definitions),
            "variants": [{"name": "restrict", "definitions": ["-DRESTRICT=1"]}],
            "kernels": ["default"],
            "sizes": [{"name": "small"}, {"name": "big"}],
            "default_size": "small",
            "scaling_sizes": [],
            "test_sizes": [],
            "link": {"driver_objects": [], "kernel_objects": [], "libraries": [], "flags": []},
        }
        (self.folder / "suites" / "cube.json").write_text(json.dumps(data))
        return manifest.read_all(self.folder)

    def run_study(self, *definitions, timeout=20, sizes=("default",), repetitions=3, **options):
        cells = matrix.cells(self.benchmarks(*definitions), support.TOGGLES, sizes, ["restrict"])
        settings = runner.Options(
            repetitions=repetitions, timeout=timeout, jobs=2, compile_repetitions=2, **options
        )
        failed = runner.run(cells, self.rows, self.folder, settings, out=io.StringIO())
        return failed, {f.stem: json.loads(f.read_text()) for f in self.rows.glob("*.json")}

    def test_one_row_a_cell_with_its_toggles_and_conditions(self):
        failed, rows = self.run_study(sizes=("all",))
        self.assertEqual(failed, 0)
        self.assertEqual(len(rows), 4 * 2)
        row = rows["cube.default.big.restrict.no-first"]
        self.assertEqual((row["status"], row["toggles"], row["size"]), ("ok", "first=0 second=1", "big"))
        self.assertEqual(len(row["columns"]["gradient"]["runs"]), 3)
        self.assertIn("-fpass-plugin=", row["commands"][0])
        for key in ("machine", "commit", "date", "compiler"):
            self.assertIn(key, row)

    def test_compile_times_of_all_on_with_and_without_the_plugin(self):
        _, rows = self.run_study()
        times = rows["cube.default.small.restrict.all-on"]["compile"]
        self.assertEqual((times["with_plugin"]["count"], times["without_plugin"]["count"]), (2, 2))
        self.assertGreater(times["with_plugin"]["median"], 0)
        self.assertIsNone(rows["cube.default.small.restrict.all-off"]["compile"]["without_plugin"])

    def test_tape_is_counted_in_a_program_of_its_own(self):
        _, rows = self.run_study()
        with_stats = rows["cube.default.small.restrict.all-on"]["columns"]["gradient"]
        self.assertEqual((with_stats["tape_bytes"], len(with_stats["runs"])), (1536, 3))
        self.assertIsNone(rows["cube.default.small.restrict.all-off"]["columns"]["gradient"]["tape_bytes"])
        _, rows = self.run_study(again=True, tape_of_all=True)
        self.assertEqual(
            rows["cube.default.small.restrict.all-off"]["columns"]["gradient"]["tape_bytes"], 1536
        )

    def test_quick_takes_fewer_rounds_where_a_toggle_is_off(self):
        off, on = matrix.settings(support.TOGGLES)[1], matrix.settings(support.TOGGLES)[0]
        quick = runner.Options(repetitions=15, quick=True)
        self.assertEqual(quick.arguments(on), ["--repetitions", "15"])
        self.assertEqual(quick.arguments(off), ["--repetitions", "7", "--no-memory"])
        self.assertEqual(quick.arguments(on, hurry=True), ["--repetitions", "3"])
        self.assertEqual(runner.Options().arguments(off), ["--repetitions", "7"])

    def test_past_the_deadline_every_cell_is_measured_in_fewer_rounds(self):
        with unittest.mock.patch("sys.stderr", new=io.StringIO()) as said:
            failed, rows = self.run_study(deadline=time.monotonic(), repetitions=5)
        self.assertEqual((failed, len(rows)), (0, 4))
        self.assertEqual({len(r["columns"]["gradient"]["runs"]) for r in rows.values()}, {3})
        self.assertIn("4 of 4 cells were timed in 3 rounds", said.getvalue())
        _, rows = self.run_study(deadline=time.monotonic() + 3600, repetitions=5, again=True)
        self.assertEqual({len(r["columns"]["gradient"]["runs"]) for r in rows.values()}, {5})

    def test_no_counter_in_a_counting_program_is_no_tape(self):
        _, rows = self.run_study("NO_TAPE")
        timed = rows["cube.default.small.restrict.all-on"]["columns"]["gradient"]
        self.assertEqual(timed["tape_bytes"], 0)

    def test_goes_on_where_it_stopped(self):
        self.run_study()
        kept = self.rows / "cube.default.small.restrict.all-on.json"
        lost = self.rows / "cube.default.small.restrict.all-off.json"
        lost.unlink()
        before = kept.stat().st_mtime_ns
        self.run_study()
        self.assertEqual(kept.stat().st_mtime_ns, before)
        self.assertTrue(lost.exists())
        self.run_study(again=True)
        self.assertNotEqual(kept.stat().st_mtime_ns, before)

    def test_another_plugin_makes_rows_out_of_date(self):
        self.run_study()
        path = self.rows / "cube.default.small.restrict.all-on.json"
        old = json.loads(path.read_text())["identity"]
        (self.folder / "plugin.so").write_text("changed")
        self.run_study()
        self.assertNotEqual(json.loads(path.read_text())["identity"], old)

    def test_failed_compilation_states_the_diagnostic(self):
        failed, rows = self.run_study("BREAK")
        self.assertEqual(failed, 4)
        reason = rows["cube.default.small.restrict.all-on"]["reason"]
        self.assertIn("cube.cpp:1:2: error: cannot differentiate this", reason)

    def test_wrong_gradient_is_a_failed_cell_without_a_time(self):
        failed, rows = self.run_study("WRONG")
        self.assertEqual(failed, 4)
        row = rows["cube.default.small.restrict.all-on"]
        self.assertIn("gradient is wrong at tiny", row["reason"])
        self.assertNotIn("gradient", row["columns"])

    def test_toggles_that_did_not_apply_are_a_failure(self):
        # The definition reads like one more applied toggle.
        failed, rows = self.run_study("X\n-retro-third=1")
        self.assertEqual(failed, 4)
        self.assertIn("applied", rows["cube.default.small.restrict.all-on"]["reason"])

    def test_a_cell_that_hangs_is_ended(self):
        start = time.monotonic()
        failed, rows = self.run_study("HANG", timeout=0.5)
        self.assertEqual(failed, 4)
        self.assertIn("ran past 0.5 s", rows["cube.default.small.restrict.all-on"]["reason"])
        self.assertLess(time.monotonic() - start, 30)

    def test_a_file_that_is_no_manifest_is_named(self):
        (self.folder / "suites" / "broken.json").write_text("{}")
        with self.assertRaisesRegex(ValueError, "broken.json"):
            manifest.read_all(self.folder)


if __name__ == "__main__":
    unittest.main()
