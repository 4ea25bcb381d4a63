import unittest
from typing import Any

from ablation import conclusions, rows

from .support import fake_row

# Size values for which reference_bars.json has a figure, by benchmark, with the kernel it is for.
BARS = {}
for bar in rows.read_bars()["bars"]:
    BARS.setdefault(bar["benchmark"], bar)
EIGHT = rows.read_bars()["eight"]


def row(name: str, **how: Any) -> dict[str, Any]:
    bar = BARS[name]
    kernel = bar.get("kernels", ["default"])[0]
    result = fake_row(name, values=bar["dims"], kernel=kernel, **how)
    return {**result, "is_default_kernel": True}


class Overheads(unittest.TestCase):
    def test_met_only_when_all_eight_are_at_or_below(self) -> None:
        good = [row(name, gradient=BARS[name]["enzyme"]) for name in EIGHT]
        self.assertIs(conclusions.overheads(good).met, True)
        slow = [*good[:-1], row(EIGHT[-1], gradient=1.01 * BARS[EIGHT[-1]]["enzyme"])]
        self.assertIs(conclusions.overheads(slow).met, False)
        self.assertIn("7 of 8", conclusions.overheads(slow).text)

    def test_what_is_missing_is_not_measured_and_what_failed_is_not_met(self) -> None:
        some = [row(name, gradient=1.0) for name in EIGHT[1:]]
        self.assertIsNone(conclusions.overheads(some).met)
        failed = [*some, row(EIGHT[0], gradient=None, status="failed", reason="wrong")]
        self.assertIs(conclusions.overheads(failed).met, False)
        self.assertIs(conclusions.verified(failed).met, False)


class AfterOverBefore(unittest.TestCase):
    def rows(self, names: list[str], factor: float) -> list[dict[str, Any]]:
        return [r for n in names for r in (row(n), row(n, setting="no-preopt", gradient=3.0 * factor))]

    def test_geometric_mean_over_the_study(self) -> None:
        study = rows.read_bars()["study"]
        self.assertIs(conclusions.after_over_before(self.rows(study, 4.3)).met, True)
        self.assertIs(conclusions.after_over_before(self.rows(study, 4.1)).met, False)
        self.assertIsNone(conclusions.after_over_before(self.rows(study[1:], 9.0)).met)


class WithoutRestrict(unittest.TestCase):
    def rows(self, *factors: float | None) -> list[dict[str, Any]]:
        return [
            r
            for name, factor in zip(EIGHT, factors)
            for r in (
                row(name, gradient=2.0),
                row(name, variant="plain", gradient=None if factor is None else 2.0 * factor),
            )
        ]

    def test_each_kernel_is_compared_with_itself(self) -> None:
        good = conclusions.without_restrict(self.rows(0.9, 1.5))
        self.assertEqual((good.met, good.text[-32:]), (True, f"2 of 2 kernels; most: {EIGHT[1]} small 1.50×"[-32:]))
        slow = conclusions.without_restrict(self.rows(0.9, 1.51, None))
        self.assertIs(slow.met, False)
        self.assertIn(f"1 of 3 kernels; above: {EIGHT[1]} small 1.51×; failed: {EIGHT[2]} ", slow.text)
        self.assertIsNone(conclusions.without_restrict([row("ba")]).met)

    def test_what_has_no_alias_pointers_alone_counts_for_the_other_bars(self) -> None:
        both = [
            row("ba", compile_seconds=(1.0, 1.0)),
            row("ba", variant="plain", compile_seconds=(9.0, 1.0), gradient=99.0),
        ]
        texts = [str(c) for c in conclusions.conclude(both)]
        self.assertIn("1 of 1 benchmarks; most: ba 1.00×", texts[4])
        self.assertNotIn("above: ba", texts[1])


class Costs(unittest.TestCase):
    def test_compile_time(self) -> None:
        self.assertIs(conclusions.compile_time([row("ba", compile_seconds=(3.0, 1.0))]).met, True)
        slow = conclusions.compile_time([row("ba", compile_seconds=(3.1, 1.0))])
        self.assertIs(slow.met, False)
        self.assertIn("ba 3.10×", slow.text)
        self.assertIsNone(conclusions.compile_time([]).met)

    def test_tapes(self) -> None:
        three = [fake_row(name) for name in ("gmm", "lstm", "rsbench")]
        self.assertIs(conclusions.tapes(three).met, True)
        self.assertIsNone(conclusions.tapes(three[:2]).met)


if __name__ == "__main__":
    unittest.main()
