"""What a statement can see: variables with what is known of their values."""

from dataclasses import dataclass, field

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
    struct: object = None
    pointer: bool = False
    local: bool = False  # an array object, of which sizeof can be asked


@dataclass
class Scope:
    parent: object = None
    vars: list = field(default_factory=list)
    trips: int = 1  # how often it is run, at most
    can_break: bool = False
    returns: object = None  # type of the function's result
    can_return: bool = False
    depth: int = 0

    def inner(self, trips=1, loop=False, keep_loop=True):
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

    def all(self):
        scope, seen = self, set()
        while scope:
            for v in scope.vars:
                if v.name not in seen:
                    seen.add(v.name)
                    yield v
            scope = scope.parent

    def find(self, *kinds, type=None, writable=False, where=None):
        return [
            v
            for v in self.all()
            if v.kind in kinds
            and (type is None or v.type == type)
            and (v.writable or not writable)
            and (where is None or where(v))
        ]

    def add(self, var):
        self.vars.append(var)
        return var


@dataclass
class Struct:
    name: str  # with the keyword in C
    fields: list  # (name, kind, type, length or Struct)

    def variables(self, access, writable=True):
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
    struct: object = None
    cost: int = 1
    count: int = 2
