"""Writes the programs of `retro rounding`: one that estimates, and one that computes the same in another format.

Both read points from a file, and write what they find to another one, as JSON; what the user's function prints goes to the standard error."""

from pathlib import Path

from .adapter import HELPERS, Writer
from .arguments import Argument

# What a file may include. It has to be read before `double` becomes another word.
C_HEADERS = "assert complex ctype errno float inttypes limits math stdbool stddef stdint stdio stdlib string time tgmath".split()
CXX_HEADERS = (
    "algorithm array cassert cfloat chrono climits cmath complex cstddef cstdint cstdio cstdlib cstring deque fstream functional iomanip "
    "iostream iterator limits list map memory numbers numeric random set span sstream stdexcept string tuple type_traits unordered_map "
    "unordered_set utility valarray variant vector optional math.h stdlib.h"
).split()

MAIN = """
int main(int argc, char **argv) {{
  FILE *from = argc > 2 ? fopen(argv[1], "r") : NULL, *to = argc > 2 ? fopen(argv[2], "w") : NULL;
  int points = 0, wanted = -1;
  double x[{inputs} + 1];
  static retro_real y[{outputs}], e[{outputs}];
  if (!from || !to || fscanf(from, "%d %d", &points, &wanted) != 2)
    return 90;
  dup2(2, 1);
  fputs("[", to);
  for (int p = 0; p < points; ++p) {{
    for (int i = 0; i < {inputs}; ++i)
      if (fscanf(from, "%la", &x[i]) != 1)
        return 91;
    fputs(p ? ",\\n" : "\\n", to);
    {body}
  }}
  fputs("]\\n", to);
  return fclose(to) ? 92 : 0;
}}
"""
ESTIMATE = "retro_point(to, retro_rounding_call, x, y, e, {outputs}, wanted);"
COMPUTE = """retro_rounding_value(x, y);
    fputs("[", to);
    for (int i = 0; i < {outputs}; ++i)
      fprintf(to, isfinite(y[i]) ? "%s\\"%La\\"" : "%snull", i ? ", " : "", (long double)y[i]);
    fputs("]", to);"""


class Unit(Writer):
    """`real`: what `double` and `float` become; '' leaves them as they are."""

    def begin(self, real: str = "") -> None:
        headers = CXX_HEADERS if self.cxx else [f"{h}.h" for h in C_HEADERS]
        self.put("// Written by retro rounding.")
        if real:  # without one, the file decides what its numbers are
            self.put(*(f"#include <{header}>" for header in headers))
            self.put(f"typedef {real} retro_real;", "#define double retro_real", "#define float retro_real")
        self.put("#define main retro_rounding_user_main", f'#include "{self.source}"', "#undef main")
        self.put("#undef double", "#undef float")
        self.put(*(f"#include <{h}.h>" for h in ("math", "stddef", "stdio", "stdlib", "string", "unistd")))
        if not real:
            self.put("typedef double retro_real;")
        for i, a in enumerate(self.layout.arguments):
            if a.kind == "ints":
                values = ", ".join(f"({a.parameter.element})({v})" for v in a.values)
                self.put(f"static const {a.parameter.element} retro_verify_ints{i}[] = {{{values}}};")

    def finish(self, body: str) -> str:
        self.put(
            MAIN.format(
                inputs=self.layout.inputs, outputs=self.layout.outputs, body=body.format(outputs=self.layout.outputs)
            )
        )
        return "\n".join(self.lines) + "\n"

    def error_of(self, a: Argument, value: str) -> str:
        return f'retro_input_error("{self.mangled}", "{a.parameter.name}", {value})'

    # ---- the estimate

    def estimate(self, header: Path, mangled: str) -> str:
        self.mangled = mangled
        self.begin()
        self.put(f'#include "{header}"', "extern int enzyme_dup, enzyme_const, enzyme_primal_return;")
        for element in sorted({a.parameter.element for a in self.layout.arguments if a.parameter.category == "reals"}):
            self.put(HELPERS.format(T=element))
        types, values = self.estimate_request()
        returns = self.layout.signature.result if self.layout.returns_real else ""
        if returns:
            self.put(f"typedef struct {{ {returns} value, error; }} RetroResult;")
        linkage = 'extern "C" ' if self.cxx else ""
        self.put(
            f"{linkage}{'RetroResult' if returns else 'void'} __enzyme_error_estimate_rounding({types});",
            "static void retro_rounding_call(const double *x, double *y, double *e) {",
        )
        for i, a in enumerate(self.layout.arguments):
            self.fill(i, a)
        after = [
            f'  retro_parameter("{self.mangled}", "{a.parameter.name}", "{self.mangled}:{a.parameter.name}");'
            for a in self.layout.arguments
            if a.parameter.category == "reals"
        ]
        self.put(f"  {'RetroResult r = ' if returns else ''}__enzyme_error_estimate_rounding({values});")
        if returns:
            self.put("  y[0] = r.value;", "  e[0] = r.error;")
        self.put(*after)
        for i, a in enumerate(self.layout.arguments):
            self.empty(i, a)
        self.put("}")
        return self.finish(ESTIMATE)

    def estimate_request(self) -> tuple[str, str]:
        returns = self.layout.returns_real
        types, values = ["void *", *["int"] * returns], [
            f"(void *){self.callee()}",
            *["enzyme_primal_return"] * returns,
        ]
        for i, a in enumerate(self.layout.arguments):
            element = a.parameter.element
            if a.kind == "ints":
                types += ["int", f"{element} *"]
                values += ["enzyme_const", f"a{i}"]
            elif a.parameter.category == "integer":
                types += ["int", element]
                values += ["enzyme_const", self.primal_value(i, a)]
            elif a.parameter.category == "real":
                value = self.primal_value(i, a)
                types += ["int", element, element]
                values += ["enzyme_dup", value, f"retro_rounds == RetroFloat ? {self.error_of(a, value)} : 0"]
            else:
                types += ["int", f"{element} *", f"{element} *"]
                values += ["enzyme_dup", f"a{i}", f"d{i}"]
        return ", ".join(types), ", ".join(values)

    def fill(self, i: int, a: Argument) -> None:
        self.declare(i, a, False, None)
        if a.parameter.category != "reals":
            return
        element = a.parameter.element
        self.put(
            f"  {element} *d{i} = retro_verify_take_{element}(NULL, {a.length});",
            f"  for (int i = 0; i < {a.length}; ++i)",
            f"    d{i}[i] = {self.error_of(a, f'a{i}[i]')};",
        )

    def empty(self, i: int, a: Argument) -> None:
        self.release(i, a, None)
        if a.parameter.category == "reals":
            to = f"e + {a.y}" if a.y >= 0 else "NULL"
            self.put(f"  retro_verify_give_{a.parameter.element}({to}, d{i}, {a.length});")

    # ---- the same in another format

    def value(self, real: str) -> str:
        self.begin(real)
        self.put("static void retro_rounding_value(const double *x, retro_real *y) {")
        for i, a in enumerate(self.layout.arguments):
            element = a.parameter.element if a.kind == "ints" else "retro_real"
            if a.parameter.category in ("reals", "integers"):
                self.put(f"  {element} *a{i} = ({element} *)calloc({a.length}, sizeof({element}));")
            if a.kind == "ints":
                self.put(f"  memcpy(a{i}, retro_verify_ints{i}, {a.length} * sizeof({element}));")
            elif a.parameter.category == "reals" and a.x >= 0:
                self.put(f"  for (int i = 0; i < {a.length}; ++i)", f"    a{i}[i] = x[{a.x} + i];")
        values = ", ".join(self.value_of(i, a, real) for i, a in enumerate(self.layout.arguments))
        call = f"{self.layout.signature.name}({values});"
        self.put(f"  {'y[0] = ' if self.layout.returns_real else ''}{call}")
        for i, a in enumerate(self.layout.arguments):
            if a.y >= 0:
                self.put(f"  for (int i = 0; i < {a.length}; ++i)", f"    y[{a.y} + i] = a{i}[i];")
            if a.parameter.category in ("reals", "integers"):
                self.put(f"  free(a{i});")
        self.put("}")
        return self.finish(COMPUTE)

    def value_of(self, i: int, a: Argument, real: str) -> str:
        p = a.parameter
        if a.kind == "active":
            return f"(retro_real)x[{a.x}]"
        if a.kind == "fixed":
            return f"({p.element if p.category == 'integer' else 'retro_real'})({a.values[0]})"
        if not self.cxx:
            return f"(void *)a{i}"
        type_ = p.type if p.category == "integers" else p.type.replace(p.element, real or p.element)
        if p.reference:
            return f"*({type_.replace('(&)', '(*)') if p.row > 1 else f'{type_[:-1]}*'})a{i}"
        return f"({type_})a{i}"
