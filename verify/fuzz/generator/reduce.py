"""Makes a failing program smaller while it fails in the same way, and writes it as a test."""

import copy
import dataclasses
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from . import tree
from .batch import Bench, Result, Setting
from .program import Program
from .requests import Requests

MOST, FEW, LANES, POINTS = 352, 64, 4, 2  # of generated.c


class Reducer:
    def __init__(
        self,
        bench: Bench,
        program: Program,
        setting: Setting,
        result: Result,
        seconds: float,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.bench, self.program, self.setting, self.want = bench, program, setting, result
        self.end, self.say, self.tried = time.monotonic() + seconds, say, 0

    def fails(self, program: Program, setting: Setting) -> bool:
        """Still in the same way, and not because the program is undefined now."""
        self.tried += 1
        result = self.bench.alone(program, setting)
        if not result.like(self.want):
            return False
        return result.name not in ("wrong", "stopped", "hang", "refused") or not self.bench.sound(program)

    def run(self) -> tuple[Program, Setting] | None:
        """(program, setting), both as small as could be found; None if the failure does not come again."""
        if not self.fails(self.program, self.setting):
            return None
        self.simplify_setting()
        progress = True
        while progress and time.monotonic() < self.end:
            progress = self.pass_over(tree.smaller_blocks)
            progress |= self.pass_over(tree.smaller_expressions)
        self.simplify_setting()
        return self.program, self.setting

    def pass_over(self, edits: Callable[[tree.Node], Iterator[tree.Edit]]) -> bool:
        """Tries edits until none helps; whether one did."""
        helped, skip = False, 0
        while True:
            for k, edit in enumerate(edits(self.program.tree)):
                if k < skip:
                    continue
                if time.monotonic() > self.end:
                    return helped
                smaller = tree.apply(self.program.tree, edit)
                if smaller is None or len(smaller.text()) >= len(self.program.tree.text()):
                    continue
                candidate = copy.copy(self.program)
                candidate.tree = smaller
                if self.fails(candidate, self.setting):
                    self.program, helped, skip = candidate, True, k
                    self.say(f"{len(smaller.text())} characters after {self.tried} tries")
                    break
            else:
                if not skip:
                    return helped
                skip = 0  # what stands before may have become possible
                if not helped:
                    return False

    def simplify_setting(self) -> None:
        changes: tuple[dict[str, Any], ...] = (
            {"toggles": []},
            {"debug": False},
            {"sanitize": False},
            {"level": "O1"},
            {"level": "O2"},
            {"level": "O0"},
        )
        for change in changes:
            self.try_setting(**change)
        for toggle in list(self.setting.toggles):
            self.try_setting(toggles=[t for t in self.setting.toggles if t != toggle])
        for mode in ("vector", "second", "forward"):
            self.try_setting(modes=tuple(m for m in self.setting.modes if m != mode))
        for attribute, value in (
            ("width", 2),
            ("outer_width", False),
            ("vector", "forward"),
            ("vector", "reverse"),
            ("size", 2),
        ):
            candidate = copy.copy(self.program)
            setattr(candidate, attribute, value)
            if getattr(self.program, attribute) != value and self.fails(candidate, self.setting):
                self.program = candidate

    def try_setting(self, **change: Any) -> None:
        candidate = dataclasses.replace(self.setting, **change)
        if candidate != self.setting and self.fails(self.program, candidate):
            self.setting = candidate


# ---- the test


def points(
    name: str, inputs: int, returns: bool, outputs: int, single: bool
) -> Iterator[tuple[list[float], list[float], list[float]]]:
    """What generated.c draws: (in, w, v) of each point."""
    mask, state = (1 << 64) - 1, 88172645463325252

    def uniform(low: float, high: float) -> float:
        nonlocal state
        state ^= (state << 13) & mask
        state ^= state >> 7
        state ^= (state << 17) & mask
        return low + (high - low) * ((state >> 11) * 2.0**-53)

    for letter in name:
        state = ((state ^ ord(letter)) * 1099511628211) & mask
    for _ in range(8):
        uniform(0, 1)
    for _ in range(POINTS):
        where = []
        for _ in range(inputs):
            at = uniform(0.15, 1.4)
            where.append(-at if uniform(0, 1) < 0.4 else at)
        most = FEW if max(inputs, outputs) <= FEW else MOST
        pairs = [(uniform(-1, 1), uniform(-1, 1)) for _ in range(LANES * most)]
        w, v = ([round(p[k], 4) for p in pairs] for k in (0, 1))
        if returns:
            for lane in range(LANES):
                w[lane * outputs] = 1.0
        yield [round(a, 4) for a in where], w, v


def numbers(values: Iterable[float]) -> str:
    return "{" + ", ".join(repr(v) for v in values) + "}"


def test_text(program: Program, setting: Setting, result: Result, seed: int) -> str:
    """A program in the style of engine/test/programs."""
    asked = Requests(program, "")
    text = asked.text(setting.modes).replace("@", "")
    text = "\n".join(line for line in text.splitlines() if "fz_program" not in line)
    n, m = asked.inputs, asked.outputs
    x, w, v = next(points(str(program.number), n, asked.returns, m, program.single))
    tolerance = "1e-3" if program.single else "1e-9"
    body = ["double g[Inputs], e[Inputs], y[Outputs], jv[Outputs];", "reverse(point, weight, g);"]
    if not program.single:
        body.append("GRADIENT(value, point, g, Inputs);")
    if "forward" in setting.modes:
        body.append(
            "for (int i = 0; i < Inputs; ++i) { memset(e, 0, sizeof e); e[i] = 1; forward(point, e, y, jv); "
            f"NEAR(dot(weight, jv, Outputs), g[i], {tolerance}); }}"
        )
    if "vector" in setting.modes and program.vector in ("reverse", "both"):
        body.append(
            f"double gs[{program.width} * Inputs]; reverse_{program.width}(point, weight, gs); for (int k = 0; k < {program.width}; ++k) {{ "
            f"reverse(point, weight + k * Outputs, g); for (int i = 0; i < Inputs; ++i) NEAR(gs[k * Inputs + i], g[i], {tolerance}); }}"
        )
    if "vector" in setting.modes and program.vector in ("forward", "both"):
        body.append(
            f"double js[{program.width} * Outputs]; forward_{program.width}(point, direction, y, js); for (int k = 0; k < {program.width}; ++k) {{ "
            f"forward(point, direction + k * Inputs, y, jv); for (int i = 0; i < Outputs; ++i) NEAR(js[k * Outputs + i], jv[i], {tolerance}); }}"
        )
    extra = ""
    if "second" in setting.modes:
        lanes = 2 if program.outer_width else 1
        body.append(
            f"double hv[{lanes} * Inputs], again[Inputs]; memset(hv, 0, sizeof hv); memset(again, 0, sizeof again); reverse(point, weight, g); "
            f"second(point, weight, direction, again, hv); for (int i = 0; i < Inputs; ++i) NEAR(again[i], g[i], {tolerance});"
        )
        if not program.single:
            extra = "static double along(const double *x, int n) { double g[Inputs]; reverse(x, weight, g); return dot(other, g, n); }\n"
            body.append("NEAR(dot(other, hv, Inputs), slope(along, point, direction, Inputs), 1e-6);")
    lanes = max(program.width, 2)
    cxx = (
        "#include <algorithm>\n#include <array>\n#include <cmath>\n#include <memory>\n#include <stdexcept>\n#include <utility>\n#include <vector>\n"
        if program.cxx
        else ""
    )
    return (
        f"// FIXME: say what this shows. {result.name}: {result.detail}\n"
        f"// From ./retro fuzz --generate --seed {seed} --first {program.number} -n 1: {setting}\n"
        f'#include "check.h"\n{cxx}\nMARKERS(enzyme_width);\n#define ALWAYS_INLINE inline __attribute__((always_inline))\n\n'
        f"{program.text('')}\n{text}\n"
        f"enum {{ Inputs = {n}, Outputs = {m} }};\nstatic const double point[] = {numbers(x)};\nstatic const double weight[] = {numbers(w[: lanes * m])};\n"
        f"static const double direction[] = {numbers(v[: lanes * n])};\nstatic const double other[] = {numbers(v[lanes * n : (lanes + 1) * n])};\n"
        f"static double value(const double *x, int n) {{ double y[Outputs]; (void)n; call(x, y); return dot(weight, y, Outputs); }}\n{extra}"
        f"int main() {{\n" + "\n".join(body) + "\nreturn finish();\n}\n"
    )


def formatted(text: str, suffix: str, root: Path) -> str:
    """As the tree's own formatting has it, where clang-format is there."""
    try:
        done = subprocess.run(
            ["clang-format-22", f"--assume-filename={root}/engine/test/programs/x{suffix}"],
            input=text,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        return text
    return done.stdout if done.returncode == 0 else text
