"""What only C++ has."""

from .scope import LIMIT, Scope, Var
from .shared import Shared
from .tree import Block, Part, Piece, Stmt

CLASSES = """struct @Base { virtual double at(double a) const = 0; virtual void step(double a) { (void)a; } virtual ~@Base() {} };
"""
OPERATORS = """struct @V2 { double x, y; @V2 operator+(const @V2 &o) const { return {0.5 * (x + o.x), 0.5 * (y + o.y)}; } @V2 operator*(double s) const { return {std::sin(x * s), std::tanh(y * s)}; }
double dot(const @V2 &o) const { return 0.25 * (x * o.x + y * o.y); } @V2 &operator+=(const @V2 &o) { x = 0.5 * (x + o.x); y = std::cos(y + o.y); return *this; } };
"""


class Cxx(Shared):
    """A part of Generator: statements of C++."""

    def lambda_(self, scope: Scope) -> Stmt | None:
        r, type, name = self.random, self.some_type(), self.fresh("f")
        inner = scope.inner(keep_loop=False)
        inner.add(Var("z", "num", type))
        capture = r.choice(["&", "&", "="])
        if capture == "=":
            # A copy's value, and no change of it.
            inner.parent = None
            for v in scope.find("num", "int", where=lambda v: v.name.isidentifier()):
                inner.add(v)
        body = Block(Stmt("return ", self.bounded(inner, 2, type), ";"))
        if capture == "&" and r.random() < 0.4:
            statement = self.assign(inner)
            body.parts.insert(0, statement)
        made = Stmt(f"auto {name} = [{capture}]({type} z) -> {type} ", body, ";")
        out, t = self.place(scope, type), self.fresh("t")
        head = f"{type} {t} = {name}("
        if r.random() < 0.3:
            self.used.add("apply")
            head = f"{type} {t} = @twice({name}, "
        call = Stmt(head, self.bounded(scope, 1, type), ");")
        scope.add(Var(t, "num", type))
        if out and r.random() < 0.4:
            return Stmt(made, "\n", call, "\n", out, f" = {t};")
        return Stmt(made, "\n", call)

    def range_for(self, scope: Scope) -> Stmt | None:
        r = self.random
        found = [v for v in scope.find("arr", "vector", writable=True) if v.kind == "vector" or v.local]
        if not found:
            return None
        v, e = r.choice(found), self.fresh("e")
        inner = scope.inner(v.length, keep_loop=False)
        # A vector must not grow under the reference.
        inner.add(Var(e, "num", v.type))
        self.cost += scope.trips * v.length
        value = self.bounded(inner, 2, v.type)
        return Stmt(f"for ({r.choice(['auto', v.type])} &{e} : {v.name}) {e} = ", value, ";")

    def vector(self, scope: Scope) -> Stmt | None:
        r, type, name, length = self.random, self.some_type(), self.fresh("v"), self.random.randint(2, 5)
        kind = r.random()
        if kind < 0.4:
            made = Stmt(f"std::vector<{type}> {name}({length});\n", self.fill_of(scope, name, type, length))
        elif kind < 0.8:
            i = self.fresh("i")
            inner = scope.inner(length)
            inner.add(Var(i, "int", "int", hi=length - 1, writable=False))
            reserve = f"{name}.reserve({length});\n" if r.random() < 0.3 else ""
            made = Stmt(
                f"std::vector<{type}> {name};\n{reserve}for (int {i} = 0; {i} < {length}; {i}++) {name}.push_back(",
                self.bounded(inner, 2, type),
                ");",
            )
        else:
            made = Stmt(f"std::vector<{type}> {name}({length}, ", self.bounded(scope, 1, type), ");")
            if r.random() < 0.5:
                made = Stmt(made, f"\n{name}.resize({length + 2}, ", self.bounded(scope, 1, type), ");")
                length += 2
        others = scope.find("vector", type=type, where=lambda v: v.name[0] == "v")
        if others and r.random() < 0.2:
            other = r.choice(others)
            made = Stmt(f"std::vector<{type}> {name} = {other.name};")
            length = other.length
        self.cost += scope.trips * length
        scope.add(Var(name, "vector", type, length=length))
        if r.random() < 0.4:
            p = self.fresh("p")
            scope.add(Var(p, "arr", type, length=length, pointer=True))
            return Stmt(made, f"\n{type} *{p} = {name}.data();")
        return made

    def std_array(self, scope: Scope) -> Stmt | None:
        r, type, name, length = self.random, self.some_type(), self.fresh("q"), self.random.randint(2, 4)
        parts: list[Part] = [f"std::array<{type}, {length}> {name} = {{{{"]
        for k in range(length):
            parts += [", "] * (k > 0) + [self.bounded(scope, 1, type)]
        scope.add(Var(name, "vector", type, length=length))
        made = Stmt(*parts, "}};")
        if r.random() < 0.3:
            copy = self.fresh("q")
            scope.add(Var(copy, "vector", type, length=length))
            made = Stmt(made, f"\nauto {copy} = {name};")
        return made

    def reference(self, scope: Scope) -> Stmt | None:
        place = self.place(scope)
        if not place:
            return None
        name = self.fresh("g")
        scope.add(Var(name, "num", place.type))
        return Stmt(f"{place.type} &{name} = ", place, ";")

    def swap(self, scope: Scope) -> Stmt | None:
        found = scope.find("num", "vector", writable=True, where=lambda v: v.bound == LIMIT)
        pairs = [
            (a, b)
            for a in found
            for b in found
            if a.name != b.name
            and a.kind == b.kind
            and a.type == b.type
            and a.length == b.length
            and a.name[0] == b.name[0]
        ]
        if not pairs:
            return None
        a, b = self.random.choice(pairs)
        return Stmt(f"std::swap({a.name}, {b.name});")

    def operators(self, scope: Scope) -> Stmt | None:
        self.used.add("operators")
        r, a, b = self.random, self.fresh("y"), self.fresh("y")
        num = lambda: self.bounded(scope, 1, "double")
        made: list[Part] = [f"@V2 {a}{{", num(), ", ", num(), f"}}; @V2 {b} = {a} * ", num(), ";"]
        if r.random() < 0.5:
            i = self.fresh("i")
            made += [
                f"\nfor (int {i} = 0; {i} < 3; {i}++) {r.choice([f'{b} += {a}', f'{b} = {a} + {b} * {a}.x', f'{a} = {b} * {a}.dot({b})'])};"
            ]
        t = self.fresh("t")
        made += [f"\ndouble {t} = ({a} + {b}).dot({a});"]
        for name in (f"{a}.x", f"{a}.y", f"{b}.x", f"{b}.y", t):
            scope.add(Var(name, "num", "double"))
        return Stmt(*made)

    def classes(self) -> None:
        """Two or three with virtual functions."""
        if "classes" in self.used:
            return
        self.used.add("classes")
        self.pieces.append(Piece("@Base", CLASSES))
        for k in range(self.random.choice([2, 3])):
            scope = Scope(vars=[Var("a", "num"), Var("m", "num"), Var("w", "arr", length=2, local=True)])
            constant = Scope(
                vars=[
                    Var("a", "num"),
                    Var("m", "num", writable=False),
                    Var("w", "arr", length=2, local=True, writable=False),
                ]
            )
            at, step = self.bounded(constant, 2, "double"), self.bounded(scope, 2, "double")
            self.pieces.append(
                Piece(
                    f"@D{k}",
                    f"struct @D{k} : @Base {{ int n; double m; double w[2]; @D{k}(double a) : n({k}), m(0.5 * a), w{{a, 0.25}} {{}}\n"
                    "double at(double a) const override { return ",
                    at,
                    "; }\nvoid step(double a) override { m = ",
                    step,
                    f"; w[n % 2] = {self.random.choice(['a', 'm', '0.5 * m + 0.5 * a'])}; }} }};\n",
                )
            )
            self.derived.append(f"@D{k}")

    def virtual(self, scope: Scope) -> Stmt | None:
        self.classes()
        r, a, b, p, t = self.random, self.fresh("d"), self.fresh("d"), self.fresh("b"), self.fresh("t")
        first, second = r.choice(self.derived), r.choice(self.derived)
        num = lambda: self.bounded(scope, 1, "double")
        start, other = num(), num()
        kind = r.random()
        i = self.fresh("i")
        loop = [f"for (int {i} = 0; {i} < 2; {i}++) "] if r.random() < 0.4 else [""]
        self.cost += 6 * scope.trips
        if kind < 0.5:
            made = Stmt(
                f"{first} {a}(",
                start,
                f"); {second} {b}(",
                other,
                f");\n@Base *{p} = ",
                self.condition(scope),
                f" ? (@Base *)&{a} : (@Base *)&{b};\n",
                *loop,
                f"{p}->step(",
                num(),
                ");\n",
                f"double {t} = {p}->at(",
                num(),
                ");",
            )
        elif kind < 0.75:
            new = self.fresh("b")
            made = Stmt(
                f"@Base *{new} = new {first}(",
                start,
                ");\n",
                *loop,
                f"{new}->step(",
                num(),
                f");\ndouble {t} = {new}->at(",
                num(),
                f");\ndelete {new};",
            )
        else:
            new = self.fresh("b")
            made = Stmt(
                f"std::unique_ptr<@Base> {new};\nif (",
                self.condition(scope),
                f") {new}.reset(new {first}(",
                start,
                f")); else {new}.reset(new {second}(",
                other,
                "));\n",
                f"{new}->step(",
                num(),
                f");\ndouble {t} = {new}->at(",
                num(),
                ");",
            )
        name = self.fresh("t")
        scope.add(Var(name, "num", "double"))
        # What the classes compute from bounded members is bounded, for arguments that are.
        return Stmt(made, f"\ndouble {name} = {t};")

    def template_call(self, scope: Scope) -> Stmt | None:
        r, type = self.random, self.some_type()
        arrays = scope.find("arr", type=type, where=lambda v: v.length >= 2)
        name = self.fresh("t")
        if arrays and r.random() < 0.5:
            self.used.add("norm")
            v = r.choice(arrays)
            made = Stmt(f"{type} {name} = @norm<{r.randint(2, v.length)}>({v.name});")
        else:
            self.used.add("mix")
            made = Stmt(
                f"{type} {name} = @mix<{type}>(", self.bounded(scope, 1, type), ", ", self.bounded(scope, 1, type), ");"
            )
        scope.add(Var(name, "num", type))
        return made

    def support(self) -> list[str]:
        """What the statements use that is always the same."""
        made = []
        if "operators" in self.used:
            made.append(OPERATORS)
        if "apply" in self.used:
            made.append(
                "template <class F, class T> static T @twice(F f, T a) { T b = f(a); return (T)0.5 * (f(b) + b); }\n"
            )
        if "norm" in self.used:
            made.append(
                "template <int N, class T> static T @norm(const T *p) { T s = 0; for (int i = 0; i < N; i++) s += p[i] * p[i]; return std::sqrt((T)0.3 + s) / (T)6; }\n"
            )
        if "mix" in self.used:
            made.append(
                "template <class T> static T @mix(T a, const T &b) { if (a < b) return (T)0.5 * a * b; return std::sin(a) + (T)0.3 * b; }\n"
            )
        return made
