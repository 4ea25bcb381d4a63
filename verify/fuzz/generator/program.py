"""A whole program: types, functions, the function that is differentiated, and what calls and differentiates it."""

import random
from collections.abc import Iterator, Sequence

from .cxx import Cxx
from .device_values import DeviceValues
from .forms import Forms
from .functions import Functions
from .parallel import Parallel
from .scope import LIMIT, Scope, Struct, Var
from .statements import Statements
from .tree import Expr, File, Node, Piece, Stmt
from .values import Values

NODE = "struct @node { double v; struct @node *next; };\n"
BITS = "union @bits { double d; uint64_t i; };\n"


class Generator(Values, Statements, Functions, Parallel, Cxx, Forms, DeviceValues):
    def __init__(
        self, random: random.Random, cxx: bool, parallel: bool, forms: bool = False, device: bool = False
    ) -> None:
        self.device, self.on_device = device, "__device__ " * device
        self.random, self.cxx, self.parallel, self.within, self.forms = random, cxx, parallel, False, forms
        self.single = random.random() < 0.25
        self.count, self.cost, self.budget = 0, 0, 0
        self.structs, self.functions, self.pieces, self.tables, self.used, self.derived, self.throwers = (
            [],
            [],
            [],
            [],
            set(),
            [],
            [],
        )


class Program:
    """Program `number` of a seed; always the same.

    arrays   (name, type, length) of what the function is given; storage: of the memory behind them
    views    (array, type, where it begins, in which memory) of arrays that are no memory of their own
    counts   (name, value) of integers that are passed after the size
    fixed    arrays that are constant: global ones, with their names after fixed_
    """

    views: Sequence[tuple[str, str, str, str]] = ()
    counts: Sequence[tuple[str, int]] = ()
    fixed: Sequence[str] = ()
    linked, device, keeps_rows = False, False, False

    def __init__(
        self,
        seed: int,
        number: int,
        cxx: bool,
        parallel: bool = False,
        kind: str = "",
        forms: bool = False,
        device: bool = False,
    ) -> None:
        r = random.Random(f"{seed}:{number}:{'c++' if cxx else 'c'}{kind}{':forms' * forms}")
        self.number, self.cxx, self.parallel = number, cxx, parallel
        g = Generator(r, cxx, parallel, forms, device)
        self.single = g.single
        size = r.choice([0, 1, 1, 2, 2, 3])
        if r.random() < 0.2:
            g.tables.append("table")
            g.pieces.append(
                Piece(
                    "@table",
                    f"static {g.on_device}const int @table[5] = {{{', '.join(str(r.randrange(6)) for _ in range(5))}}};\n",
                )
            )
        for _ in range(r.choice([0, 1, 1, 2])):
            g.struct()
        scratch = r.random() < 0.12 and not device
        if scratch:
            g.pieces.append(Piece("@scratch", "static double @scratch[4];\n"))
        self.before_functions(g)
        for _ in range(size):
            g.function()
        self.root(g, r, scratch)
        self.keeps_rows = "kept rows" in g.used
        fixed = (
            [Piece("@node", NODE)] * ("list" in g.used)
            + [Piece("@bits", BITS)] * ("bits" in g.used)
            + [Piece("", text) for text in [*g.form_support(), *(g.support() if cxx else [])]]
        )
        self.tree: Node = File(*fixed, *g.pieces)
        # A little of how it is asked for.
        self.width = r.choice([2, 3, 4])
        self.vector = r.choice(["forward", "reverse", "both"])
        self.size = r.randint(2, self.most)
        self.outer_width = r.random() < 0.2

    def root(self, g: Generator, r: random.Random, scratch: bool) -> None:
        scope = Scope(can_return=False)
        self.most = r.randint(2, 5)
        self.arrays = [("x", "double", r.randint(self.most, 6)), ("y", "double", r.randint(self.most, 6))]
        if g.single or r.random() < 0.2:
            self.arrays.append(("z", "float" if g.single else "double", r.randint(2, 5)))
        self.storage = self.arrays
        self.scalar = r.choice([None, "double", "float" if g.single else "double"])
        self.struct = self.root_struct(g, r)
        self.returns = r.choice(["double", "double", "float" if g.single else "double", "void"])
        for name, type, length in self.arrays:
            scope.add(Var(name, "arr", type, length=length, pointer=True))
        if self.scalar:
            scope.add(Var("a", "num", self.scalar))
        if self.struct:
            scope.add(Var("(*s)", "struct", struct=self.struct))
            for v in self.struct.variables("s->"):
                scope.add(v)
        scope.add(Var("n", "int", "int", lo=1, hi=self.most, writable=False))
        if scratch:
            scope.add(Var("@scratch", "arr", "double", length=4, local=True))
        g.budget, g.cost = r.choice([4, 7, 10, 14]), 0
        body = g.block(scope, 2, 7)
        if scratch:
            body.parts.insert(
                0,
                Stmt(
                    "for (int i = 0; i < 4; i++) @scratch[i] = ",
                    g.bounded(Scope(vars=[Var("x", "arr", "double", length=2)]), 1, "double"),
                    ";",
                ),
            )
        for k in range(r.randint(1, 3)):
            place = Expr("double", LIMIT, "y[", g.index(Scope(), 2), "]")
            place.kind = "place"
            body.parts.append(Stmt(place, " = ", g.bounded(scope, 2, "double"), ";"))
        if self.returns != "void":
            body.parts.append(Stmt("return ", g.bounded(scope, 2, self.returns), ";"))
        parameters = [f"{type} *{name}" for name, type, _ in self.arrays]
        parameters += [f"{self.scalar} a"] if self.scalar else []
        parameters += [f"{self.struct.name} *s"] if self.struct else []
        g.pieces.append(
            Piece(
                "@root", f"{self.root_place(r)}{self.returns} @root({', '.join([*parameters, 'int n'])}) ", body, "\n"
            )
        )

    # ---- what other kinds of programs do differently

    def before_functions(self, g: Generator) -> None:
        pass

    def root_place(self, r: random.Random) -> str:
        return r.choice(["static ", "static ", ""])

    def root_struct(self, g: Generator, r: random.Random) -> Struct | None:
        return r.choice(g.structs) if g.structs and r.random() < 0.4 else None

    # ---- text

    def numbers(self) -> Iterator[tuple[str, str]]:
        """(access, type) of every active number that is passed in memory: arrays, then fields."""
        for name, type, length in self.arrays:
            for k in range(length):
                yield f"{name}[{k}]", type
        if self.struct:
            for v in self.struct.variables("s."):
                if v.kind == "num":
                    yield v.name, v.type
                elif v.kind == "arr":
                    for k in range(v.length):
                        yield f"{v.name}[{k}]", v.type

    def whole_numbers(self) -> list[str]:
        return [v.name for v in self.struct.variables("s.") if v.kind == "int"] if self.struct else []

    def text(self, prefix: str) -> str:
        """The program without what asks for derivatives."""
        return self.tree.text().replace("@", prefix)
