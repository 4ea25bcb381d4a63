"""Forms of ordinary programs whose data is not numbers alone: records with pointers that are copied and sorted, pointers beside numbers in vectors, integers
that choose between the bits of numbers, arrays of a size known when the program runs, numbers behind '...' and in trees, exceptions."""

from collections.abc import Callable

from .scope import LIMIT, Scope, Var
from .shared import Shared
from .tree import Block, Expr, Part, Piece, Stmt

RECORDS = [
    "double v; int k; double *p;",
    "double *p; double v; int k;",
    "int k; double v; double *p;",
    "double v; double *p; long k;",
]
LANES = "typedef double @v2d __attribute__((vector_size(16)));\nstruct @leaf { double s; double *p; };\n"
TERMS = """struct @Term { double s; const double *p; double at(int i) const { return 0.5 * s * p[i]; } };
template <class L, class R> struct @Both { L l; R r; double at(int i) const { return 0.5 * l.at(i) + 0.5 * r.at(i); } };
template <class E> struct @Twice { E e; double s; double at(int i) const { return 0.5 * s * e.at(i); } };
template <class L, class R> static @Both<L, R> operator+(const L &l, const R &r) { return {l, r}; }
template <class E> static NOINLINE void @assign(E e, double *to, int n) { for (int i = 0; i < n; i++) to[i] = e.at(i); }
template <class E> static inline double @total(E e, int n) { double s = 0; for (int i = 0; i < n; i++) s += e.at(i); return 0.2 * s; }
"""
LISTED = """static NOINLINE double @read(int n, va_list list) {
  double s = 0;
  for (int i = 0; i < n; i++) s += va_arg(list, double) / (i + 2);
  return s;
}
static NOINLINE double @listed(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = @read(n, list);
  va_end(list);
  return s;
}
"""
TAGGED = """struct @Tag { int k; union { double d; @half f[2]; long i; double *p; } u; };
static NOINLINE void @put(struct @Tag *t, int k, double *x, double *y) {
  t->k = k & 3;
  if (t->k == 0) t->u.d = *x * *y;
  else if (t->k == 1) t->u.f[0] = (@half)*x, t->u.f[1] = (@half)*y;
  else if (t->k == 2) t->u.i = 2;
  else t->u.p = x;
}
static double @get(const struct @Tag *t) {
  return t->k == 0 ? t->u.d : t->k == 1 ? (double)t->u.f[0] * t->u.f[1] : t->k == 2 ? (double)t->u.i : *t->u.p;
}
"""
KEPT_ROWS = """static std::vector<std::vector<double>> @rows;
static double *@row(int i, int n) {
  static int calls;
  int more = ++calls % 5;
  if ((int)@rows.size() <= i + more) @rows.resize(i + more + 1);
  if (calls % 13 == 0) @rows[i].clear(), @rows[i].shrink_to_fit();
  if ((int)@rows[i].size() < n + more) @rows[i].resize(n + more);
  return @rows[i].data();
}
"""
KEPT_LIST = """struct @row { struct @row *next; double *data; int i, n; };
static struct @row *@rows;
static double *@row(int i, int n) {
  static int calls;
  struct @row **at = &@rows, *r;
  while (*at && (*at)->i != i) at = &(*at)->next;
  if ((r = *at) && ++calls % 7 == 0) *at = r->next, free(r->data), free(r), r = NULL;
  if (!r) {
    r = (struct @row *)calloc(1, sizeof *r);
    r->i = i; r->next = @rows; @rows = r;
  }
  if (r->n < n) r->data = (double *)realloc(r->data, n * sizeof(double)), r->n = n;
  return r->data;
}
"""
GUARDS = """struct @Guard { int *n; explicit @Guard(int *n) : n(n) { ++*n; } ~@Guard() { --*n; } };
struct @Undo { double *p, v; explicit @Undo(double *p) : p(p), v(*p) {} ~@Undo() { *p = 0.5 * *p + 0.25 * v; } };
struct @Stop { int code; };
struct @Told { int code; double number; };
struct @Said : std::runtime_error {
  double number;
  explicit @Said(double v) : std::runtime_error("told"), number(v) {}
};
"""


class Forms(Shared):
    """A part of Generator."""

    # ---- memory

    def sized(self, scope: Scope) -> Stmt | None:
        """An array of a size that is known when the program runs; freed where its block ends, or with the function."""
        ints = scope.find("int", where=lambda v: 0 <= v.lo and v.hi <= 6)
        if not ints or scope.trips > 40:
            return None
        r, type, name, length = self.random, self.some_type(), self.fresh("h"), self.random.randint(2, 5)
        count = f"{length} + {r.choice(ints).name}"
        declared = (
            f"{type} {name}[{count}];\n"
            if r.random() < 0.7
            else f"{type} *{name} = ({type} *)__builtin_alloca(({count}) * sizeof({type}));\n"
        )
        made = Stmt(declared, self.fill_of(scope, name, type, length))
        self.cost += scope.trips * length
        scope.add(Var(name, "arr", type, length=length, pointer=True))
        return made

    # ---- words

    def chosen_bits(self, scope: Scope) -> Stmt | None:
        """Integers choose between the bits of positive numbers, which are in the same order as the numbers."""
        r, type = self.random, self.some_type()
        place = self.place(scope, type)
        if not place:
            return None
        word, size = (
            (r.choice(["int64_t", "uint64_t"]), 8) if type == "double" else (r.choice(["int32_t", "uint32_t"]), 4)
        )
        u, b, m, sign = self.fresh("u"), self.fresh("b"), self.fresh("m"), r.choice([">", "<"])
        bits, number = self.bits_of(size)
        arrays = scope.find("arr", type=type)
        if arrays and r.random() < 0.5:
            v, i = r.choice(arrays), self.fresh("i")
            lift = "0.25f" if type == "float" else "0.25"
            take = f"{type} {u} = {self.name('fabs', type)}({v.name}[{i}]) + {lift}; {word} {b}; {bits(b, u)}"
            keep = r.choice([f"{m} = {b} {sign} {m} ? {b} : {m};", f"if ({b} {sign} {m}) {m} = {b};"])
            first = f"{type} {m}f = 1.5f; {word} {m}; {bits(m, f'{m}f')}\n"
            self.cost += scope.trips * v.length
            made, bound = (
                Stmt(first, f"for (int {i} = 0; {i} < {v.length}; {i}++) {{ {take} {keep} }}\n", number(f"{m}f", m)),
                LIMIT + 0.25,
            )
        else:
            one, two = self.positive(self.bounded(scope, 1, type), type), self.positive(
                self.bounded(scope, 1, type), type
            )
            bound = max(one.bound, two.bound)
            choose = r.choice([f"{m} = {b} {sign} {m} ? {b} : {m};", f"if ({b} {sign} {m}) {m} = {b};"])
            made = Stmt(
                f"{type} {m}f = ",
                one,
                f", {u} = ",
                two,
                f";\n{word} {m}, {b}; {bits(m, f'{m}f')} {bits(b, u)}\n{choose} {number(f'{m}f', m)}",
            )
        return Stmt("{ ", made, "\n", place, " = ", self.squash(Expr(type, bound, f"{m}f"), LIMIT), "; }")

    def bits_of(self, size: int) -> tuple[Callable[..., str], Callable[..., str]]:
        """What takes the bits of a number, and what makes a number of them."""
        if not self.device:
            return (lambda b, u: f"memcpy(&{b}, &{u}, {size});"), (lambda u, b: f"memcpy(&{u}, &{b}, {size});")
        there, back = (
            ("__double_as_longlong", "__longlong_as_double") if size == 8 else ("__float_as_int", "__int_as_float")
        )
        return (lambda b, u: f"{b} = {there}({u});"), (lambda u, b: f"{u} = {back}({b});")

    # ---- records

    def records(self, scope: Scope) -> Stmt | None:
        """Structs of a number, an integer and a pointer: filled, put in another order, and read through what they hold."""
        r = self.random
        arrays, place = scope.find("arr", type="double", writable=True), self.place(scope, "double")
        if not arrays or not place or scope.trips > 40:
            return None
        if "records" not in self.used:
            self.used.add("records")
            self.pieces.append(
                Piece(
                    "@rec",
                    f"struct @rec {{ {r.choice(RECORDS)} }};\nstatic int @by_number(const void *a, const void *b) {{ double x = ((const {self.tag('rec')} *)a)->v, "
                    f"y = ((const {self.tag('rec')} *)b)->v; return (x > y) - (x < y); }}\n",
                )
            )
        tag, o, i, count = self.tag("rec"), self.fresh("o"), self.fresh("i"), r.randint(2, 4)
        v = r.choice(arrays)
        inner = scope.inner(count, keep_loop=False)
        inner.add(Var(i, "int", "int", hi=count - 1, writable=False))
        self.cost += scope.trips * count * 6
        fill = Stmt(
            f"{tag} {o}[{count}];\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {o}[{i}].v = ",
            self.bounded(inner, 2, "double"),
            f"; {o}[{i}].k = ({i} * {r.choice([1, 3])} + 1) % {count}; {o}[{i}].p = {v.name} + {i} % {v.length}; }}",
        )
        use = r.choice(
            [
                f"for (int {i} = 0; {i} < {count}; {i}++) *{o}[{i}].p = 0.4 * {o}[{i}].v + 0.5 * *{o}[{i}].p;",
                f"for (int {i} = 0; {i} < {count}; {i}++) {o}[{i}].v = 0.5 * {o}[{i}].v + 0.5 * *{o}[{o}[{i}].k].p;",
            ]
        )
        last = Expr("double", LIMIT, f"0.5 * {o}[0].v * ({o}[1].k + 1) / {count} + 0.5 * *{o}[{r.randrange(count)}].p")
        return Stmt("{ ", fill, "\n", self.reorder(scope, tag, o, count), "\n", use, "\n", place, " = ", last, "; }")

    def reorder(self, scope: Scope, tag: str, o: str, count: int) -> Stmt:
        r, t, j, i = self.random, self.fresh("t"), self.fresh("j"), self.fresh("i")
        swap = (
            f"std::swap({o}[{j} - 1], {o}[{j}]);"
            if self.cxx and r.random() < 0.6
            else f"{tag} {t} = {o}[{j} - 1]; {o}[{j} - 1] = {o}[{j}]; {o}[{j}] = {t};"
        )
        by = r.choice(
            [
                f"{o}[{j} - 1].v > {o}[{j}].v",
                f"{o}[{j} - 1].v < {o}[{j}].v",
                f"{o}[{j} - 1].k > {o}[{j}].k",
                f"*{o}[{j} - 1].p > *{o}[{j}].p",
            ]
        )
        kind = r.random()
        if kind < 0.4:
            return Stmt(
                f"for (int {i} = 1; {i} < {count}; {i}++) for (int {j} = {i}; {j} > 0 && {by}; {j}--) {{ {swap} }}"
            )
        if kind < 0.55:
            if self.cxx:
                return Stmt(
                    f"std::sort({o}, {o} + {count}, [](const {tag} &a, const {tag} &b) {{ return a.v < b.v; }});"
                )
            return Stmt(f"qsort({o}, {count}, sizeof *{o}, @by_number);")
        if kind < 0.75:
            c = self.fresh("c")
            return Stmt(
                f"{tag} {c}[{count}]; memcpy({c}, {o}, sizeof {c});\nfor (int {i} = 0; {i} < {count}; {i}++) {o}[{i}] = {c}[({i} + {r.randrange(count)}) % {count}];"
            )
        a, b = r.randrange(count), r.randrange(count)
        return Stmt(
            "if (", self.condition(scope), f") {{ {tag} {t} = {o}[{a}]; {o}[{a}] = {o}[{b}]; {o}[{b}] = {t}; }}"
        )

    # ---- pointers in vectors

    def lanes(self, scope: Scope) -> Stmt | None:
        """A number and a pointer, moved as a vector of two numbers."""
        r, leaf = self.random, self.tag("leaf")
        arrays, place = scope.find("arr", type="double"), self.place(scope, "double")
        if not arrays or not place:
            return None
        self.used.add("lanes")
        l, w, x, s, i = (self.fresh(c) for c in "lwxsi")
        a, b = r.choice(arrays), r.choice(arrays)
        length = min(a.length, b.length)
        cast = lambda v: f"(double *){v.name}"
        num = lambda: self.bounded(scope, 1, "double")
        made: list[Part] = [
            f"{leaf} {l} = {{",
            num(),
            f", {cast(a)}}}, {x} = {{",
            num(),
            f", {cast(b)}}};\n@v2d {w}, {w}b; memcpy(&{w}, &{l}, 16); memcpy(&{w}b, &{x}, 16);\n",
        ]
        kind = r.random()
        if kind < 0.3:
            made += ["if (", self.condition(scope), f") {w} = {w}b;\n"]
        elif kind < 0.5:
            made.append(f"{w} = (@v2d){{{w}b[0], {w}[1]}};\n")
        elif kind < 0.7:
            made.append(
                f"@v2d {w}c[2] = {{{w}, {w}b}}; for (int {i} = 0; {i} < 3; {i}++) {{ @v2d {w}d = {w}c[0]; {w}c[0] = {w}c[1]; {w}c[1] = {w}d; }}\n{w} = {w}c[0];\n"
            )
        elif kind < 0.85:
            made += [f"{w}[0] = ", num(), ";\n"]
        self.cost += scope.trips * length
        return Stmt(
            "{ ",
            *made,
            f"memcpy(&{l}, &{w}, 16);\ndouble {s} = 0; for (int {i} = 0; {i} < {length}; {i}++) {s} += {l}.s * {l}.p[{i}];\n",
            place,
            " = ",
            self.squash(Expr("double", 4.0 * length, s), LIMIT),
            "; }",
        )

    def terms(self, scope: Scope) -> Stmt | None:
        """Small expressions of numbers and pointers that are passed by value, and evaluated where they are assigned."""
        r = self.random
        arrays, out = scope.find("arr", type="double"), scope.find("arr", type="double", writable=True)
        if not arrays or not out:
            return None
        self.used.add("terms")
        parts: list[Part] = []
        chosen = [r.choice(arrays) for _ in range(r.choice([1, 2, 2, 3]))]
        to = r.choice(out)
        length = min(v.length for v in [*chosen, to])
        for k, v in enumerate(chosen):
            parts += [" + "] * (k > 0) + ["@Term{", self.bounded(scope, 1, "double"), f", {v.name}}}"]
        e = self.fresh("e")
        made: list[Part] = [f"auto {e} = ", *parts, ";\n"]
        if r.random() < 0.4:
            made += [f"@Twice<decltype({e})> {e}t{{{e}, ", self.bounded(scope, 1, "double"), "};\n"]
            e += "t"
        if r.random() < 0.3:
            made.append(f"auto {e}c = {e}; std::swap({e}, {e}c);\n")
        self.cost += scope.trips * length * 2
        if r.random() < 0.5:
            return Stmt("{ ", *made, f"@assign({e}, {to.name}, {length}); }}")
        t = self.fresh("t")
        # Each element is within 2.
        scope.add(Var(t, "num", "double"))
        return Stmt(f"double {t}; {{ ", *made, f"{t} = @total({e}, {min(length, 5)}); }}")

    # ---- bytes

    def packed(self, scope: Scope) -> Stmt | None:
        """Numbers among bytes that say how far behind them they lie; a copy of the bytes is read, or both are."""
        arrays, place = scope.find("arr", where=lambda v: v.type in ("float", "double")), self.place(scope, "double")
        if not arrays or not place or scope.trips > 40:
            return None
        r, v = self.random, self.random.choice(arrays)
        b, c, e, i, t, u = (self.fresh(letter) for letter in "bceitu")
        room, size = 11 * v.length + 1, f"(int)sizeof({v.type})"
        declared = r.choice(
            [f"char {b}[{room}], {c}[{room}];", f"char *{b} = (char *)malloc({room}), *{c} = (char *)malloc({room});"]
        )
        skip = r.choice([2, 3])
        copied = r.choice(
            [
                f"memcpy({c}, {b}, {e});",
                f"memmove({c}, {b}, {e}); memmove({b}, {b} + 1, {e} - 1); memmove({b} + 1, {b}, {e} - 1); {b}[0] = {c}[0];",
            ]
        )
        both = r.random() < 0.5
        self.cost += scope.trips * v.length * 6
        made = Stmt(
            f"{{ {declared} int {e} = 0;\n",
            f"for (int {i} = 0; {i} < {v.length}; {i}++) {{ {b}[{e}] = (char){i}; {e} += 1 + {i} % {skip}; memcpy({b} + {e}, &{v.name}[{i}], {size}); {e} += {size}; }}\n",
            f"{copied}\ndouble {t} = 0;\n",
            f"for (int {i} = 0, {u}k = 0; {i} < {e}; {u}k++) {{ {v.type} {u}; {i} += 1 + {c}[{i}] % {skip}; memcpy(&{u}, {c} + {i}, {size}); {t} += {u} * {u} / ({u}k + 2); ",
            f"memcpy(&{u}, {b} + {i}, {size}); {t} += {u} / ({u}k + 3); " if both else "",
            f"{i} += {size}; }}\n",
            f"free({b}); free({c});\n" if "malloc" in declared else "",
        )
        return Stmt(made, place, " = ", self.squash(Expr("double", (LIMIT + 1) * LIMIT * v.length, t), LIMIT), "; }")

    def tagged(self, scope: Scope) -> Stmt | None:
        """Words that are numbers of two types, integers or pointers, in turns at one place; all are copied away and read there."""
        arrays, place = scope.find("arr", type="double"), self.place(scope, "double")
        if not arrays or not place or scope.trips > 20:
            return None
        self.used.add("tagged")
        r, v = self.random, self.random.choice(arrays)
        a, b, i, j, t = (self.fresh(letter) for letter in "abijt")
        rounds, step, length = r.choice([2, 3]), r.choice([1, 3]), v.length
        copied = r.choice(
            [
                f"memcpy({b} + {j} * {length}, {a}, {length} * sizeof *{a});",
                f"memmove({b} + {length}, {b}, {length * (rounds - 1)} * sizeof *{a}); memcpy({b}, {a}, {length} * sizeof *{a});",
                f"for (int {i} = 0; {i} < {length}; {i}++) {b}[{j} * {length} + {i}] = {a}[{length - 1} - {i}];",
            ]
        )
        self.cost += scope.trips * rounds * length * 8
        made = Stmt(
            f"{{ struct @Tag {a}[{length}], *{b} = (struct @Tag *)calloc({rounds * length}, sizeof *{b});\ndouble {t} = 0;\n",
            f"for (int {j} = 0; {j} < {rounds}; {j}++) {{\n",
            f"for (int {i} = 0; {i} < {length}; {i}++) @put({a} + {i}, {i} + {step} * {j}, (double *)&{v.name}[{i}], (double *)&{v.name}[{length - 1} - {i}]);\n",
            f"{copied} }}\n",
            f"for (int {i} = 0; {i} < {rounds * length}; {i}++) {t} += @get({b} + {i}) / ({i} + 1);\n",
            f"free({b});\n",
        )
        return Stmt(made, place, " = ", self.squash(Expr("double", LIMIT * LIMIT * rounds * length, t), LIMIT), "; }")

    def kept_rows(self, scope: Scope) -> Stmt | None:
        """Rows that a static variable keeps from call to call, in memory that grows and is given back; all that is read was written before."""
        place = self.place(scope, "double")
        if not place or scope.trips > 20:
            return None
        self.used.add("kept rows")
        r, length, number = self.random, self.random.randint(2, 5), self.random.randrange(6)
        h, i, t = (self.fresh(letter) for letter in "hit")
        inner = scope.inner(length)
        inner.add(Var(i, "int", "int", hi=length - 1, writable=False))
        self.cost += scope.trips * length * 8
        made = Stmt(
            f"{{ double *{h} = @row({number}, {length}), {t} = 0;\n",
            f"for (int {i} = 0; {i} < {length}; {i}++) {h}[{i}] = ",
            self.bounded(inner, 2, "double"),
            ";\n",
            f"@row({(number + 1) % 6}, {length})[0] = {h}[0];\n" if r.random() < 0.3 else "",
            f"for (int {i} = {length - 1}; {i} > 0; {i}--) {h}[{i}] = 0.5 * ({h}[{i}] + {h}[{i} - 1] * {h}[{i}]);\n"
            if r.random() < 0.5
            else "",
            f"for (int {i} = 0; {i} < {length}; {i}++) {t} += {h}[{i}] / ({i} + 1);\n",
        )
        return Stmt(made, place, " = ", self.squash(Expr("double", LIMIT * (LIMIT + 1) * length, t), LIMIT), "; }")

    # ---- lists and trees

    def listed(self, scope: Scope) -> Stmt | None:
        """Numbers behind '...'."""
        r = self.random
        place = self.place(scope, "double")
        if not place:
            return None
        self.used.add("listed")
        given = [self.bounded(scope, 1, "double") for _ in range(r.randint(1, 5))]
        parts: list[Part] = []
        for e in given:
            parts += [", ", e]
        t = self.fresh("t")
        bound = sum(e.bound / (k + 2) for k, e in enumerate(given))
        made = Stmt("{ double ", t, f" = @listed({len(given)}", *parts, ");\n")
        return Stmt(made, place, " = ", self.squash(Expr("double", bound, t), LIMIT), "; }")

    def ordered(self, scope: Scope) -> Stmt | None:
        """Numbers as keys of a set, which is emptied from its beginning. Their sum does not tell in which order."""
        arrays, place = scope.find("arr", type="double"), self.place(scope, "double")
        if not arrays or not place or scope.trips > 40:
            return None
        v, o, i, t = self.random.choice(arrays), self.fresh("o"), self.fresh("i"), self.fresh("t")
        self.cost += scope.trips * v.length * 8
        made = Stmt(
            f"{{ std::set<std::pair<double, int>> {o};\nfor (int {i} = 0; {i} < {v.length}; {i}++) {o}.insert({{{v.name}[{i}], {i}}});\n",
            f"double {t} = 0;\nwhile (!{o}.empty()) {{ auto [x, k] = *{o}.begin(); {o}.erase({o}.begin()); {t} += x * x / (k + 1 + 0 * {o}.size()); }}\n",
        )
        return Stmt(made, place, " = ", self.squash(Expr("double", LIMIT * LIMIT * v.length, t), LIMIT), "; }")

    # ---- exceptions

    def thrower(self) -> None:
        """A function that throws sometimes, for reasons that are no number's, or a number's."""
        r, name = self.random, self.fresh("throw")
        length = r.randint(2, 4)
        scope = Scope(
            vars=[
                Var("a", "num"),
                Var("p", "arr", length=length, pointer=True),
                Var("k", "int", "int", hi=3, writable=False),
            ],
            trips=4,
        )
        budget, cost, self.budget, self.cost = self.budget, self.cost, 2, 1
        body = Block(
            Stmt(
                r.choice(
                    [
                        "",
                        "int c = 0; @Guard g(&c);",
                        "std::vector<double> v(3, a); a = 0.5 * a + 0.4 * v[k % 3];",
                        "std::unique_ptr<double> v(new double(a)); a = 0.5 * *v;",
                    ]
                )
            )
        )
        body.parts += self.block(scope, 0, 2).parts
        if self.throwers and r.random() < 0.5:
            inner, least = r.choice(self.throwers)
            if least <= length:
                body.parts.append(
                    Stmt(f"a = 0.5 * a + 0.4 * @{inner}(", self.bounded(scope, 1, "double"), ", p, (k + 1) % 4);")
                )
        if r.random() < 0.4:
            # A recursion stays a call: what it has written counts where it is left.
            body.parts.append(Stmt(f"if (k < 3) a = 0.5 * a + 0.4 * @{name}(0.9 * a, p, k + 1);"))
            self.cost += 3 * scope.trips
        body.parts.append(self.throw(scope, "k"))
        body.parts += self.block(scope, 0, 1).parts
        body.parts.append(Stmt("return ", self.bounded(scope, 2, "double"), ";"))
        self.budget, self.cost = budget, cost + 4
        self.pieces.append(
            Piece(
                f"@{name}",
                f"static {r.choice(['', 'NOINLINE ', 'NOINLINE '])}double @{name}(double a, double *p, int k) ",
                body,
                "\n",
            )
        )
        self.throwers.append((name, length))

    def throw(self, scope: Scope, k: str) -> Stmt:
        r = self.random
        when: list[Part] = (
            [r.choice([f"{k} % 2 == 1", f"{k} == 1", f"{k} >= 2", f"{k} == 0"])]
            if r.random() < 0.75
            else [self.condition(scope)]
        )
        what = r.choice([k, f"{k} + 1", "@Stop{3}", 'std::runtime_error("stopped")', f'std::out_of_range("{k}")'])
        if r.random() < 0.4:
            # It takes a number to its handler.
            number = self.bounded(scope, 1, "double")
            kind = r.choice([("@Told{", f"{k}, ", "}"), ("@Said(", "", ")")])
            return Stmt("if (", *when, f") throw {kind[0]}{kind[1]}0.5 * (", number, f"){kind[2]};")
        return Stmt("if (", *when, f") throw {what};")

    def attempt(self, scope: Scope) -> Stmt | None:
        """A loop, some iterations of which throw, and catch."""
        r = self.random
        if scope.trips > 40:
            return None
        self.used.add("guards")
        if r.random() < 0.6 and len(self.throwers) < 3:
            self.thrower()
        t, n, i, trips = self.fresh("t"), self.fresh("n"), self.fresh("i"), r.randint(2, 4)
        start = self.bounded(scope, 1, "double")
        inner = scope.inner(trips, keep_loop=False)
        inner.add(Var(i, "int", "int", hi=trips - 1, writable=False))
        inner.add(Var(t, "num"))
        body = Block(Stmt(r.choice(["", f"@Guard g{i}(&{n});", f"@Guard g{i}(&{n});", f"@Undo g{i}(&{t});"])))
        if r.random() < 0.4:
            v = self.fresh("v")
            body.parts.append(
                Stmt(
                    f"std::vector<double> {v}({r.randint(2, 3)}, ",
                    self.bounded(inner, 1, "double"),
                    f"); {t} = 0.5 * {t} + 0.4 * {v}.at({r.choice([i, '0', f'{i} + 1'])});",
                )
            )
        body.parts += self.block(inner.inner(), 0, 2).parts
        self.cost += scope.trips * trips * 8
        body.parts.append(self.risk(inner, t, i))
        if r.random() < 0.5:
            body.parts.append(Stmt(f"{t} = ", self.bounded(inner, 2, "double"), ";"))
        loop = Block(self.caught(inner, body, t))
        scope.add(Var(t, "num"))
        return Stmt(
            f"double {t} = ",
            start,
            f"; int {n} = 0;\nfor (int {i} = 0; {i} < {trips}; {i}++) ",
            loop,
            f"\nif ({n} != 0) {t} = 0;",
        )

    def risk(self, scope: Scope, t: str, i: str) -> Stmt:
        """What may throw."""
        r = self.random
        found = [
            (name, v)
            for name, length in self.throwers
            for v in scope.find("arr", type="double", writable=True)
            if v.length >= length
        ]
        if found and r.random() < 0.75:
            name, v = r.choice(found)
            return Stmt(f"{t} = 0.5 * {t} + 0.4 * @{name}(", self.bounded(scope, 1, "double"), f", {v.name}, {i});")
        return self.throw(scope, i)

    def caught(self, scope: Scope, body: Block, t: str) -> Stmt:
        r = self.random
        value = lambda more="": Stmt(f"{t} = ", self.bounded(scope.inner(), 1, "double", 0.99), more, ";")
        handlers: list[Part] = [
            " catch (int e) ",
            Block(value(" + 0.1 * (e + 1)")),
            " catch (const @Stop &e) ",
            Block(value(" + 0.1 * e.code")),
            r.choice([" catch (const @Told &e) ", " catch (@Told e) "]),
            Block(value(" + 0.1 * e.number * e.number")),
            " catch (const @Said &e) ",
            Block(value(" + 0.1 * e.number * (e.what()[0] == 't')")),
            " catch (const std::exception &e) ",
            Block(value(" + (e.what()[0] == 's' ? 0.5 : 0.25)")),
        ]
        if r.random() < 0.4:
            handlers = [" catch (...) ", Block(value())]
        elif r.random() < 0.3:
            # Caught, and thrown on.
            body = Block(Stmt("try ", body, " catch (int) ", Block(value(), Stmt("throw;"))))
        return Stmt("try ", body, *handlers)

    # ---- what they use that is always the same

    def form_support(self) -> list[str]:
        made = [LANES] if "lanes" in self.used else []
        made += [TERMS] if "terms" in self.used else []
        made += [LISTED] if "listed" in self.used else []
        made += [KEPT_ROWS if self.cxx else KEPT_LIST] if "kept rows" in self.used else []
        made += [TAGGED.replace("@half", "float" if self.single else "int")] if "tagged" in self.used else []
        return made + ([GUARDS] if "guards" in self.used else [])
