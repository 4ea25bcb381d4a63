import unittest
from pathlib import Path

import support
from ablation import manifest, matrix
from retrolib import commands


def benchmark(name="cube", kernels=("default",)):
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
    def test_all_on_each_off_all_off(self):
        names = [s.name for s in matrix.settings(support.TOGGLES)]
        self.assertEqual(names, ["all-on", "no-first", "no-second", "all-off"])

    def test_flags_say_every_toggle(self):
        off = matrix.settings(support.TOGGLES)[1]
        self.assertEqual(off.flags(), ["-mllvm", "-retro-first=0", "-mllvm", "-retro-second=1"])
        self.assertEqual(off.applied(), "first=0 second=1")

    def test_only_some(self):
        self.assertEqual(
            [s.name for s in matrix.settings(support.TOGGLES, ["second"])], ["all-on", "no-second"]
        )
        self.assertEqual([s.name for s in matrix.settings(support.TOGGLES, only_on=True)], ["all-on"])
        with self.assertRaises(KeyError):
            matrix.settings(support.TOGGLES, ["third"])


class Cells(unittest.TestCase):
    def test_product(self):
        two = [benchmark(kernels=("default", "other"))]
        cells = matrix.cells(two, support.TOGGLES, ["scaling"], ["restrict", "plain"], all_kernels=True)
        self.assertEqual(len(cells), 4 * 2 * 2 * 2)
        self.assertEqual(len({c.key for c in cells}), len(cells))
        self.assertEqual(cells[0].key, "cube.default.small.restrict.all-on")

    def test_the_first_kernel_alone_unless_all_are_wanted(self):
        two = [benchmark(kernels=("usual", "other"))]
        cells = matrix.cells(two, support.TOGGLES, ["default"], ["plain"])
        self.assertEqual({c.kernel for c in cells}, {"usual"})

    def test_sizes_by_group_and_by_name_in_declared_order(self):
        b = benchmark()
        self.assertEqual(b.choose_sizes(["default"]), ["small"])
        self.assertEqual(b.choose_sizes(["big", "test"]), ["tiny", "big"])
        self.assertEqual(b.choose_sizes(["all"]), ["tiny", "small", "big"])
        self.assertEqual(b.choose_sizes(["absent"]), [])


class Reproduction(unittest.TestCase):
    def test_the_eight_in_full_the_others_with_all_on(self):
        eight, other = benchmark("gmm", kernels=("usual", "rare")), benchmark("matvec")
        cells = commands.reproduction([eight, other], support.TOGGLES, ["restrict"])
        keys = [c.key for c in cells]
        self.assertEqual(len(set(keys)), len(keys))
        self.assertEqual([k for k in keys if "matvec" in k], ["matvec.default.small.restrict.all-on"])
        gmm = [c for c in cells if c.benchmark is eight]
        self.assertEqual(
            {(c.kernel, c.size) for c in gmm if c.setting.name == matrix.ALL_ON},
            {("usual", "small"), ("rare", "small"), ("usual", "big")},
        )
        off = {(c.kernel, c.size, c.setting.name) for c in gmm if c.setting.name != matrix.ALL_ON}
        self.assertEqual(off, {("usual", "small", s) for s in ("no-first", "no-second", "all-off")})
        # Overheads come first: they are what a run that is stopped should have.
        on = [c.setting.name == matrix.ALL_ON for c in cells]
        self.assertEqual(on, sorted(on, reverse=True))


if __name__ == "__main__":
    unittest.main()
