"""Shapes of one call: what the arrays that are given say about the sizes, and the shapes of those that are made."""

import math
from typing import cast

from .roles import Argument, evaluate, is_integer


class Sizes:
    """The integers of one call by name. `shapes` are those of the arrays that are given, without the axis of a batch."""

    def __init__(
        self, arguments: tuple[Argument, ...], shapes: dict[str, tuple[int, ...]], integers: dict[str, int]
    ) -> None:
        self.values, self.shapes, self.said_by = dict(integers), dict(shapes), {name: "its value" for name in integers}
        given = [a for a in arguments if a.given and a.array]
        for a in given:
            self._rank(a)
            for extent, size in zip(a.extents or (), shapes[a.name]):
                if extent and extent.isidentifier() and extent not in self.values:
                    self.values[extent], self.said_by[extent] = size, f"'{a.name}'"
            if a.count and a.count not in self.values:
                self.values[a.count], self.said_by[a.count] = math.prod(shapes[a.name]), f"'{a.name}'"
        for a in given:
            self._compare(a)
        for a in arguments:
            if a.made and not a.given or a.role == "scratch":
                self.shapes[a.name] = self._made(a)
        self.integers = {a.name: self.values[a.name] for a in arguments if is_integer(a) and a.name in self.values}

    def _rank(self, a: Argument) -> None:
        got = self.shapes[a.name]
        if a.extents is not None and len(got) != len(a.extents):
            raise ValueError(f"'{a.name}' has shape {got}; it must have {len(a.extents)} axes ({self._text(a)})")

    def _compare(self, a: Argument) -> None:
        got = self.shapes[a.name]
        for extent, size in zip(a.extents or (), got):
            if extent and self._value(extent, a) != size:
                raise ValueError(f"'{a.name}' has shape {got}; it must be ({self._text(a)}), {self._reason(extent)}")
        if a.count and math.prod(got) != self.values[a.count]:
            advice = f"if {a.count} is not its size, say what is: shapes={{{a.name!r}: '…'}}"
            raise ValueError(f"'{a.name}' has {math.prod(got)} elements; {self._reason(a.count)}; {advice}")

    def _made(self, a: Argument) -> tuple[int, ...]:
        if a.extents is None:
            return self.shapes[a.like]
        extents = cast(tuple[str, ...], a.extents)  # of what is made here none is left out
        shape = tuple(self._value(extent, a) for extent in extents)
        if min(shape, default=0) < 0:
            raise ValueError(f"'{a.name}' would have shape {shape}")
        return shape

    def _value(self, extent: str, a: Argument) -> int:
        try:
            return evaluate(extent, self.values)
        except ZeroDivisionError:
            raise ValueError(f"the extent {extent} of '{a.name}' divides by zero") from None

    def _reason(self, extent: str) -> str:
        if extent in self.values:
            return f"and {extent} is {self.values[extent]} by {self.said_by[extent]}"
        return f"where {extent} is {evaluate(extent, self.values)}"

    @staticmethod
    def _text(a: Argument) -> str:
        return ", ".join("any" if extent is None else extent for extent in a.extents or ())
