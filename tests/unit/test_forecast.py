import json
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any

from ablation import forecast


def cell(name: str, size: str = "small", setting: str = "all-on") -> Any:
    return types.SimpleNamespace(
        benchmark=types.SimpleNamespace(name=name), kernel="k", size=size, key=f"{name}.k.{size}.{setting}"
    )


class Forecast(unittest.TestCase):
    def test_from_near_to_far(self) -> None:
        f = forecast.Forecast([])
        self.assertEqual(f.seconds(cell("a")), forecast.UNKNOWN)
        f.learn(cell("a"), 2.0)
        f.learn(cell("a", "big"), 6.0)
        self.assertEqual(f.seconds(cell("a")), 2.0)  # itself
        self.assertEqual(f.seconds(cell("a", "big", "no-first")), 6.0)  # its kernel and size
        self.assertEqual(f.seconds(cell("a", "other")), 4.0)  # its benchmark
        f.learn(cell("b"), 1.0)
        self.assertEqual(f.seconds(cell("c")), 3.0)  # all
        self.assertEqual(f.total([cell("a"), cell("b")]), 3.0)

    def test_starts_from_the_rows_of_earlier_runs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.k.small.all-on.json").write_text(json.dumps({"seconds": 7.5}))
            (Path(folder) / "b.k.small.all-on.json").write_text("not JSON")
            f = forecast.Forecast([cell("a"), cell("b")], Path(folder))
        self.assertEqual(f.seconds(cell("a")), 7.5)
        self.assertEqual(f.known, {"a.k.small.all-on": 7.5})


if __name__ == "__main__":
    unittest.main()
