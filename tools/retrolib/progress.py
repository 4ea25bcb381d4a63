"""Progress with an estimate of the time left, on stderr, so that stdout stays what the tools print."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO


def span(seconds: float) -> str:
    """`seconds` as a person says it: 45s, 3m10s, 1h05m."""
    s = int(round(max(0, seconds)))
    if s < 60:
        return f"{s}s"
    if s < 3600:
        return f"{s // 60}m{s % 60:02d}s"
    return f"{s // 3600}h{s % 3600 // 60:02d}m"


class Meter:
    """Counts work units of about equal size, or of the weights given, and says how long the rest may take.

    On a terminal it rewrites one line; otherwise it prints a line at most every `every` seconds.
    """

    def __init__(
        self,
        total: int,
        what: str,
        every: float = 15.0,
        out: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        expected: float | None = None,
    ) -> None:
        """expected: seconds that all of it took before."""
        self.total, self.what, self.every, self.expected = total, what, every, expected
        self.out, self.clock = out or sys.stderr, clock
        self.done, self.start, self.shown = 0.0, clock(), -every
        self.tty = self.out.isatty()

    def left(self) -> float | None:
        """Estimated seconds left, or None while nothing is known. What was expected counts as if a fifth had been done in that time: the
        first units may be few and long, and the machine another or a busy one."""
        if self.done <= 0 and not self.expected:
            return None
        prior = 0.2 if self.expected else 0.0
        pace = (self.clock() - self.start + prior * (self.expected or 0)) / (self.done + prior * self.total)
        return pace * (self.total - self.done)

    def to(self, done: float, note: str = "", left: float | None = None) -> None:
        """Report that `done` of `total` units are finished. left: seconds, where they are better known."""
        self.done = done
        now = self.clock() - self.start
        if not self.tty and now - self.shown < self.every and done < self.total:
            return
        self.shown = now
        left = self.left() if left is None else left
        tail = f", about {span(left)} left" if left is not None and done < self.total else ""
        line = f"[{done:g}/{self.total:g}] {self.what}: {span(now)}{tail}{'  ' + note if note else ''}"
        self.out.write(f"\r\033[K{line[:150]}" if self.tty else line + "\n")
        self.out.flush()

    def advance(self, units: int = 1, note: str = "", left: float | None = None) -> None:
        self.to(self.done + units, note, left)

    def close(self) -> None:
        if self.tty:
            self.out.write("\n")


class Steps:
    """The steps of a command, with times remembered from earlier runs in `memory` (a JSON file).

    expected: {step name: seconds}, used until a step has been timed on this machine.
    budget: (time.monotonic() at the start, seconds), or None; where there is one, each step says what is left.
    """

    def __init__(self, names: list[str], expected: dict[str, int], memory: Path) -> None:
        self.names, self.memory = list(names), memory
        self.current: str | None = None
        self.budget: tuple[float, float] | None = None
        self.expected = {}
        try:
            self.known = {**expected, **json.loads(memory.read_text())}
        except (OSError, ValueError):
            self.known = dict(expected)
        self.measured: dict[str, float] = {}

    def expect(self, name: str, seconds: float) -> None:
        """A better estimate of a step than what it took last time."""
        self.expected[name] = seconds

    def seconds(self, name: str) -> float:
        return self.expected.get(name, self.known.get(name, 60))

    def begin(self, name: str) -> None:
        self.end()
        at = self.names.index(name)
        rest = sum(map(self.seconds, self.names[at:]))
        text = f"about {span(self.seconds(name))}; about {span(rest)} to the end"
        if self.budget:
            start, seconds = self.budget
            text += f"; {span(start + seconds - time.monotonic())} of the budget of {span(seconds)} left"
        print(f"retro: step {at + 1} of {len(self.names)}: {name} ({text})", file=sys.stderr, flush=True)
        self.current, self.started = name, time.monotonic()

    def remember(self, name: str, seconds: float) -> None:
        self.measured[name] = round(seconds, 2)
        self.memory.parent.mkdir(parents=True, exist_ok=True)
        self.memory.write_text(json.dumps({**self.known, **self.measured}, indent=1) + "\n")

    def end(self) -> float | None:
        """Ends the current step. Returns its seconds, or None when there was none."""
        if self.current is None:
            return None
        seconds = time.monotonic() - self.started
        self.remember(self.current, seconds)
        self.current = None
        return seconds
