import tempfile
import unittest
from pathlib import Path

import support
from support import fake_row
from ablation import figures, report

PNG = b"\x89PNG\r\n\x1a\n"


class Figures(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def rows(self):
        values = {"d": 10, "K": 25, "n": 2000}
        return [
            fake_row(values=values, hand=2.0),
            fake_row(setting="no-first", gradient=0.5),
            fake_row(setting="all-off", gradient=30.0),
            fake_row(size="big", primal=8.0, gradient=20.0),
        ]

    def test_each_is_png_and_svg_with_its_labels(self):
        rows = self.rows()
        made = (
            figures.overhead(rows, self.folder)
            + figures.ablation(rows, support.TOGGLES, self.folder)
            + figures.scaling(rows, self.folder)
        )
        self.assertEqual(
            made, [f"{n}.{s}" for n in ("overhead", "ablation", "scaling") for s in ("png", "svg")]
        )
        for name in made:
            data = (self.folder / name).read_bytes()
            self.assertTrue(data.startswith(PNG) if name.endswith("png") else b"<svg" in data)

    def test_equal_rows_give_equal_files(self):
        figures.overhead(self.rows(), self.folder)
        first = (self.folder / "overhead.svg").read_bytes()
        figures.overhead(self.rows(), self.folder)
        self.assertEqual((self.folder / "overhead.svg").read_bytes(), first)

    def test_nothing_is_drawn_from_nothing(self):
        rows = [fake_row(gradient=None, status="failed", reason="wrong")]
        self.assertEqual(figures.overhead(rows, self.folder), [])
        self.assertEqual(figures.ablation(rows, support.TOGGLES, self.folder), [])
        self.assertEqual(figures.scaling(rows, self.folder), [])
        self.assertEqual(list(self.folder.iterdir()), [])


class Report(unittest.TestCase):
    def test_writes_pages_and_figures(self):
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
