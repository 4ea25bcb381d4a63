import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from ablation.scaling import jobs, measure, places, points, report, rows, series

from . import support

FAKE = Path(__file__).with_name("fake_ranks.py")


def study(
    model: str = "mpi",
    mode: str = "strong",
    ranks: tuple[int, ...] = (1, 8),
    threads: tuple[int, ...] = (1,),
    size: dict[str, int] | None = None,
    repetitions: int = 2,
    suite: str = "lulesh",
) -> list[points.Point]:
    return points.points(
        suite, model, mode, list(ranks), list(threads), {"s": 48} if size is None else size, repetitions
    )


class Points(unittest.TestCase):
    def test_strong_divides_and_weak_keeps_the_cube_of_a_rank(self) -> None:
        self.assertEqual([dict(p.size)["s"] for p in study(ranks=(1, 8, 27, 64), size={})], [192, 96, 64, 48])
        weak = study(mode="weak", ranks=(1, 8), size={})
        self.assertEqual([(dict(p.size)["s"], p.work) for p in weak], [(96, 96**3), (96, 8 * 96**3)])
        openmp = study("openmp", "weak", (1,), (1, 8, 27, 64), {})
        self.assertEqual([dict(p.size)["s"] for p in openmp], [24, 48, 72, 96])

    def test_weak_grows_the_work_of_a_benchmark(self) -> None:
        found = study("openmp", "weak", (1,), (1, 4), {"poses": 100}, suite="minibude")
        self.assertEqual([dict(p.size)["poses"] for p in found], [100, 400])
        self.assertIn("poses=400,group=16", found[1].arguments)

    def test_studies_without_a_meaning_are_refused(self) -> None:
        cases: dict[str, dict[str, Any]] = {
            "cube": {"ranks": (2,)},
            "cannot be divided": {"ranks": (27,), "size": {"s": 50}},
            "has no edge": {"size": {"edge": 3}},
            "openmp runs on one rank": {"model": "openmp"},
            "one thread a rank": {"threads": (2,)},
            "has the models": {"suite": "minibude"},
        }
        for message, how in cases.items():
            with self.assertRaisesRegex(points.BadStudy, message):
                study(**how)
        for text in ("", "0", "1,1", "x"):
            self.assertRaises(points.BadStudy, points.numbers, text)


class Places(unittest.TestCase):
    def test_pinning_follows_the_cores(self) -> None:
        (point,) = study("hybrid", ranks=(8,), threads=(2,))
        with mock.patch.object(places, "is_hydra", return_value=False):
            enough, few = places.Place("local", 16), places.Place("local", 15)
            self.assertIn("slot:PE=2", enough.command(point))
            self.assertEqual(enough.environment(point)["OMP_PLACES"], "cores")
            self.assertTrue(few.oversubscribed(point))
            self.assertEqual(few.command(point)[-3:], ["--oversubscribe", "--bind-to", "none"])
            self.assertNotIn("OMP_PLACES", few.environment(point))
        with mock.patch.object(places, "is_hydra", return_value=True):
            self.assertEqual(enough.command(point), ["mpirun", "-n", "8", "-bind-to", "core:2"])
        self.assertEqual(
            places.Place("slurm", 16).command(point),
            ["srun", "--ntasks=8", "--cpus-per-task=2", "--cpu-bind=cores"],
        )

    def test_hostfiles_of_both_libraries(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "hosts"
            path.write_text("a slots=16  # first\nb:8\n\nc\nc\n")
            self.assertEqual(places.read_hostfile(path), (26, 3))
            with mock.patch.object(places, "is_hydra", return_value=False):
                command = places.hosts(path).command(study(ranks=(8,))[0])
            self.assertEqual(command[:5], ["mpirun", "-n", "8", "--hostfile", str(path.resolve())])

    def test_allocations(self) -> None:
        env = {"SLURM_JOB_CPUS_PER_NODE": "16(x2),8", "SLURM_JOB_NUM_NODES": "3"}
        self.assertEqual(places.allocation("slurm", env), places.Place("slurm", 40, 3))
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "nodes"
            path.write_text("a\na\nb\nb\n")
            found = places.allocation("pbs", {"PBS_NODEFILE": str(path), "NCPUS": "32"})
            self.assertEqual((found.cores, found.nodes), (64, 2))
        self.assertRaises(ValueError, places.allocation, "pbs", {})


class Jobs(unittest.TestCase):
    def script(self, kind: str) -> str:
        (point,) = study("hybrid", ranks=(27,), threads=(4,))
        return jobs.script(
            kind, point, "/tree", ["./retro", "scale"], 32, 1.5, "/log", ["--partition=p"], ["module load mpi"]
        )

    def test_slurm(self) -> None:
        text = self.script("slurm")
        # 32 cores hold 8 ranks of 4 threads.
        for line in ("--nodes=4", "--ntasks=27", "--ntasks-per-node=8", "--cpus-per-task=4", "--time=01:30:00"):
            self.assertIn(f"#SBATCH {line}\n", text)
        self.assertIn("#SBATCH --partition=p\nmodule load mpi\ncd /tree\nexec ./retro scale\n", text)

    def test_pbs(self) -> None:
        self.assertIn("#PBS -l select=4:ncpus=32:mpiprocs=8:ompthreads=4\n", self.script("pbs"))

    def test_a_job_that_waits_is_not_submitted_again(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for name, text in {"sbatch": "echo 17", "squeue": f"cat {folder}/queue"}.items():
                (folder / name).write_text(f"#!/bin/sh\n{text}\n")
                (folder / name).chmod(0o755)
            (folder / "queue").write_text("17 waits\n")
            with mock.patch.dict(os.environ, {"PATH": f"{folder}:{os.environ['PATH']}"}):
                self.assertEqual(jobs.submit("slurm", folder / "a.sh"), ("17", True))
                self.assertEqual(jobs.submit("slurm", folder / "a.sh"), ("17", False))
                (folder / "queue").write_text("")
                self.assertEqual(jobs.submit("slurm", folder / "a.sh"), ("17", True))


class Fake(unittest.TestCase):
    """Runs with an invented program and an invented mpirun."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.rows = self.folder / "results" / "here" / "scaling" / "rows"
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        for name in ("lulesh-mpi", "lulesh-mpi-counted", "mpirun"):
            shutil.copy(FAKE, self.programs / name)
            (self.programs / name).chmod(0o755)
        self.starter = f"{self.programs}/mpirun -n {{ranks}}"
        patch = mock.patch.dict(os.environ, {"FAKE_FOLDER": str(self.folder)})
        patch.start()
        self.addCleanup(patch.stop)

    def place(self, cores: int = 64) -> places.Place:
        return places.Place("local", cores, starter=self.starter)

    def run_study(self, found: list[points.Point] | None = None, cores: int = 64, launches: int = 2) -> int:
        options = measure.Options(self.programs, {}, launches, 60)
        return measure.run(found or study(), self.place(cores), self.rows, options, io.StringIO())

    def log(self) -> list[list[Any]]:
        return [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]

    def contents(self) -> dict[str, bytes]:
        return {f.name: f.read_bytes() for f in self.rows.glob("*.json")}


class Study(Fake):
    def test_each_point_is_checked_counted_and_timed_in_turn(self) -> None:
        self.assertEqual(self.run_study(), 0)
        kinds = [(r["kind"], r["ranks"]) for r in rows.read(self.rows)]
        self.assertEqual(sorted(kinds), sorted([(k, n) for k in ("check", "counts", "times", "times") for n in (1, 8)]))
        launched = [(ranks, "--verify" in words) for ranks, _, words, _ in self.log()]
        self.assertEqual(launched, [(1, True), (8, True), *[(1, False), (8, False)] * 3])
        (found,) = series.collect(rows.read(self.rows))
        small, large = found.points
        self.assertEqual((small.median("primal"), large.median("gradient")), (8.0, 3.0))
        self.assertEqual(len(large.times["gradient"]), 4)
        self.assertEqual(large.overhead(), 3)
        self.assertEqual((found.speedup(large, "gradient"), found.efficiency(large, "primal")), (8, 1))
        self.assertEqual(large.counts["gradient"]["messages"], 96)
        self.assertEqual(large.counts["gradient"]["tape_bytes"], 4096)

    def test_a_complete_study_runs_nothing_again(self) -> None:
        self.run_study()
        before, launches = self.contents(), len(self.log())
        self.assertEqual(self.run_study(), 0)
        self.assertEqual((self.contents(), len(self.log())), (before, launches))

    def test_a_program_built_anew_is_a_new_series(self) -> None:
        self.run_study()
        before = self.contents()
        with (self.programs / "lulesh-mpi").open("a") as out:
            out.write("# other\n")
        self.run_study()
        after = self.contents()
        self.assertEqual(len(after), 2 * len(before))
        self.assertLessEqual(before.items(), after.items())
        (found,) = series.collect(rows.read(self.rows))
        self.assertEqual(len(found.points[0].times["primal"]), 4)

    def test_a_wrong_gradient_is_not_timed(self) -> None:
        (self.folder / "wrong").touch()
        self.assertEqual(self.run_study(), 8)
        self.assertEqual({r["status"] for r in rows.read(self.rows)}, {"failed"})
        self.assertEqual(len(self.log()), 2)
        (found,) = series.collect(rows.read(self.rows))
        self.assertIn("exit status 1", report.table(found))
        (self.folder / "wrong").unlink()
        self.assertEqual(self.run_study(), 0)

    def test_weak_efficiency_counts_the_work_done(self) -> None:
        self.run_study(study(mode="weak", ranks=(1, 8)))
        (found,) = series.collect(rows.read(self.rows))
        self.assertEqual(
            found.efficiency(found.points[1], "primal"), 8
        )  # eight times the work, in an eighth of the time

    def test_report(self) -> None:
        self.run_study()
        (found,) = report.write(self.rows.parent)
        page = (self.rows.parent / "README.md").read_text()
        self.assertIn("| 8 | 1 | s=24 cycles=1 start=9 | 1000 | 3000 | 3.00 | 8.00 | 8.00 | 1.00 | 1.00 |", page)
        for suffix, start in (("png", b"\x89PNG"), ("svg", b"<?xml")):
            data = (self.rows.parent / "figures" / f"{found.name}.{suffix}").read_bytes()
            self.assertTrue(data.startswith(start))
        self.assertIn("efficiency", (self.rows.parent / "figures" / f"{found.name}.svg").read_text())


class Oversubscribed(Fake):
    def test_counts_and_no_times(self) -> None:
        self.run_study(cores=4)
        found = rows.read(self.rows)
        self.assertEqual({r["kind"] for r in found if r["ranks"] == 8}, {"check", "counts"})
        report.write(self.rows.parent)
        page = (self.rows.parent / "README.md").read_text()
        self.assertIn("| 8 | 1 | s=24 cycles=1 start=9 | oversubscribed | – | – | – | – | – | – |", page)
        self.assertIn("| 8 | 1 | 48 | 96 | 480 B | 960 B | – | – | 4.10 kB |", page)
        points_found = json.loads((self.rows.parent / "summary.json").read_text())[0]["points"]
        self.assertEqual([p["oversubscribed"] for p in points_found], [False, True])
        self.assertIsNone(points_found[1]["seconds"]["gradient"])


class Interrupted(Fake):
    def command(self) -> list[str]:
        words = ["--suite", "lulesh", "--model", "mpi", "--mode", "strong", "--ranks", "1", "--size", "s=6"]
        words += [
            "--programs",
            str(self.programs),
            "--results",
            str(self.folder / "results"),
            "--machine",
            "here",
        ]
        words += ["--starter", self.starter, "--launches", "2", "--repetitions", "2"]
        return [sys.executable, "-B", str(support.ROOT / "retro"), "scale", *words]

    def timed(self) -> list[list[int | list[str]]]:
        return [x for x in self.log() if x[2][-3:-2] == ["2"]] if (self.folder / "log").exists() else []

    def test_goes_on_after_sigkill(self) -> None:
        (self.folder / "slow").touch()
        process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not self.timed() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(self.timed(), "no timed launch began")
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = self.contents()
        self.assertEqual(len(before), 2)  # check and counts; the launch that was cut off left nothing
        program = self.timed()[0][3]
        while Path(f"/proc/{program}").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(Path(f"/proc/{program}").exists(), "the program outlived the study")
        (self.folder / "slow").unlink()
        subprocess.run(self.command(), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = self.contents()
        self.assertEqual(len(after), 4)
        self.assertLessEqual(before.items(), after.items())
        self.assertEqual(len([x for x in self.log() if "--verify" in x[2]]), 1)


class Merge(Fake):
    def test_two_machines(self) -> None:
        self.run_study()
        document = json.loads(json.dumps(rows.export(self.rows, "there")))
        for row in document["rows"]:
            row["machine"]["cpu"] = "ANOTHER"
        results = self.folder / "results"
        self.assertEqual(rows.merge(document, results), (8, 0))
        self.assertEqual(rows.merge(document, results), (0, 8))
        for name in ("here", "there"):
            report.write(results / name / "scaling")
        self.assertIn("ANOTHER", (results / "there" / "scaling" / "README.md").read_text())
        self.assertNotIn("ANOTHER", (results / "here" / "scaling" / "README.md").read_text())
        text = report.index(results).read_text()
        self.assertIn("[here](here/scaling/README.md)", text)
        self.assertIn("[there](there/scaling/README.md): ANOTHER", text)

    def test_nothing_is_overwritten(self) -> None:
        self.run_study()
        document = json.loads(json.dumps(rows.export(self.rows, "here")))
        before = self.contents()
        document["rows"][0]["date"] = "other"
        self.assertRaises(rows.Conflict, rows.merge, document, self.folder / "results")
        self.assertEqual(self.contents(), before)
        name = next(iter(before)).removesuffix(".json")
        self.assertRaises(rows.Conflict, rows.add, self.rows, name, {})
        self.assertEqual(self.contents(), before)
        document["machine"] = "../elsewhere"
        self.assertRaises(ValueError, rows.merge, document, self.folder / "results")


if __name__ == "__main__":
    unittest.main()
