"""What is done to programs. Each mutation takes (source, spans, random, unique) and returns a new text, or None.

KEEP   the program computes what it computed before: its own checks still hold
CHANGE it computes something else: its derivative is compared with differences
ASK    what is asked of the engine is changed: any answer but a crash will do
"""

import random
import re
from collections.abc import Callable
from typing import Any

from .source import Source, Span, Token

# Helpers of the mutants.
PRELUDE = """
#ifndef FZ_PRELUDE
#define FZ_PRELUDE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <functional>
#include <memory>
#include <utility>
#include <vector>
#endif
static volatile int fz_one = 1, fz_zero = 0;
static double fz_global[4];
static __thread double fz_local[4];
struct fz_cell { char tag; double v; short k; struct fz_cell *next; };
union fz_any { double d; long i; void *p; unsigned char b[8]; };
struct fz_bits { unsigned a : 3; unsigned b : 29; double v; };
struct fz_blob { char c; double v[3]; char e; };
static __attribute__((noinline, unused)) void fz_note(const char *format, ...) {
  char line[64];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (line[0] == '!')
    puts(line);
}
static __attribute__((noinline, unused)) double fz_again(double v, int n) {
  return n ? fz_again(v, n - 1) : v;
}
static __attribute__((noinline, unused)) double fz_odd(double v, int n);
static __attribute__((noinline, unused)) double fz_even(double v, int n) {
  return n ? fz_odd(v, n - 1) : v;
}
static __attribute__((noinline, unused)) double fz_odd(double v, int n) {
  return n ? fz_even(v, n - 1) : v;
}
static __attribute__((noinline, unused)) void fz_through(double *to, const double *from) {
  *to = *from;
}
static __attribute__((unused)) double fz_plain(double v) { return v; }
static __attribute__((unused)) double fz_minus(double v) { return -(-v); }
static double (*const fz_table[2])(double) = {fz_plain, fz_minus};
static __attribute__((noinline, unused)) struct fz_cell fz_by_value(struct fz_cell c) {
  c.tag++;
  return c;
}
static __attribute__((noinline, unused)) void *fz_pass(void *p) { return p; }
#endif
"""

# Wrappers of an expression, which stand for the value they are given. V is a fresh name.
WRAPPERS = {
    "copy": "({ double V = (E); double V_b; memcpy(&V_b, &V, sizeof V); V_b; })",
    "bytes": "({ double V = (E); unsigned char V_b[sizeof(double)]; double V_c; memcpy(V_b, &V, sizeof V); memcpy(&V_c, V_b, sizeof V); V_c; })",
    "word": "({ double V = (E); long V_b; memcpy(&V_b, &V, 8); double V_c; memcpy(&V_c, &V_b, 8); V_c; })",
    "union": "({ union fz_any V; V.d = (E); union fz_any V_b = V; V_b.d; })",
    "union word": "({ union fz_any V, V_b; V.d = (E); V_b.i = V.i; V_b.d; })",
    "padded": "({ struct fz_cell V, V_b; memset(&V, 0, sizeof V); V.tag = 1; V.v = (E); V_b = V; V_b.v; })",
    "padded array": "({ struct fz_blob V[2]; V[0].v[2] = 0; V[fz_one].v[fz_one] = (E); struct fz_blob V_b = V[fz_one]; V_b.v[1]; })",
    "bit field": "({ struct fz_bits V; V.a = 3; V.b = 5; V.v = (E); struct fz_bits V_b = V; V_b.a += 1; V_b.v; })",
    "by value": "({ struct fz_cell V; V.tag = 1; V.k = 2; V.next = 0; V.v = (E); fz_by_value(V).v; })",
    "address": "({ double V; double *V_p = &V; *V_p = (E); V; })",
    "address twice": "({ double V = (E), *V_p = &V, **V_q = &V_p; **V_q; })",
    "choose address": "({ double V[2]; double *V_p = fz_one ? V : V + 1, *V_q = fz_one ? V + 1 : V; *V_q = 0; *V_p = (E); *V_q += 1; V[0]; })",
    "swap addresses": "({ double V = (E), V_b = 0, *V_p = &V_b, *V_q = &V; if (fz_one) { double *V_t = V_p; V_p = V_q; V_q = V_t; } *V_p; })",
    "call": "({ double V = (E), V_b; fz_through(&V_b, &V); V_b; })",
    "recursion": "fz_again((E), 3)",
    "mutual recursion": "fz_even((E), 3)",
    "table": "fz_table[fz_one]((E))",
    "pointer to function": "({ double (*V)(double) = fz_one ? fz_plain : fz_minus; V((E)); })",
    "volatile": "({ volatile double V = (E); V; })",
    "heap": "({ double *V = (double *)malloc(3 * sizeof(double)); V[fz_one] = (E); double V_b = V[fz_one]; free(V); V_b; })",
    "calloc": "({ double *V = (double *)calloc(2, sizeof(double)); V[0] += (E); double V_b = V[0] + V[1]; free(V); V_b; })",
    "realloc": "({ double *V = (double *)malloc(sizeof(double)); *V = (E); V = (double *)realloc(V, 4 * sizeof(double)); double V_b = *V; free(V); V_b; })",
    "grow": "({ int V_n = 0, V_m = 1; double *V = (double *)malloc(8); for (int V_i = 0; V_i < 3; ++V_i) { if (V_n == V_m) { V_m *= 2; V = (double *)realloc(V, 8 * V_m); } V[V_n++] = V_i == 1 ? (E) : 0.0; } double V_s = 0; while (V_n) V_s += V[--V_n]; free(V); V_s; })",
    "global": "({ fz_global[fz_one] = (E); fz_global[1]; })",
    "thread local": "({ fz_local[2] = (E); fz_local[2]; })",
    "linked": "({ struct fz_cell V, V_b; V.next = &V_b; V_b.next = 0; V.v = 0; V_b.v = (E); double V_s = 0; for (struct fz_cell *V_p = &V; V_p; V_p = V_p->next) V_s += V_p->v; V_s; })",
    "list on heap": "({ struct fz_cell *V = 0; for (int V_i = 0; V_i < 3; ++V_i) { struct fz_cell *V_c = (struct fz_cell *)malloc(sizeof *V_c); V_c->v = V_i == 2 ? (E) : 0.0; V_c->next = V; V = V_c; } double V_s = 0; while (V) { struct fz_cell *V_n = V->next; V_s += V->v; free(V); V = V_n; } V_s; })",
    "loop": "({ double V = 0; for (int V_i = 0; V_i < 4; ++V_i) V += 0.25 * (E); V; })",
    "while": "({ double V = (E); int V_i = 3 * fz_one; while (V_i-- > 0) { V *= 2; V *= 0.5; } V; })",
    "goto loop": "({ double V = (E); int V_i = 0; V_l: V = V * 4 * 0.25; if (++V_i < 3) goto V_l; V; })",
    "jump into": "({ double V = (E); if (fz_zero) { V = 0; V_l: V *= 2; V *= 0.5; } else { if (fz_one) goto V_l; } V; })",
    "break": "({ double V = 0; for (;;) { V = (E); if (V == V || fz_one) break; V = 1; } V; })",
    "switch": "({ double V = 0; switch (fz_one + 1) { case 0: V = 1; break; case 2: V = (E); case 3: V *= 1.0; break; default: V = -1; } V; })",
    "select": "(fz_one ? (E) : 0.0)",
    "short circuit": "({ double V = 0; fz_one && (V = (E), 1); V; })",
    "comma": '(fz_note("%d", 3), (E))',
    "note": '({ double V = (E); fz_note("%s %d", "at", fz_one); V; })',
    "parts": "({ double V = (E), V_h = V * 0.5; V_h + (V - V_h); })",
    "negate": "(-(-(E)))",
    "quotient": "((E) * 3.0 / 3.0)",
    "wide": "((double)(long double)(E))",
    "complex": "(__real__((_Complex double)(E)))",
    "vector": "({ typedef double V_t __attribute__((vector_size(16))); V_t V = {(E), 2}; V_t V_b = V + V; V_b[0] * 0.5; })",
    "variable array": "({ int V_n = 2 + fz_one; double V[V_n]; for (int V_i = 0; V_i < V_n; ++V_i) V[V_i] = V_i; V[V_n - 1] = (E); V[2]; })",
    "two dimensions": "({ double V[2][3]; memset(V, 0, sizeof V); V[fz_one][2] = (E); double V_s = 0; for (int V_i = 0; V_i < 2; ++V_i) for (int V_j = 0; V_j < 3; ++V_j) V_s += V[V_i][V_j]; V_s; })",
    "rows": "({ double V[2][2] = {{0, 0}, {0, 0}}, *V_r[2] = {V[1], V[0]}; V_r[fz_one][1] = (E); V[0][1]; })",
    "backwards": "({ double V[4] = {0, 0, 0, (E)}; for (double *V_p = V + 3; V_p > V; --V_p) V_p[-1] += *V_p; V[0]; })",
    "shift": "({ double V[4] = {(E), 0, 0, 0}; memmove(V + 1, V, 3 * sizeof(double)); V[1]; })",
    "void pointer": "({ double V = (E); void *V_p = fz_pass(&V); *(double *)V_p; })",
    "integer pointer": "({ double V = (E); unsigned long V_p = (unsigned long)&V; *(double *)V_p; })",
    "tagged pointer": "({ double V = (E); unsigned long V_p = (unsigned long)&V | 1; *(double *)(V_p & ~1ul); })",
    "offset": "({ struct fz_cell V; V.v = (E); *(double *)((char *)&V + __builtin_offsetof(struct fz_cell, v)); })",
    "sort": "({ double V = (E), V_b = V + 1; if (V_b > V) { double V_t = V; V = V_b; V_b = V_t; } V_b; })",
    "count": "({ int V_n = 0; double V = (E); for (int V_i = 0; V_i < 5; ++V_i) if (V_i % 2) ++V_n; V * (V_n - 1); })",
    "float count": "({ float V_f = 0; for (int V_i = 0; V_i < 4; ++V_i) V_f += 0.25f; (E) * V_f; })",
}
WRAPPERS_CXX = {
    "lambda": "[&] { return (E); }()",
    "lambda by value": "({ double V = (E); auto V_f = [V](double V_s) { return V * V_s; }; V_f(1.0); })",
    "std::function": "({ double V = (E); std::function<double(double)> V_f = [&V](double V_s) { return V + V_s; }; V_f(0.0); })",
    "vector of": "({ std::vector<double> V; for (int V_i = 0; V_i < 3; ++V_i) V.push_back(V_i == 1 ? (E) : 0.0); double V_s = 0; for (double V_v : V) V_s += V_v; V_s; })",
    "unique_ptr": "({ std::unique_ptr<double[]> V(new double[2]); V[1] = (E); V[1]; })",
    "new": "({ double *V = new double((E)); double V_b = *V; delete V; V_b; })",
    "reference": "({ double V = (E); double &V_r = V; V_r += 0; V_r; })",
    "std::swap": "({ double V = (E), V_b = 0; std::swap(V, V_b); V_b; })",
    "pair": "({ std::pair<int, double> V(1, (E)); auto V_b = V; V_b.second; })",
    "try": "({ double V = 0; try { if (fz_zero) throw 1; V = (E); } catch (int) { V = 0; } V; })",
    "virtual": "({ struct V_a { virtual double go(double v) const { return v; } virtual ~V_a() {} }; struct V_c : V_a { double go(double v) const override { return v * 1.0; } }; V_c V; const V_a &V_r = V; V_r.go((E)); })",
}


def fill(template: str, expression: str, name: str) -> str:
    """The template with fresh names for V, V_…, and the expression for E."""
    text = re.sub(r"\bV(_\w+)?\b", lambda m: name + (m.group(1) or ""), template)
    return re.sub(r"\bE\b", lambda m: expression, text)


def keep_wrap(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    sites = source.expressions(spans)
    if not sites:
        return None
    site = random.choice(sites)
    table = {**WRAPPERS, **(WRAPPERS_CXX if cxx else {})}
    name = random.choice(sorted(table))
    old = source.text[site.at : site.end]
    # A double holds it without loss.
    exact = f'_Static_assert(_Generic(({old}) + 0, double: 1, float: 1, int: 1, unsigned: 1, default: 0), "");'
    # And it stays of its type: of int is a quotient another, and overloads differ.
    return (
        source.replace([(site, f"({{ {exact} (__typeof__(({old}) + 0))({fill(table[name], old, unique)}); }})")]),
        name,
    )


def keep_index(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    """x[i] in another spelling."""
    found = []
    for i in source.inside(spans):
        t = source.tokens[i]
        if (
            t.text == "["
            and i in source.partner
            and source.tokens[i - 1].kind == "name"
            and source.tokens[i - 2].text not in (".", "->", "::", "*", "&")
            and source.tokens[i - 2].kind != "name"
        ):
            j = source.partner[i]
            after = source.tokens[j + 1].text if j + 1 < len(source.tokens) else ""
            if (
                j > i + 1
                and after not in ("=", "{", "[")
                or after == "="
                and source.tokens[i - 2].text in (";", "{", "}", ")")
            ):
                found.append((source.tokens[i - 1], source.tokens[j], source.text[t.end : source.tokens[j].at]))
    if not found:
        return None
    name, close, index = random.choice(found)
    x = name.text
    # The address of the first, of what is a pointer or array and no container.
    first = f"(&*{x})"
    forms = {
        "sum": f"(*({x} + ({index})))",
        "first": f"({first}[{index}])",
        "moved": f"(({x} + ({index}))[0])",
        "from one": f"(({x} + 1)[({index}) - 1])",
        "bytes": f"(*(__typeof__({first}))((char *){first} + (long)({index}) * (long)sizeof({x}[0])))",
        "integer": f"(*(__typeof__({first}))((unsigned long){first} + (unsigned long)({index}) * sizeof({x}[0])))",
    }
    kind = random.choice(sorted(forms))
    return source.replace([(Span(name.at, close.end), forms[kind])]), "index " + kind


STATEMENTS = {
    "if": "if (fz_one) { S }",
    "once": "do { S } while (fz_zero);",
    "one pass": "for (int V = 0; V < fz_one; ++V) { S }",
    "case": "switch (fz_one) { case 1: { S } default:; }",
    "skip": "if (!fz_one) goto V_l; S V_l:;",
    "note": 'fz_note("%g", 1.0); S',
    "waste": "free(malloc(8)); S",
    "computed goto": '{ void *V[] = {&&V_a, &&V_b}; goto *V[fz_one]; V_a: fz_note("!"); V_b: { S } }',
    "barrier": '__asm__ volatile("" ::: "memory"); S',
}
STATEMENTS_CXX = {"lambda": "[&] { S }();", "try": "try { S } catch (...) { throw; }"}


def keep_statement(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    sites = [s for s in source.statements(spans) if s.kind == "plain"]
    if not sites:
        return None
    site = random.choice(sites)
    table = {**STATEMENTS, **(STATEMENTS_CXX if cxx else {})}
    name = random.choice(sorted(table))
    text = re.sub(r"\bV(_\w+)?\b", lambda m: unique + (m.group(1) or ""), table[name])
    old = source.text[site.at : site.end]
    # Braces: it may be all that an if or else has.
    return source.replace([(site, "{ " + re.sub(r"\bS\b", lambda m: old, text) + " }")]), "statement " + name


def keep_attribute(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    """noinline, volatile locals."""
    found = [
        m
        for m in re.finditer(r"(?<=[;{\n])(\s*)(double|float)(?= \w+ = )", source.text)
        if any(s.at < m.start() < s.end for s in spans)
    ]
    functions = list(
        re.finditer(r"^static (?!__attribute__|inline|const |struct \w+ \{|volatile|int enz)", source.text, re.M)
    )
    if functions and (not found or random.random() < 0.5):
        m = random.choice(functions)
        if "(" not in source.text[m.start() : source.text.find("\n", m.start())]:
            return None
        attribute = random.choice(["noinline", "always_inline", "optnone, noinline", "flatten", "cold"])
        return source.text[: m.end()] + f"__attribute__(({attribute})) " + source.text[m.end() :], attribute
    if not found:
        return None
    m = random.choice(found)
    return source.text[: m.start(2)] + "volatile " + source.text[m.start(2) :], "volatile local"


# ---- what changes the function

SWAPS = [
    ["+", "-", "*", "/"],
    ["+=", "-=", "*=", "/="],
    ["<", "<=", ">", ">=", "==", "!="],
    ["&&", "||"],
    ["++", "--"],
    ["sin", "cos", "exp", "tanh", "sqrt", "cbrt", "atan", "log1p", "fabs", "erf", "expm1", "sinh", "floor", "asinh"],
    ["fmin", "fmax", "atan2", "hypot", "pow", "fdim", "copysign", "fmod"],
    ["double", "float", "long double", "int"],
    ["double", "float"],
    ["int", "long", "unsigned", "short", "size_t", "char"],
    ["break", "continue"],
]


def part_of_size(source: Source, token: Token) -> bool:
    """Bytes that are copied: a part of a number has no derivative, and of a run-time size nobody can tell."""
    line = source.text[source.text.rfind("\n", 0, token.at) + 1 : source.text.find("\n", token.at)]
    return re.search(r"mem(cpy|move|set)|alloc\(", line) is not None


def change_token(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    sites = []
    for i in source.inside(spans):
        t = source.tokens[i]
        # What a pointer points to has one type only.
        points = t.kind == "name" and source.tokens[i + 1].text == "*"
        if not part_of_size(source, t) and not points:
            sites += [(i, g) for g in SWAPS if t.text in g]
    if not sites:
        return None
    i, group = random.choice(sites)
    t = source.tokens[i]
    if t.text in ("*", "+", "-") and (
        source.tokens[i - 1].kind == "mark"
        and source.tokens[i - 1].text not in (")", "]")
        or source.tokens[i - 1].text in ("double", "float", "int", "const", "char", "void", "return")
    ):
        return None  # unary, or of a type
    new = random.choice([w for w in group if w != t.text])
    return source.replace([(Span(t.at, t.end), new)]), f"{t.text} to {new}"


def change_number(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    sites = [
        source.tokens[i]
        for i in source.inside(spans)
        if source.tokens[i].kind == "number" and not part_of_size(source, source.tokens[i])
    ]
    if not sites:
        return None
    t = random.choice(sites)
    real = "." in t.text or "e" in t.text.lower() and not t.text.startswith("0x")
    new = random.choice(
        ["0.5", "1.25", "-0.75", "2.0", "1.0", "0.0", "3"] if real else ["0", "1", "2", "3", "4", "-1", "5"]
    )
    return source.replace([(Span(t.at, t.end), f"({new})" if new[0] == "-" else new)]), f"{t.text} to {new}"


def change_statement(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    sites = [s for s in source.statements(spans) if s.kind in ("plain", "return", "break", "continue")]
    plain = [s for s in sites if s.kind == "plain"]
    if not plain:
        return None
    site = random.choice(plain)
    old = source.text[site.at : site.end]
    how = random.choice(
        ["delete", "twice", "swap", "some iterations", "condition", "loop", "label loop", "early return"]
    )
    if how == "delete":
        return source.replace([(site, ";")]), how
    if how == "twice":
        return source.replace([(site, f"{old} {old}")]), how
    if how == "swap" and len(plain) > 1:
        other = random.choice([s for s in plain if s.at != site.at])
        return source.replace([(site, source.text[other.at : other.end]), (other, old)]), how
    if how == "condition":
        return (
            source.replace(
                [
                    (
                        site,
                        f"{{ static const int {unique}_t[3] = {{1, 0, 1}}; if ({unique}_t[sizeof(int) % 3]) {{ {old} }} }}",
                    )
                ]
            ),
            how,
        )
    if how == "loop":
        return source.replace([(site, f"for (int {unique} = 0; {unique} < 3; ++{unique}) {{ {old} }}")]), how
    if how == "label loop":
        return (
            source.replace([(site, f"int {unique} = 0; {unique}_l: {old} if (++{unique} < 2) goto {unique}_l;")]),
            how,
        )
    if how == "some iterations":
        return (
            source.replace(
                [
                    (
                        site,
                        f"for (int {unique} = 0; {unique} < 6; {unique} += 2) {{ if ({unique} == 2) continue; {old} if ({unique} > 3) break; }}",
                    )
                ]
            ),
            how,
        )
    if how == "early return":
        values = [s for s in source.statements(spans) if s.kind == "return"]
        value = source.text[random.choice(values).at : random.choice(values).end] if values else "return;"
        return source.replace([(site, f"if (fz_zero) {{ {value} }} {old}")]), how
    return None


CHANGED = {
    "square": "({ __typeof__((E) + 0) V = (E); V * V; })",
    "clamp": "({ double V = (E); V > 1.5 ? 1.5 : V < 0.25 ? 0.25 : V; })",
    "fabs": "fabs((E))",
    "float": "((float)(E))",
    "long double": "((long double)(E) * 1.5L)",
    "half away": "({ double V = (E); double V_i = (double)(int)V; V - V_i; })",
    "newton": "({ double V = (E), V_r = 1; V = V * V + 1; for (int V_i = 0; V_i < 6; ++V_i) V_r = 0.5 * (V_r + V / V_r); V_r; })",
    "series": "({ double V = (E), V_t = 1, V_s = 0; for (int V_i = 1; fabs(V_t) > 1e-3 && V_i < 20; ++V_i) { V_s += V_t; V_t *= sin(V) / V_i; } V_s; })",
    "product": "({ double V = (E), V_p = 1; for (int V_i = 0; V_i < 3; ++V_i) V_p *= V + V_i; V_p; })",
    "in place": "({ double V[3] = {(E), 1, 2}; for (int V_i = 1; V_i < 3; ++V_i) V[V_i] = sin(V[V_i - 1]) * V[V_i]; V[2]; })",
    "state": "({ fz_global[0] = (E); fz_global[1] = fz_global[0] * fz_global[0]; fz_global[0] = fz_global[1] + 1; fz_global[0] * fz_global[1]; })",
    "recursion": "({ double V = (E); fz_again(V, 2) * fz_even(V, 3); })",
    "minmax": "({ double V = (E); fmin(V, 0.9) + fmax(V, 1.1); })",
    "frexp": "({ double V = (E); int V_e; double V_m = frexp(V, &V_e); ldexp(V_m, V_e - 1); })",
    "modf": "({ double V = (E), V_i; modf(V * 1.5, &V_i); })",
    "pow": "pow(fabs((E)) + 0.5, 1.5)",
    "bits": "({ double V = (E); unsigned long V_b; memcpy(&V_b, &V, 8); V_b &= 0x7fffffffffffffff; memcpy(&V, &V_b, 8); V; })",
    "exchange": "({ double V[2] = {(E), 2}; for (int V_i = 0; V_i < 3; ++V_i) { double V_t = V[0]; V[0] = V[1] * 0.5; V[1] = V_t * V_t; } V[0] + V[1]; })",
}


def change_wrap(
    source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool
) -> tuple[str, str] | None:
    sites = source.expressions(spans)
    if not sites:
        return None
    site = random.choice(sites)
    name = random.choice(sorted(CHANGED))
    return source.replace([(site, fill(CHANGED[name], source.text[site.at : site.end], unique))]), "changed by " + name


# ---- what changes the request

MARKERS = [
    "enzyme_const",
    "enzyme_dup",
    "enzyme_dupnoneed",
    "enzyme_out",
    "enzyme_width",
    "enzyme_primal_return",
    "enzyme_dupv",
    "enzyme_tape",
    "enzyme_allocated",
    "enzyme_runtime_activity",
]


def requests(source: Source) -> list[tuple[int, int]]:
    """(index of '(', index of ')') of each call of an entry point in a function."""
    found = []
    for i, t in enumerate(source.tokens):
        if t.kind == "name" and "__enzyme_" in t.text and source.depth(i) > 0:
            j = i + 1
            if j < len(source.tokens) and source.tokens[j].text == "<":
                while j < len(source.tokens) and source.tokens[j].text != "(":
                    j += 1
            if j < len(source.tokens) and source.tokens[j].text == "(" and j in source.partner:
                found.append((j, source.partner[j]))
    return found


def ask(source: Source, spans: list[Span], random: random.Random, unique: str, cxx: bool) -> tuple[str, str] | None:
    calls = requests(source)
    if not calls:
        return None
    start, end = random.choice(calls)
    arguments, at = [], start + 1
    while at < end:
        stop = source._until(at, (",",))
        stop = end if stop is None or stop > end else stop
        arguments.append(source.text[source.tokens[at].at : source.tokens[stop - 1].end])
        at = stop + 1
    how = random.choice(
        ["drop", "repeat", "swap", "marker", "marker", "insert marker", "null", "other type", "other mode"]
    )
    k = random.randrange(len(arguments)) if arguments else 0
    if not arguments:
        return None
    if how == "drop":
        del arguments[k]
    elif how == "repeat":
        arguments.insert(k, arguments[k])
    elif how == "swap":
        j = random.randrange(len(arguments))
        arguments[k], arguments[j] = arguments[j], arguments[k]
    elif how == "marker":
        marked = [i for i, a in enumerate(arguments) if a.startswith("enzyme_")]
        if not marked:
            return None
        arguments[random.choice(marked)] = random.choice(MARKERS)
    elif how == "insert marker":
        arguments.insert(max(k, 1), random.choice(MARKERS))
    elif how == "null":
        arguments[k] = random.choice(["(void *)0", "0", "1.0", '"text"', "(double *)0"])
    elif how == "other type":
        arguments[k] = random.choice(
            [
                f"(float)({arguments[k]})",
                f"(double)({arguments[k]})",
                f"(long)({arguments[k]})",
                f"&({arguments[k]})",
                f"*({arguments[k]})",
            ]
        )
    else:
        name = source.tokens[start - 1] if source.tokens[start - 1].kind == "name" else None
        if not name:
            return None
        new = random.choice(
            [
                "__enzyme_autodiff",
                "__enzyme_fwddiff",
                "__enzyme_reverse",
                "__enzyme_augmentfwd",
                "__enzyme_autodiff_v",
                "__enzyme_fwddiff_v",
                "__enzyme_batch_v",
            ]
        )
        return source.replace([(Span(name.at, name.end), new)]), "entry " + new
    inside = Span(source.tokens[start].end, source.tokens[end].at)
    return source.replace([(inside, ", ".join(arguments))]), "request: " + how


Table = list[tuple[Callable[..., tuple[str, str] | None], int]]  # a mutation, and how often it is chosen
KEEP: Table = [(keep_wrap, 6), (keep_index, 1), (keep_statement, 2), (keep_attribute, 1)]
CHANGE: Table = [
    (change_token, 3),
    (change_number, 1),
    (change_statement, 2),
    (change_wrap, 3),
    (keep_wrap, 2),
    (keep_statement, 1),
]
ASK: Table = [(ask, 1)]


def mutate(
    text: str,
    spans_of: Callable[..., Any],
    table: Table,
    count: int,
    random: random.Random,
    cxx: bool,
    compiles: Callable[..., Any],
) -> tuple[str, list[str]]:
    """Applies `count` mutations; returns (text, what was done). spans_of(source) says where they may go, compiles(text)
    whether the compiler accepts it; one in twenty that it does not accept is taken all the same."""
    done = []
    for attempt in range(6 * count):
        if len(done) == count:
            break
        source = Source(text)
        spans = spans_of(source)
        if not spans:
            break
        mutation = random.choices([m for m, _ in table], [w for _, w in table])[0]
        # Drawn whatever the compiler says: what follows must not depend on it.
        any_will_do = random.random() < 0.05
        made = mutation(source, spans, random, f"fz{attempt}_{random.randrange(1000)}", cxx)
        if made and (any_will_do or compiles(made[0])):
            text, what = made
            done.append(what)
    return text, done
