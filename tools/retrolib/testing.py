"""Runs ctest, and says how long the rest takes: by what each test took last time, and before that by what its labels are known to take."""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import ROOT
from . import build as builder
from .progress import Meter, Steps

# Seconds of a test that has not been run here, by the first of its labels that stands here.
USUAL = {"slow": 10.0, "suite": 4.0, "conformance": 5.0, "lit": 60.0, "unit": 1.5}
PER_COST = 0.5  # seconds of one unit of the property COST, by which ctest orders


def command(args: argparse.Namespace) -> list[str]:
    cmd = [
        "ctest",
        "--test-dir",
        str(builder.build_dir(args.preset)),
        "--output-on-failure",
        "--no-tests=error",
        "-j",
        str(args.jobs),
    ]
    if args.label:
        cmd += ["-L", f"^({'|'.join(args.label)})$"]
    if args.exclude:
        cmd += ["-LE", f"^({'|'.join(args.exclude)})$"]
    if args.match:
        cmd += ["-R", args.match]
    return cmd


def recorded(folder: Path) -> dict[str, float]:
    """{test: seconds} of earlier runs, which ctest keeps: 'name runs seconds', up to a line of dashes."""
    try:
        lines = (folder / "Testing" / "Temporary" / "CTestCostData.txt").read_text().split("\n---")[0].splitlines()
    except OSError:
        return {}
    found = (line.rsplit(" ", 2) for line in lines)
    return {words[0]: float(words[2]) for words in found if len(words) == 3 and float(words[2]) > 0}


def costs(listed: dict[str, Any], known: dict[str, float]) -> dict[str, float]:
    """{test: seconds on one core} of what `ctest --show-only=json-v1` lists."""
    result = {}
    for test in listed.get("tests", ()):
        has = {p["name"]: p["value"] for p in test.get("properties", ())}
        usual = next((seconds for label, seconds in USUAL.items() if label in has.get("LABELS", ())), 1.0)
        cost = known.get(test["name"]) or PER_COST * float(has.get("COST", 0)) or usual
        result[test["name"]] = max(cost, 0.01) * float(has.get("PROCESSORS", 1))
    return result


class Clock:
    """How long tests of known cost still take. What ran so far corrects the costs, the more of it the more."""

    def __init__(self, costs: dict[str, float], jobs: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.costs, self.jobs, self.clock = costs, jobs, clock
        self.total, self.done, self.running, self.start = sum(costs.values()), 0.0, {}, clock()

    def started(self, name: str) -> None:
        self.running[name] = self.clock()

    def finished(self, name: str) -> None:
        self.running.pop(name, None)
        self.done += self.costs.get(name, 0)

    def left(self) -> float:
        now = self.clock()
        under_way = sum(min(self.costs.get(name, 0), now - at) for name, at in self.running.items())
        progress = min(self.done + under_way, self.total)
        prior = 0.1 * self.total  # as if a tenth had run as expected
        factor = (
            (now - self.start + prior / self.jobs) / (progress / self.jobs + prior / self.jobs) if self.total else 1
        )
        return (self.total - progress) / self.jobs * factor


def listed(words: list[str]) -> dict[str, Any]:
    """What a command of ctest would run; nothing, if ctest says itself what is wrong."""
    text = subprocess.run([*words, "--show-only=json-v1"], cwd=ROOT, capture_output=True, text=True).stdout
    try:
        result: dict[str, Any] = json.loads(text)
    except ValueError:
        return {}
    return result


def processors(listed: dict[str, Any]) -> dict[str, float]:
    """{test: cores} of what `ctest --show-only=json-v1` lists."""
    return {
        test["name"]: float({p["name"]: p["value"] for p in test.get("properties", ())}.get("PROCESSORS", 1))
        for test in listed.get("tests", ())
    }


def expected(args: argparse.Namespace) -> dict[str, float]:
    """{test: seconds} of the tests that will run."""
    return costs(listed(command(args)), recorded(builder.build_dir(args.preset)))


def targets_of(tests: list[dict[str, Any]], outputs: set[str], folder: Path) -> list[str] | None:
    """What these tests take of what is built, by the paths in their commands. None: a folder of many things is among them, so it may be all."""
    targets = set()
    for test in tests:
        has = {p["name"]: p["value"] for p in test.get("properties", ())}
        for word in [*(test.get("command") or ()), *has.get("ENVIRONMENT", ())]:
            for path in re.findall(rf"{re.escape(str(folder))}[^\s:;,]*", word):
                name = os.path.relpath(path, folder)
                if name in outputs:
                    targets.add(name)
                elif name == "." or any(other.startswith(name + "/") for other in outputs):
                    return None
    return sorted(targets)


def needed(args: argparse.Namespace) -> list[str] | None:
    """The targets that the tests of -R take; None: everything. Where no test has such a name, it may be one in a program that is not built: those are."""
    if not args.match:
        return None
    folder, suffix = builder.build_dir(args.preset), "_NOT_BUILT"
    tests = listed(command(args)).get("tests", [])
    if not tests:
        names = [test["name"] for test in listed(["ctest", "--test-dir", str(folder)]).get("tests", [])]
        return [name.removesuffix(suffix) for name in names if name.endswith(suffix)]
    lines = subprocess.run(
        ["ninja", "-C", str(folder), "-t", "targets", "all"], capture_output=True, text=True
    ).stdout.splitlines()
    return targets_of(tests, {line.rsplit(": ", 1)[0] for line in lines}, folder)


class Failures:
    """The last lines that each failed test printed, for a reader who sees only the end of a long log."""

    LINES, WIDTH = 6, 220

    def __init__(self) -> None:
        self.of: dict[str, list[str]] = {}
        self.now: str | None = None

    def line(self, text: str) -> None:
        if m := re.match(r"\s*\d+/\d+ Test +#\d+: (\S+)", text):
            self.now = m[1] if "***" in text and "***Skipped" not in text else None
            if self.now:
                self.of[self.now] = []
        elif re.match(r"\s*Start +\d+: ", text):
            self.now = None
        elif self.now and text.strip():
            self.of[self.now] = [*self.of[self.now], text.rstrip()[: self.WIDTH]][-self.LINES :]

    def show(self) -> None:
        for name, lines in self.of.items():
            print(f"\n{name} ended with", *lines, sep="\n  ", flush=True)


class Times:
    """Where the time of a run went: seconds on one core by the first two parts of the tests' names."""

    SHOWN = 12

    def __init__(self, processors: dict[str, float]) -> None:
        self.processors = processors
        self.of: dict[str, tuple[int, float]] = {}

    def line(self, text: str) -> None:
        if m := re.match(r"\s*\d+/\d+ Test +#\d+: (\S+) .* (\d+\.\d+) sec", text):
            group = ".".join(m[1].split(".")[:2])
            count, seconds = self.of.get(group, (0, 0.0))
            self.of[group] = (count + 1, seconds + float(m[2]) * self.processors.get(m[1], 1.0))

    def show(self) -> None:
        most = sorted(self.of.items(), key=lambda of: -of[1][1])
        if len(most) > 1:
            print("\nseconds on one core, and tests:")
            for group, (count, seconds) in most[: self.SHOWN]:
                print(f"  {seconds:7.0f} {count:5}  {group}")
            print(f"  {sum(s for _, (_, s) in most):7.0f} {sum(n for _, (n, _) in most):5}  all", flush=True)


def run(args: argparse.Namespace, steps: Steps, step: str) -> int:
    """The tests of a command line. Returns ctest's status."""
    known, times = expected(args), Times(processors(listed(command(args))))
    steps.expect(step, sum(known.values()) / args.jobs)
    steps.begin(step)
    env = dict(os.environ)
    if args.preset == "asan":
        env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    process = subprocess.Popen(
        command(args), cwd=ROOT, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    meter, clock, failures = None, Clock(known, args.jobs), Failures()
    for line in process.stdout or ():
        if re.match(r"\d+% tests passed", line):
            times.show()
            failures.show()
        failures.line(line)
        times.line(line)
        sys.stdout.write(line)
        sys.stdout.flush()
        if m := re.match(r"\s*Start +\d+: (\S+)", line):
            clock.started(m[1])
        elif m := re.match(r"\s*(\d+)/(\d+) Test +#\d+: (\S+)", line):
            clock.finished(m[3])
            meter = meter or Meter(int(m[2]), "tests", every=30)
            meter.to(int(m[1]), left=clock.left())
    status = process.wait()
    if meter and meter.tty:
        meter.close()
    steps.end()
    return status
