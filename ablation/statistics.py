"""Order statistics of few, skewed samples: times are reported as a median with quartiles."""

import math


def quantile(values: list[float], q: float) -> float:
    """Quantile 0 <= q <= 1 with linear interpolation between order statistics. ValueError when `values` is
    empty."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def summary(values: list[float]) -> dict[str, float]:
    """{median, q1, q3, count} of a sample."""
    return {
        "median": quantile(values, 0.5),
        "q1": quantile(values, 0.25),
        "q3": quantile(values, 0.75),
        "count": len(values),
    }


def geometric_mean(values: list[float]) -> float | None:
    """Geometric mean of positive values; None when there is none. ValueError for a value that is not
    positive."""
    if not values:
        return None
    if any(v <= 0 for v in values):
        raise ValueError("a geometric mean needs positive values")
    return math.exp(math.fsum(map(math.log, values)) / len(values))
