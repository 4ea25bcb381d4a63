"""Random expressions. Each has a bound that it keeps for all values that variables may have, and is inside the domain of every function in it."""

import math

from .scope import LIMIT, Scope, Var
from .shared import Shared
from .tree import Cond, Expr, Index, Part, literal


class Values(Shared):
    """A part of Generator: what computes numbers."""

    # ---- integers

    def index(self, scope: Scope, length: int) -> Index:
        """Below `length`, and not negative."""
        r = self.random
        ints = scope.find("int", where=lambda v: v.lo >= 0)
        choice = r.random()
        if not ints or choice < 0.15:
            return Index(str(r.randrange(length)))
        v = r.choice(ints[: r.choice([2, 4, 8])])
        if v.hi < length and 0.25 < choice < 0.75:
            return Index(v.name)
        if v.hi < length and 0.25 < choice < 0.82:
            return Index(f"{length - 1} - {v.name}")
        if choice > 0.8 and self.tables:
            return Index(f"@{r.choice(self.tables)}[{v.name} % 5] % {length}")
        if 0.22 < choice < 0.25:
            inner = self.bounded(scope, 1, "double", LIMIT)
            return Index("(int)(", self.call("fabs", "double", inner), f" * 1.4) % {length}")
        return Index(f"({v.name} + {r.randrange(1, length + 1)}) % {length}")

    # ---- conditions

    def condition(self, scope: Scope, depth: int = 1) -> Cond:
        r = self.random
        if depth and r.random() < 0.2:
            return Cond("(", self.condition(scope, 0), r.choice([" && ", " || "]), self.condition(scope, 0), ")")
        ints = scope.find("int", where=lambda v: v.lo >= 0)
        if ints and r.random() < 0.45:
            v = r.choice(ints)
            return Cond(
                r.choice(
                    [
                        f"{v.name} % 2 == 0",
                        f"{v.name} < {r.randrange(0, v.hi + 2)}",
                        f"{v.name} == {r.randrange(v.lo, v.hi + 1)}",
                        f"({v.name} & {r.choice([1, 2, 3])})",
                        f"{v.name} != {r.randrange(v.lo, v.hi + 1)}",
                    ]
                )
            )
        return Cond(
            self.real(scope, r.choice([0, 1])),
            r.choice([" < ", " > ", " <= ", " >= "]),
            self.real(scope, r.choice([0, 0, 1])),
        )

    # ---- numbers

    def name(self, function: str, type: str) -> str:
        """`function` for numbers of the type, as this language writes it."""
        if self.cxx and self.random.random() < 0.4:
            return f"std::{function}"
        return function + "f" if type == "float" else function

    def call(self, function: str, type: str, *arguments: Expr) -> Expr:
        parts: list[Part] = [f"{self.name(function, type)}("]
        for k, a in enumerate(arguments):
            parts += [", "] * (k > 0) + [a]
        return Expr(type, math.inf, *parts, ")")

    def constant(self, type: str) -> Expr:
        r = self.random
        return literal(
            type,
            r.choice([0.5, 1.0, 1.5, -0.5, -1.0, 0.25, round(r.uniform(-1.5, 1.5), 3), round(r.uniform(0.1, 1.9), 2)]),
        )

    def leaf(self, scope: Scope, type: str) -> Expr:
        r = self.random
        if r.random() < 0.12:
            return self.constant(type)
        found = scope.find("num", "arr", "mat", "vector", type=type)
        if not found and type == "float":
            return self.constant(type)
        if not found or r.random() < 0.05:
            ints = scope.find("int")
            if ints:
                v = r.choice(ints)
                return Expr(type, 0.25 * max(abs(v.lo), abs(v.hi)), f"(({type})0.25 * ({type}){v.name})")
            return self.constant(type)
        # What was declared last is likelier.
        v = found[min(int(r.expovariate(0.35)), len(found) - 1)]
        return self.element(scope, v)

    def element(self, scope: Scope, v: Var) -> Expr:
        """A number of a variable."""
        if v.kind == "num":
            return Expr(v.type, v.bound, v.name)
        if v.kind in ("arr", "vector"):
            if v.pointer and self.random.random() < 0.05:
                return Expr(v.type, v.bound, f"*{v.name}")
            return Expr(v.type, v.bound, f"{v.name}[", self.index(scope, v.length), "]")
        return Expr(v.type, v.bound, f"{v.name}[", self.index(scope, v.rows), "][", self.index(scope, v.length), "]")

    def real(self, scope: Scope, depth: int, type: str | None = None) -> Expr:
        r = self.random
        type = type or self.some_type()
        if depth <= 0 or r.random() < 0.1:
            return self.leaf(scope, type)
        if self.single and r.random() < 0.08:
            other = "float" if type == "double" else "double"
            inner = self.real(scope, depth - 1, other)
            return Expr(type, inner.bound * 1.001, f"({type})", "(", inner, ")")
        e = self.operation(scope, depth, type)
        return e if e.bound < 40 else self.squash(e, 1)

    def some_type(self) -> str:
        return "float" if self.single and self.random.random() < 0.45 else "double"

    def operation(self, scope: Scope, depth: int, type: str) -> Expr:
        r = self.random
        choice = r.choices(
            ["add", "mul", "div", "unary", "guarded", "binary", "fma", "ternary", "call", "square"],
            [26, 26, 6, 13, 12, 6, 2, 5, 8, 5],
        )[0]
        if choice == "call":
            made = self.call_value(scope, type)
            if made:
                return made
            choice = "add"
        a = self.real(scope, depth - 1, type)
        if choice == "square":
            leaf = self.leaf(scope, type)
            text = leaf.text()
            return Expr(type, leaf.bound**2, f"({text} * {text})")
        if choice == "unary":
            return self.unary(a, type)
        if choice == "guarded":
            return self.guarded(a, type)
        b = self.real(scope, depth - 1, type)
        if choice == "add":
            return Expr(type, a.bound + b.bound, "(", a, r.choice([" + ", " - "]), b, ")")
        if choice == "mul":
            return Expr(type, a.bound * b.bound, "(", a, " * ", b, ")")
        if choice == "div":
            return Expr(type, 2 * a.bound, "(", a, " / ", self.positive(b, type), ")")
        if choice == "ternary":
            return Expr(type, max(a.bound, b.bound), "(", self.condition(scope), " ? ", a, " : ", b, ")")
        if choice == "fma":
            c = self.real(scope, 0, type)
            return self.bounded_call("fma", type, a.bound * b.bound + c.bound, a, b, c)
        return self.binary(a, b, type)

    def bounded_call(self, function: str, type: str, bound: float, *arguments: Expr) -> Expr:
        e = self.call(function, type, *arguments)
        e.bound = bound * 1.001 + 1e-6
        return e

    def positive(self, e: Expr, type: str) -> Expr:
        """A number between 0.5 and 1.5 + bound²."""
        if self.random.random() < 0.5 or e.bound > 10:
            return Expr(type, 3.0, f"({literal(type, 1.75).text()} + ", self.bounded_call("sin", type, 1, e), ")")
        text = literal(type, self.random.choice([0.5, 1.0, 1.25])).text()
        if len(e.text()) < 40:
            return (
                Expr(type, 1.5 + e.bound**2, f"({text} + {e.text()} * {e.text()})")
                if not self.calls(e)
                else Expr(type, 1.5 + e.bound, f"({text} + ", self.call("fabs", type, e), ")")
            )
        return Expr(type, 1.5 + e.bound, f"({text} + ", self.call("fabs", type, e), ")")

    @staticmethod
    def calls(e: Expr) -> bool:
        """A call with effects is written once."""
        return "@h" in e.text() or "->" in e.text() and "(" in e.text()

    def limited(self, e: Expr, limit: float) -> Expr:
        return e if e.bound <= limit else self.squash(e, limit)

    def unary(self, e: Expr, type: str) -> Expr:
        r, limited = self.random, self.limited
        if self.device and r.random() < 0.4 and (made := self.device_call(e, type)):
            return made
        choice = r.choice(
            [
                "neg",
                "sin",
                "cos",
                "tanh",
                "atan",
                "erf",
                "exp",
                "gauss",
                "expm1",
                "exp2",
                "sinh",
                "cosh",
                "asinh",
                "fabs",
                "ldexp",
                "powi",
                "floor",
            ]
        )
        if choice == "neg":
            return Expr(type, e.bound, "(- ", e, ")")
        if choice in ("sin", "cos", "tanh", "erf"):
            return self.bounded_call(choice, type, 1, e)
        if choice == "atan":
            return self.bounded_call("atan", type, math.pi / 2, e)
        if choice in ("exp", "expm1", "exp2", "sinh", "cosh"):
            e = limited(e, 2)
            return self.bounded_call(choice, type, 2**e.bound if choice == "exp2" else math.exp(e.bound), e)
        if choice == "gauss":
            return self.bounded_call("exp", type, 1, Expr(type, 1600, "-", self.call("fabs", type, e)))
        if choice == "asinh":
            return self.bounded_call("asinh", type, math.asinh(e.bound), e)
        if choice == "ldexp":
            return Expr(type, e.bound, f"{'ldexpf' if type == 'float' else 'ldexp'}(", e, ", -1)")
        if choice == "powi":
            e = limited(e, 2)
            power = r.choice([2, 3])
            return Expr(
                type,
                e.bound**power * 1.001,
                f"{'powf' if type == 'float' else 'pow'}(",
                e,
                f", {literal(type, float(power)).text()})",
            )
        if choice == "floor" and r.random() < 0.3:
            return Expr(
                type, e.bound + 1, f"{self.name(r.choice(['floor', 'ceil', 'trunc', 'round', 'rint']), type)}(", e, ")"
            )
        return self.bounded_call("fabs", type, e.bound, e)

    def guarded(self, e: Expr, type: str) -> Expr:
        """A function whose domain is not everything."""
        r = self.random
        choice = r.choice(
            [
                "log",
                "log1p",
                "log2",
                "log10",
                "sqrt",
                "sqrt",
                "cbrt",
                "pow",
                "acosh",
                "asin",
                "acos",
                "atanh",
                "tan",
                "tgamma",
                "lgamma",
            ]
        )
        if choice in ("log", "log2", "log10", "sqrt", "cbrt", "log1p"):
            p = self.positive(e, type)
            top = {"sqrt": math.sqrt(p.bound), "cbrt": p.bound ** (1 / 3) + 0.1}.get(
                choice, max(abs(math.log(p.bound)), 1) * 1.5
            )
            return self.bounded_call(choice, type, top, p)
        if choice == "pow":
            p = self.positive(e, type)
            power = r.choice([0.5, 1.5, -1.0, -0.5, 0.3])
            return Expr(
                type,
                max(p.bound**power, 0.5**power) * 1.01,
                f"{'powf' if type == 'float' else 'pow'}(",
                p,
                f", {literal(type, power).text()})",
            )
        inner = Expr(type, 0.7, f"({literal(type, 0.7).text()} * ", self.bounded_call("sin", type, 1, e), ")")
        if choice == "tan":
            return self.bounded_call("tan", type, 0.9, inner)
        if choice in ("acosh", "tgamma", "lgamma"):
            inner = Expr(type, 2.7, f"({literal(type, 2.0).text()} + ", inner, ")")
            return self.bounded_call(choice, type, 2, inner)
        return self.bounded_call(choice, type, 3.2 if choice == "acos" else 0.9, inner)

    def binary(self, a: Expr, b: Expr, type: str) -> Expr:
        choice = self.random.choice(["fmin", "fmax", "hypot", "atan2", "copysign", "pow", "fdim", "max"])
        if choice in ("fmin", "fmax"):
            return self.bounded_call(choice, type, max(a.bound, b.bound), a, b)
        if choice == "max":
            ta, tb = a.text(), b.text()
            if len(ta) + len(tb) > 60 or self.calls(a) or self.calls(b):
                return self.bounded_call("fmax", type, max(a.bound, b.bound), a, b)
            return Expr(type, max(a.bound, b.bound), f"({ta} > {tb} ? ", a, " : ", b, ")")
        if choice == "hypot":
            return self.bounded_call("hypot", type, a.bound + b.bound + 3, a, self.positive(b, type))
        if choice == "atan2":
            return self.bounded_call("atan2", type, math.pi, a, self.positive(b, type))
        if choice == "copysign":
            return self.bounded_call("copysign", type, a.bound, a, b)
        if choice == "fdim":
            return self.bounded_call("fdim", type, a.bound + b.bound, a, b)
        p, q = self.positive(a, type), self.limited(b, 1)
        return self.bounded_call("pow", type, max(p.bound, 2), p, q)

    def squash(self, e: Expr, limit: float) -> Expr:
        """e, brought below the limit."""
        r, type = self.random, e.type
        if not math.isfinite(e.bound) or e.bound > 1000 or r.random() < 0.4:
            s = self.bounded_call(r.choice(["sin", "tanh", "cos", "sin"]), type, 0.998, e)
            return s if limit >= 1 else Expr(type, limit, f"({literal(type, limit).text()} * ", s, ")")
        if r.random() < 0.6:
            return Expr(type, limit, f"({literal(type, float(f'{0.99 * limit / e.bound:.2g}')).text()} * ", e, ")")
        return Expr(type, limit, "(", e, f" / {literal(type, math.ceil(10 * e.bound / limit) / 10 + 0.1).text()})")

    def bounded(self, scope: Scope, depth: int, type: str, limit: float = LIMIT) -> Expr:
        e = self.real(scope, depth, type)
        return e if e.bound <= limit else self.squash(e, limit)
