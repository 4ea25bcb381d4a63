"""The signature of a C or C++ function, read from the debug information clang writes for it.

Debug information, unlike the syntax tree's type strings, resolves every typedef, alias and namespace.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

C_SUFFIXES = {".c"}
CXX_SUFFIXES = {".cc", ".cpp", ".cxx", ".C", ".c++"}


class Problem(Exception):
    """Something the user can put right; the text says what."""


@dataclass
class Parameter:
    """One parameter.

    category  'real' | 'integer' | 'reals' | 'integers' (the last two: pointer or reference)
    element   C spelling of the scalar: 'double', 'float', 'int', …
    type      C spelling of the whole parameter type, typedefs resolved
    constant  the pointee is const
    reference a C++ reference
    row       scalars in one pointee: 1, or N for a pointer to array T (*)[N]
    """

    name: str
    category: str
    element: str
    type: str
    constant: bool = False
    reference: bool = False
    row: int = 1


@dataclass
class Signature:
    """A function that can be called from the file's own translation unit by `name`."""

    name: str
    result: str  # 'double', 'float', 'void', or an integer type
    parameters: list[Parameter] = field(default_factory=list)
    line: int = 0
    symbol: str = ""  # its name in the object file

    def __str__(self) -> str:
        return f"{self.result} {self.name}({', '.join(f'{p.type} {p.name}' for p in self.parameters)})"

    @property
    def pointer_type(self) -> str:
        return f"{self.result} (*)({', '.join(p.type for p in self.parameters) or 'void'})"


class DebugInfo:
    """The metadata nodes of textual LLVM IR: number -> (kind, fields), or a list of references; its user knows which."""

    NODE = re.compile(r"^!(\d+) = (?:distinct )?!(?:(\w+)\((.*)\)|\{(.*)\})$")
    FIELD = re.compile(r"(\w+): (\"[^\"]*\"|!\d+|[^,()]+)")

    def __init__(self, text: str) -> None:
        self.nodes: dict[str, Any] = {}
        for line in text.splitlines():
            if match := self.NODE.match(line):
                number, kind, fields, items = match.groups()
                if kind:
                    self.nodes[number] = (kind, {k: v.strip('"') for k, v in self.FIELD.findall(fields)})
                else:
                    self.nodes[number] = [item.strip() for item in items.split(",")]

    def at(self, reference: str | None) -> Any:
        return self.nodes.get(reference.lstrip("!")) if reference and reference.startswith("!") else None

    def fields(self, reference: str | None) -> dict[str, str]:
        node = self.at(reference)
        return node[1] if isinstance(node, tuple) else {}

    def of_kind(self, wanted: str) -> Iterator[tuple[str, dict[str, str]]]:
        for number, node in self.nodes.items():
            if isinstance(node, tuple) and node[0] == wanted:
                yield "!" + number, node[1]

    def qualified(self, fields: dict[str, str]) -> str:
        """The name with its named scopes. What is inside an anonymous namespace is named without it."""
        name, scope = fields.get("name", ""), fields.get("scope")
        while (node := self.at(scope)) and node[0] in ("DINamespace", "DICompositeType"):
            if node[1].get("name"):
                name = node[1]["name"] + "::" + name
            scope = node[1].get("scope")
        return name


def _strip(info: DebugInfo, reference: str | None) -> tuple[str, dict[str, str], bool]:
    """Removes typedefs and qualifiers: (node, fields, was_const)."""
    constant = False
    while (node := info.at(reference)) and node[0] == "DIDerivedType":
        tag = node[1].get("tag")
        if tag == "DW_TAG_const_type":
            constant = True
        elif tag not in ("DW_TAG_typedef", "DW_TAG_volatile_type", "DW_TAG_restrict_type"):
            break
        reference = node[1].get("baseType")
    node = info.at(reference)
    return (node[0], node[1], constant) if node else ("void", {}, constant)


def _scalar(info: DebugInfo, kind: str, fields: dict[str, str]) -> tuple[str, str] | None:
    """('real' | 'integer', spelling) of a scalar type, or None."""
    if kind == "DIBasicType":
        if fields.get("encoding") == "DW_ATE_float":
            return ("real", fields["name"]) if fields["name"] in ("double", "float") else None
        if fields.get("encoding") in (
            "DW_ATE_signed",
            "DW_ATE_unsigned",
            "DW_ATE_boolean",
            "DW_ATE_signed_char",
            "DW_ATE_unsigned_char",
        ):
            return "integer", fields["name"]
    if kind == "DICompositeType" and fields.get("tag") == "DW_TAG_enumeration_type" and fields.get("name"):
        return "integer", info.qualified(fields)
    return None


def _parameter(info: DebugInfo, name: str, reference: str, cxx: bool) -> Parameter:
    kind, fields, _ = _strip(info, reference)
    if scalar := _scalar(info, kind, fields):
        category, spelling = scalar
        if not cxx and fields.get("tag") == "DW_TAG_enumeration_type":
            spelling = "int"
        return Parameter(name, category, spelling, spelling)
    tag = fields.get("tag", "")
    if kind == "DIDerivedType" and tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type"):
        is_reference = tag == "DW_TAG_reference_type"
        kind, inner, constant = _strip(info, fields.get("baseType"))
        rows, suffix = 1, ""
        if kind == "DICompositeType" and inner.get("tag") == "DW_TAG_array_type":
            counts = [info.fields(item).get("count") for item in info.at(inner.get("elements")) or []]
            if not counts or not all(c and c.isdigit() for c in counts):
                raise Problem(f"parameter '{name}': an array of unknown bounds is not supported")
            for count in counts:
                rows *= int(count or 0)
            suffix = "".join(f"[{count}]" for count in counts)
            kind, inner, element_constant = _strip(info, inner.get("baseType"))
            constant = constant or element_constant
        if scalar := _scalar(info, kind, inner):
            category, spelling = scalar
            mark = "&" if is_reference else "*"
            whole = f"{'const ' if constant else ''}{spelling} " + (f"({mark}){suffix}" if suffix else mark)
            return Parameter(name, category + "s", spelling, whole, constant, is_reference, rows)
    shown = fields.get("name") or tag.replace("DW_TAG_", "").replace("_", " ") or kind
    raise Problem(
        f"parameter '{name}' has the type '{shown}': only float, double and integers, by value or through "
        "a pointer or reference, can be filled in; write a small wrapper function around it"
    )


def _describe(info: DebugInfo, number: str, fields: dict[str, str], cxx: bool) -> Signature:
    types = info.at(info.fields(fields.get("type")).get("types")) or ["null"]
    names = {
        f["arg"]: f.get("name", "")
        for _, f in info.of_kind("DILocalVariable")
        if f.get("scope") == number and "arg" in f
    }
    symbol = fields.get("linkageName", fields.get("name", ""))
    signature = Signature(info.qualified(fields), "void", [], int(fields.get("line", 0)), symbol)
    if types[0] != "null":
        kind, result, _ = _strip(info, types[0])
        scalar = _scalar(info, kind, result)
        if not scalar:
            raise Problem(
                f"{signature.name} returns '{result.get('name', kind)}': only float, double, integers and void "
                "are supported; write a small wrapper function around it"
            )
        signature.result = scalar[1]
    for position, reference in enumerate(types[1:], 1):
        if reference == "null":
            raise Problem(f"{signature.name} takes variable arguments")
        if "DIFlagArtificial" in info.fields(reference).get("flags", ""):
            raise Problem(f"{signature.name} is a member function; write a small wrapper function around it")
        name = names.get(str(position)) or f"arg{position}"
        signature.parameters.append(_parameter(info, name, reference, cxx))
    return signature


def read(clang: str, source: Path, function: str, flags: list[str]) -> Signature:
    """The Signature of `function` in the file `source`; Problem if there is none, or more than one."""
    cxx = source.suffix not in C_SUFFIXES
    command = [clang, "-g", "-O0", "-w", "-S", "-emit-llvm", "-femit-all-decls", "-o", "-", *flags, str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Problem(f"{source} does not compile:\n{done.stderr.strip()}")
    info = DebugInfo(done.stdout)
    wanted = function.replace(" ", "")
    found, others = [], set()
    for number, fields in info.of_kind("DISubprogram"):
        if "DISPFlagDefinition" not in fields.get("spFlags", ""):
            continue
        qualified = info.qualified(fields)
        bare = qualified.replace(" ", "")
        others.add(qualified)
        if bare == wanted or (wanted.startswith(bare + "(") and wanted.endswith(")")):
            found.append((number, fields))
    if not found:
        close = sorted(name for name in others if name.split("::")[-1] == function.split("::")[-1])
        hint = f"; there is {', '.join(close)}" if close else ""
        raise Problem(f"{source} defines no function '{function}'{hint}")
    if len(found) == 1:
        return _describe(info, *found[0], cxx)
    # Overloads: the one whose parameter types are written out, as in f(double,int).
    signatures = []
    for number, fields in found:
        try:
            signatures.append(_describe(info, number, fields, cxx))
        except Problem:
            continue
    chosen = [s for s in signatures if f"{s.name}({','.join(p.type for p in s.parameters)})".replace(" ", "") == wanted]
    if len(chosen) != 1:
        raise Problem(
            f"'{function}' is overloaded; write one of\n  "
            + "\n  ".join(f"{s.name}({', '.join(p.type for p in s.parameters)})" for s in signatures)
        )
    return chosen[0]
