"""Random functions, and calls of them."""

from typing import Any

from .scope import LIMIT, Function, Scope, Struct, Var
from .shared import Shared
from .tree import Block, Expr, Part, Piece, Stmt

PLACES = ["static ", "static NOINLINE ", "static NOINLINE ", "", "static inline ", "static ALWAYS_INLINE "]
COST = 4000  # statements that a call may run


class Functions(Shared):
    """A part of Generator: types and functions at file scope."""

    def tag(self, name: str, keyword: str = "struct") -> str:
        return f"@{name}" if self.cxx else f"{keyword} @{name}"

    def struct(self) -> None:
        r, name = self.random, f"S{len(self.structs)}"
        fields: list[tuple[str, str, str, Any]] = []
        for k in range(r.randint(2, 4)):
            kind = r.choices(["num", "arr", "int", "struct"], [6, 3, 3, 2 if self.structs else 0])[0]
            more: Any = {"arr": r.choice([2, 3, 4]), "struct": r.choice(self.structs) if self.structs else None}.get(
                kind
            )
            # A float beside an int shares a word with it, which only optimized code takes apart.
            type = self.some_type() if r.random() < 0.5 else "double"
            fields.append((f"{'abcd'[k]}", kind, "int" if kind == "int" else type, more))
        if not any(kind in ("num", "arr") for _, kind, _, _ in fields):
            fields.append(("e", "num", "double", None))
        made = Struct(self.tag(name), fields)
        lines = [
            f"{f[3].name if f[1] == 'struct' else f[2]} {f[0]}{f'[{f[3]}]' if f[1] == 'arr' else ''};" for f in fields
        ]
        self.pieces.append(Piece(f"@{name}", f"struct @{name} {{ {' '.join(lines)} }};\n"))
        self.structs.append(made)

    def function(self) -> None:
        r = self.random
        kinds = {
            "scalar": 6,
            "array": 5,
            "map": 4,
            "recursive": 3,
            "out": 2,
            "make": 0 if self.device else 1,
            "by_value": 3 if self.structs else 0,
            "by_pointer": 3 if self.structs else 0,
            "returned": 2 if self.structs else 0,
            "counted": 2,
            "passed": 1 if not self.device and any(f.kind == "scalar" and f.count == 2 for f in self.functions) else 0,
        }
        kind = r.choices(list(kinds), list(kinds.values()))[0]
        type, name = self.some_type(), f"h{len(self.functions)}"
        made = Function(name, kind, type, length=r.randint(2, 4))
        scope = Scope(returns=type, can_return=r.random() < 0.3)
        number = scope.add
        result = type
        outer_cost, self.cost, self.budget = self.cost, 1, r.randint(2, 6)
        parameters, begin = [], Block()
        if kind in ("scalar", "counted", "out", "recursive", "by_value", "by_pointer", "returned", "passed"):
            parameters.append(f"{type} a")
            number(Var("a", "num", type))
        if kind in ("scalar", "out", "counted"):
            made.count = 2 if kind != "scalar" else r.choice([1, 2, 2, 3])
            for letter in "bc"[: made.count - 1]:
                parameters.append(f"{type} {letter}")
                number(Var(letter, "num", type))
        if kind in ("array", "map", "recursive"):
            const = kind == "map" and r.random() < 0.6
            parameters = [
                f"{'const ' if const else ''}{type} *p",
                *([f"{type} *q"] if kind == "map" else []),
                "int n",
                *parameters,
            ]
            number(Var("p", "arr", type, length=made.length, writable=not const, pointer=True))
            if kind == "map":
                number(Var("q", "arr", type, length=made.length, pointer=True))
        if kind in ("array", "map", "counted"):
            number(Var("n", "int", "int", lo=1, hi=made.length, writable=False))
            parameters += ["int n"] if kind == "counted" else []
        if kind == "recursive":
            begin.parts.append(Stmt("if (n < 1) return ", Expr(type, LIMIT, "a"), ";"))
            number(Var("n", "int", "int", lo=1, hi=made.length, writable=False))
            self.budget, scope.trips = r.randint(1, 3), 2 * made.length
        if kind in ("by_value", "by_pointer", "returned"):
            made.struct = r.choice(self.structs)
            if kind == "returned":
                result = made.struct.name
                scope.can_return = False
            else:
                parameters = [f"{made.struct.name} {'*' if kind == 'by_pointer' else ''}s", *parameters]
                for v in made.struct.variables("s->" if kind == "by_pointer" else "s."):
                    number(v)
        if kind == "make":
            result, scope.can_return = f"{type} *", False
            parameters = [f"const {type} *p", "int n"]
            number(Var("p", "arr", type, length=made.length, writable=False, pointer=True))
            number(Var("n", "int", "int", lo=1, hi=made.length, writable=False))
        if kind == "passed":
            parameters = [f"{type} (*f)({type}, {type})", *parameters]
            candidates = [f for f in self.functions if f.kind == "scalar" and f.count == 2 and f.type == type]
            if not candidates:
                self.cost = outer_cost
                return
            made.candidates = candidates
        if kind in ("map", "out"):
            result = scope.returns = "void"
            if kind == "out":
                parameters.append(f"{type} *r")
                # Who returns early has a result as well.
                begin.parts += [Stmt("*r = a;")] * scope.can_return
        body = self.block(scope, 1, 5)
        body.parts[:0] = begin.parts
        if kind == "out":
            body.parts.append(Stmt("*r = ", self.bounded(scope, 2, type), ";"))
        elif kind == "map":
            body.parts.append(self.fill_of(scope, "q", type, made.length, "n"))
        elif kind == "make":
            value = self.fill_of(scope, "o", type, made.length)
            body.parts.append(
                Stmt(f"{type} *o = ({type} *)malloc({made.length} * sizeof({type}));\n", value, "\nreturn o;")
            )
        elif kind == "returned" and made.struct:
            body.parts.append(Stmt(f"{result} s = ", self.initializer(scope, made.struct), ";\nreturn s;"))
        elif kind == "recursive":
            again = Expr(type, LIMIT, f"@{name}(p, n - 1, ", self.bounded(scope, 1, type), ")")
            if r.random() < 0.3:
                again = Expr(
                    type,
                    2 * LIMIT,
                    "(",
                    again,
                    " + ",
                    Expr(type, LIMIT, f"@{name}(p, n - 2, ", self.bounded(scope, 1, type), ")"),
                    ")",
                )
                self.cost *= made.length
            body.parts.append(
                Stmt(
                    "return ",
                    self.squash(
                        Expr(type, 12, "(", again, r.choice([" + ", " * "]), self.bounded(scope, 1, type), ")"), LIMIT
                    ),
                    ";",
                )
            )
        elif kind == "passed":
            body.parts.append(
                Stmt(
                    "return ",
                    self.squash(
                        Expr(type, 5, "f(", self.bounded(scope, 1, type), ", ", self.bounded(scope, 1, type), ") + a"),
                        LIMIT,
                    ),
                    ";",
                )
            )
        else:
            body.parts.append(Stmt("return ", self.bounded(scope, 2, type), ";"))
        made.cost, self.cost = self.cost + 2, outer_cost
        place = r.choice(PLACES[:4] if kind == "recursive" else PLACES)
        self.pieces.append(
            Piece(f"@{name}", f"{self.on_device}{place}{result} @{name}({', '.join(parameters)}) ", body, "\n")
        )
        self.functions.append(made)

    # ---- calls

    def callable(self, scope: Scope, kinds: tuple[str, ...], type: str | None = None) -> list[Function]:
        return [
            f
            for f in self.functions
            if f.kind in kinds and (type is None or f.type == type) and f.cost * scope.trips <= COST
        ]

    def counter(self, scope: Scope, limit: int) -> str:
        """1 to limit, as an int."""
        found = scope.find("int", where=lambda v: v.lo >= 1 and v.hi <= limit)
        return (
            self.random.choice(found).name
            if found and self.random.random() < 0.7
            else str(self.random.randint(1, limit))
        )

    def array_for(self, scope: Scope, function: Function, writable: bool) -> str | None:
        found = [v for v in scope.find("arr", type=function.type, writable=writable) if v.length >= function.length]
        return self.random.choice(found).name if found else None

    def call_value(self, scope: Scope, type: str) -> Expr | None:
        """A call as part of an expression; what it changes, nothing else of the expression reads: only functions without effects."""
        found = self.callable(scope, ("scalar", "counted", "by_value", "passed"), type)
        if not found:
            return None
        f = self.random.choice(found)
        self.cost += scope.trips * f.cost
        if f.kind == "by_value":
            objects = [v for v in scope.find("struct") if v.struct is f.struct]
            if not objects:
                return None
            return Expr(
                type, LIMIT, f"@{f.name}({self.random.choice(objects).name}, ", self.bounded(scope, 1, type), ")"
            )
        if f.kind == "passed":
            return Expr(
                type, LIMIT, f"@{f.name}(@{self.random.choice(f.candidates).name}, ", self.bounded(scope, 1, type), ")"
            )
        parts: list[Part] = [f"@{f.name}("]
        for k in range(f.count):
            parts += [", "] * (k > 0) + [self.bounded(scope, self.random.choice([0, 1]), type)]
        return Expr(type, LIMIT, *parts, f", {self.counter(scope, f.length)})" if f.kind == "counted" else ")")

    def call_statement(self, scope: Scope) -> Stmt | None:
        r = self.random
        found = self.callable(
            scope, ("array", "map", "recursive", "out", "make", "by_pointer", "returned", "scalar", "counted")
        )
        if not found:
            return None
        f = r.choice(found)
        self.cost += scope.trips * f.cost
        type = f.type
        if f.kind == "returned":
            objects = [v for v in scope.find("struct", writable=True) if v.struct is f.struct]
            if objects and r.random() < 0.5:
                return Stmt(f"{r.choice(objects).name} = @{f.name}(", self.bounded(scope, 1, type), ");")
            assert f.struct
            name = self.fresh("o")
            made = Stmt(f"{f.struct.name} {name} = @{f.name}(", self.bounded(scope, 1, type), ");")
            scope.add(Var(name, "struct", struct=f.struct))
            for v in f.struct.variables(f"{name}."):
                scope.add(v)
            return made
        if f.kind == "out":
            name = self.fresh("t")
            made = Stmt(
                f"{type} {name};\n@{f.name}(",
                self.bounded(scope, 1, type),
                ", ",
                self.bounded(scope, 1, type),
                f", &{name});",
            )
            scope.add(Var(name, "num", type))
            return made
        if f.kind == "by_pointer":
            objects = [v for v in scope.find("struct", writable=True) if v.struct is f.struct]
            if not objects:
                return None
            value: list[Part] = [f"@{f.name}(&{r.choice(objects).name}, ", self.bounded(scope, 1, type), ")"]
        elif f.kind in ("scalar", "counted"):
            called = self.call_value(scope, type)
            if not called:
                return None
            value = [called]
        elif f.kind == "make":
            source, out = self.array_for(scope, f, False), self.place(scope, type)
            if not source or not out:
                return None
            h = self.fresh("h")
            inner = scope.inner(keep_loop=False)
            inner.add(Var(h, "arr", type, length=f.length, pointer=True))
            return Stmt(
                f"{{ {type} *{h} = @{f.name}({source}, {self.counter(scope, f.length)});\n",
                self.block(inner.inner(), 0, 2),
                out,
                " = ",
                self.bounded(inner, 2, type),
                f";\nfree({h}); }}",
            )
        else:
            first = self.array_for(scope, f, True)
            if not first:
                return None
            if f.kind == "map":
                second = self.array_for(scope, f, True)
                return Stmt(f"@{f.name}({first}, {second}, {self.counter(scope, f.length)});")
            value = [f"@{f.name}({first}, {self.counter(scope, f.length)}"]
            if f.kind == "recursive":
                value += [", ", self.bounded(scope, 1, type)]
            value.append(")")
        if r.random() < 0.15:
            return Stmt(*value, ";")
        name = self.fresh("t")
        place = self.place(scope, type) if r.random() < 0.4 else None
        if place and "(" not in place.text():
            # First the call, then the place, whatever the call changed.
            return Stmt("{ ", f"{type} {name} = ", *value, "; ", place, f" = {name}; }}")
        scope.add(Var(name, "num", type))
        return Stmt(f"{type} {name} = ", *value, ";")
