import csv
import io
import json
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

from ablation import (
    estimate,
    failures,
    intervals,
    rows,
    runner,
    sheets,
    study,
    study_figures,
    study_report,
    study_tables,
    tables,
)
from tools.retrolib import commands
from tools.retrolib import toggles as toggle_table
from tools.retrolib.cli import parse

from . import support
from .support import fake_row
from .test_intervals import around, timed
from .test_matrix import benchmark

MINIMAL = 'title = "T"\nfigure = "overhead"\n'
PNG = b"\x89PNG\r\n\x1a\n"


def declared(text: str) -> study.Study:
    return study.parse("test", MINIMAL + text)


class Files(unittest.TestCase):
    def test_every_study_of_the_project_is_readable_and_asks_for_toggles_that_exist(self) -> None:
        toggles = toggle_table.read()
        for one in study.read_all():
            self.assertTrue(one.text and one.differs, one.name)
            for selection in one.cells:
                study._settings(selection.settings, toggles, one.name)
                for size in selection.sizes:
                    self.assertTrue("=" in size or size.isidentifier() or size[0].isalnum(), size)

    def test_every_toggle_is_ablated_by_a_study_in_its_default_form(self) -> None:
        covered = set()
        for one in study.read_all():
            for selection in one.cells:
                if selection.when == study.ALWAYS:
                    covered |= set(selection.settings)
        for toggle in toggle_table.read():
            self.assertTrue("each" in covered or f"no-{toggle.name}" in covered, toggle.name)

    def test_mistakes_are_named(self) -> None:
        for text, what in (
            ("nonsense = 1", "unknown key 'nonsense'"),
            ('repetitions = "many"', "'repetitions' must be a int"),
            ("[[cells]]\nbenchmarks = []", "which benchmarks"),
            ('[[cells]]\nbenchmarks = ["a"]\nwhen = "never"', "'when'"),
            ('[[cells]]\nbenchmarks = ["a"]\nsize = "x"', "unknown key 'size'"),
            ("a b", "study test"),
        ):
            with self.assertRaisesRegex(study.StudyError, what):
                declared(text)
        with self.assertRaisesRegex(study.StudyError, "no figure 'pie'"):
            study.parse("test", 'title = "T"\nfigure = "pie"')
        with self.assertRaisesRegex(study.StudyError, "no study 'absent'; there are: .*atomics"):
            study.read("absent")

    def test_cells_are_the_product(self) -> None:
        one = declared(
            '[[cells]]\nbenchmarks = ["cube"]\nkernels = ["all"]\nsizes = ["default", "n=7"]\n'
            'settings = ["all-on", "each"]\n[[cells]]\nbenchmarks = ["cube"]\nsizes = ["big"]\nwhen = "full"\n'
        )
        known = [benchmark(kernels=("usual", "other"))]
        cells, absent = study.cells(one, known, support.TOGGLES)
        self.assertEqual((len(cells), absent), (2 * 2 * 3, []))
        self.assertIn("cube.other.n=7.restrict.no-second", {c.key for c in cells})
        self.assertEqual(len(study.cells(one, known, support.TOGGLES, full=True)[0]), 13)

    def test_what_is_not_built_is_told_and_what_does_not_exist_is_an_error(self) -> None:
        one = declared('[[cells]]\nbenchmarks = ["cube", "sphere"]\nkernels = ["openmp"]\n')
        cells, absent = study.cells(one, [benchmark()], support.TOGGLES)
        self.assertEqual((cells, absent), ([], ["cube: kernel openmp", "benchmark sphere"]))
        with self.assertRaisesRegex(study.StudyError, "cube has no size huge"):
            study.cells(declared('[[cells]]\nbenchmarks = ["cube"]\nsizes = ["huge"]'), [benchmark()], support.TOGGLES)
        with self.assertRaisesRegex(study.StudyError, "no setting 'no-third'"):
            study.cells(
                declared('[[cells]]\nbenchmarks = ["cube"]\nsettings = ["no-third"]'), [benchmark()], support.TOGGLES
            )

    def test_a_cell_of_two_studies_is_measured_once_with_the_most_rounds(self) -> None:
        text = '[[cells]]\nbenchmarks = ["cube"]\nsettings = ["no-first", "all-on"]\n'
        plan = [
            (one, study.cells(one, [benchmark()], support.TOGGLES)[0])
            for one in (declared("repetitions = 5\n" + text), declared("repetitions = 9\ntimeout = 7\n" + text))
        ]
        cells = study.union(plan)
        self.assertEqual([c.setting.name for c in cells], ["all-on", "no-first"])
        self.assertEqual(set(study.rounds_of(plan).values()), {9})
        options = runner.Options(rounds_of=study.rounds_of(plan), timeout_of=study.timeout_of(plan))
        self.assertEqual((options.of(cells[0]).repetitions, options.of(cells[0]).timeout), (9, 240))

    def test_variants_are_measured_one_after_the_other_and_all_on_first(self) -> None:
        select = '[[cells]]\nbenchmarks = ["cube"]\nkernels = ["all"]\nvariants = ["{}"]\nsettings = ["no-first", "all-on"]\n'
        known, variants = [benchmark(kernels=("usual", "other"))], ("restrict", "plain")
        plan = [
            (one, study.cells(one, known, support.TOGGLES)[0]) for one in (declared(select.format(v)) for v in variants)
        ]
        self.assertEqual(
            [(c.kernel, c.variant, c.setting.name) for c in study.union(plan)],
            [(k, v, s) for s in ("all-on", "no-first") for k in ("usual", "other") for v in variants],
        )


class Reproduction(unittest.TestCase):
    def test_the_default_form_has_what_the_tables_of_all_rows_need(self) -> None:
        """Every toggle off on the eight at their usual size, their scaling sizes, every kernel; the others with all on."""
        eight = rows.read_bars()["eight"]
        others = ["matvec", "xsbench", "rsbench", "lbm", "dg", "lulesh", "minibude"]
        known = [benchmark(n, kernels=("usual", "rare")) for n in [*eight, *others]]
        for b in known:
            b.data["sizes"] += [{"name": n} for n in ("cube20", "p128")]
        plan = [(one, study.cells(one, known, support.TOGGLES)[0]) for one in study.read_all() if not _toggles_of(one)]
        keys = {c.key for c in study.union(plan)}
        for name in eight:
            wanted = {f"{name}.usual.{size}.restrict.all-on" for size in ("small", "big")}
            wanted |= {f"{name}.usual.small.restrict.{s}" for s in ("no-first", "no-second", "all-off")}
            self.assertLessEqual(wanted | {f"{name}.rare.small.restrict.all-on"}, keys)
        self.assertLessEqual({f"{n}.usual.small.restrict.all-on" for n in others}, keys)


def _toggles_of(one: study.Study) -> set[str]:
    """Toggles that a study names: those of the tests have other names."""
    return {s for c in one.cells for s in c.settings if s.startswith("no-")}


class Estimates(unittest.TestCase):
    def row(self, **what: str) -> dict[str, Any]:
        row = timed([0.5] * 5, [0.1] * 5, **what)
        row["columns"]["gradient"]["median"], row["columns"]["primal"]["median"] = 0.5, 0.1
        row["seconds"] = 4.0
        return row

    def test_rounds_that_are_more_or_fewer_than_a_row_had(self) -> None:
        self.assertAlmostEqual(estimate.seconds_of(self.row(), 5), 4.0)
        self.assertAlmostEqual(estimate.seconds_of(self.row(), 15), 10.0)

    def test_earlier_rows_then_those_of_the_same_kind_then_one_round(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            row = self.row(benchmark="cube")
            (folder / "row.json").write_text(json.dumps({**row, "cell": "cube.default.small.restrict.all-on"}))
            one = declared(
                'repetitions = 5\n[[cells]]\nbenchmarks = ["cube"]\nsizes = ["default", "big"]\nsettings = ["all-on", "no-first"]'
            )
            cells, _ = study.cells(one, [benchmark()], support.TOGGLES)
            options = runner.Options(rounds_of=study.rounds_of([(one, cells)]))
            probed = {**self.row(), "seconds": 2.0}
            with unittest.mock.patch.object(estimate, "probe", return_value=probed) as probe:
                found = estimate.estimate(cells, folder, options)
                self.assertEqual(probe.call_count, 1)  # for both settings of the big size
            self.assertEqual(found.sources, {estimate.EARLIER: 1, estimate.SIMILAR: 1, estimate.MEASURED: 2})
            self.assertAlmostEqual(found.running, 4 + 4 + 2 * 2.0)
            self.assertGreater(found.compiling, 0)
            none = estimate.estimate(cells, folder, options, probing=False)
            self.assertEqual(none.sources[estimate.GUESSED], 2)


class Tables(unittest.TestCase):
    def rows(self) -> list[dict[str, Any]]:
        on = timed(around(3.0, seed=1), hand=2.0)
        on["counters"] = {"first": 4, "second": 0}
        slow = timed(around(12.0, seed=2), setting="no-first")
        same = timed(around(3.0, spread=0.001, seed=3), setting="no-second")
        off = fake_row(setting="all-off", gradient=None, status="failed", reason="killed")
        off["failure"] = failures.MEMORY
        return rows.arrange([on, slow, same, off])

    def sheet(self, kind: str, measured: list[dict[str, Any]], **context: Any) -> sheets.Sheet:
        one = study.parse("test", f'title = "T"\nfigure = "{kind}"')
        return study_tables.table(one, measured, study_tables.Context(support.TOGGLES, **context))

    def test_waterfall_shows_counters_and_what_has_no_effect(self) -> None:
        sheet = self.sheet("waterfall", self.rows())
        lines = {line[1]: line for line in sheet.lines}
        self.assertAlmostEqual(lines["First"][2].value, 4.0, delta=0.1)
        self.assertEqual(lines["First"][3], 4)
        self.assertEqual((lines["Second"][3], lines["Second"][5]), (0, "never applied"))
        self.assertEqual(lines["all off"][2], "out of memory")
        self.assertIn("**out of memory**: `gmm.default.small.restrict.all-off`: killed", sheet.notes)

    def test_variants_stand_beside_each_other(self) -> None:
        both = [
            timed(around(3.0, spread=0.001), around(1.0)),
            timed(around(6.0, spread=0.001), around(2.0), variant="plain"),
        ]
        other = timed(around(3.0), benchmark="ba")
        failed = fake_row("ba", variant="plain", gradient=None, status="failed", reason="killed")
        failed["failure"] = failures.MEMORY
        sheet = self.sheet("variants", rows.arrange([*both, other, failed]))
        self.assertEqual([line[:2] for line in sheet.lines], [["gmm small", "verified"], ["ba small", "out of memory"]])
        self.assertAlmostEqual(sheet.lines[0][6].value, 2.0, delta=0.01)
        self.assertEqual([line[7] for line in sheet.lines], ["**no**", tables.NOT_MEASURED])

    def test_an_interval_wider_than_the_effect_is_marked(self) -> None:
        on, off = timed(around(3.0, spread=0.3, seed=1)), timed(around(3.2, spread=0.3, seed=2), setting="no-first")
        (line,) = self.sheet("waterfall", [on, off]).lines
        self.assertEqual(line[5], "interval wider than the effect")

    def test_overhead_has_the_floor_and_another_plugin(self) -> None:
        row = timed(around(3.0))
        for column, middle in (("hand", 2.0), ("compare", 6.0)):
            row["columns"][column] = {"median": middle, "runs": around(middle, seed=7)}
        sheet = self.sheet("overhead", [row])
        line = dict(zip(sheet.header, sheet.lines[0]))
        self.assertAlmostEqual(line["over hand"].value, 1.5, delta=0.03)
        self.assertAlmostEqual(line["over compared"].value, 0.5, delta=0.02)
        self.assertEqual(line["gradient"], "verified")

    def test_a_wrong_gradient_stands_in_the_table(self) -> None:
        row = fake_row(gradient=None, status="failed", reason="gradient is wrong")
        row["failure"] = failures.WRONG
        self.assertEqual(self.sheet("overhead", [row]).lines[0][1], "wrong gradient")
        self.assertEqual(failures.exit_status([row]), 3)

    def test_exit_statuses(self) -> None:
        def row(kind: str | None) -> dict[str, str | None]:
            return {"status": "ok" if kind is None else "failed", "failure": kind}

        ends: tuple[tuple[list[str | None], int], ...] = (
            ([None], 0),
            ([None, failures.TIMEOUT], 1),
            ([failures.TIMEOUT, failures.NO_COMPILER], 5),
            ([failures.NO_COMPILER, failures.DISK], 4),
            ([failures.DISK, failures.WRONG], 3),
        )
        for kinds, status in ends:
            self.assertEqual(failures.exit_status(map(row, kinds)), status)
        self.assertEqual(failures.exit_status([{"status": "failed"}]), 1)

    def test_what_is_missing_is_told(self) -> None:
        one = study.parse("test", 'title = "T"\nfigure = "resources"\n[artefacts]\n"gpu-resources.json" = "./make"\n')
        sheet = study_tables.table(one, [], study_tables.Context(support.TOGGLES, absent=["benchmark x"]))
        self.assertEqual(
            sheet.notes,
            ["Not built, so not measured: benchmark x.", "Not measured yet: `./make` makes gpu-resources.json."],
        )

    def test_arithmetic_of_declared_work(self) -> None:
        self.assertEqual(study_tables.evaluate("2 * n * n - m ** 2 / 2", {"n": 3, "m": 2}), 16)
        for text in ("__import__('os')", "n.real", "[n]"):
            with self.assertRaises((ValueError, KeyError)):
                study_tables.evaluate(text, {"n": 1})

    def test_roofline_of_declared_work(self) -> None:
        one = study.parse("r", 'title = "T"\nfigure = "roofline"\n[work.gmm]\nflops = "2 * n"\nbytes = "8 * n"\n')
        row = timed([4.0] * 3, [2.0] * 3, values={"n": 6})
        row["columns"]["gradient"]["median"], row["columns"]["primal"]["median"] = 4.0, 2.0
        found = [(c, i, r) for _, c, i, r in study_tables.roofline_points(one, [row])]
        self.assertEqual(found, [("primal", 0.25, 6.0), ("gradient", 0.25, 3.0)])

    def test_effects_of_toggles(self) -> None:
        lines = study_tables.toggle_effects(self.rows(), support.TOGGLES).lines
        self.assertEqual([line[1] for line in lines], ["1 of 1", "0 of 1"])
        self.assertEqual(lines[1][4], "gmm small")

    def test_markdown_and_csv(self) -> None:
        sheet = sheets.Sheet(["a", "x"], [["n", intervals.Interval(2.0, 1.5, 2.5, 9)], ["m", None]])
        self.assertIn("2.00 [1.50, 2.50]", sheets.markdown(sheet))
        found = list(csv.DictReader(io.StringIO(sheets.as_csv(sheet))))
        self.assertEqual(found[0], {"a": "n", "x": "2.0", "x low": "1.5", "x high": "2.5"})
        self.assertEqual(found[1]["x"], "")


class Report(unittest.TestCase):
    def test_every_kind_of_figure_is_drawn(self) -> None:
        measured = Tables().rows() + [
            timed(around(5.0), setting="no-preopt"),
            timed(around(4.0), setting="no-race-proofs"),
        ]
        measured.append(timed(around(4.0), size="big"))
        measured.append(timed(around(4.0), variant="plain"))
        measured[1]["columns"]["gradient"]["peak_memory_bytes"] = 5e6
        for row in measured:
            row["verdicts"] = [
                {
                    "column": "gradient",
                    "check": "central differences",
                    "outcome": "passed",
                    "error": 1e-9,
                    "tolerance": 1e-6,
                }
            ]
        context = study_tables.Context(
            support.TOGGLES,
            {
                "roofs.json": {"bytes": 1e10, "flops": 4e9},
                "proofs.json": {"rows": [{"outcome": "proved"}], "commit": "0" * 40, "command": "c"},
            },
        )
        with tempfile.TemporaryDirectory() as scratch:
            for kind in (
                "overhead",
                "before-after",
                "waterfall",
                "scaling",
                "atomics",
                "memory",
                "coverage",
                "costs",
                "roofline",
                "variants",
            ):
                text = f'title = "T"\nfigure = "{kind}"\n[work.gmm]\nflops = "3"\nbytes = "4"\n'
                made = study_figures.draw(study.parse(kind, text), measured, context, Path(scratch))
                self.assertEqual(made, [f"{kind}.png", f"{kind}.svg"])
                self.assertTrue((Path(scratch) / made[0]).read_bytes().startswith(PNG))

    def test_scaling_and_resources_are_drawn_from_what_other_commands_left(self) -> None:
        point = {"ranks": 1, "threads": 1, "seconds": {"primal": 1.0, "gradient": 3.0}, "overhead": 3.0, "oversubscribed": False,
                 "reason": None, "speedup": {"primal": 1.0, "gradient": 1.0}, "efficiency": {"primal": 1.0, "gradient": 1.0}}  # fmt: skip
        double = {
            **point,
            "threads": 2,
            "speedup": {"primal": 1.9, "gradient": 1.7},
            "efficiency": {"primal": 0.95, "gradient": 0.85},
        }
        crowded = {
            **point,
            "threads": 4,
            "seconds": {},
            "overhead": None,
            "oversubscribed": True,
            "speedup": {},
            "efficiency": {},
        }
        series = {"suite": "lulesh", "model": "openmp", "mode": "strong", "points": [point, double, crowded]}
        usage = {"registers": 20, "spills": 0, "scratch": 0, "shared": 64}
        kernel = {
            "suite": "lbm",
            "kernel": "sweep",
            "arch": "gfx90a",
            "primal": usage,
            "gradient": {**usage, "registers": 50, "spills": 3},
        }
        absent: dict[str, Any] = {
            **kernel,
            "arch": "sm_90",
            "primal": {**usage, "registers": None},
            "gradient": {**usage, "registers": None},
        }
        context = study_tables.Context(
            support.TOGGLES,
            {"scaling/summary.json": [series], "gpu-resources.json": {"llvm": "clang", "rows": [kernel, absent]}},
        )
        with tempfile.TemporaryDirectory() as scratch:
            for kind in ("threads", "resources"):
                one = study.parse(kind, f'title = "T"\nfigure = "{kind}"\n')
                self.assertEqual(len(study_figures.draw(one, [], context, Path(scratch))), 2)
                lines = study_tables.table(one, [], context).lines
                if kind == "threads":
                    self.assertEqual([line[5] for line in lines], [3.0, 3.0, "oversubscribed"])
                else:
                    self.assertEqual([line[4] for line in lines], [2.5, None])
                    self.assertEqual({line[-1] for line in lines}, {"not measured"})

    def test_pages_of_the_studies_that_were_run(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            (folder / "rows").mkdir()
            measured = [
                timed(around(3.0), benchmark="minibude-openmp"),
                timed(around(4.0), benchmark="minibude-openmp", setting="no-race-proofs"),
            ]
            for row in measured:
                row["verdicts"] = []
                (folder / "rows" / f"{row['cell']}.json").write_text(json.dumps(row))
            cells: list[Any] = [types.SimpleNamespace(key=row["cell"]) for row in measured]
            study_report.remember(
                folder, [(study.read("atomics"), cells)], {"atomics": ["benchmark lbm"]}, {"date": "d"}
            )
            outcomes = {o.study.name: o for o in study_report.write(folder, support.TOGGLES)}
            self.assertEqual(set(outcomes), {"atomics", "verification", "compile-time", "sc21-gpu", "sc22-scaling"})
            page = (folder / "studies" / "atomics.md").read_text()
            self.assertIn("![Atomic additions proved away](atomics.svg)", page)
            self.assertIn("Not built, so not measured: benchmark lbm", page)
            self.assertTrue((folder / "studies" / "atomics.svg").exists())
            self.assertIn("1.33", (folder / "studies" / "atomics.csv").read_text()[:400] + page)


class Command(support.FakeBenchmarks):
    """`./retro ablate --study` on a benchmark that the fake compiler compiles."""

    def ablate(self, *definitions: str, compiler: str | None = None) -> tuple[int, str, str]:
        """(exit status, what it printed, the study's page)."""
        benchmarks = self.benchmarks(*definitions)
        if compiler:
            benchmarks[0].data["compiler"] = compiler
        studies_folder = self.folder / "studies"
        studies_folder.mkdir(exist_ok=True)
        text = 'repetitions = 3\n[[cells]]\nbenchmarks = ["cube"]\nsettings = ["all-on", "no-first"]\n'
        (studies_folder / "fake.toml").write_text(MINIMAL + text)
        results = self.folder / "results"
        args = parse(["ablate", "--no-install", "--study", "fake", "--results", str(results)])
        with (
            unittest.mock.patch.object(study, "FOLDER", studies_folder),
            unittest.mock.patch.object(toggle_table, "read", return_value=support.TOGGLES),
            unittest.mock.patch.object(commands, "prepare"),
            unittest.mock.patch.object(commands, "executables", return_value={b.name: b for b in benchmarks}),
            unittest.mock.patch.object(commands.builder, "build_dir", return_value=self.folder),
            unittest.mock.patch("sys.stdout", new=io.StringIO()) as said,
            unittest.mock.patch("sys.stderr", new=io.StringIO()),
        ):
            status = args.function(args)
        return status, said.getvalue(), (results / "studies" / "fake.md").read_text()

    def test_each_failure_is_in_the_table_and_in_the_exit_status(self) -> None:
        for macro, kind, wanted in (
            ("WRONG", "wrong gradient", 3),
            ("FULL", "disk full", 4),
            ("BREAK", "did not compile", 1),
            ("MEMORY", "out of memory", 1),
        ):
            status, said, page = self.ablate(macro)
            self.assertEqual(status, wanted, macro)
            for text in (said, page):
                self.assertRegex(text, rf"\| cube small +\| {kind} ")
                self.assertIn(f"**{kind}**: `cube.default.small.restrict.all-on`", text)
        status, said, page = self.ablate(compiler=str(self.folder / "absent"))
        self.assertEqual(status, 5)
        self.assertIn("missing compiler", said)
        # A failed cell is measured again.
        status, said, page = self.ablate()
        self.assertEqual(status, 0)
        self.assertRegex(page, r"\| cube small +\| verified ")

    def test_a_second_run_measures_nothing_and_says_the_same(self) -> None:
        _, _, first = self.ablate()
        with unittest.mock.patch.object(runner, "run_cell", side_effect=AssertionError):
            status, _, second = self.ablate()
        self.assertEqual((status, second), (0, first))


if __name__ == "__main__":
    unittest.main()
