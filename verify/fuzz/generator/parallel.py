"""Random parallel regions (OpenMP). No two threads touch a place of which one writes: what is outside a region can only be read in it, but for arrays and numbers
that were declared just before and that have no other name, and in which an iteration owns its place, or adds to any atomically or by a reduction."""

import dataclasses
import re

from .scope import LIMIT, Scope, Var
from .shared import Shared
from .tree import Block, Expr, Part, Stmt


class Parallel(Shared):
    """A part of Generator: statements with threads."""

    def can_fork(self, scope: Scope) -> bool:
        """Not in a region, and not often: a team takes time."""
        return scope.depth <= 2 and scope.trips <= 12 and not self.within

    def team(self) -> str:
        r = self.random
        return r.choice(["", " num_threads(2)", " num_threads(3)", " num_threads(4)"]) + r.choice(
            ["", "", "", " if(1)"]
        )

    def schedule(self) -> str:
        r = self.random
        kind = r.choice(["", "", "", "static", "static, 1", "static, 2", "dynamic", "dynamic, 2", "guided"])
        return f" schedule({kind})" if kind else ""

    def frozen(self, scope: Scope, trips: int) -> Scope:
        """What a thread sees of the variables outside: nothing to write to, and no way out."""
        return Scope(
            None,
            [dataclasses.replace(v, writable=False) for v in scope.all()],
            scope.trips * trips,
            depth=scope.depth + 1,
        )

    def privates(self, scope: Scope, inner: Scope) -> str:
        """A clause with variables that each thread has a copy of, which it may write to."""
        r = self.random
        found = [
            v
            for v in scope.find(
                "num", writable=True, where=lambda v: bool(re.fullmatch(r"t\d+", v.name)) and v.bound == LIMIT
            )
        ]
        chosen = r.sample(found, min(len(found), r.choice([0, 0, 1, 2])))
        inner.vars[:0] = [dataclasses.replace(v) for v in chosen]
        return f" firstprivate({', '.join(v.name for v in chosen)})" if chosen else ""

    def results(self, scope: Scope, trips: int) -> tuple[list[Part], list[Var], list[str]]:
        """What the threads write to: (parts of its declaration, variables, how an iteration gives to each)."""
        r, made, found, give = self.random, [], [], []
        for kind in r.choices(["own", "sum", "shared", "product"], [8, 4, 4, 1], k=r.choice([1, 1, 2, 3])):
            type = self.some_type()
            name = self.fresh("c")
            if kind == "own":
                made += self.array_made(scope, name, type, trips)
                found.append(Var(name, "arr", type, length=trips, local=True))
            elif kind == "shared":
                length = r.randint(1, 4)
                made += self.array_made(scope, name, type, length)
                found.append(
                    Var(name, "arr", type, length=length, local=True, writable=False, bound=LIMIT + 3 * trips * 4)
                )
            else:
                made += [f"{type} {name} = ", self.bounded(scope, 1, type), ";\n"]
                found.append(
                    Var(
                        name,
                        "num",
                        type,
                        bound=(LIMIT + 3 * trips * 4) if kind == "sum" else 1.1**trips * LIMIT,
                        writable=False,
                    )
                )
            give.append(kind)
        return made, found, give

    def array_made(self, scope: Scope, name: str, type: str, length: int) -> list[Part]:
        if self.random.random() < 0.3:
            return [f"{type} {name}[{length}];\nmemset({name}, 0, sizeof {name});\n"]
        return [f"{type} {name}[{length}];\n", self.fill_of(scope, name, type, length), "\n"]

    def gift(self, inner: Scope, i: str, v: Var, kind: str, privately: bool) -> Stmt:
        """What iteration i does to a result. Within the iteration its own place can be read, no other."""
        r, type = self.random, v.type
        if kind == "own":
            reading = inner.inner()
            reading.add(Var(f"{v.name}[{i}]", "num", type))
            if r.random() < 0.3:
                return Stmt(
                    f"{v.name}[{i}] += ",
                    self.bounded(inner, 2, type),
                    f"; {v.name}[{i}] = ",
                    self.squash(Expr(type, 4, f"{v.name}[{i}]"), LIMIT),
                    ";",
                )
            return Stmt(f"{v.name}[{i}] = ", self.bounded(reading, self.depth(), type), ";")
        if kind == "product":
            return Stmt(
                f"{v.name} *= ",
                Expr(
                    type,
                    1.1,
                    "(1.0f + 0.1f * " if type == "float" else "(1.0 + 0.1 * ",
                    self.bounded(inner, 1, type, 1),
                    ")",
                ),
                ";",
            )
        value = self.bounded(inner, self.depth(), type, 3)
        if kind == "sum" and privately:
            return Stmt(f"{v.name} {r.choice(['+=', '+=', '-='])} ", value, ";")
        place = (
            Expr(type, v.bound, v.name)
            if kind == "sum"
            else Expr(type, v.bound, f"{v.name}[", self.index(inner, v.length), "]")
        )
        place.kind = "place"
        t = self.fresh("t")
        guard = r.choice(["atomic", "atomic", "critical"])
        # A value that calls something is computed outside.
        return Stmt(f"{{ {type} {t} = ", value, f";\n#pragma omp {guard}\n", place, f" += {t}; }}")

    def shared_loop(
        self, scope: Scope, inner: Scope, head: str, given: list[tuple[Var, str, bool]], trips: int
    ) -> Stmt:
        """A loop whose iterations the team shares; `given` are (variable, kind, whether reduced here)."""
        i = self.fresh("i")
        # What a thread carries from one iteration to the next depends on which it runs.
        assigned = not re.search("dynamic|guided", head)
        body_scope = inner.inner(trips) if assigned else self.frozen(inner, trips)
        body_scope.add(Var(i, "int", "int", hi=trips - 1, writable=False))
        body = self.block(body_scope, 0, 3)
        for v, kind, privately in given:
            body.parts.append(self.gift(body_scope, i, v, kind, privately))
        self.cost += scope.trips * trips * 8
        return Stmt(f"\n#pragma omp {head}\nfor (int {i} = 0; {i} < {trips}; {i}++) ", body)

    @staticmethod
    def reduction(given: list[tuple[Var, str, bool]]) -> str:
        clauses = []
        for sign, kind in (("+", "sum"), ("*", "product")):
            names = [v.name for v, k, privately in given if k == kind and privately]
            clauses += [f" reduction({sign} : {', '.join(names)})"] * bool(names)
        return "".join(clauses)

    def parallel_loop(self, scope: Scope) -> Stmt | None:
        """A parallel loop alone."""
        if not self.can_fork(scope):
            return None
        r = self.random
        trips = r.randint(2, 8)
        made, found, kinds = self.results(scope, trips)
        given = [(v, k, k == "product" or k == "sum" and r.random() < 0.7) for v, k in zip(found, kinds)]
        self.within = True
        inner = self.frozen(scope, 1)
        clauses = self.privates(scope, inner)
        simd = (
            r.choice(["", "", "", " simd"])
            if not self.cxx and not any(k in ("shared", "sum") and not p for _, k, p in given)
            else ""
        )
        loop = self.shared_loop(
            scope,
            inner,
            f"parallel for{simd}{self.team()}{self.schedule()}{clauses}{self.reduction(given)}",
            given,
            trips,
        )
        self.within = False
        return self.known(scope, found, Stmt(*made, loop))

    def region(self, scope: Scope) -> Stmt | None:
        """A parallel region: private numbers, loops, what one thread does for all."""
        if not self.can_fork(scope):
            return None
        r = self.random
        trips = r.randint(2, 8)
        made, found, kinds = self.results(scope, trips)
        self.within = True
        inner = self.frozen(scope, 4)
        clauses = self.privates(scope, inner)
        body = self.block(inner, 0, 2)
        left = [(v, k, k == "product" or k == "sum" and r.random() < 0.5) for v, k in zip(found, kinds)]
        after = []
        while left:
            count = r.randint(1, len(left))
            given, left = left[:count], left[count:]
            nowait = r.choice(["", " nowait"])
            body.parts.append(
                self.shared_loop(scope, inner, f"for{self.schedule()}{self.reduction(given)}{nowait}", given, trips)
            )
            after += [v for v, k, _ in given if k == "own"]
            # Behind a barrier the others' results are there, of all loops before.
            if not nowait and r.random() < 0.6:
                for v in after:
                    inner.add(dataclasses.replace(v, writable=False))
                after = []
        if r.random() < 0.3:
            name, type = self.fresh("c"), self.some_type()
            made += [f"{type} {name} = ", self.bounded(scope, 1, type), ";\n"]
            who = r.choice(["single", "master", "single nowait"])
            # A thread's own numbers only where it is known which thread it is.
            one = inner.inner() if who == "master" else self.frozen(scope, 1)
            body.parts.append(
                Stmt(f"\n#pragma omp {who}\n", Block(Stmt(f"{name} = ", self.bounded(one, 2, type), ";")))
            )
            found.append(Var(name, "num", type))
        self.within = False
        return self.known(scope, found, Stmt(*made, f"\n#pragma omp parallel{self.team()}{clauses}\n", body))

    def in_place(self, scope: Scope) -> Stmt | None:
        """An array that has been there is updated, each place by itself, with numbers that have no other name."""
        if not self.can_fork(scope):
            return None
        r = self.random
        found = scope.find("arr", writable=True, where=lambda v: v.bound == LIMIT)
        if not found:
            return None
        v, i = r.choice(found), self.fresh("i")
        # Numbers on the stack whose names begin with t are not references; a pointer to them is none to elements.
        inner = Scope(
            None,
            [
                dataclasses.replace(o, writable=False)
                for o in scope.find("num", "int", where=lambda o: bool(re.fullmatch(r"[tnki]\d*", o.name)))
            ],
            scope.trips * v.length,
            depth=scope.depth + 1,
        )
        inner.add(Var(f"{v.name}[{i}]", "num", v.type))
        value = self.bounded(inner, self.depth(), v.type)
        self.cost += scope.trips * v.length * 8
        return Stmt(
            f"\n#pragma omp parallel for{self.team()}{self.schedule()}\nfor (int {i} = 0; {i} < {v.length}; {i}++) {v.name}[{i}] = ",
            value,
            ";",
        )

    def known(self, scope: Scope, found: list[Var], made: Stmt) -> Stmt:
        """What can be read from now on."""
        for v in found:
            scope.add(dataclasses.replace(v, writable=v.bound == LIMIT))
        return made
