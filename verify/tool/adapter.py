"""Writes the translation unit that includes the user's file and makes its function callable on flat vectors.

It defines, with C linkage,
    void retro_verify_primal (const double *x, double *y);
    void retro_verify_reverse(const double *x, const double *w, double *g, double *y);   g = J' w
    void retro_verify_forward(const double *x, const double *v, double *jv, double *y);  jv = J v
where x has the inputs, y the outputs, in the order of arguments.Layout. A real result of the function is y[0], and its
weight is 1: the calling convention has no other seed for it. `y` is what the differentiated call left in the outputs.
"""

from pathlib import Path

from .arguments import Argument, Layout

HELPERS = """
static {T} *retro_verify_take_{T}(const double *from, size_t n) {{
  {T} *to = ({T} *)calloc(n, sizeof({T}));
  if (!to)
    abort();
  for (size_t i = 0; from && i < n; ++i)
    to[i] = ({T})from[i];
  return to;
}}
static inline void retro_verify_give_{T}(double *to, {T} *from, size_t n) {{
  for (size_t i = 0; to && i < n; ++i)
    to[i] = from[i];
  free(from);
}}
"""


class Writer:
    def __init__(self, layout: Layout, source: Path, cxx: bool) -> None:
        self.layout, self.source, self.cxx = layout, source, cxx
        self.lines = []

    def put(self, *lines: str) -> None:
        self.lines += lines

    # ---- pieces

    def primal_value(self, i: int, a: Argument) -> str:
        """The C expression that passes argument i to the user's function."""
        p = a.parameter
        if a.kind == "active":
            return f"({p.element})x[{a.x}]"
        if a.kind == "fixed":
            return f"({p.element})({a.values[0]})"
        if not self.cxx:
            return f"(void *)a{i}"
        if p.reference:
            inner = p.type.replace("(&)", "(*)") if p.row > 1 else f"{p.type[:-1]}*"
            return f"*({inner})a{i}"
        return f"({p.type})a{i}"

    def callee(self) -> str:
        name = self.layout.signature.name
        if not self.cxx:
            return name
        return f"static_cast<{self.layout.signature.pointer_type}>(&{name})"

    def declare(self, i: int, a: Argument, seeded: bool, seed_from: str | None) -> None:
        """Local arrays of argument i; with a shadow if it is active and `seeded`."""
        element = a.parameter.element
        if a.kind == "ints":
            self.put(
                f"  {element} *a{i} = ({element} *)malloc({a.length} * sizeof({element}));",
                f"  memcpy(a{i}, retro_verify_ints{i}, {a.length} * sizeof({element}));",
            )
        elif a.kind in ("in", "out", "inout", "const", "scratch"):
            start = f"x + {a.x}" if a.x >= 0 else "NULL"
            self.put(f"  {element} *a{i} = retro_verify_take_{element}({start}, {a.length});")
            if seeded and a.is_active:
                assert seed_from
                offset = {"w": a.y, "v": a.x}[seed_from]
                seed = f"{seed_from} + {offset}" if offset >= 0 else "NULL"
                self.put(f"  {element} *d{i} = retro_verify_take_{element}({seed}, {a.length});")

    def release(self, i: int, a: Argument, shadow_to: str | None) -> None:
        """Copies outputs to y and the shadow to `shadow_to` ('g' or 'jv'), and frees."""
        element = a.parameter.element
        if a.kind == "ints":
            self.put(f"  free(a{i});")
        elif a.kind in ("in", "out", "inout", "const", "scratch"):
            out = f"y + {a.y}" if a.y >= 0 else "NULL"
            self.put(f"  retro_verify_give_{element}({out}, a{i}, {a.length});")
            if shadow_to and a.is_active:
                offset = {"g": a.x, "jv": a.y}[shadow_to]
                to = f"{shadow_to} + {offset}" if offset >= 0 else "NULL"
                self.put(f"  retro_verify_give_{element}({to}, d{i}, {a.length});")

    def request(self, mode: str) -> tuple[str, str]:
        """The parameter types and the arguments of __enzyme_autodiff or __enzyme_fwddiff, markers included."""
        types, values = ["void *"], [f"(void *){self.callee()}"]
        for i, a in enumerate(self.layout.arguments):
            element = a.parameter.element
            if a.kind in ("ints", "const"):
                types += ["int", f"{element} *"]
                values += ["enzyme_const", f"a{i}"]
            elif a.kind == "fixed":
                types += ["int", element]
                values += ["enzyme_const", self.primal_value(i, a)]
            elif a.kind == "active" and mode == "reverse":
                types += ["int", element]
                values += ["enzyme_out", self.primal_value(i, a)]
            elif a.kind == "active":
                types += ["int", element, element]
                values += ["enzyme_dup", self.primal_value(i, a), f"({element})v[{a.x}]"]
            else:
                types += ["int", f"{element} *", f"{element} *"]
                values += ["enzyme_dup", f"a{i}", f"d{i}"]
        return ", ".join(types), ", ".join(values)

    # ---- the three functions

    def prologue(self) -> None:
        self.put(
            "// Written by retro verify.",
            "#define main retro_verify_user_main",
            f'#include "{self.source}"',
            "#undef main",
            "#include <stddef.h>",
            "#include <stdlib.h>",
            "#include <string.h>",
        )
        elements = {a.parameter.element for a in self.layout.arguments if a.parameter.category == "reals"}
        for element in sorted(elements):
            self.put(HELPERS.format(T=element))
        for i, a in enumerate(self.layout.arguments):
            if a.kind == "ints":
                values = ", ".join(f"({a.parameter.element})({v})" for v in a.values)
                self.put(f"static const {a.parameter.element} retro_verify_ints{i}[] = {{{values}}};")
        # As the user's file declares them, if it does: without extern "C".
        self.put("extern int enzyme_dup, enzyme_const, enzyme_out;")
        if self.cxx:
            self.put('extern "C" {')

    def primal(self) -> None:
        self.put("void retro_verify_primal(const double *x, double *y) {")
        for i, a in enumerate(self.layout.arguments):
            self.declare(i, a, False, None)
        values = ", ".join(self.primal_value(i, a) for i, a in enumerate(self.layout.arguments))
        call = f"{self.callee()}({values});"
        self.put(f"  y[0] = {call}" if self.layout.returns_real else f"  {call}")
        for i, a in enumerate(self.layout.arguments):
            self.release(i, a, None)
        self.put("}")

    def reverse(self) -> None:
        types, values = self.request("reverse")
        scalars = [(i, a) for i, a in enumerate(self.layout.arguments) if a.kind == "active"]
        result = "void"
        if len(scalars) == 1:
            result = scalars[0][1].parameter.element
        elif scalars:
            result = "retro_verify_partials"
            members = " ".join(f"{a.parameter.element} d{i};" for i, a in scalars)
            self.put(f"typedef struct {{ {members} }} {result};")
        self.put(
            f"{result} __enzyme_autodiff_verify({types});",
            "void retro_verify_reverse(const double *x, const double *w, double *g, double *y) {",
        )
        for i, a in enumerate(self.layout.arguments):
            self.declare(i, a, True, "w")
        store = f"{result} partials = " if scalars else ""
        self.put(f"  {store}__enzyme_autodiff_verify({values});")
        for i, a in scalars:
            self.put(f"  g[{a.x}] = partials{f'.d{i}' if len(scalars) > 1 else ''};")
        for i, a in enumerate(self.layout.arguments):
            self.release(i, a, "g")
        self.put("}")

    def forward(self) -> None:
        types, values = self.request("forward")
        result = self.layout.signature.result if self.layout.returns_real else "void"
        self.put(
            f"{result} __enzyme_fwddiff_verify({types});",
            "void retro_verify_forward(const double *x, const double *v, double *jv, double *y) {",
        )
        for i, a in enumerate(self.layout.arguments):
            self.declare(i, a, True, "v")
        store = "jv[0] = " if self.layout.returns_real else ""
        self.put(f"  {store}__enzyme_fwddiff_verify({values});")
        for i, a in enumerate(self.layout.arguments):
            self.release(i, a, "jv")
        self.put("}")


def write(layout: Layout, source: Path, cxx: bool, parts: list[str]) -> str:
    """The text of the unit. `parts`: which of 'primal', 'reverse', 'forward' it defines."""
    writer = Writer(layout, source, cxx)
    writer.prologue()
    for part in parts:
        getattr(writer, part)()
    if cxx:
        writer.put("}")
    return "\n".join(writer.lines) + "\n"
