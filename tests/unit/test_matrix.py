import unittest
from pathlib import Path

from ablation import manifest, matrix
from tools.retrolib import toggles as toggle_table

from . import support


def benchmark(name: str = "cube", kernels: tuple[str, ...] = ("default",)) -> manifest.Benchmark:
    return manifest.Benchmark(
        Path(name),
        {
            "name": name,
            "kernels": list(kernels),
            "default_size": "small",
            "scaling_sizes": ["small", "big"],
            "test_sizes": ["tiny"],
            "sizes": [{"name": n} for n in ("tiny", "small", "big")],
        },
    )


class Settings(unittest.TestCase):
    def test_all_on_each_off_all_off(self) -> None:
        names = [s.name for s in matrix.settings(support.TOGGLES)]
        self.assertEqual(names, ["all-on", "no-first", "no-second", "all-off"])

    def test_no_cell_for_what_a_cpu_cannot_tell(self) -> None:
        toggles = [*support.TOGGLES, toggle_table.Toggle("c", "third", True, "Third", "The third.", needs=("Gpu",))]
        found = matrix.settings(toggles)
        self.assertEqual([s.name for s in found], ["all-on", "no-first", "no-second", "all-off"])
        self.assertEqual(found[1].applied(), "first=0 second=1 third=1")
        self.assertEqual([s.name for s in matrix.settings(toggles, ["third"])], ["all-on", "no-third"])

    def test_flags_say_every_toggle(self) -> None:
        off = matrix.settings(support.TOGGLES)[1]
        self.assertEqual(off.flags(), ["-mllvm", "-retro-first=0", "-mllvm", "-retro-second=1"])
        self.assertEqual(off.applied(), "first=0 second=1")

    def test_only_some(self) -> None:
        self.assertEqual([s.name for s in matrix.settings(support.TOGGLES, ["second"])], ["all-on", "no-second"])
        self.assertEqual([s.name for s in matrix.settings(support.TOGGLES, only_on=True)], ["all-on"])
        with self.assertRaises(KeyError):
            matrix.settings(support.TOGGLES, ["third"])


class Cells(unittest.TestCase):
    def test_product(self) -> None:
        two = [benchmark(kernels=("default", "other"))]
        cells = matrix.cells(two, support.TOGGLES, ["scaling"], ["restrict", "plain"], all_kernels=True)
        self.assertEqual(len(cells), 4 * 2 * 2 * 2)
        self.assertEqual(len({c.key for c in cells}), len(cells))
        self.assertEqual(cells[0].key, "cube.default.small.restrict.all-on")

    def test_the_first_kernel_alone_unless_all_are_wanted(self) -> None:
        two = [benchmark(kernels=("usual", "other"))]
        cells = matrix.cells(two, support.TOGGLES, ["default"], ["plain"])
        self.assertEqual({c.kernel for c in cells}, {"usual"})

    def test_sizes_by_group_and_by_name_in_declared_order(self) -> None:
        b = benchmark()
        self.assertEqual(b.choose_sizes(["default"]), ["small"])
        self.assertEqual(b.choose_sizes(["big", "test"]), ["tiny", "big"])
        self.assertEqual(b.choose_sizes(["all"]), ["tiny", "small", "big"])
        self.assertEqual(b.choose_sizes(["absent"]), [])


if __name__ == "__main__":
    unittest.main()
