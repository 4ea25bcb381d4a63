"""Reads the declaration of a function: the names and types of its parameters, and the extents that it gives for arrays.

Names and text come from clang's syntax tree. What a type is, behind its typedefs and templates, the compiler is asked: our code after the
source defines constants whose values it computes."""

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .errors import SignatureError
from .toolchain import Snapshot, cache_folder, store

# Type in C and in C++, and NumPy's name for it. What a number stands for in the compiler's answer is its place here, from 1.
TYPES = [
    ("double", "float64"),
    ("float", "float32"),
    ("char", "int8"),
    ("signed char", "int8"),
    ("unsigned char", "uint8"),
    ("short", "int16"),
    ("unsigned short", "uint16"),
    ("int", "int32"),
    ("unsigned int", "uint32"),
    ("long", "int64"),
    ("unsigned long", "uint64"),
    ("long long", "int64"),
    ("unsigned long long", "uint64"),
    ("bool", "bool"),
]
VOID, POINTER, REFERENCE, CONST = 63, 64, 128, 256


@dataclass(frozen=True)
class Parameter:
    """One parameter. `type` is NumPy's name of the number, or of those it points to."""

    name: str
    spelling: str
    type: str
    pointer: bool
    reference: bool
    const: bool
    extents: tuple[
        str | None, ...
    ] | None  # texts; None if the declaration gives none, and in the place of one that is left out


@dataclass(frozen=True)
class Declaration:
    name: str
    parameters: tuple
    result: str  # NumPy's name of it; empty for void


def objects(text: bytes) -> Iterator[list[bytes]]:
    """Each of several JSON objects that clang wrote one after another, as its lines."""
    lines = []
    for line in text.split(b"\n"):
        lines.append(line)
        if line == b"}":
            yield lines
            lines = []


def functions(tree: bytes, name: str) -> Iterator[dict[str, Any]]:
    """The functions of exactly this name."""
    named = f'  "name": "{name.split("::")[-1]}",'.encode()
    for lines in objects(tree):
        if lines[2].startswith((b'  "kind": "Function', b'  "kind": "CXXMethod')) and named in lines:
            node = json.loads(b"\n".join(lines))
            if is_named(node.get("mangledName", ""), name):
                yield node


def is_named(mangled: str, name: str) -> bool:
    """Whether a function of this mangled name is the one that a program would call by `name`, from outside all namespaces."""
    parts = name.split("::")
    if len(parts) == 1 and mangled in ("", name):
        return True  # of C, or a template
    here = "".join(f"{len(part)}{part}" for part in parts)
    inside = r"(?:St|12_GLOBAL__N_1)?"
    return (
        re.match(rf"_Z(?:L?{re.escape(here)}|N{inside}L?{re.escape(here)}E|NK?{re.escape(here)}E)", mangled) is not None
    )


def find(source: Snapshot, name: str) -> dict[str, Any]:
    """The definition of the function in the syntax tree."""
    if not re.fullmatch(r"(::)?[A-Za-z_]\w*(::[A-Za-z_]\w*)*", name):
        hint = " Write a function that calls the template" if "<" in name else ""
        raise SignatureError(f"'{name}' is not the name of a function.{hint}")
    name = name.removeprefix("::")
    found = list(functions(source.tree(name), name))
    where = source.file.name
    if not found:
        text = source.file.read_text(errors="replace")
        near = difflib.get_close_matches(name, sorted(set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", text))), n=1)
        raise SignatureError(f"{where} has no function '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
    for node in found:
        if node["kind"] == "FunctionTemplateDecl":
            raise SignatureError(
                f"'{name}' in {where} is a template: write a function that calls it with the types that are meant"
            )
        if node["kind"] == "CXXMethodDecl":
            raise SignatureError(
                f"'{name}' in {where} is a member function: write a function that makes the object and calls it"
            )
    defined = [node for node in found if any(part["kind"] == "CompoundStmt" for part in node.get("inner", []))]
    if not defined:
        raise SignatureError(
            f"'{name}' is declared but not defined in {where}: its derivative needs the body. Include the file that has it"
        )
    if len({node["type"]["qualType"] for node in found}) > 1:
        forms = ", ".join(sorted({node["type"]["qualType"] for node in found}))
        raise SignatureError(
            f"'{name}' in {where} has overloads ({forms}): write a function of another name that calls the one that is meant"
        )
    if defined[0].get("variadic"):
        raise SignatureError(f"'{name}' in {where} takes a variable number of arguments")
    return defined[0]


def written_extents(text: str, name: str) -> tuple[str | None, ...] | None:
    """The extents in the text of a parameter: `double a[n][3]` gives ("n", "3"). `a[static 1]` only promises that there is one."""
    text = re.sub(r"\s+", " ", text)
    pointer = re.search(rf"\( ?\* ?(?:const |restrict |__restrict )*{name} ?\)((?: ?\[[^\]]*\])+)$", text)
    array = re.search(rf"\b{name} ?((?: ?\[[^\]]*\])+)$", text)
    if not pointer and not array:
        return None
    unsaid = r"^ *\* *$|.*\bstatic [^\]]*\b\d+$|\b(?:static|const|restrict|volatile|__restrict)\b"
    said = pointer or array
    assert said
    each = [re.sub(unsaid, "", extent).strip() or None for extent in re.findall(r"\[([^\]]*)\]", said[1])]
    extents = (None, *each) if pointer else tuple(each)
    return None if extents == (None,) else extents


def pointed_to(type_: str) -> tuple[str, bool]:
    """(what it points to, whether it is a pointer), of the text of a type in C."""
    row = re.fullmatch(r"(.*?) ?\(\*[^()]*\)(?:\[[^\]]*\])+", type_)
    if row:
        return row[1], True
    star = type_.rfind("*")
    return (type_[:star], True) if star >= 0 and not type_.endswith(")") else (type_, False)


def questions_in_c(types: list[str]) -> str:
    """Code whose constants are the kinds of some types, given as text."""
    spelled = [("_Bool" if name == "bool" else name, kind) for kind, (name, _) in enumerate(TYPES, 1)]
    cases = ", ".join(f"{name} *: {kind}, const {name} *: {kind + CONST}" for name, kind in spelled)
    lines = []
    for k, text in enumerate(types):
        element, pointer = pointed_to(text)
        kind = f"_Generic((__typeof__({element}) *)0, {cases}, void *: {VOID}, default: 0)"
        lines.append(f"enum {{ retro_python_type_{k} = {kind} | {POINTER if pointer else 0} }};")
    return "\n".join(lines)


def questions_in_cxx(name: str, count: int) -> str:
    """The same for the parameters of a function, and its result."""
    signature = f"decltype(retro_python_signature_of(&::{name}))"
    kinds = [f"{signature}::parameter<{k}>()" for k in range(count)] + [f"{signature}::result"]
    numbers = [
        f"template <> struct retro_python_number<{type_}> {{ enum {{ value = {kind} }}; }};"
        for kind, (type_, _) in enumerate(TYPES, 1)
    ]
    constants = [f"enum {{ retro_python_type_{k} = {kind} }};" for k, kind in enumerate(kinds)]
    return "\n".join([CXX_QUESTIONS, *numbers, CXX_SIGNATURE, *constants])


CXX_QUESTIONS = f"""
template <class T> struct retro_python_number {{ enum {{ value = 0 }}; }};
template <> struct retro_python_number<void> {{ enum {{ value = {VOID} }}; }};
template <class T> struct retro_python_type : retro_python_number<T> {{}};
template <class T> struct retro_python_type<const T> {{
  enum {{ value = int(retro_python_type<T>::value) | {CONST} }};
}};
template <class T, decltype(sizeof(0)) N> struct retro_python_type<T[N]> : retro_python_type<T> {{}};
template <class T, decltype(sizeof(0)) N> struct retro_python_type<const T[N]> : retro_python_type<const T> {{}};
template <class T, int How> struct retro_python_to {{
  enum {{ inner = retro_python_type<T>::value, value = inner & {POINTER | REFERENCE} ? How : inner | How }};
}};
template <class T> struct retro_python_type<T *> : retro_python_to<T, {POINTER}> {{}};
template <class T> struct retro_python_type<T *const> : retro_python_to<T, {POINTER}> {{}};
template <class T> struct retro_python_type<T &> : retro_python_to<T, {REFERENCE}> {{}};
template <class T, decltype(sizeof(0)) N> struct retro_python_type<T (&)[N]> {{ enum {{ value = 0 }}; }};
"""
CXX_SIGNATURE = """
template <class R, class... A> struct retro_python_signature {
  enum { result = retro_python_type<R>::value };
  template <int K> static constexpr int parameter() {
    return (int[]){retro_python_type<A>::value...}[K];
  }
};
template <class R, class... A> retro_python_signature<R, A...> retro_python_signature_of(R (*)(A...));
"""


def answers(tree: bytes) -> list[int]:
    """The constants that the compiler computed, in order."""
    values = {}
    for lines in objects(tree):
        node = json.loads(b"\n".join(lines))
        if node["kind"] == "EnumConstantDecl":
            values[int(node["name"].rsplit("_", 1)[1])] = int(computed(node))
    return [values[k] for k in sorted(values)]


def computed(node: dict[str, Any]) -> Any:
    """The value of the first constant expression in a part of the syntax tree."""
    return (
        node["value"]
        if node["kind"] == "ConstantExpr"
        else next((computed(part) for part in node.get("inner", [])), None)
    )


def parameter(node: dict[str, Any], kind: int, source: Snapshot) -> Parameter:
    """What the declaration and the compiler say of one parameter."""
    name, spelling = node.get("name"), node["type"]["qualType"]
    if not name:
        raise SignatureError(f"a parameter of type '{spelling}' has no name: give every parameter one")
    number = kind & VOID
    if number in (0, VOID):
        raise SignatureError(
            f"parameter '{name}' is of type '{spelling}'. What can be passed are numbers (float, double, integers), "
            "and pointers to or arrays of them: write a function with such parameters that calls this one"
        )
    begin, end = node["range"]["begin"]["offset"], node["range"]["end"]["offset"] + node["range"]["end"]["tokLen"]
    text = source.text[begin:end].decode(errors="replace")
    pointer = bool(kind & POINTER)
    return Parameter(
        name,
        text,
        TYPES[number - 1][1],
        pointer,
        bool(kind & REFERENCE),
        bool(kind & CONST),
        written_extents(text, name) if pointer else None,
    )


def desugared(type_: dict[str, str]) -> str:
    """The text of a type, behind typedefs of pointers."""
    behind = type_.get("desugaredQualType", "")
    return behind if "*" in behind else type_["qualType"]


def ask(source: Snapshot, name: str) -> Declaration:
    node = find(source, name)
    parameters = [part for part in node.get("inner", []) if part["kind"] == "ParmVarDecl"]
    result = node["type"]["qualType"].split("(")[0].strip()
    if source.cxx:
        code = questions_in_cxx(name.removeprefix("::"), len(parameters))
    else:
        code = questions_in_c([*(desugared(p["type"]) for p in parameters), result])
    *kinds, returned = answers(source.tree("retro_python_type_", code))
    number = returned & VOID
    if number not in (VOID, 1, 2) or returned & (POINTER | REFERENCE):
        raise SignatureError(
            f"'{name}' returns '{result}'. What it may return is a float, a double, or nothing: "
            "write a function that calls it and writes its results to arrays"
        )
    each = tuple(parameter(p, kind, source) for p, kind in zip(parameters, kinds))
    return Declaration(name, each, "" if number == VOID else TYPES[number - 1][1])


def read(source: Snapshot, name: str) -> Declaration:
    """The declaration of a function in a source file."""
    kept = cache_folder() / f"{source.key('declaration', name)}.json"
    if kept.exists():
        said = json.loads(kept.read_text())
        each = (Parameter(**dict(p, extents=p["extents"] and tuple(p["extents"]))) for p in said["parameters"])
        return Declaration(said["name"], tuple(each), said["result"])
    declaration = ask(source, name)
    store(kept, json.dumps(asdict(declaration)).encode())
    return declaration
