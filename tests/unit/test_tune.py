import unittest

from ablation import intervals, matrix, tune

from . import support
from .test_intervals import around


class Candidates(unittest.TestCase):
    def test_the_seed_says_which(self) -> None:
        toggles = support.TOGGLES + [type(support.TOGGLES[0])(n, n, True, n, n) for n in "cdef"]
        first = tune.candidates(toggles, 20, seed=3)
        self.assertEqual(first, tune.candidates(toggles, 20, seed=3))
        self.assertNotEqual(first, tune.candidates(toggles, 20, seed=4))
        self.assertEqual(first[0].name, matrix.ALL_ON)
        self.assertEqual(len({s.toggles for s in first}), 20)
        self.assertTrue(all(2 <= sum(not on for _, on in s.toggles) <= 4 for s in first[7:]))

    def test_no_more_than_there_are(self) -> None:
        self.assertEqual(len(tune.candidates(support.TOGGLES, 20, seed=1)), 4)


class Halving(unittest.TestCase):
    """Settings whose overheads are known: "s7" needs 7."""

    def setUp(self) -> None:
        self.settings = [matrix.Setting(f"s{n}", (("x", True),)) for n in range(12, 0, -1)]
        self.now, self.asked = 0.0, []

    def attempt(self, setting: matrix.Setting, rounds: int) -> tune.Trial:
        self.now += rounds
        self.asked.append((setting.name, rounds))
        if setting.name == "s1":
            return tune.Trial(setting, rounds, failure="wrong gradient: g")
        return tune.Trial(setting, rounds, intervals.of_median(around(float(setting.name[1:]), rounds)))

    def test_the_fastest_verified_one_is_found_with_most_rounds_for_the_fast(self) -> None:
        trials, best, untried = tune.halve(self.settings, self.attempt, lambda: self.now, 1e9)
        self.assertEqual((best.setting.name, untried), ("s2", 0))
        self.assertEqual(best.rounds, tune.FINAL_ROUNDS)
        by_rounds = {r: [n for n, rr in self.asked if rr == r] for r in (3, 9, 15)}
        self.assertEqual(len(by_rounds[3]), 12)
        self.assertEqual(by_rounds[9], ["s2", "s3", "s4", "s5"])
        self.assertEqual(by_rounds[15], ["s2", "s3"])
        self.assertEqual([t.failure for t in trials if t.failure], ["wrong gradient: g"])

    def test_the_budget_ends_it_and_what_was_not_tried_is_told(self) -> None:
        _, best, untried = tune.halve(self.settings, self.attempt, lambda: self.now, 16)
        self.assertEqual((best.setting.name, untried), ("s7", 6))

    def test_where_all_are_wrong_there_is_no_best(self) -> None:
        wrong = [s for s in self.settings if s.name == "s1"]
        trials, best, _ = tune.halve(wrong, self.attempt, lambda: self.now, 1e9)
        self.assertEqual((len(trials), best), (1, None))
        self.assertEqual(tune.Found(trials).says(), "no setting gave a verified gradient")


class Sentences(unittest.TestCase):
    def found(self, gain: intervals.Interval) -> tune.Found:
        best = tune.Trial(matrix.Setting("no-first", (("first", False), ("second", True))), 15)
        return tune.Found([], best, gain)

    def test_a_difference_within_the_noise_is_none(self) -> None:
        self.assertIn("within the noise", self.found(intervals.Interval(1.02, 0.99, 1.05, 15)).says())
        self.assertIn(
            "without first the gradient is 25.0 % faster", self.found(intervals.Interval(1.25, 1.2, 1.3, 15)).says()
        )


class Search(support.FakeBenchmarks):
    """With the fake compiler: a gradient without `second` takes half the time."""

    def test_a_search_of_fake_programs(self) -> None:
        benchmark = self.benchmarks("TUNE")[0]
        said = []
        found = tune.search(
            benchmark, "default", "small", support.TOGGLES, self.folder / "tune", budget=60, timeout=20, say=said.append
        )
        self.assertEqual(found.best.off, ["second"])
        self.assertAlmostEqual(found.gain.value, 2.0)
        self.assertFalse(any(t.failure for t in found.trials))
        self.assertEqual(len(said), len(found.trials))
        data = tune.as_json(found, benchmark, "default", "small", 1)
        self.assertEqual((data["best_without"], data["gain"][0]), (["second"], 2.0))
        self.assertIn("100.0 % faster", data["says"])


if __name__ == "__main__":
    unittest.main()
