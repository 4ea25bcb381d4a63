import errno
import io
import json
import os
import signal
import subprocess
import time
import unittest
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ablation import intervals, manifest, matrix, runner, storage

from . import support


class Runner(support.FakeBenchmarks):
    def run_study(
        self,
        *definitions: str,
        timeout: float = 20,
        sizes: tuple[str] = ("default",),
        repetitions: int = 3,
        **options: Any,
    ) -> tuple[int, dict[str, dict[str, Any]]]:
        cells = matrix.cells(self.benchmarks(*definitions), support.TOGGLES, sizes, ["restrict"])
        settings = runner.Options(repetitions=repetitions, timeout=timeout, jobs=2, compile_repetitions=2, **options)
        failed = runner.run(cells, self.rows, self.folder, settings, out=io.StringIO())
        return failed, {f.stem: json.loads(f.read_text()) for f in self.rows.glob("*.json")}

    def run_on_full_disk(self, at: int, **options: Any) -> tuple[int, dict[str, dict[str, Any]], io.StringIO, int]:
        """A study whose disk has no space for the row that is written as number `at`: (failed, rows, what was said, writes)."""
        write, calls = storage.write, []

        def full(path: Path, text: str) -> None:
            if path.parent == self.rows:
                calls.append(path)
                if len(calls) == at:
                    raise OSError(errno.ENOSPC, "No space left on device")
            write(path, text)

        with unittest.mock.patch.object(storage, "write", full), unittest.mock.patch(
            "sys.stderr", new=io.StringIO()
        ) as said:
            return *self.run_study(**options), said, len(calls)

    def test_one_row_a_cell_with_its_toggles_and_conditions(self) -> None:
        failed, rows = self.run_study(sizes=("all",))
        self.assertEqual(failed, 0)
        self.assertEqual(len(rows), 4 * 2)
        row = rows["cube.default.big.restrict.no-first"]
        self.assertEqual((row["status"], row["toggles"], row["size"]), ("ok", "first=0 second=1", "big"))
        self.assertEqual(len(row["columns"]["gradient"]["runs"]), 3)
        self.assertIn("-fpass-plugin=", row["commands"][0])
        for key in ("machine", "commit", "date", "compiler"):
            self.assertIn(key, row)

    def test_a_variant_is_compiled_where_a_cell_asks_for_it(self) -> None:
        benchmarks = self.benchmarks()
        cells = matrix.cells(benchmarks, support.TOGGLES, ["default"], ["restrict"])
        cells += matrix.cells(benchmarks, support.TOGGLES, ["default"], ["plain"], only_on=True)
        settings = runner.Options(repetitions=3, timeout=20, jobs=2, compile_repetitions=2)
        self.assertEqual(runner.run(cells, self.rows, self.folder, settings, out=io.StringIO()), 0)
        found = {f.stem: json.loads(f.read_text()) for f in self.rows.glob("*.json")}
        self.assertEqual(len(found), 4 + 1)
        self.assertTrue(any("-DRESTRICT=0" in c for c in found["cube.default.small.plain.all-on"]["commands"]))
        self.assertFalse(any("-DRESTRICT=0" in c for c in found["cube.default.small.restrict.no-first"]["commands"]))

    def test_compile_times_of_all_on_with_and_without_the_plugin(self) -> None:
        _, rows = self.run_study()
        times = rows["cube.default.small.restrict.all-on"]["compile"]
        self.assertEqual((times["with_plugin"]["count"], times["without_plugin"]["count"]), (2, 2))
        self.assertGreater(times["with_plugin"]["median"], 0)
        self.assertIsNone(rows["cube.default.small.restrict.all-off"]["compile"]["without_plugin"])

    def test_tape_is_counted_in_a_program_of_its_own(self) -> None:
        _, rows = self.run_study()
        with_stats = rows["cube.default.small.restrict.all-on"]["columns"]["gradient"]
        self.assertEqual((with_stats["tape_bytes"], len(with_stats["runs"])), (1536, 3))
        self.assertIsNone(rows["cube.default.small.restrict.all-off"]["columns"]["gradient"]["tape_bytes"])
        _, rows = self.run_study(again=True, tape_of_all=True)
        self.assertEqual(rows["cube.default.small.restrict.all-off"]["columns"]["gradient"]["tape_bytes"], 1536)

    def test_quick_takes_fewer_rounds_where_a_toggle_is_off(self) -> None:
        off, on = matrix.settings(support.TOGGLES)[1], matrix.settings(support.TOGGLES)[0]
        quick = runner.Options(repetitions=15, quick=True)
        self.assertEqual(quick.arguments(on), ["--repetitions", "15"])
        self.assertEqual(quick.arguments(off), ["--repetitions", "7", "--no-memory"])
        self.assertEqual(quick.arguments(on, hurry=True), ["--repetitions", "3"])
        self.assertEqual(runner.Options().arguments(off), ["--repetitions", "7"])

    def test_past_the_deadline_every_cell_is_measured_in_fewer_rounds(self) -> None:
        with unittest.mock.patch("sys.stderr", new=io.StringIO()) as said:
            failed, rows = self.run_study(deadline=time.monotonic(), repetitions=5)
        self.assertEqual((failed, len(rows)), (0, 4))
        self.assertEqual({len(r["columns"]["gradient"]["runs"]) for r in rows.values()}, {3})
        self.assertIn("4 of 4 cells were timed in 3 rounds", said.getvalue())
        _, rows = self.run_study(deadline=time.monotonic() + 3600, repetitions=5, again=True)
        self.assertEqual({len(r["columns"]["gradient"]["runs"]) for r in rows.values()}, {5})

    def test_launches_share_the_rounds_and_the_interval_spans_them(self) -> None:
        failed, rows = self.run_study("DRIFT", repetitions=7, launches=3)
        self.assertEqual(failed, 0)
        row = rows["cube.default.small.restrict.all-on"]
        self.assertEqual(row["launches"], [3, 3, 3])
        self.assertEqual(row["columns"]["gradient"]["runs"], [1.0] * 3 + [2.0] * 6)
        self.assertEqual((row["columns"]["gradient"]["median"], row["overhead"]["gradient"]), (2.0, 2.0))
        self.assertEqual(row["verified"], {"primal": True, "gradient": True})
        found = intervals.overhead(row)
        self.assertEqual((found.value, found.low, found.high), (2.0, 1.0, 2.0))

    def test_a_row_with_too_few_launches_is_launched_again(self) -> None:
        self.run_study("DRIFT", launches=2, repetitions=4)
        path = self.rows / "cube.default.small.restrict.all-on.json"
        before = json.loads(path.read_text())
        _, rows = self.run_study("DRIFT", launches=3, repetitions=4)
        after = rows[path.stem]
        self.assertEqual((before["launches"], after["launches"], after["date"]), ([2, 2], [2, 2, 2], before["date"]))
        kept = path.stat().st_mtime_ns
        self.run_study("DRIFT", launches=3, repetitions=4)
        self.assertEqual(path.stat().st_mtime_ns, kept)

    def test_a_later_launch_that_crashes_is_a_failed_cell(self) -> None:
        failed, rows = self.run_study("LATER", launches=2)
        row = rows["cube.default.small.restrict.all-on"]
        self.assertEqual((failed, row["failure"], row["digest"]), (4, "crashed", None))
        self.assertNotIn("gradient", row["columns"])

    def test_past_the_deadline_nothing_is_launched_again(self) -> None:
        with unittest.mock.patch("sys.stderr", new=io.StringIO()) as said:
            failed, rows = self.run_study(deadline=time.monotonic(), launches=4)
        self.assertEqual((failed, {len(r["columns"]["gradient"]["runs"]) for r in rows.values()}), (0, {3}))
        self.assertIn("not all cells were launched as often as asked for", said.getvalue())

    def test_a_disk_that_fills_while_launching_again_keeps_the_rows(self) -> None:
        failed, rows, said, writes = self.run_on_full_disk(6, launches=3)
        self.assertEqual((failed, writes), (3, 6))
        self.assertIn("the disk is full: not all cells were launched as often as asked for", said.getvalue())
        self.assertEqual({r["status"] for r in rows.values()}, {"ok"})
        self.assertEqual(sorted(len(r.get("launches") or [3]) for r in rows.values()), [1, 1, 1, 2])
        failed, rows = self.run_study(launches=3)
        self.assertEqual((failed, {tuple(r["launches"]) for r in rows.values()}), (0, {(1, 1, 1)}))

    def test_no_counter_in_a_counting_program_is_no_tape(self) -> None:
        _, rows = self.run_study("NO_TAPE")
        timed = rows["cube.default.small.restrict.all-on"]["columns"]["gradient"]
        self.assertEqual(timed["tape_bytes"], 0)

    def test_goes_on_where_it_stopped(self) -> None:
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

    def test_another_plugin_makes_rows_out_of_date(self) -> None:
        self.run_study()
        path = self.rows / "cube.default.small.restrict.all-on.json"
        old = json.loads(path.read_text())["identity"]
        (self.folder / "plugin.so").write_text("changed")
        self.run_study()
        self.assertNotEqual(json.loads(path.read_text())["identity"], old)

    def test_failed_compilation_states_the_diagnostic(self) -> None:
        failed, rows = self.run_study("BREAK")
        self.assertEqual(failed, 4)
        reason = rows["cube.default.small.restrict.all-on"]["reason"]
        self.assertIn("cube.cpp:1:2: error: cannot differentiate this", reason)

    def test_wrong_gradient_is_a_failed_cell_without_a_time(self) -> None:
        failed, rows = self.run_study("WRONG")
        self.assertEqual(failed, 4)
        row = rows["cube.default.small.restrict.all-on"]
        self.assertIn("gradient is wrong at tiny", row["reason"])
        self.assertNotIn("gradient", row["columns"])

    def test_each_kind_of_failure_has_its_name(self) -> None:
        kinds = {
            "BREAK": "did not compile",
            "FULL": "disk full",
            "MEMORY": "out of memory",
            "CRASH": "crashed",
            "WRONG": "wrong gradient",
        }
        for macro, kind in kinds.items():
            failed, rows = self.run_study(macro)
            row = rows["cube.default.small.restrict.all-on"]
            self.assertEqual((failed, row["failure"], row["digest"]), (4, kind, None), row["reason"])

    def test_a_compiler_that_is_missing_is_said_to_be(self) -> None:
        benchmarks = self.benchmarks()
        benchmarks[0].data["compiler"] = str(self.folder / "no-such-clang++")
        cells = matrix.cells(benchmarks, support.TOGGLES, ["default"], ["restrict"])
        failed = runner.run(cells, self.rows, self.folder, runner.Options(timeout=9), out=io.StringIO())
        row = json.loads((self.rows / "cube.default.small.restrict.all-on.json").read_text())
        self.assertEqual((failed, row["failure"]), (4, "missing compiler"))
        self.assertIn("no-such-clang++", row["reason"])

    def test_a_verified_cell_keeps_digest_and_counters(self) -> None:
        _, rows = self.run_study()
        row = rows["cube.default.small.restrict.all-on"]
        self.assertEqual(row["digest"], "00000000deadbeef")
        self.assertEqual(row["counters"], {"first": 3, "second": 0})

    def test_a_full_disk_is_a_row_and_the_end_and_the_next_run_goes_on(self) -> None:
        failed, rows, said, _ = self.run_on_full_disk(2)
        self.assertEqual((failed, len(rows)), (3, 2))
        self.assertIn("the disk is full: 2 cells were not measured", said.getvalue())
        self.assertEqual([r["failure"] for r in rows.values() if r["status"] != "ok"], ["disk full"])
        self.assertNotIn("gradient", next(r for r in rows.values() if r["failure"])["columns"])
        failed, rows = self.run_study()
        self.assertEqual((failed, {r["status"] for r in rows.values()}, len(rows)), (0, {"ok"}, 4))

    def test_a_disk_that_is_really_full(self) -> None:
        """A file system of half a megabyte, in a mount namespace of its own."""
        disk = self.folder / "disk"
        disk.mkdir()
        script = f"""
import errno, sys
from pathlib import Path
from ablation import storage
disk = Path({str(disk)!r})
with storage.Reserve(disk) as reserve:
    for n in range(1000):
        try:
            storage.write(disk / f"{{n}}.json", "x" * 20000)
        except OSError as error:
            assert error.errno == errno.ENOSPC, error
            break
    assert not (disk / f"{{n}}.json").exists()
    reserve.release()
    storage.write(disk / "last.json", "why")
print(n, len(list(disk.iterdir())))
"""
        command = ["unshare", "-Urm", "sh", "-c"]
        mount = f'mount -t tmpfs -o size=512k none {disk} || exit 77; exec /usr/bin/python3 -B -c "$SCRIPT"'
        environment = {**os.environ, "SCRIPT": script, "PYTHONPATH": str(support.ROOT)}
        ran = subprocess.run([*command, mount], env=environment, capture_output=True, text=True)
        if "Operation not permitted" in ran.stderr or ran.returncode == 77:
            self.skipTest("no file system can be mounted here")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        count, files = map(int, ran.stdout.split())
        self.assertGreater(count, 5)
        self.assertEqual(files, count + 1)

    def kill_study(
        self, launches: int, enough: Callable[[dict[str, Any]], bool]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Kill a study of 8 cells as soon as enough(rows), and let it run again: (rows left by the first, rows in the end)."""
        script = self.folder / "study.py"
        script.write_text(
            f"""
import io, sys
from pathlib import Path
from ablation import manifest, matrix, runner, storage
from tests.unit import support
folder = Path({str(self.folder)!r})
cells = matrix.cells(manifest.read_all(folder), support.TOGGLES, ["all"], ["restrict"])
options = runner.Options(repetitions=3, timeout=20, compile_repetitions=1, launches={launches})
sys.exit(runner.run(cells, folder / "rows", folder, options, out=io.StringIO()))
"""
        )

        def rows() -> dict[str, Any]:
            return {f.name: json.loads(f.read_text()) for f in self.rows.glob("*.json")}

        self.benchmarks("SLOW")
        environment = {**os.environ, "PYTHONPATH": str(support.ROOT)}
        process = subprocess.Popen(["/usr/bin/python3", "-B", str(script)], env=environment)
        end = time.monotonic() + 60
        while not enough(rows()) and time.monotonic() < end:
            time.sleep(0.01)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL)
        first = rows()
        self.assertEqual({row["status"] for row in first.values()}, {"ok"})
        subprocess.run(["/usr/bin/python3", "-B", str(script)], check=True, env=environment)
        self.assertEqual([f.name for f in self.rows.iterdir() if f.suffix != ".json"], [])
        return first, rows()

    def test_a_killed_study_goes_on_to_the_same_rows(self) -> None:
        first, rows = self.kill_study(1, lambda rows: len(rows) >= 3)
        self.assertIn(len(first), range(3, 8))
        self.assertEqual(len(rows), 8)
        self.assertEqual({name: rows[name] for name in first}, first)

    def test_a_study_killed_while_launching_again_goes_on_with_what_lacks(self) -> None:
        first, rows = self.kill_study(2, lambda rows: sum(bool(row.get("launches")) for row in rows.values()) >= 3)
        begun = {name for name, row in first.items() if row.get("launches")}
        self.assertIn(len(begun), range(3, 8))
        self.assertEqual((len(first), {tuple(row["launches"]) for row in rows.values()}), (8, {(2, 2)}))
        self.assertEqual({name: rows[name] for name in begun}, {name: first[name] for name in begun})
        for name, row in first.items():
            runs = row["columns"]["gradient"]["runs"]
            self.assertEqual(rows[name]["columns"]["gradient"]["runs"][: len(runs)], runs)

    def test_toggles_that_did_not_apply_are_a_failure(self) -> None:
        # The definition reads like one more applied toggle.
        failed, rows = self.run_study("X\n-retro-third=1")
        self.assertEqual(failed, 4)
        self.assertIn("applied", rows["cube.default.small.restrict.all-on"]["reason"])

    def test_a_cell_that_hangs_is_ended(self) -> None:
        start = time.monotonic()
        failed, rows = self.run_study("HANG", timeout=0.5)
        self.assertEqual(failed, 4)
        self.assertIn("ran past 0.5 s", rows["cube.default.small.restrict.all-on"]["reason"])
        self.assertLess(time.monotonic() - start, 30)

    def test_a_file_that_is_no_manifest_is_named(self) -> None:
        (self.folder / "suites" / "broken.json").write_text("{}")
        with self.assertRaisesRegex(ValueError, "broken.json"):
            manifest.read_all(self.folder)


if __name__ == "__main__":
    unittest.main()
