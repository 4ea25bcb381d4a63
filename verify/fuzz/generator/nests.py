"""Loop nests over arrays that may overlap: one program is a gradient of arrays side by side, the next of the same memory by two names.

The arrays are views of one block of memory, and the program does not know of which parts. What it stores through one name another may read, in the next
iteration, the next nest, or never. The numbers that go in and come out are the block's."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from .program import Program
from .scope import LIMIT
from .tree import Block, Cond, Expr, File, Index, Part, Piece, Stmt, literal

COUNTERS = {True: ["int", "int", "int", "long"], False: ["int", "int", "long", "unsigned", "size_t"]}
LAYOUTS = ["apart", "apart", "shifted", "shifted", "any", "same"]
KEPT = 1.9  # |value| that is stored stays below LIMIT


class Scope:
    """What a statement of a nest can name."""

    def __init__(
        self,
        arrays: list[str] | str,
        length: int,
        counts: list[tuple[str, int]],
        counters: Sequence[tuple[str, int]] = (),
        numbers: Sequence[str] = (),
        cost: int = 1,
    ) -> None:
        self.arrays, self.length, self.counts = arrays, length, counts
        self.counters, self.numbers, self.cost = list(counters), list(numbers), cost

    def inner(self, counter: str | None = None, most: int = 0, trips: int = 1) -> Scope:
        made = Scope(self.arrays, self.length, self.counts, self.counters, self.numbers, self.cost * trips)
        if counter:
            made.counters.append((counter, most))
        return made


class Nests(Program):
    """Program `number` of a seed; always the same."""

    def __init__(self, seed: int, number: int, cxx: bool, parallel: bool = False) -> None:
        r = self.random = random.Random(f"{seed}:{number}:nests:{'c++' if cxx else 'c'}{':parallel' * parallel}")
        self.number, self.cxx, self.parallel, self.count = number, cxx, parallel, 0
        self.single, self.struct, self.within = r.random() < 0.2, None, False
        self.type = "float" if self.single else "double"
        self.scalar, self.returns = r.choice([None, self.type]), r.choice([self.type, "void"])
        names = "pqru"[: r.choice([2, 3, 3, 4])]
        # Many iterations of one loop, or few of several.
        self.deep, self.plain = r.random() < 0.6, r.random() < 0.6
        self.size = r.choice([3, 5, 8]) if self.deep else r.choice([5, 33, 64, 70])
        self.counts = [
            ("m", r.choice([1, 3, 7]) if self.deep else r.randint(1, 4)),
            ("s", r.randint(0, 4)),
            ("limit", -1),
        ]
        self.length = 84
        # Some arrays are only read; in a plain program that is where most numbers come from, and indices are affine.
        self.read = names[: min(r.choice([1, 1, 2]), len(names) - 1)] if self.plain else ""
        self.fixed = [name for name in self.read if r.random() < 0.3]
        self.arrays = [(name, self.type, self.length) for name in names]
        self.lay_out([name for name in names if name not in self.fixed])
        self.width, self.vector, self.outer_width = (
            r.choice([2, 3]),
            r.choice(["forward", "reverse", "both"]),
            r.random() < 0.2,
        )
        self.pieces, self.helpers = [
            Piece(
                "@look",
                f"int @look[{self.length}] = {{{', '.join(str(r.randrange(self.length)) for _ in range(self.length))}}};\n",
            )
        ], []
        for name in self.fixed:
            values = ", ".join(self.number_text(round(r.uniform(-1.5, 1.5), 2)) for _ in range(self.length))
            self.pieces.append(Piece("", f"{self.type} @fixed_{name}[{self.length}] = {{{values}}};\n"))
        for _ in range(r.choice([0, 0, 1, 2])):
            self.helper()
        self.nest_root()
        self.tree = File(*self.pieces)

    def lay_out(self, names: list[str]) -> None:
        """Which part of the block is each array's."""
        r, layout = self.random, self.random.choice(LAYOUTS)
        at, end = {}, 0
        for name in r.sample(names, len(names)):
            others = list(at.values())
            # Threads write each their own places: the same places, or others.
            if layout == "same" and others and r.random() < 0.7:
                at[name] = r.choice(others)
            elif layout in ("shifted", "any") and others and not self.parallel and r.random() < 0.7:
                at[name] = (
                    r.choice(others) + r.choice([1, 2, self.size, self.length // 2])
                    if layout == "shifted"
                    else r.randrange(end)
                )
            else:
                at[name] = end
            end = max(end, at[name] + self.length)
        self.storage = [("memory", self.type, end)]
        self.places = Piece("", f"int @at[{len(names)}] = {{{', '.join(str(at[n]) for n in names)}}};\n")
        self.views = [(name, self.type, f"@at[{k}]", "memory") for k, name in enumerate(names)]

    # ---- text

    def numbers(self) -> Iterator[tuple[str, str]]:
        for name, type, length in self.storage:
            for k in range(length):
                yield f"{name}[{k}]", type

    def whole_numbers(self) -> list[str]:
        return []

    def text(self, prefix: str) -> str:
        return (self.places.text() + self.tree.text()).replace("@", prefix)

    # ---- functions

    def parameters(self, arrays: Iterable[str]) -> list[str]:
        return [f"{self.type} *{name}" for name in arrays]

    def helper(self) -> None:
        r = self.random
        name, arrays = f"h{len(self.helpers)}", "pqr"[: r.choice([1, 2, 2, 3])]
        scope = Scope(arrays, self.length - 8, [("n", self.size), *self.counts[:2]])
        body = self.block(scope, r.randint(1, 3))
        place = r.choice(["static ", "static NOINLINE ", ""])
        self.pieces.append(
            Piece(
                f"@{name}",
                f"{place}void @{name}({', '.join([*self.parameters(arrays), 'int n', 'int m', 'int s'])}) ",
                body,
                "\n",
            )
        )
        self.helpers.append((name, len(arrays)))

    def nest_root(self) -> None:
        r = self.random
        names = [name for name, _, _ in self.arrays]
        scope = Scope(names, self.length, [("n", self.size), *self.counts[:2]], numbers=["a"] if self.scalar else [])
        body = self.block(scope, r.randint(2, 4))
        # What a function stores last.
        if r.random() < 0.5:
            body.parts.append(self.loop(scope, lambda inner: Block(self.store(inner))))
        if r.random() < 0.4:
            body.parts.append(self.store(scope))
        if self.returns != "void":
            body.parts.append(Stmt("return ", self.value(scope, 2), ";"))
        given = [
            *self.parameters(names),
            *([f"{self.scalar} a"] if self.scalar else []),
            "int n",
            *(f"int {name}" for name, _ in self.counts),
        ]
        self.pieces.append(
            Piece("@root", f"{r.choice(['static ', ''])}{self.returns} @root({', '.join(given)}) ", body, "\n")
        )

    # ---- statements

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def block(self, scope: Scope, statements: int) -> Block:
        return Block(*(self.statement(scope) for _ in range(statements)))

    def statement(self, scope: Scope) -> Stmt:
        r = self.random
        kinds: dict[Callable[[Scope], Stmt], int] = {
            self.store: 8 if scope.counters else 1,
            self.update: 4 if scope.counters else 1,
            self.keep: 2,
            self.sum: 3,
            self.branch: 2 if scope.counters else 0,
            self.nest: 3 if scope.cost < 64 else 0,
            self.call: 3 if self.helpers and scope.length == self.length and scope.cost < 8 else 0,
            self.scratch: 1 if scope.cost < 8 and not self.plain else 0,
        }
        if not scope.counters:
            kinds[self.nest] = 12
            if self.size * (self.size + 1) <= scope.length and not self.parallel:
                kinds[self.columns] = 6
        if self.within:
            return r.choice([self.store, self.update, self.keep, self.keep])(scope)
        return r.choices(list(kinds), list(kinds.values()))[0](scope)

    def store(self, scope: Scope) -> Stmt:
        return Stmt(self.place(scope), " = ", self.value(scope, self.random.choice([1, 2])), ";")

    def update(self, scope: Scope) -> Stmt:
        place = self.place(scope)
        return Stmt(
            place,
            f" = {self.number_text(0.5)} * {place.text()} + {self.number_text(0.45)} * ",
            self.value(scope, 1),
            ";",
        )

    def keep(self, scope: Scope) -> Stmt:
        name = self.fresh("t")
        made = Stmt(f"{self.type} {name} = ", self.value(scope, 2), ";")
        scope.numbers.append(name)
        return made

    def sum(self, scope: Scope) -> Stmt:
        """A loop that adds."""
        name = self.fresh("s")
        loop = self.loop(
            scope, lambda inner: Block(Stmt(f"{name} {self.random.choice(['+=', '-='])} ", self.value(inner, 1), ";"))
        )
        kept = self.fresh("t")
        made = Stmt(f"{self.type} {name} = 0;\n", loop, f"\n{self.type} {kept} = {self.function('sin')}({name});")
        scope.numbers.append(kept)
        return made

    def columns(self, scope: Scope) -> Stmt:
        """A loop down the columns of a square: a product of matrices, or what each place gets from one beside it."""
        r, c = self.random, self.number_text
        i, j, k = self.fresh("i"), self.fresh("i"), self.fresh("i")

        def loop(counter: str, body: Block) -> Stmt:
            up = f"for (int {counter} = 0; {counter} < n; {counter}++) "
            return Stmt(up if r.random() < 0.7 else f"for (int {counter} = n - 1; {counter} >= 0; {counter}--) ", body)

        def at(arrays: Sequence[str], row: str, column: str) -> Expr:
            index = Index(f"{row} * n + {column}{r.choice(['', '', '', ' + 1', ' + 2', ' + n'])}")
            made = Expr(self.type, LIMIT, f"{r.choice(arrays)}[", index, "]")
            made.kind = "place" if arrays is not scope.arrays else made.kind
            return made

        written = list(self.written(scope.arrays))
        if r.random() < 0.6:
            name = self.fresh("s")
            add = Stmt(f"{name} {r.choice(['+=', '-='])} ", at(scope.arrays, i, k), " * ", at(scope.arrays, k, j), ";")
            last = Stmt(at(written, i, j), f" = {self.function('sin')}({name});")
            body = Block(Stmt(f"{self.type} {name} = {c(0.1)};"), loop(k, Block(add)), last)
            return loop(i, Block(loop(j, body)))
        place = at(written, k, j)
        other = at(scope.arrays, *r.choice([(k, j), (k, j), (j, k), ("0", k), ("0", j)]))
        step = Stmt(place, f" = {c(0.5)} * {place.text()} + {c(0.2)} * ", other, " * ", at(scope.arrays, k, j), ";")
        return loop(j, Block(loop(k, Block(step))))

    def branch(self, scope: Scope) -> Stmt:
        return Stmt("if (", self.condition(scope), ") ", self.block(scope.inner(), 1))

    def scratch(self, scope: Scope) -> Stmt:
        """An array of the function's own."""
        name = self.fresh("b")
        fill = self.loop(
            scope,
            lambda inner: Block(Stmt(f"{name}[", Index(inner.counters[-1][0]), "] = ", self.value(inner, 1), ";")),
            whole=True,
        )
        use = self.loop(
            scope,
            lambda inner: Block(
                Stmt(self.place(inner), f" = {self.number_text(0.9)} * {name}[", Index(inner.counters[-1][0]), "];")
            ),
            whole=True,
        )
        return Stmt(f"{{ {self.type} {name}[{self.length}];\n", fill, "\n", self.nest(scope), "\n", use, " }")

    def call(self, scope: Scope) -> Stmt:
        r = self.random
        name, count = r.choice(self.helpers)
        # Where a helper writes, nothing constant is given.
        written = self.written("pqr"[:count])
        arrays = [
            [a for a in scope.arrays if a not in self.fixed] if parameter in written else scope.arrays
            for parameter in "pqr"[:count]
        ]
        given = [f"{r.choice(a)}{r.choice(['', '', '', ' + s', ' + 2'])}" for a in arrays]
        if self.parallel:
            given = [g.split()[0] for g in given]
        return Stmt(f"@{name}({', '.join([*given, 'n', 'm', 's'])});")

    def nest(self, scope: Scope) -> Stmt:
        """A loop with statements, or with loops."""
        r = self.random
        fork = self.parallel and not scope.counters and r.random() < 0.7

        def body(inner: Scope) -> Block:
            return self.block(inner, r.choice([1, 1, 2, 3]))

        if not fork:
            return self.loop(scope, body)
        self.within = True
        schedule = r.choice(
            ["", "", " schedule(static)", " schedule(static, 2)", " schedule(dynamic)", " schedule(guided)"]
        )
        made = Stmt(
            f"\n#pragma omp parallel for num_threads({r.choice([1, 2, 3])}){schedule}\n",
            self.loop(scope, body, whole=True),
        )
        self.within = False
        return made

    def loop(self, scope: Scope, body: Callable[[Scope], Block], whole: bool = False) -> Stmt:
        """whole: from 0 to n, one by one."""
        r, i, type = (
            self.random,
            self.fresh("i"),
            self.random.choice(COUNTERS[self.plain and self.random.random() < 0.95]),
        )
        bound, most = ("n", self.size) if whole else r.choice([*scope.counts[:2], ("n", self.size)])
        inner = scope.inner(i, most - 1, max(most, 1))
        kind = 1 if whole else r.random()
        head = f"for ({type} {i} = 0; {i} < ({type}){bound}; {i}++) "
        if kind < 0.1:
            head = f"for (int {i} = {bound} - 1; {i} >= 0; {i}--) "
        elif kind < 0.18:
            head = head.replace(f"{i}++", f"{i} += {r.choice([2, 3])}")
        elif kind < 0.26:
            head = head.replace(f"{i} = 0;", f"{i} = {r.choice([1, 2])};")
        elif kind < 0.36 and scope.counters and scope.counters[-1][1] < self.length - 1:
            outer, most = scope.counters[-1]
            inner = scope.inner(i, most, most + 1)
            head = f"for ({type} {i} = 0; {i} <= ({type}){outer}; {i}++) "
        elif kind < 0.43:
            # A bound that is never reached.
            end = "(size_t)limit" if type == "size_t" and scope.length == self.length else f"({type}){bound} + 1"
            leave = Stmt(f"if ({i} >= ({type}){bound}) break;")
            return Stmt(f"for ({type} {i} = 0; {i} < {end}; {i}++) ", Block(leave, *body(inner).parts))
        return Stmt(head, body(inner))

    # ---- values

    def function(self, name: str) -> str:
        return name + "f" if self.single else name

    def number_text(self, value: float) -> str:
        return f"{value}f" if self.single else f"{value}"

    def index(self, scope: Scope) -> Part:
        """Below the array's length."""
        r = self.random
        if self.within:
            return scope.counters[0][0]  # the thread's own; no edit may make it another's
        if not scope.counters or r.random() < 0.03:
            return Index(str(r.randrange(scope.length)))
        (i, high), (j, other) = r.choice(scope.counters), r.choice(scope.counters)
        sizes = dict(scope.counts)
        forms = [(f"{i}", high)] * 4
        if i != j:
            forms += [(f"{i} * m + {j}", high * sizes["m"] + other), (f"{j} * n + {i}", other * sizes["n"] + high)] * 3
        forms += [
            (f"{i} + s", high + sizes["s"]),
            (f"2 * {i}", 2 * high),
            (f"2 * {i} + 1", 2 * high + 1),
            (f"{i} + 1", high + 1),
            (f"(int)n - 1 - (int){i}", self.size - 1 if high < self.size else scope.length),
        ]
        if not self.plain:
            forms += [
                (f"{i} / 2", high // 2),
                (f"{i} * m", high * sizes["m"]),
                (f"(int){i} * s", high * sizes["s"]),
                (f"{i} * ({i} + 1) / 2", high * (high + 1) // 2),
            ]
            forms += [(f"@look[{i}]", 0)] * (scope.length == self.length)
        return Index(r.choice([text for text, most in forms if most < scope.length] or ["0"]))

    def written(self, arrays: Sequence[str]) -> Sequence[str]:
        return [a for a in arrays if a not in self.read] or arrays

    def place(self, scope: Scope) -> Expr:
        place = Expr(self.type, LIMIT, f"{self.random.choice(self.written(scope.arrays))}[", self.index(scope), "]")
        place.kind = "place"
        return place

    def condition(self, scope: Scope) -> Cond:
        r = self.random
        if scope.counters and r.random() < 0.6:
            i = r.choice(scope.counters)[0]
            return Cond(r.choice([f"{i} % 2 == 0", f"{i} < 3", f"{i} != 1", f"(int){i} < s"]))
        return Cond(self.leaf(scope), r.choice([" < ", " > "]), self.leaf(scope))

    def leaf(self, scope: Scope) -> Expr:
        r = self.random
        if r.random() < 0.08:
            return literal(self.type, r.choice([0.5, -1.25, 1.5, 0.75]))
        if scope.numbers and r.random() < 0.25:
            return Expr(self.type, LIMIT, r.choice(scope.numbers[-4:]))
        arrays = [a for a in scope.arrays if a in self.read] if r.random() < 0.7 else []
        return Expr(self.type, LIMIT, f"{r.choice(arrays or scope.arrays)}[", self.index(scope), "]")

    def value(self, scope: Scope, depth: int) -> Expr:
        r = self.random
        if depth == 0:
            return self.leaf(scope)
        a, b = self.value(scope, depth - 1), self.value(scope, r.randrange(depth))
        c = self.number_text
        form: tuple[Part, ...] = r.choice(
            [
                (f"{c(0.45)} * ", a, " * ", b),
                (f"{c(0.4)} * ", a, f" + {c(0.5)} * ", b),
                (f"{c(0.6)} * ", a, f" - {c(0.3)} * ", b),
                (f"{self.function('sin')}(", a, " + ", b, ")"),
                (f"{c(0.9)} * ", a, f" / ({c(1.0)} + ", b, " * ", b, ")"),
                (f"{self.function('exp')}(-(", a, ") * ", a, ")"),
                (f"{c(0.9)} * {self.function('sqrt')}({c(2.25)} + ", a, ")"),
                (f"{c(0.9)} * {self.function('fabs')}(", a, ")"),
            ]
        )
        return Expr(self.type, KEPT, "(", *form, ")")
