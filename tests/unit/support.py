"""What the unit tests share. Rows made here are TEST DATA: invented, and never mixed with measured rows."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
from ablation.manifest import Benchmark
from tools.retrolib import toggles as toggle_table

TOGGLES = toggle_table.parse(
    'TRAIT(Gpu, "It runs on a GPU.")\nTRAIT(Forward, "It is made in forward mode.")\n'
    'TOGGLE(a, "first", true, "First", Prepare, NEEDS(), NOT_WITH(Gpu), "The first.")\n'
    'TOGGLE(b, "second", true, "Second", Plan, NEEDS(a), NOT_WITH(), "The "\n  "second.")\n'
)


def timing(median: float) -> dict[str, float | list[float]]:
    return {
        "median": median,
        "q1": 0.9 * median,
        "q3": 1.2 * median,
        "min": 0.8 * median,
        "runs": [median],
        "calls_per_run": 1,
        "peak_memory_bytes": 2_000_000,
        "tape_bytes": 1536,
    }


def fake_row(
    benchmark: str = "gmm",
    setting: str = "all-on",
    gradient: float | None = 3.0,
    primal: float = 1.0,
    size: str = "small",
    values: dict[str, int] | None = None,
    kernel: str = "default",
    variant: str = "restrict",
    status: str = "ok",
    reason: str | None = None,
    hand: float | None = None,
    compile_seconds: tuple[float, float] = (2.0, 0.8),
) -> dict[str, Any]:
    """An invented row. gradient None: not timed."""
    columns = {"primal": timing(primal)}
    if gradient is not None:
        columns["gradient"] = timing(gradient)
    if hand is not None:
        columns["hand"] = timing(hand)
    return {
        "benchmark": benchmark,
        "suite": "TEST DATA",
        "kernel": kernel,
        "size": size,
        "size_values": values or {},
        "variant": variant,
        "size_index": 0 if size == "small" else 1,
        "is_default_size": size != "big",
        "is_default_kernel": kernel in ("default", "usual"),
        "study": "./retro test data",
        "setting": setting,
        "cell": f"{benchmark}.{kernel}.{size}.{variant}.{setting}",
        "status": status,
        "reason": reason,
        "columns": columns,
        "verified": {"primal": True, "gradient": status == "ok"},
        "compile": dict(zip(("with_plugin", "without_plugin"), ({"median": s} for s in compile_seconds))),
        "machine": {"cpu": "TEST DATA", "cores": 1},
        "compiler": "TEST DATA",
        "commit": "0" * 40,
    }


class FakeBenchmarks(unittest.TestCase):
    """A folder with a benchmark that fake_compiler.py compiles; self.rows is where its rows go."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "suites").mkdir()
        for name in ("plugin.so", "cube.cpp", "cube"):
            (self.folder / name).write_text(name)
        self.rows = self.folder / "rows"

    def benchmarks(self, *definitions: str) -> list[Benchmark]:
        data = {
            "suite": "TEST DATA",
            "name": "cube",
            "executable": str(self.folder / "cube"),
            "compiler": str(Path(__file__).with_name("fake_compiler.py")),
            "plugin": str(self.folder / "plugin.so"),
            "sources": [{"path": str(self.folder / "cube.cpp"), "role": "gradient"}],
            "include_dirs": [],
            "flags": ["-O2"],
            "definitions": list(definitions),
            "variants": [{"name": n, "definitions": [f"-DRESTRICT={r}"]} for n, r in (("restrict", 1), ("plain", 0))],
            "kernels": ["default"],
            "sizes": [{"name": "small"}, {"name": "big"}],
            "default_size": "small",
            "scaling_sizes": [],
            "test_sizes": [],
            "link": {"driver_objects": [], "kernel_objects": [], "libraries": [], "flags": []},
        }
        (self.folder / "suites" / "cube.json").write_text(json.dumps(data))
        from ablation import manifest

        return manifest.read_all(self.folder)
