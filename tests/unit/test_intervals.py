import random
import unittest
from typing import Any

from ablation import compare, intervals

from .support import fake_row


def timed(gradient: list[float], primal: list[float] | None = None, **what: Any) -> dict[str, Any]:
    """A row with these runs."""
    row = fake_row(**what)
    row["columns"]["gradient"]["runs"] = list(gradient)
    row["columns"]["primal"]["runs"] = list(primal or [1.0] * len(gradient))
    return row


def around(middle: float, rounds: int = 15, spread: float = 0.01, seed: int = 1) -> list[float]:
    generator = random.Random(seed)
    return [middle * generator.uniform(1 - spread, 1 + spread) for _ in range(rounds)]


class Intervals(unittest.TestCase):
    def test_hold_the_median_and_are_reproducible(self) -> None:
        values = around(3.0)
        found = intervals.of_median(values)
        self.assertTrue(found.low <= found.value <= found.high)
        self.assertEqual(found, intervals.of_median(values))
        self.assertLess(found.width, 0.02)

    def test_cover_the_true_median_about_as_often_as_they_say(self) -> None:
        hits = 0
        for seed in range(200):
            found = intervals.of_median(around(1.0, rounds=15, spread=0.2, seed=seed))
            hits += found.low <= 1.0 <= found.high
        self.assertGreater(hits, 175)  # of 200
        self.assertLess(hits, 200)

    def test_two_rounds_have_no_interval(self) -> None:
        found = intervals.of_median([1.0, 2.0])
        self.assertEqual((found.value, found.low, found.width), (1.5, None, None))
        self.assertIsNone(found.overlaps(found))

    def test_a_ratio_is_taken_round_by_round(self) -> None:
        # The machine becomes slower and slower; each round by itself says 3.
        drift = [1.0, 2.0, 4.0, 8.0, 16.0]
        found = intervals.overhead(timed([3 * d for d in drift], drift))
        self.assertEqual((found.value, found.low, found.high), (3.0, 3.0, 3.0))
        self.assertIsNone(intervals.overhead(fake_row(gradient=None)))

    def test_a_ratio_of_two_rows(self) -> None:
        found = intervals.slowdown(timed(around(6.0, seed=1)), timed(around(3.0, seed=2)))
        self.assertTrue(1.97 < found.low <= found.value <= found.high < 2.03)
        self.assertFalse(found.wider_than_effect())
        equal = intervals.slowdown(timed(around(3.0, seed=3)), timed(around(3.0, seed=2)))
        self.assertTrue(equal.wider_than_effect())
        self.assertFalse(equal.differs_from(1))

    def test_launches_that_differ_widen_the_interval(self) -> None:
        row = {**timed([1.0, 1.1, 1.0, 1.3, 1.3, 1.2]), "launches": [3, 3]}
        found = intervals.overhead(row)
        self.assertLessEqual(found.low, 1.0)
        self.assertGreaterEqual(found.high, 1.3)
        base = {**timed([1.0, 1.0, 1.0, 1.1, 1.1, 1.1]), "launches": [3, 3]}
        ratio = intervals.slowdown(row, base)
        self.assertLessEqual(ratio.low, 1.0 / 1.1)
        self.assertGreaterEqual(ratio.high, 1.3)

    def test_two_runs_of_four_launches_agree_though_launches_differ_more_than_rounds(self) -> None:
        generator = random.Random(1)

        def run(launches: int) -> intervals.Interval:
            rounds = 8 // launches
            middles = [generator.gauss(2.0, 0.2) for _ in range(launches)]
            values = [m * generator.gauss(1, 0.005) for m in middles for _ in range(rounds)]
            return intervals.overhead({**timed(values), "launches": [rounds] * launches})

        def agreeing(launches: int) -> float:
            return sum(run(launches).overlaps(run(launches)) for _ in range(400)) / 400

        self.assertGreaterEqual(agreeing(4), 0.95)
        self.assertLess(agreeing(1), 0.5)

    def test_outliers_and_noise(self) -> None:
        values = [1.0, 1.01, 0.99, 1.0, 1.02, 5.0]
        self.assertEqual(intervals.outliers(values), [5.0])
        self.assertLess(intervals.noise(values), 0.05)
        self.assertEqual(intervals.outliers([1.0, 9.0]), [])
        (row, found), *_ = intervals.noise_of([timed(values)])
        self.assertEqual(found["gradient"][1:], (1, 6))


class Compare(unittest.TestCase):
    def rows(self, middle: float, seed: int, **what: Any) -> dict[str, dict[str, Any]]:
        return {compare.key(r): r for r in [timed(around(middle, seed=seed), **what)]}

    def verdict(self, old: float, new: float, **what: Any) -> str:
        (change,) = compare.changes(self.rows(old, 1, **what), self.rows(new, 2))
        return change.verdict

    def test_verdicts(self) -> None:
        self.assertEqual(self.verdict(3.0, 3.5), compare.SLOWER)
        self.assertEqual(self.verdict(3.5, 3.0), compare.FASTER)
        self.assertEqual(self.verdict(3.0, 3.0), compare.SAME)
        # Slower for sure, but by too little to matter.
        self.assertEqual(self.verdict(3.0, 3.06), compare.SAME)

    def test_what_is_too_noisy_is_not_decided(self) -> None:
        old = {"c": timed(around(3.0, spread=0.5, seed=1))}
        new = {"c": timed(around(3.1, spread=0.5, seed=2))}
        (change,) = compare.changes(old, new)
        self.assertEqual(change.verdict, compare.UNDECIDED)

    def test_a_cell_that_fails_now_or_is_gone_is_a_regression(self) -> None:
        good = self.rows(3.0, 1)
        cell = next(iter(good))
        bad = {cell: fake_row(gradient=None, status="failed", reason="wrong")}
        self.assertEqual([c.verdict for c in compare.changes(good, bad)], [compare.BROKEN])
        self.assertEqual([c.verdict for c in compare.changes(bad, good)], [compare.FIXED])
        self.assertEqual([c.verdict for c in compare.changes(good, {})], [compare.GONE])
        self.assertEqual([c.verdict for c in compare.changes({}, good)], [compare.NEW])

    def test_other_bits_are_a_remark(self) -> None:
        old, new = self.rows(3.0, 1), self.rows(3.0, 2)
        named = [*((row, "a") for row in old.values()), *((row, "b") for row in new.values())]
        for row, digest in named:
            row["digest"] = digest
        (change,) = compare.changes(old, new)
        self.assertEqual(change.note, "other bits")

    def test_agreement(self) -> None:
        old = {str(n): timed(around(3.0, seed=n)) for n in range(20)}
        new = {str(n): timed(around(3.0, seed=n + 99)) for n in range(19)} | {"19": timed(around(4.0))}
        found = compare.changes(old, new)
        good, both = compare.agreement(found)
        self.assertEqual(both, 20)
        self.assertGreaterEqual(good, 18)
        self.assertLess(good, 20)
        self.assertIn("1 slower", compare.summary(found))
        self.assertIn("| 19 ", compare.as_markdown(found).splitlines()[2])


if __name__ == "__main__":
    unittest.main()
