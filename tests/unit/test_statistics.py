import math
import unittest

from ablation import statistics


class Quantiles(unittest.TestCase):
    def test_odd_and_even_counts(self) -> None:
        self.assertEqual(statistics.quantile([3, 1, 2], 0.5), 2)
        self.assertEqual(statistics.quantile([4, 1, 2, 3], 0.5), 2.5)

    def test_interpolates_between_order_statistics(self) -> None:
        self.assertAlmostEqual(statistics.quantile([10, 20, 30, 40], 0.25), 17.5)
        self.assertEqual(statistics.quantile([5], 0.75), 5)
        self.assertEqual(statistics.quantile([1, 2], 1), 2)

    def test_summary(self) -> None:
        self.assertEqual(statistics.summary([1, 2, 3, 4, 5]), {"median": 3, "q1": 2, "q3": 4, "count": 5})

    def test_no_values(self) -> None:
        with self.assertRaises(ValueError):
            statistics.quantile([], 0.5)


class GeometricMean(unittest.TestCase):
    def test_of_reciprocals_is_one(self) -> None:
        self.assertAlmostEqual(statistics.geometric_mean([8, 0.125]), 1)

    def test_value(self) -> None:
        self.assertTrue(math.isclose(statistics.geometric_mean([2, 4, 8]), 4))

    def test_none_for_nothing_and_error_for_zero(self) -> None:
        self.assertIsNone(statistics.geometric_mean([]))
        with self.assertRaises(ValueError):
            statistics.geometric_mean([1, 0])


if __name__ == "__main__":
    unittest.main()
