"""What a statement can see: variables with what is known of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

LIMIT = 2.0  # |value| of every variable and element, but of those that say otherwise


@dataclass
class Var:
    name: str
    kind: str  # "num", "int", "arr", "mat", "struct", "vector"
    type: str = "double"
    bound: float = LIMIT
    lo: int = 0  # an integer's range
    hi: int = 0
    length: int = 0  # elements that are there for certain
    rows: int = 0
    writable: bool = True
    struct: Struct | None = None
    pointer: bool = False
    local: bool = False  # an array object, of which sizeof can be asked


@dataclass
class Scope:
    parent: Scope | None = None
    vars: list[Var] = field(default_factory=list)
    trips: int = 1  # how often it is run, at most
    can_break: bool = False
    returns: str | None = None  # type of the function's result
    can_return: bool = False
    depth: int = 0

    def inner(self, trips: int = 1, loop: bool = False, keep_loop: bool = True) -> Scope:
        # What is allocated around a statement is freed after it: no way out but the end, then.
        return Scope(
            self,
            [],
            self.trips * trips,
            loop or (self.can_break and keep_loop),
            self.returns,
            self.can_return and keep_loop,
            self.depth + 1,
        )

    def all(self) -> Iterator[Var]:
        scope: Scope | None = self
        seen = set()
        while scope:
            for v in scope.vars:
                if v.name not in seen:
                    seen.add(v.name)
                    yield v
            scope = scope.parent

    def find(
        self, *kinds: str, type: str | None = None, writable: bool = False, where: Callable[[Var], bool] | None = None
    ) -> list[Var]:
        return [
            v
            for v in self.all()
            if v.kind in kinds
            and (type is None or v.type == type)
            and (v.writable or not writable)
            and (where is None or where(v))
        ]

    def add(self, var: Var) -> Var:
        self.vars.append(var)
        return var


@dataclass
class Struct:
    name: str  # with the keyword in C
    fields: list[tuple[str, str, str, Any]]  # (name, kind, type, length or Struct)

    def variables(self, access: str, writable: bool = True) -> Iterator[Var]:
        """The fields of an object as variables; `access` ends in . or ->."""
        for name, kind, type, more in self.fields:
            if kind == "struct":
                yield Var(access + name, "struct", struct=more, writable=writable)
                yield from more.variables(f"{access}{name}.", writable)
            elif kind == "arr":
                yield Var(access + name, "arr", type, length=more, writable=writable, local=True)
            elif kind == "int":
                yield Var(access + name, "int", "int", lo=0, hi=3, writable=writable)
            else:
                yield Var(access + name, "num", type, writable=writable)


@dataclass
class Function:
    name: str
    kind: str
    type: str
    length: int = 0
    struct: Struct | None = None
    cost: int = 1
    count: int = 2
    candidates: list[Function] = field(default_factory=list)  # of what may be passed
