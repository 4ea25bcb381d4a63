"""What each parameter is for, and how large each array is.

A role is "input", "inout" (read and overwritten), "output", "scratch" (memory to work in) or "size" (an integer that follows from the shapes
of the arrays). Extents are texts: a name stands for the integer parameter or unknown of that name, anything else is computed from such names."""

import ast
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .declaration import Declaration, Parameter
from .errors import SignatureError

FLOATS = ("float32", "float64")
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
}


@dataclass(frozen=True)
class Argument:
    """A parameter of the function with its role, or the value that the function returns, as an output."""

    name: str
    type: str
    role: str
    array: bool  # in memory: an array, or an output number
    const: bool = False
    reference: bool = False
    extents: tuple[
        str | None, ...
    ] | None = None  # None: any shape; then `count` may name the integer that is the number of elements
    count: str = ""
    like: str = ""  # an output of the shape of this input
    constant: bool = False  # not differentiated, though it could be

    @property
    def given(self) -> bool:
        return self.role in ("input", "inout")

    @property
    def made(self) -> bool:
        return self.role in ("output", "inout")

    @property
    def active(self) -> bool:
        return self.type in FLOATS and not self.constant

    @property
    def differentiable(self) -> bool:
        """Whether derivatives with respect to it may be asked for."""
        return self.given and self.active


RESULT = "return value"


def extents_of(said: Any, where: str) -> tuple[str, ...]:
    """Extents from what the user says: "n 3", ("n", 3), 5 or () for a single number."""
    if isinstance(said, str):
        said = said.replace(",", " ").split() if not said.strip().startswith("(") else [said]
    elif isinstance(said, int):
        said = [said]
    extents = tuple(str(extent) for extent in said)
    for extent in extents:
        check_extent(extent, where)
    return extents


def check_extent(extent: str, where: str) -> None:
    try:
        evaluate(extent, None)
    except (SyntaxError, KeyError, ValueError):
        raise SignatureError(f"the extent '{extent}' of '{where}' is not made of names, integers and + - * /") from None


def evaluate(extent: str, values: dict[str, int] | None) -> int:
    """The number that an extent stands for; without values it is only looked at."""

    def value(node: ast.AST) -> int:
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            return 1 if values is None else values[node.id]
        if isinstance(node, ast.BinOp):
            return (
                OPERATORS[type(node.op)](value(node.left), value(node.right))
                if values is not None
                else value(node.left) + value(node.right)
            )
        raise ValueError(extent)

    return value(ast.parse(extent, mode="eval"))


def names_in(extent: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(extent, mode="eval")) if isinstance(node, ast.Name)}


class Options:
    """What the user says about a function, checked against its declaration."""

    def __init__(
        self,
        declaration: Declaration,
        outputs: Sequence[str],
        inout: Sequence[str] | str,
        scratch: Sequence[str],
        constant: Sequence[str],
        shapes: dict[str, Any] | None,
    ) -> None:
        known = {p.name: p for p in declaration.parameters}
        self.shapes = {name: extents_of(shape, name) for name, shape in (shapes or {}).items()}
        self.roles, self.constant = {}, set(names(constant, "constant"))
        for role, said in (("output", outputs), ("inout", inout), ("scratch", scratch)):
            for name in names(said, role):
                if name in self.roles:
                    raise SignatureError(f"'{name}' is said to be both {self.roles[name]} and {role}")
                self.roles[name] = role
        for name in [*self.shapes, *self.roles, *self.constant]:
            if name not in known:
                raise SignatureError(
                    f"'{declaration.name}' has no parameter '{name}'; it has {', '.join(known) or 'none'}"
                )
        for name in [*self.shapes, *self.roles]:
            if not known[name].pointer and not (known[name].reference and not known[name].const):
                raise SignatureError(
                    f"parameter '{name}' ({known[name].spelling}) is passed by value: it has no shape, and nothing is written to it"
                )
        for name, role in self.roles.items():
            if known[name].const:
                raise SignatureError(
                    f"parameter '{name}' ({known[name].spelling}) points to constants: it cannot be {role}"
                )


def names(said: str | Sequence[str], option: str) -> list[str]:
    if isinstance(said, str):
        raise TypeError(f'{option} is a list of names: ["{said}"]')
    return list(said or ())


def role_of(parameter: Parameter, declaration: Declaration, options: Options) -> str:
    if parameter.name in options.roles:
        return options.roles[parameter.name]
    writable = (parameter.pointer or parameter.reference) and not parameter.const
    return "output" if writable and not declaration.result else "input"


def arguments(declaration: Declaration, **said: Any) -> tuple[Argument, ...]:
    """The arguments of a function, in order, the returned value last."""
    options = Options(declaration, **said)
    found = []
    for p in declaration.parameters:
        extents = options.shapes.get(p.name, () if p.reference else p.extents)
        for extent in extents or ():
            if extent is not None and p.name not in options.shapes:
                check_extent(extent, p.name)
        array = p.pointer or (p.reference and not p.const)
        found.append(
            Argument(
                p.name,
                p.type,
                role_of(p, declaration, options),
                array,
                p.const,
                p.reference,
                extents if array else (),
                constant=p.name in options.constant,
            )
        )
    found = counted(found)
    if declaration.result:
        found.append(Argument(RESULT, declaration.result, "output", False, extents=()))
    check(found, declaration.name)
    return tuple(found)


def counted(found: list[Argument]) -> list[Argument]:
    """Gives each integer that follows a run of arrays without extents as their number of elements, and marks the integers that follow from shapes."""
    used = {name for a in found for extent in a.extents or () if extent for name in names_in(extent)}
    found = list(found)
    run = []
    for k, argument in enumerate(found):
        if argument.array and argument.extents is None:
            run.append(k)
            continue
        if run and is_integer(argument) and argument.name not in used:
            inputs = [found[r].name for r in run if found[r].given]
            for r in run:
                if not inputs:
                    found[r] = replace(found[r], extents=(argument.name,))
                else:
                    found[r] = replace(found[r], count=argument.name, like="" if found[r].given else inputs[0])
        run = []
    bound = {a.count for a in found if a.given and a.count}
    bound |= {
        extent for a in found if a.given and a.array for extent in a.extents or () if extent and extent.isidentifier()
    }
    return [replace(a, role="size") if is_integer(a) and a.name in bound else a for a in found]


def is_integer(argument: Argument) -> bool:
    return not argument.array and argument.type not in (*FLOATS, "bool")


def check(found: list[Argument], name: str) -> list[Argument]:
    bound = {a.name for a in found if is_integer(a)}
    bound |= {e for a in found if a.given and a.array for e in a.extents or () if e and e.isidentifier()}
    for a in found:
        if a.role in ("output", "scratch") and a.array and not a.like and (a.extents is None or None in a.extents):
            raise SignatureError(
                f"the shape of '{a.name}', which '{name}' writes, is not known: say it, as in shapes={{'{a.name}': 'n'}}, "
                f"or that the caller gives its contents: inout=['{a.name}']"
            )
        unknown = {n for e in a.extents or () if e for n in names_in(e)} - bound
        if unknown:
            raise SignatureError(
                f"the shape of '{a.name}' has '{min(unknown)}' in it, "
                "which is neither an integer parameter nor an extent of an input"
            )
    if not any(a.made and a.active for a in found):
        raise SignatureError(
            f"'{name}' returns no number and writes none: which parameters does it write? Say outputs=[…] or inout=[…]"
        )
    return found
