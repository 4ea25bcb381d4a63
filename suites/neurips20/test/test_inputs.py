"""The text formats of ADBench: a problem written to a file must give the results of the same problem generated.

usage: test_inputs.py <folder with the neurips20-* programs>
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterable
from pathlib import Path

PROGRAMS = pathlib.Path(sys.argv.pop(1))


class Rng:
    """SplitMix64 of the suite's specification, with its draws."""

    def __init__(self, seed: int = 1) -> None:
        self.state = seed

    def next(self) -> int:
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def uniform(self, a: float = 0.0, b: float = 1.0) -> float:
        return a + (b - a) * ((self.next() >> 11) * 2.0**-53)

    def uniforms(self, n: int, a: float = 0.0, b: float = 1.0) -> list[float]:
        return [self.uniform(a, b) for _ in range(n)]

    def normals(self, n: int) -> list[float]:
        return [sum(self.uniforms(12)) - 6 for _ in range(n)]


def lines(rows: Iterable[Iterable[float]]) -> str:
    return "\n".join(" ".join(str(x) for x in row) for row in rows) + "\n"


class Inputs(unittest.TestCase):
    def results(self, program: str, *arguments: str | Path) -> dict[str, list[float]]:
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "row.json"
            run = subprocess.run(
                [PROGRAMS / program, "--verify", "--json", out, *arguments], capture_output=True, text=True
            )
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            return json.loads(out.read_text())["rows"][0]["results"]

    def check(self, program: str, size: str, text: str, *arguments: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "input.txt"
            path.write_text(text)
            read = self.results(program, "--input", path, *arguments)
        self.assertEqual(read, self.results(program, "--size", size, *arguments))

    def test_gmm(self) -> None:
        d, k, n = 3, 4, 20
        rng = Rng()
        parts = [rng.normals(k), rng.uniforms(k * d), rng.normals(k * d * (d + 1) // 2), rng.normals(n * d)]
        self.check("neurips20-gmm", f"d={d},K={k},n={n}", lines([[d, k, n], *parts, [1, 0]]))

    def test_gmm_with_one_point_for_all(self) -> None:
        rng = Rng()
        parts = [rng.normals(2), rng.uniforms(4), rng.normals(6)]
        point = rng.normals(2)
        with tempfile.TemporaryDirectory() as folder:
            results = []
            for points in ([point], [point] * 5):
                path = pathlib.Path(folder) / "input.txt"
                path.write_text(lines([[2, 2, 5], *parts, *points, [1, 0]]))
                results.append(self.results("neurips20-gmm", "--input", path))
        self.assertEqual(*results)

    def test_lstm(self) -> None:
        l, c, b = 2, 6, 5
        rng = Rng()
        parts = [rng.uniforms(8 * l * b), rng.uniforms(3 * b), rng.uniforms(2 * l * b)]
        bits = [0 if rng.uniform() < 0.5 else 1 for _ in range(c * b)]
        self.check("neurips20-lstm", f"l={l},c={c},b={b}", lines([[l, c, b], *parts, bits]))

    def test_ba(self) -> None:
        rng = Rng()
        camera = rng.uniforms(3, -0.5, 0.5) + rng.uniforms(3, -1, 1)
        camera[5] -= 4
        camera += [
            rng.uniform(300, 500),
            rng.uniform(-5, 5),
            rng.uniform(-5, 5),
            rng.uniform(-0.1, 0.1),
            rng.uniform(-0.01, 0.01),
        ]
        rest = [rng.uniforms(3, -1, 1), rng.uniforms(1), rng.uniforms(2, -100, 100)]
        self.check("neurips20-ba", "n=1,m=1,p=1", lines([[1, 1, 1], camera, *rest]))

    def test_truncated_files_are_refused(self) -> None:
        for program in ("gmm", "lstm", "ba", "hand"):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "input.txt"
                path.write_text("2 2 5 0.5\n")
                run = subprocess.run(
                    [PROGRAMS / f"neurips20-{program}", "--verify", "--input", path], capture_output=True, text=True
                )
            self.assertEqual(run.returncode, 2, program)
            self.assertIn("error:", run.stderr)

    def hand_files(self, folder: Path, vertices: int, count: int, complicated: bool) -> Path:
        """Writes the generated hand of the specification in ADBench's files; returns the instance's path."""
        parents = [-1] + [p for f in range(5) for p in (0, 4 * f + 1, 4 * f + 2, 4 * f + 3)] + [0]
        rng = Rng()
        product = lambda a, b: [
            [a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c] + a[r][3] * b[3][c] for c in range(4)]
            for r in range(4)
        ]
        absolutes, bones = [], []
        for parent in parents:
            c = rng.uniform(0.8, 1.0)
            s = (1 - c * c) ** 0.5
            t = [rng.uniform(-0.1, 0.1), rng.uniform(0.2, 0.4), rng.uniform(-0.1, 0.1)]
            relative = [[c, -s, 0.0, t[0]], [s, c, 0.0, t[1]], [0.0, 0.0, 1.0, t[2]], [0.0, 0.0, 0.0, 1.0]]
            a = relative if parent < 0 else product(absolutes[parent], relative)
            absolutes.append(a)
            inverse = [
                [a[0][i], a[1][i], a[2][i], -(a[0][i] * a[0][3] + a[1][i] * a[1][3] + a[2][i] * a[2][3])]
                for i in range(3)
            ] + [[0.0, 0.0, 0.0, 1.0]]
            bones.append(["bone", parent] + sum(relative, []) + sum(inverse, []))
        positions = [rng.uniforms(3, -1, 1) for _ in range(vertices)]
        rows = []
        for p in positions:
            b1, b2 = int(rng.uniform() * 22), int(rng.uniform() * 22)
            w = rng.uniform()
            rows.append(p + [0] * 5 + [2, b1, w, b2, 1 - w])
        colons = lambda table: "".join(":".join(str(x) for x in row) + "\n" for row in table)
        model = folder / "model"
        model.mkdir()
        (model / "bones.txt").write_text(colons(bones))
        (model / "vertices.txt").write_text(colons(rows))
        (model / "triangles.txt").write_text(colons([[(i + j) % vertices for j in range(3)] for i in range(vertices)]))
        corresponding = [int(rng.uniform() * vertices) for _ in range(count)]
        points = [rng.uniforms(3, -1, 1) for _ in range(count)]
        theta = rng.uniforms(26, -0.5, 0.5)
        pairs = [rng.uniforms(2, 0, 0.5) for _ in range(count)]
        path = folder / "instance.txt"
        path.write_text(
            lines(
                [[count, 26], *([c, *p] for c, p in zip(corresponding, points)), *(pairs if complicated else []), theta]
            )
        )
        return path

    def test_hand(self) -> None:
        for kernel in ("simple", "complicated"):
            arguments = ["--kernel", kernel]
            with tempfile.TemporaryDirectory() as folder:
                path = self.hand_files(pathlib.Path(folder), 40, 24, kernel == "complicated")
                read = self.results("neurips20-hand", "--input", path, *arguments)
            self.assertEqual(read, self.results("neurips20-hand", "--size", "nv=40,nc=24", *arguments))


if __name__ == "__main__":
    unittest.main()
