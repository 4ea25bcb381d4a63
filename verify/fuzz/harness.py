"""Makes a program that checks the derivative of one function of a mutant: see harness.h."""

import random
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
from verify.tool import signature

from .source import Source

LENGTH = 24  # elements of each array


class NotCallable(Exception):
    """The function's parameters are none that numbers can be made up for."""


def targets(text: str) -> list[str]:
    """Names of the functions that the program asks to differentiate."""
    found = re.findall(r"__enzyme_\w+\s*(?:<[^;()]*>)?\s*\(\s*\(void \*\)\s*(?:\+\s*)?(\w+)", text)
    return sorted(set(found))


def without_requests(source: Source) -> str:
    """The text without main and other functions that contain requests."""
    gone = []
    for name, i, j in source.functions:
        body = source.text[source.tokens[i].at : source.tokens[j].end]
        if name == "main" or "__enzyme_" in body:
            span = source.whole_function(name)
            if span:
                gone.append((span, "\n" * source.text[span.at : span.end].count("\n")))
    return source.replace(gone)


def read(compiler: str, path: Path, function: str, flags: list[str]) -> signature.Signature:
    try:
        found = signature.read(compiler, path, function, flags)
    except signature.Problem as problem:
        raise NotCallable(str(problem)) from problem
    if found.result not in ("double", "float", "void"):
        raise NotCallable(f"result {found.result}")
    for p in found.parameters:
        if p.reference or p.row != 1 or "(" in p.type:
            raise NotCallable(p.type)
    return found


def write(found: signature.Signature, random: random.Random) -> str:
    """The C or C++ text that follows the mutant."""
    scalars = [p for p in found.parameters if p.category == "real"]
    arrays = [p for p in found.parameters if p.category == "reals"]
    if not scalars and not arrays:
        raise NotCallable("no number is passed")
    inputs = len(scalars) + LENGTH * len(arrays)
    returns = found.result != "void"
    outputs = returns + LENGTH * len(arrays)
    ints = {p.name: random.choice([1, 2, 3, 4, 5, 5, 6]) for p in found.parameters if p.category == "integer"}
    lists = {p.name: [random.randrange(4) for _ in range(LENGTH)] for p in found.parameters if p.category == "integers"}

    def cell(p: signature.Parameter, x: str) -> str:
        return f"({p.element})fz_{x}[{scalars.index(p)}]"

    def prologue(shadow: str | None) -> list[str]:
        lines = []
        for k, p in enumerate(arrays):
            at = len(scalars) + LENGTH * k
            lines.append(
                f"  {p.element} a_{p.name}[{LENGTH}]; for (int fz_i = 0; fz_i < {LENGTH}; ++fz_i) a_{p.name}[fz_i] = ({p.element})fz_x[{at} + fz_i];"
            )
            if shadow:
                start = {"w": returns + LENGTH * k, "v": at}[shadow]
                lines.append(
                    f"  {p.element} d_{p.name}[{LENGTH}]; for (int fz_i = 0; fz_i < {LENGTH}; ++fz_i) d_{p.name}[fz_i] = ({p.element})fz_{shadow}[{start} + fz_i];"
                )
        for name, values in lists.items():
            p = next(p for p in found.parameters if p.name == name)
            lines.append(f"  {p.element} a_{name}[{LENGTH}] = {{{', '.join(map(str, values))}}};")
        return lines

    def epilogue(to: str, what: str) -> list[str]:
        lines = []
        for k, p in enumerate(arrays):
            start = {"y": returns + LENGTH * k, "g": len(scalars) + LENGTH * k, "jv": returns + LENGTH * k}[to]
            lines.append(
                f"  for (int fz_i = 0; fz_i < {LENGTH}; ++fz_i) fz_{to}[{start} + fz_i] = {what}_{p.name}[fz_i];"
            )
        return lines

    def value(p: signature.Parameter) -> str:
        if p.category == "real":
            return cell(p, "x")
        return f"({p.type}){ints[p.name]}" if p.category == "integer" else f"a_{p.name}"

    def request(mode: str) -> tuple[str, str]:
        types, values = ["void *"], [f"(void *){found.name}"]
        for p in found.parameters:
            if p.category in ("integer", "integers"):
                types += ["int", p.type if p.category == "integer" else f"{p.element} *"]
                values += ["enzyme_const", value(p)]
            elif p.category == "reals":
                types += ["int", f"{p.element} *", f"{p.element} *"]
                values += ["enzyme_dup", f"a_{p.name}", f"d_{p.name}"]
            elif mode == "reverse":
                types += ["int", p.element]
                values += ["enzyme_out", value(p)]
            else:
                types += ["int", p.element, p.element]
                values += ["enzyme_dup", value(p), f"({p.element})fz_v[{scalars.index(p)}]"]
        return ", ".join(types), ", ".join(values)

    call = f"{found.name}({', '.join(value(p) for p in found.parameters)})"
    lines = [
        f"enum {{ fz_inputs = {inputs}, fz_outputs = {outputs}, fz_returns = {int(returns)} }};",
        "static void fz_call(const double *fz_x, double *fz_y) {",
        *prologue(None),
        f"  {'fz_y[0] = ' if returns else ''}{call};",
        *epilogue("y", "a"),
        "}",
        "#ifndef FZ_PRIMAL",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "extern int enzyme_const, enzyme_dup, enzyme_out;",
    ]
    result = "void" if not scalars else scalars[0].element if len(scalars) == 1 else "struct fz_partials"
    if len(scalars) > 1:
        lines.append(f"struct fz_partials {{ {' '.join(f'{p.element} d{i};' for i, p in enumerate(scalars))} }};")
    types, values = request("reverse")
    lines += [
        f"{result} __enzyme_autodiff_fz({types});",
        "static void fz_reverse(const double *fz_x, const double *fz_w, double *fz_g) {",
        *prologue("w"),
        f"  {f'{result} fz_r = ' if scalars else ''}__enzyme_autodiff_fz({values});",
    ]
    lines += [f"  fz_g[{i}] = fz_r{f'.d{i}' if len(scalars) > 1 else ''};" for i in range(len(scalars))]
    lines += [*epilogue("g", "d"), "}"]
    types, values = request("forward")
    lines += [
        f"{found.result} __enzyme_fwddiff_fz({types});",
        "static void fz_forward(const double *fz_x, const double *fz_v, double *fz_jv) {",
        *prologue("v"),
        f"  {'fz_jv[0] = ' if returns else ''}__enzyme_fwddiff_fz({values});",
        *epilogue("jv", "d"),
        "}",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "#endif",
        f'#include "{HERE / "harness.h"}"',
    ]
    return "\n" + "\n".join(lines) + "\n"
