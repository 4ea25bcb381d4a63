"""What calls a generated program and asks for its derivatives, behind one interface: generated.h."""

from collections.abc import Callable
from typing import Any

from .linked import Linked
from .nests import Nests
from .program import Program


class Requests:
    def __init__(self, program: Linked | Nests | Program, prefix: str) -> None:
        self.p, self.prefix = program, prefix
        self.numbers = list(program.numbers())
        self.inputs = len(self.numbers) + bool(program.scalar)
        self.returns = program.returns != "void"
        self.outputs = len(self.numbers) + self.returns
        self.counts = [f"{prefix}size", *(f"{prefix}{name}" for name, _ in program.counts)]

    # ---- parts of functions

    def given(self, array: str) -> str:
        return f"{self.prefix}fixed_{array}" if array in self.p.fixed else f"x_{array}"

    def memory(self, name: str, source: str, start: int, whole: bool = False) -> list[str]:
        """Declares the arrays and the struct, named after `name`, with numbers from `source`."""
        lines, at = [], start
        for array, type, length in self.p.storage:
            lines.append(
                f"{type} {name}{array}[{length}]; for (int k = 0; k < {length}; k++) {name}{array}[k] = ({type}){source}[{at} + k];"
            )
            at += length
        lines += [
            f"{type} *{name}{array} = {name}{whole_array} + {where};"
            for array, type, where, whole_array in self.p.views
        ]
        if self.p.struct:
            lines.append(f"{self.p.struct.name} {name}s; memset(&{name}s, 0, sizeof {name}s);")
            for access, type in self.numbers[at - start :]:
                lines.append(f"{name}{access} = ({type}){source}[{at}];")
                at += 1
            if whole:
                lines += [f"{name}{access} = {k % 4};" for k, access in enumerate(self.p.whole_numbers(), 1)]
        return lines

    def store(self, name: str, target: str, start: int) -> list[str]:
        lines, at = [], start
        for array, _, length in self.p.storage:
            lines.append(f"for (int k = 0; k < {length}; k++) {target}[{at} + k] = {name}{array}[k];")
            at += length
        for access, _ in self.numbers[at - start :]:
            lines.append(f"{target}[{at}] = {name}{access};")
            at += 1
        return lines

    def request(self, mode: str, lanes: int, tangents: str = "v") -> tuple[list[str], list[str]]:
        """(types, values) of what is passed after the function; shadows are named d0 to d<lanes - 1>."""
        types, values = [], []

        def give(type: str, value: str) -> None:
            types.append(type)
            values.append(value)

        if lanes > 1:
            give("int", "enzyme_width")
            give("int", str(lanes))
        for array, type, _ in [*self.p.arrays, *([("s", self.p.struct.name, 0)] if self.p.struct else [])]:
            if array == "s" and self.p.scalar:
                self.number(mode, lanes, tangents, give)
            if array in self.p.fixed:
                give("int", "enzyme_const")
                give(f"{type} *", self.given(array))
                continue
            reference = "&" if array == "s" else ""
            give("int", "enzyme_dup")
            give(f"{type} *", f"{reference}x_{array}")
            for lane in range(lanes):
                give(f"{type} *", f"{reference}d{lane}_{array}")
        if not self.p.struct and self.p.scalar:
            self.number(mode, lanes, tangents, give)
        for count in self.counts:
            give("int", "enzyme_const")
            give("int", count)
        return types, values

    def number(self, mode: str, lanes: int, tangents: str, give: Callable[..., Any]) -> None:
        type, at = self.p.scalar, self.inputs - 1
        give("int", "enzyme_out" if mode == "reverse" else "enzyme_dup")
        give(type, f"({type})in[{at}]")
        if mode == "forward":
            for lane in range(lanes):
                give(type, f"({type}){tangents}[{lane * self.inputs + at}]")

    def result(self, lanes: int, type: str) -> tuple[str, Callable[..., Any]]:
        """The type of what a request returns that gives numbers of `type`, and how a lane of it is read."""
        if lanes == 1:
            return type, lambda r, lane: r
        return f"{self.p_struct}{self.prefix}lanes_{type}_{lanes}", lambda r, lane: f"{r}.lane[{lane}]"

    @property
    def p_struct(self) -> str:
        return "" if self.p.cxx else "struct "

    # ---- functions

    def call(self) -> list[str]:
        given = [self.given(array) for array, _, _ in self.p.arrays]
        given += [f"(({self.p.scalar})in[{self.inputs - 1}])"] if self.p.scalar else []
        given += ["&x_s"] if self.p.struct else []
        call = f"{self.prefix}root({', '.join([*given, *self.counts])});"
        return [
            f"static void {self.prefix}call(const double *in, double *out) {{",
            *self.memory("x_", "in", 0, True),
            f"{'out[0] = ' if self.returns else ''}{call}",
            *self.store("x_", "out", int(self.returns)),
            "}",
        ]

    def reverse(self, lanes: int) -> tuple[list[str], list[str], str]:
        name = f"{self.prefix}reverse" + (f"_{lanes}" if lanes > 1 else "")
        types, values = self.request("reverse", lanes)
        result, read = self.result(lanes, self.p.scalar) if self.p.scalar else ("void", None)
        lines = [f"{result} __enzyme_autodiff_{name}({', '.join(['void *', *types])});"]
        body = [
            f"static void {name}(const double *in, const double *w, double *g) {{",
            *self.memory("x_", "in", 0, True),
        ]
        for lane in range(lanes):
            body += self.memory(f"d{lane}_", "w", lane * self.outputs + self.returns)
        body.append(
            f"{f'{result} r = ' if self.p.scalar else ''}__enzyme_autodiff_{name}((void *){self.prefix}root, {', '.join(values)});"
        )
        for lane in range(lanes):
            body += self.store(f"d{lane}_", "g", lane * self.inputs)
            if self.p.scalar:
                assert read
                body.append(f"g[{(lane + 1) * self.inputs - 1}] = {read('r', lane)};")
        return lines, [*body, "}"], name

    def forward(self, lanes: int) -> tuple[list[str], list[str], str]:
        name = f"{self.prefix}forward" + (f"_{lanes}" if lanes > 1 else "")
        types, values = self.request("forward", lanes)
        result, read = self.result(lanes, self.p.returns) if self.returns else ("void", None)
        lines = [f"{result} __enzyme_fwddiff_{name}({', '.join(['void *', *types])});"]
        body = [
            f"static void {name}(const double *in, const double *v, double *out, double *jv) {{",
            *self.memory("x_", "in", 0, True),
        ]
        for lane in range(lanes):
            body += self.memory(f"d{lane}_", "v", lane * self.inputs)
        body.append(
            f"{f'{result} r = ' if self.returns else ''}__enzyme_fwddiff_{name}((void *){self.prefix}root, {', '.join(values)});"
        )
        body += self.store("x_", "out", int(self.returns))
        for lane in range(lanes):
            if self.returns:
                assert read
                body.append(f"jv[{lane * self.outputs}] = {read('r', lane)};")
            body += self.store(f"d{lane}_", "jv", lane * self.outputs + self.returns)
        return lines, [*body, "}"], name

    def second(self, lanes: int) -> tuple[list[str], list[str], str]:
        """The tangent of the gradient."""
        name = f"{self.prefix}second"
        width = ["int", "int"] if lanes > 1 else []
        lines = [
            f"void __enzyme_fwddiff_{name}(void *, {', '.join([*width, 'int', *['const double *'] * (lanes + 1), 'int', 'const double *', 'int', *['double *'] * (lanes + 1)])});"
        ]
        values = [
            f"(void *){self.prefix}reverse",
            *(["enzyme_width", str(lanes)] if lanes > 1 else []),
            "enzyme_dup",
            "in",
            *(f"v + {lane * self.inputs}" for lane in range(lanes)),
            "enzyme_const",
            "w",
            "enzyme_dup",
            "g",
            *(f"hv + {lane * self.inputs}" for lane in range(lanes)),
        ]
        return (
            lines,
            [
                f"static void {name}(const double *in, const double *w, const double *v, double *g, double *hv) {{",
                f"__enzyme_fwddiff_{name}({', '.join(values)});",
                "}",
            ],
            name,
        )

    def text(self, modes: tuple[str, ...] = ("forward", "reverse", "vector", "second")) -> str:
        """Everything, with the program's entry of the table."""
        p, declared, defined, entry = self.p, [], self.call(), {}
        made = {}
        if "forward" in modes:
            made["forward"] = self.forward(1)
        if "reverse" in modes or "second" in modes:
            made["reverse"] = self.reverse(1)
        if "vector" in modes and p.vector in ("forward", "both"):
            made["forwards"] = self.forward(p.width)
        if "vector" in modes and p.vector in ("reverse", "both"):
            made["reverses"] = self.reverse(p.width)
        outer = 2 if p.outer_width else 1
        # A second derivative knows no memory that was there before it.
        if "second" in modes and not p.keeps_rows:
            made["second"] = self.second(outer)
        for key, (lines, body, name) in made.items():
            declared += lines
            defined += body
            entry[key] = name
        lanes = {p.scalar if key == "reverses" else p.returns for key in made if key in ("forwards", "reverses")} - {
            None,
            "void",
        }
        structs = [
            f"struct {self.prefix}lanes_{t}_{p.width} {{ {t} lane[{p.width}]; }};" for t in sorted(filter(None, lanes))
        ]
        table = [
            f'"{p.number}"',
            self.inputs,
            self.outputs,
            int(self.returns),
            int(p.single),
            p.width,
            outer,
            f"{self.prefix}call",
            *(entry.get(k, "0") for k in ("forward", "reverse", "forwards", "reverses", "second")),
        ]
        counts = [
            f"int {name} = {value};" for name, value in zip(self.counts, [p.size, *(value for _, value in p.counts)])
        ]
        return (
            "\n".join(
                [
                    *counts,
                    *structs,
                    *(['extern "C" {'] if p.cxx else []),
                    *declared,
                    *(["}"] if p.cxx else []),
                    *defined,
                    f"static const struct fz_program {self.prefix}entry = {{{', '.join(map(str, table))}}};",
                ]
            )
            + "\n"
        )
