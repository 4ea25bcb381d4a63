import re
import tempfile
import unittest
from pathlib import Path
from typing import Any

from ablation import figures, report
from ablation.html import opening

from . import support
from .support import fake_row
from .test_intervals import around, timed

PNG = b"\x89PNG\r\n\x1a\n"


class Figures(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def rows(self) -> list[dict[str, Any]]:
        values = {"d": 10, "K": 25, "n": 2000}
        return [
            fake_row(values=values, hand=2.0),
            fake_row(setting="no-first", gradient=0.5),
            fake_row(setting="all-off", gradient=30.0),
            fake_row(size="big", primal=8.0, gradient=20.0),
        ]

    def test_each_is_png_and_svg_with_its_labels(self) -> None:
        rows = self.rows()
        made = (
            figures.overhead(rows, self.folder)
            + figures.ablation(rows, support.TOGGLES, self.folder)
            + figures.scaling(rows, self.folder)
        )
        self.assertEqual(made, [f"{n}.{s}" for n in ("overhead", "ablation", "scaling") for s in ("png", "svg")])
        for name in made:
            data = (self.folder / name).read_bytes()
            self.assertTrue(data.startswith(PNG) if name.endswith("png") else b"<svg" in data)

    def test_equal_rows_give_equal_files(self) -> None:
        figures.overhead(self.rows(), self.folder)
        first = (self.folder / "overhead.svg").read_bytes()
        figures.overhead(self.rows(), self.folder)
        self.assertEqual((self.folder / "overhead.svg").read_bytes(), first)

    def test_numbers_are_written_as_text_and_in_full(self) -> None:
        figures.overhead([fake_row(gradient=3.456)], self.folder)
        svg = (self.folder / "overhead.svg").read_text()
        self.assertIn(">3.46</text>", svg)
        self.assertNotIn("<clipPath", svg)

    def test_a_heat_map_prints_the_factors_that_are_sure(self) -> None:
        def cells(benchmark: str, **factors: float) -> tuple[tuple[str, str, str, str], dict[str, dict[str, Any]]]:
            found = {"all-on": timed(around(3.0), benchmark=benchmark)}
            for i, (name, factor) in enumerate(factors.items()):
                found[f"no-{name}"] = timed(
                    around(3.0 * factor, spread=0.05, seed=i + 2), benchmark=benchmark, setting=f"no-{name}"
                )
            found["all-on"]["counters"] = {"first": 7, "second": 0 if benchmark == "ba" else 2}
            return (benchmark, "default", "small", "restrict"), found

        groups = [cells("gmm", first=2.34, second=1.0), cells("ba", first=1.0, second=5.67)]
        order = [("no-first", "no First"), ("no-second", "no Second")]
        figures.heat_map(
            groups, order, [row for _, found in groups for row in found.values()], "T", self.folder, "heat"
        )
        texts = re.findall(r">([^<>]+)</text>", (self.folder / "heat.svg").read_text())
        numbers = [float(text) for text in texts if re.fullmatch(r"[\d.]+", text)]
        # One is sure; two are not, and the last never applied there, whatever was measured.
        self.assertEqual(len(numbers), 1)
        self.assertAlmostEqual(numbers[0], 2.34, delta=0.1)

    def test_nothing_is_drawn_from_nothing(self) -> None:
        rows = [fake_row(gradient=None, status="failed", reason="wrong")]
        self.assertEqual(figures.overhead(rows, self.folder), [])
        self.assertEqual(figures.ablation(rows, support.TOGGLES, self.folder), [])
        self.assertEqual(figures.scaling(rows, self.folder), [])
        self.assertEqual(list(self.folder.iterdir()), [])


class Opening(unittest.TestCase):
    def test_its_numbers_are_those_of_the_rows(self) -> None:
        rows = [
            fake_row(values={"d": 10, "K": 25, "n": 2000}, gradient=2.0, hand=1.0),
            fake_row(benchmark="lbm", gradient=8.0, hand=16.0),
        ]
        _, shown, cost, published, by_hand = opening.sentences(rows)
        self.assertIn("2 kernels of 2 benchmarks", shown)
        self.assertIn("2.00 (GMM) to 8.00 (LBM) times as long, 4.00 in the geometric mean", cost)
        self.assertIn("at or below all 1", published)
        self.assertIn("Of 2 adjoints", by_hand)
        self.assertIn("1 are faster than Retrograde's, most that of GMM, 2.00 times, and 1 are slower.", by_hand)

    def test_what_was_not_timed_is_not_claimed(self) -> None:
        self.assertEqual(opening.sentences([]), [opening.WHAT])
        rows = [fake_row(benchmark="lbm", gradient=8.0), fake_row(gradient=None, status="failed", reason="wrong")]
        self.assertEqual(len(opening.sentences(rows)), 3)


class Report(unittest.TestCase):
    def test_writes_pages_and_figures(self) -> None:
        import json

        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            (folder / "rows").mkdir()
            with self.assertRaises(FileNotFoundError):
                report.write(folder, support.TOGGLES)
            for row in (fake_row(), fake_row(setting="no-first", gradient=6.0)):
                (folder / "rows" / f"{row['cell']}.json").write_text(json.dumps(row))
            report.write(folder, support.TOGGLES)
            self.assertIn("**3.00**", (folder / "overhead.md").read_text())
            self.assertIn(" 2.00 |", (folder / "ablation.md").read_text())
            self.assertIn("cells verified", (folder / "README.md").read_text())
            self.assertIn("1.54 kB", (folder / "costs.md").read_text())
            self.assertTrue((folder / "figures" / "ablation.png").exists())


if __name__ == "__main__":
    unittest.main()
