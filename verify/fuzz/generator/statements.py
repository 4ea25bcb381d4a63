"""Random statements. They keep what scope.py says of variables."""

from .scope import LIMIT, Scope, Struct, Var
from .shared import Shared
from .tree import Block, Expr, Part, Stmt


class Statements(Shared):
    """A part of Generator: what a function does."""

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def block(self, scope: Scope, low: int, high: int) -> Block:
        block = Block()
        for _ in range(self.random.randint(low, high)):
            if self.budget <= 0:
                break
            self.budget -= 1
            statement = self.statement(scope)
            if statement:
                block.parts.append(statement)
        return block

    def statement(self, scope: Scope) -> Stmt:
        r = self.random
        self.cost += scope.trips
        kinds = {
            self.declare: 14,
            self.assign: 24,
            self.sum_up: 7,
            self.fill: 6,
            self.local_array: 6,
            self.local_matrix: 3,
            self.for_loop: 12,
            self.branch: 9,
            self.switch: 3,
            self.while_loop: 4,
            self.jump: 3,
            self.copy: 5,
            self.pointer: 7,
            self.call_statement: 12,
            self.union: 3,
            self.heap: 4,
            self.local_struct: 5,
            self.copy_struct: 3,
            self.swap_buffers: 2,
            self.stencil: 4,
            self.integer: 3,
            self.list: 1,
            self.row_pointers: 2,
            self.early_return: 1,
            self.sized: 3,
            self.chosen_bits: 4,
            self.records: 5,
            self.lanes: 4,
            self.listed: 2,
        }
        if self.cxx:
            kinds.update(
                {
                    self.lambda_: 6,
                    self.range_for: 4,
                    self.vector: 6,
                    self.std_array: 3,
                    self.reference: 5,
                    self.virtual: 5,
                    self.swap: 2,
                    self.operators: 3,
                    self.template_call: 5,
                    self.attempt: 9,
                    self.terms: 4,
                    self.ordered: 2,
                }
            )
        if self.forms:
            of_forms = (
                self.sized,
                self.chosen_bits,
                self.records,
                self.lanes,
                self.listed,
                self.attempt,
                self.terms,
                self.ordered,
            )
            kinds.update({form: 6 * kinds.get(form, 0) for form in of_forms})
            kinds[self.packed] = 12
            kinds[self.tagged] = 10
            kinds[self.kept_rows] = 10
        if self.parallel:
            kinds.update({self.parallel_loop: 24, self.region: 16, self.in_place: 8})
        if self.device:
            # Device code has no library of C to speak of.
            for hosted in (
                self.copy,
                self.heap,
                self.list,
                self.union,
                self.copy_struct,
                self.sized,
                self.records,
                self.lanes,
                self.listed,
                self.packed,
                self.tagged,
                self.kept_rows,
            ):
                kinds[hosted] = 0
            kinds[self.chosen_bits] = 5
        if scope.depth > 3:
            for deep in (self.for_loop, self.branch, self.switch, self.while_loop, self.heap, self.swap_buffers):
                kinds[deep] = 0
        for _ in range(4):
            made = r.choices(list(kinds), list(kinds.values()))[0](scope)
            if made:
                return made
        return self.assign(scope)

    # ---- numbers

    def depth(self) -> int:
        return self.random.choice([1, 1, 2, 2, 3])

    def declare(self, scope: Scope) -> Stmt:
        type, name = self.some_type(), self.fresh("t")
        value = self.bounded(scope, self.depth(), type)
        made = Stmt(f"{type} {name} = ", value, ";")
        scope.add(Var(name, "num", type))
        return made

    def place(self, scope: Scope, type: str | None = None) -> Expr | None:
        """Something to store to, as an expression."""
        found = scope.find("num", "arr", "mat", "vector", type=type, writable=True, where=lambda v: v.bound == LIMIT)
        if not found:
            return None
        v = found[min(int(self.random.expovariate(0.3)), len(found) - 1)]
        place = self.element(scope, v)
        place.kind = "place"  # no expression may stand in its stead
        return place

    def assign(self, scope: Scope) -> Stmt:
        r, place = self.random, self.place(scope)
        if not place:
            return self.declare(scope)
        type, form = place.type, r.random()
        if form < 0.1:
            return Stmt(place, " *= ", self.bounded(scope, 1, type, 0.99), ";")
        if form < 0.3 and "%" not in place.text() and "(" not in place.text():
            text = place.text()
            return Stmt(
                place,
                " = ",
                Expr(
                    type,
                    LIMIT,
                    f"{'0.5f' if type == 'float' else '0.5'} * {text} + ",
                    self.bounded(scope, self.depth(), type, 0.99),
                ),
                ";",
            )
        if form < 0.35 and "(" not in place.text():
            again = place.text()
            return Stmt(
                place,
                r.choice([" += ", " -= "]),
                self.bounded(scope, 1, type, 0.99),
                f"; {again} = ",
                self.squash(Expr(type, 3, again), LIMIT),
                ";",
            )
        return Stmt(place, " = ", self.bounded(scope, self.depth(), type), ";")

    def sum_up(self, scope: Scope) -> Stmt:
        """A loop that adds; its result is larger than variables are, and used once."""
        r, type, name = self.random, self.some_type(), self.fresh("s")
        start = self.bounded(scope, 1, type)
        head, inner, trips = self.loop_head(scope)
        # Not over itself: the bound is that of a sum.
        term = self.bounded(inner, self.depth(), type, 3)
        body = Block(Stmt(f"{name} {r.choice(['+=', '-='])} ", term, ";"))
        if r.random() < 0.3:
            body = Block(Stmt("if (", self.condition(inner), ") ", body))
        made = Stmt(f"{type} {name} = ", start, ";\n", Stmt(head, " ", body))
        scope.add(Var(name, "num", type, bound=LIMIT + trips * 3, writable=False))
        self.cost += scope.trips * trips
        return made

    def integer(self, scope: Scope) -> Stmt:
        found = scope.find("int", writable=True, where=lambda v: v.hi == 3 and v.lo == 0)
        if found and self.random.random() < 0.5:
            return Stmt(f"{self.random.choice(found).name} = ", self.index(scope, 4), ";")
        name = self.fresh("k")
        made = Stmt(f"int {name} = ", self.index(scope, 4), ";")
        scope.add(Var(name, "int", "int", hi=3))
        return made

    # ---- arrays

    def local_array(self, scope: Scope) -> Stmt:
        r, type, name, length = self.random, self.some_type(), self.fresh("a"), self.random.randint(2, 6)
        how = r.random()
        if how < 0.5:
            parts: list[Part] = [f"{type} {name}[{length}] = {{"]
            for k in range(length):
                parts += [", "] * (k > 0) + [self.bounded(scope, r.choice([0, 0, 1]), type)]
            made = Stmt(*parts, "};")
        else:
            made = Stmt(
                f"{type} {name}[{length}];\n",
                self.fill_of(scope, name, type, length) if how < 0.85 else f"memset({name}, 0, sizeof {name});",
            )
        scope.add(Var(name, "arr", type, length=length, local=True))
        return made

    def fill_of(self, scope: Scope, name: str, type: str, length: int, count: str | None = None) -> Stmt:
        i = self.fresh("i")
        inner = scope.inner(length)
        inner.add(Var(i, "int", "int", hi=length - 1, writable=False))
        return Stmt(
            f"for (int {i} = 0; {i} < {count or length}; {i}++) {name}[{i}] = ",
            self.bounded(inner, self.depth(), type),
            ";",
        )

    def fill(self, scope: Scope) -> Stmt | None:
        found = scope.find("arr", "vector", writable=True)
        if not found:
            return None
        v = self.random.choice(found)
        self.cost += scope.trips * v.length
        return self.fill_of(scope, v.name, v.type, v.length)

    def local_matrix(self, scope: Scope) -> Stmt:
        r, type, name, rows, length = (
            self.random,
            self.some_type(),
            self.fresh("m"),
            self.random.randint(2, 4),
            self.random.randint(2, 4),
        )
        i, j = self.fresh("i"), self.fresh("j")
        inner = scope.inner(rows * length)
        inner.add(Var(i, "int", "int", hi=rows - 1, writable=False))
        inner.add(Var(j, "int", "int", hi=length - 1, writable=False))
        made = Stmt(
            f"{type} {name}[{rows}][{length}];\nfor (int {i} = 0; {i} < {rows}; {i}++) for (int {j} = 0; {j} < {length}; {j}++) {name}[{i}][{j}] = ",
            self.bounded(inner, r.choice([1, 2]), type),
            ";",
        )
        scope.add(Var(name, "mat", type, rows=rows, length=length))
        return made

    def stencil(self, scope: Scope) -> Stmt | None:
        """Neighbours, in place or from one array to another."""
        r = self.random
        found = scope.find("arr", writable=True, where=lambda v: v.length >= 3)
        if not found:
            return None
        to = r.choice(found)
        sources = [v for v in scope.find("arr", type=to.type) if v.length >= to.length]
        source, i, f = r.choice(sources), self.fresh("i"), "f" if to.type == "float" else ""
        inner = scope.inner(to.length)
        inner.add(Var(i, "int", "int", lo=1, hi=to.length - 2, writable=False))
        head = (
            f"for (int {i} = 1; {i} < {to.length - 1}; {i}++)"
            if r.random() < 0.7
            else f"for (int {i} = {to.length - 2}; {i} >= 1; {i}--)"
        )
        body = r.choice(
            [
                f"0.25{f} * {source.name}[{i} - 1] + 0.5{f} * {source.name}[{i}] - 0.25{f} * {source.name}[{i} + 1]",
                f"0.3{f} * {source.name}[{i} - 1] * {source.name}[{i} + 1]",
                f"{self.name('sin', to.type)}({source.name}[{i} - 1] * {to.name}[{i}] + {source.name}[{i} + 1])",
            ]
        )
        return Stmt(f"{head} {to.name}[{i}] = ", Expr(to.type, LIMIT, body), ";")

    def pointer(self, scope: Scope) -> Stmt | None:
        r = self.random
        if r.random() < 0.25:
            found = scope.find("num", writable=True, where=lambda v: v.bound == LIMIT)
            if found:
                v, name = r.choice(found), self.fresh("p")
                others = [o for o in found if o.type == v.type]
                other = r.choice(others)
                chosen: list[Part] = (
                    [f"&{v.name}"] if r.random() < 0.5 else [self.condition(scope), f" ? &{v.name} : &{other.name}"]
                )
                scope.add(Var(f"(*{name})", "num", v.type))
                return Stmt(f"{v.type} *{name} = ", *chosen, ";")
        found = scope.find("arr", writable=True)
        if not found:
            return None
        v, name = r.choice(found), self.fresh("p")
        kind = r.random()
        offset = r.randrange(v.length)
        choice = self.condition(scope)
        if kind < 0.4 and offset:
            scope.add(Var(name, "arr", v.type, length=v.length - offset, pointer=True))
            return Stmt(f"{v.type} *{name} = {r.choice([f'{v.name} + {offset}', f'&{v.name}[{offset}]'])};")
        other = r.choice([o for o in found if o.type == v.type])
        length = min(v.length, other.length)
        scope.add(Var(name, "arr", v.type, length=length, pointer=True))
        if kind < 0.75:
            return Stmt(f"{v.type} *{name} = ", choice, f" ? {v.name} : {other.name};")
        # Chosen along the way.
        return Stmt(f"{v.type} *{name} = {v.name};\nif (", choice, f") {name} = {other.name};")

    def row_pointers(self, scope: Scope) -> Stmt | None:
        """An array of pointers."""
        r = self.random
        found = scope.find("arr", writable=True)
        if not found:
            return None
        first = r.choice(found)
        chosen = [first, *(r.choice([o for o in found if o.type == first.type]) for _ in range(r.choice([1, 2])))]
        name = self.fresh("r")
        made = Stmt(f"{first.type} *{name}[{len(chosen)}] = {{{', '.join(v.name for v in chosen)}}};")
        scope.add(Var(name, "mat", first.type, rows=len(chosen), length=min(v.length for v in chosen)))
        return made

    def copy(self, scope: Scope) -> Stmt | None:
        r = self.random
        found = scope.find("arr", writable=True)
        if not found:
            return None
        to = r.choice(found)
        kind = r.random()
        if kind < 0.15:
            count = r.randint(1, to.length)
            return Stmt(f"memset({to.name}, 0, {count} * sizeof({to.type}));")
        if kind < 0.35 and to.length > 2:
            return Stmt(
                f"memmove({to.name}{r.choice([' + 1', ''])}, {to.name}{r.choice([' + 1', ''])}, {to.length - 1} * sizeof({to.type}));"
            )
        # What may overlap is moved; only separate objects are copied.
        sources = [v for v in scope.find("arr", type=to.type) if v.name != to.name]
        if not sources:
            return None
        source = r.choice(sources)
        count = r.randint(1, min(source.length, to.length))
        how = (
            "memcpy"
            if source.local and to.local and "." not in to.name + source.name and "->" not in to.name + source.name
            else "memmove"
        )
        return Stmt(f"{how}({to.name}, {source.name}, {count} * sizeof({to.type}));")

    def heap(self, scope: Scope) -> Stmt:
        """Memory from the heap around some statements."""
        r, type, name, length = self.random, self.some_type(), self.fresh("h"), self.random.randint(2, 6)
        cast = f"({type} *)" if self.cxx or r.random() < 0.3 else ""
        count = str(length)
        ints = scope.find("int", where=lambda v: 0 <= v.lo and v.hi <= 4)
        if ints and r.random() < 0.4:
            count = f"({length} + {r.choice(ints).name})"
        how = r.random()
        parts: list[Part] = [
            f"{type} *{name} = {cast}"
            + (f"calloc({count}, sizeof({type}));\n" if how < 0.2 else f"malloc({count} * sizeof({type}));\n")
        ]
        parts.append(self.fill_of(scope, name, type, length))
        inner = scope.inner(keep_loop=False)
        if 0.2 <= how < 0.4:
            parts.append(
                f"\n{name} = {cast}realloc({name}, {2 * length} * sizeof({type}));\nfor (int i = {length}; i < {2 * length}; i++) {name}[i] = "
                f"{'0.5f' if type == 'float' else '0.5'} * {name}[i - {length}];"
            )
            length *= 2
        inner.add(Var(name, "arr", type, length=length, pointer=True))
        body = self.block(inner, 2, 4)
        out = self.place(scope, type)
        if out:
            body.parts.append(Stmt(out, " = ", self.bounded(inner, 2, type), ";"))
        return Stmt("{ ", *parts, "\n", body, f"\nfree({name}); }}")

    def swap_buffers(self, scope: Scope) -> Stmt | None:
        """Two arrays that change roles in every step."""
        r = self.random
        found = scope.find("arr", writable=True, where=lambda v: v.local)
        pairs = [(a, b) for a in found for b in found if a.name != b.name and a.type == b.type]
        if not pairs:
            return None
        a, b = r.choice(pairs)
        length, trips = min(a.length, b.length), r.randint(2, 4)
        p, q, h, k, i = (self.fresh(c) for c in "pqhki")
        inner = scope.inner(trips * length, keep_loop=False)
        inner.add(Var(i, "int", "int", hi=length - 1, writable=False))
        inner.add(Var(k, "int", "int", hi=trips - 1, writable=False))
        inner.add(Var(p, "arr", a.type, length=length, pointer=True))
        step = Stmt(f"for (int {i} = 0; {i} < {length}; {i}++) {q}[{i}] = ", self.bounded(inner, 2, a.type), ";")
        self.cost += scope.trips * trips * length
        return Stmt(
            f"{{ {a.type} *{p} = {a.name}, *{q} = {b.name};\nfor (int {k} = 0; {k} < {trips}; {k}++) ",
            Block(step, Stmt(f"{a.type} *{h} = {p}; {p} = {q}; {q} = {h};")),
            " }",
        )

    def list(self, scope: Scope) -> Stmt | None:
        """Nodes on the heap, linked."""
        r, place = self.random, self.place(scope, "double")
        if not place:
            return None
        self.used.add("list")
        head, n, s, i = self.fresh("l"), self.fresh("n"), self.fresh("s"), self.fresh("i")
        count = r.randint(2, 4)
        inner = scope.inner(count)
        inner.add(Var(i, "int", "int", hi=count - 1, writable=False))
        return Stmt(
            f"{{ {self.tag('node')} *{head} = 0;\nfor (int {i} = 0; {i} < {count}; {i}++) {{ {self.tag('node')} *{n} = ({self.tag('node')} *)malloc(sizeof *{n}); "
            f"{n}->next = {head}; {n}->v = ",
            self.bounded(inner, 2, "double"),
            f"; {head} = {n}; }}\ndouble {s} = 0;\n"
            f"while ({head}) {{ {self.tag('node')} *{n} = {head}; {s} = 0.5 * {s} + {r.choice([f'{n}->v', f'sin({n}->v * {s})'])}; {head} = {n}->next; free({n}); }}\n",
            place,
            f" = 0.4 * {s}; }}",
        )

    def union(self, scope: Scope) -> Stmt | None:
        """A double as an integer and back."""
        r, place = self.random, self.place(scope, "double")
        if not place:
            return None
        self.used.add("bits")
        value = self.bounded(scope, 1, "double")
        u, b = self.fresh("u"), self.fresh("b")
        bits = r.choice([b, f"{b} ^ 0x8000000000000000u", f"{b} & 0x7fffffffffffffffu", b])
        if r.random() < 0.4:
            return Stmt(
                f"{{ double {u} = ",
                value,
                f"; uint64_t {b}; memcpy(&{b}, &{u}, 8); {b} = {bits}; memcpy(&{u}, &{b}, 8); ",
                place,
                f" = {u}; }}",
            )
        return Stmt(
            f"{{ {self.tag('bits', 'union')} {u}; {u}.d = ",
            value,
            f"; uint64_t {b} = {u}.i; {u}.i = {bits}; ",
            place,
            f" = {u}.d; }}",
        )

    # ---- control

    def loop_head(self, scope: Scope) -> tuple[str, Scope, int]:
        """A counted loop: its head, the scope of its body, and how often it runs at most."""
        r, i = self.random, self.fresh("i")
        trips = r.choice([2, 3, 3, 4, 5, 6])
        if scope.trips > 40:
            trips = 2
        runtime = scope.find("int", where=lambda v: v.lo >= 1 and not v.writable)
        lo, hi = 0, trips - 1
        form = r.random()
        if runtime and form < 0.45:
            v = r.choice(runtime)
            trips = v.hi
            head, hi = f"for (int {i} = 0; {i} < {v.name}; {i}++)", v.hi - 1
        elif form < 0.7:
            head = f"for (int {i} = 0; {i} < {trips}; {r.choice([f'{i}++', f'++{i}', f'{i} += 1'])})"
        elif form < 0.8:
            head = f"for (int {i} = {hi}; {i} >= 0; {i}--)"
        elif form < 0.9:
            head, hi = f"for (int {i} = 0; {i} < {2 * trips}; {i} += 2)", 2 * trips - 2
        else:
            outer = scope.find("int", where=lambda v: not v.writable and v.lo == 0 and 1 <= v.hi <= 6)
            bound = r.choice(outer).name if outer else str(hi)
            trips = max((v.hi for v in outer), default=hi) + 1
            head, hi = (
                f"for ({r.choice(['int', 'long', 'unsigned'])} {i} = 0; {i} <= {'(unsigned)' if outer and 'unsigned' == 'x' else ''}{bound}; {i}++)",
                trips - 1,
            )
            head = head.replace("unsigned", "int").replace("long", "int")
        inner = scope.inner(trips, loop=True)
        inner.can_break = True
        inner.add(Var(i, "int", "int", lo=lo, hi=hi, writable=False))
        return head, inner, trips

    def for_loop(self, scope: Scope) -> Stmt | None:
        if scope.trips > 60:
            return None
        head, inner, _ = self.loop_head(scope)
        return Stmt(head, " ", self.block(inner, 1, 4))

    def while_loop(self, scope: Scope) -> Stmt | None:
        if scope.trips > 60:
            return None
        r, k = self.random, self.fresh("w")
        trips = r.randint(2, 5)
        inner = scope.inner(trips, loop=True)
        inner.can_break = False  # `continue` would not count
        inner.add(Var(k, "int", "int", hi=trips - 1, writable=False))
        test: list[Part] = [f"{k} < {trips}"]
        if r.random() < 0.7:
            test += [" && ", self.condition(scope)]
        body = self.block(inner, 1, 3)
        body.parts.append(Stmt(f"if (++{k} >= {trips}) break;"))
        if r.random() < 0.3:
            return Stmt(f"int {k} = 0;\ndo ", body, " while (", *test, ");")
        return Stmt(f"int {k} = 0;\nwhile (", *test, ") ", body)

    def branch(self, scope: Scope) -> Stmt:
        r = self.random
        parts: list[Part] = ["if (", self.condition(scope), ") ", self.block(scope.inner(), 1, 3)]
        if r.random() < 0.15:
            parts += [" else if (", self.condition(scope), ") ", self.block(scope.inner(), 1, 2)]
        if r.random() < 0.5:
            parts += [" else ", self.block(scope.inner(), 1, 3)]
        return Stmt(*parts)

    def switch(self, scope: Scope) -> Stmt:
        r, cases = self.random, self.random.randint(2, 4)
        parts: list[Part] = ["switch (", self.index(scope, cases), ") {\n"]
        for k in range(cases):
            inner = scope.inner(keep_loop=False)
            parts += [
                f"case {k}: ",
                self.block(inner, 1, 2),
                "\n" if r.random() < 0.25 and k + 1 < cases else " break;\n",
            ]
        if r.random() < 0.5:
            parts += ["default: ", self.block(scope.inner(keep_loop=False), 1, 1), "\n"]
        return Stmt(*parts, "}")

    def jump(self, scope: Scope) -> Stmt | None:
        if not scope.can_break:
            return None
        return Stmt("if (", self.condition(scope), f") {self.random.choice(['break', 'continue', 'break'])};")

    def early_return(self, scope: Scope) -> Stmt | None:
        if not scope.can_return or not scope.returns:
            return None
        if scope.returns == "void":
            return Stmt("if (", self.condition(scope), ") return;")
        return Stmt("if (", self.condition(scope), ") return ", self.bounded(scope, 1, scope.returns), ";")

    # ---- structs

    def local_struct(self, scope: Scope) -> Stmt | None:
        if not self.structs:
            return None
        r, name = self.random, self.fresh("o")
        struct = r.choice(self.structs)
        same = [v for v in scope.find("struct") if v.struct is struct]
        if same and r.random() < 0.4:
            made = Stmt(f"{struct.name} {name} = {r.choice(same).name};")
        else:
            made = Stmt(f"{struct.name} {name} = ", self.initializer(scope, struct), ";")
        scope.add(Var(name, "struct", struct=struct))
        for v in struct.variables(f"{name}."):
            scope.add(v)
        if r.random() < 0.3:
            p = self.fresh("p")
            made = Stmt(made, f"\n{struct.name} *{p} = &{name};")
            for v in struct.variables(f"{p}->"):
                scope.add(v)
        return made

    def initializer(self, scope: Scope, struct: Struct) -> Expr:
        parts: list[Part] = ["{"]
        for k, (_, kind, type, more) in enumerate(struct.fields):
            parts += [", "] * (k > 0)
            if kind == "struct":
                parts.append(self.initializer(scope, more))
            elif kind == "arr":
                parts.append("{")
                for e in range(more):
                    parts += [", "] * (e > 0) + [self.bounded(scope, 0, type)]
                parts.append("}")
            elif kind == "int":
                parts.append(str(self.random.randrange(4)))
            else:
                parts.append(self.bounded(scope, 1, type))
        return Expr("struct", 0, *parts, "}")

    def copy_struct(self, scope: Scope) -> Stmt | None:
        r = self.random
        found = scope.find("struct", writable=True)
        pairs = [(a, b) for a in found for b in scope.find("struct") if a.struct is b.struct and a.name != b.name]
        if not pairs:
            return None
        a, b = r.choice(pairs)
        if r.random() < 0.3:
            return Stmt(f"memmove(&{a.name}, &{b.name}, sizeof {a.name});")
        return Stmt(f"{a.name} = {b.name};")
