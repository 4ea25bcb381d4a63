"""What each parameter of the function under test is given: the meaning of --arg."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from .signature import Parameter, Problem, Signature

GRAMMAR = """\
  NAME=NUMBER                 a scalar with that value; held fixed, inactive
  NAME=range:LOW:HIGH         an active scalar drawn from [LOW, HIGH)   (what a float or double is by default)
  NAME=vector:N[:LOW:HIGH]    N active numbers: read only for a pointer to const, else read and written
  NAME=in:N[:LOW:HIGH]        N active numbers, only read, or what is written does not matter
  NAME=out:N                  N results, zero before the call
  NAME=inout:N[:LOW:HIGH]     N active numbers, also results
  NAME=const:N[:LOW:HIGH]     N inactive numbers
  NAME=scratch:N              N numbers of working space, zero before the call, no result
  NAME=ints:1,2,3             an array of integers
N is also what a pointer to rows T (*)[M] or a reference needs: the number of scalars. A reference needs no --arg."""

POINTER_KINDS = ("vector", "in", "out", "inout", "const", "scratch")


@dataclass
class Argument:
    """A parameter and what it is given.

    kind    'in' | 'out' | 'inout' | 'const' | 'scratch' (arrays), 'active' | 'fixed' (scalars), 'ints'
    length  scalars in it
    values  of integers and fixed scalars, as C text
    """

    parameter: Parameter
    kind: str
    length: int = 1
    low: float = 0.0
    high: float = 0.0
    values: list[str] = field(default_factory=list)
    x: int = -1  # where it begins among the inputs, -1 where it has none
    y: int = -1  # the same among the outputs

    @property
    def single(self) -> bool:
        return self.parameter.element == "float"

    @property
    def is_active(self) -> bool:
        return self.kind in ("active", "in", "out", "inout", "scratch")


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Problem(f"{what}: '{text}' is not a number") from None


def parse_range(parts: list[str], default: tuple[float, float] | None, what: str) -> tuple[float, float]:
    if not parts:
        assert default
        return default
    if len(parts) != 2:
        raise Problem(f"{what}: a range is LOW:HIGH")
    low, high = (_number(part, what) for part in parts)
    if not low < high:
        raise Problem(f"{what}: the range {low:g}:{high:g} is empty")
    return low, high


def _count(text: str, parameter: Parameter, what: str) -> int:
    if not re.fullmatch(r"[1-9]\d*", text):
        raise Problem(f"{what}: '{text}' is not a length")
    count = int(text)
    if count % parameter.row:
        raise Problem(f"{what}: {count} is no multiple of {parameter.row}, the scalars of one row")
    return count


def _integer(text: str, what: str) -> str:
    if not re.fullmatch(r"[+-]?\d+|true|false", text.strip()):
        raise Problem(f"{what}: '{text}' is not an integer")
    return {"true": "1", "false": "0"}.get(text.strip(), text.strip())


def _one(p: Parameter, text: str | None, default_range: tuple[float, float]) -> Argument:
    what = f"--arg {p.name}={text}" if text is not None else f"parameter '{p.name}'"
    kind, *parts = text.split(":") if text is not None else [""]
    if p.category == "integer":
        if text is None:
            raise Problem(f"{what} is an integer and needs a value: --arg {p.name}=NUMBER")
        return Argument(p, "fixed", values=[_integer(text, what)])
    if p.category == "integers":
        if kind != "ints" or len(parts) != 1:
            raise Problem(f"{what} points to integers and needs values: --arg {p.name}=ints:1,2,3")
        values = [_integer(v, what) for v in parts[0].split(",")]
        return Argument(p, "ints", len(values), values=values)
    if p.category == "real":
        if text is None or kind == "range":
            low, high = parse_range(parts if text else [], default_range, what)
            return Argument(p, "active", 1, low, high)
        return Argument(p, "fixed", values=[repr(_number(text, what))])

    if text is None:
        if not p.reference:
            raise Problem(f"{what} is a pointer and needs a length: --arg {p.name}=vector:N")
        kind, parts = "vector", [str(p.row)]
    if kind not in POINTER_KINDS or not parts:
        raise Problem(f"{what}: a pointer takes one of\n{GRAMMAR}")
    if kind == "vector":
        kind = "in" if p.constant else "inout"
    if p.constant and kind in ("out", "inout", "scratch"):
        raise Problem(f"{what}: the function cannot write through a pointer to const")
    length = _count(parts[0], p, what)
    if kind in ("out", "scratch"):
        if parts[1:]:
            raise Problem(f"{what}: it is zero before the call and takes no range")
        return Argument(p, kind, length)
    return Argument(p, kind, length, *parse_range(parts[1:], default_range, what))


@dataclass
class Layout:
    """All arguments, and how the numbers of a call lie in one flat vector x of inputs and one y of outputs.

    The result of the function, if it is real, is y[0].
    """

    signature: Signature
    arguments: list[Argument]
    inputs: int = 0
    outputs: int = 0

    @property
    def returns_real(self) -> bool:
        return self.signature.result in ("double", "float")

    @property
    def is_single(self) -> bool:
        return self.signature.result == "float" or any(a.single for a in self.arguments)


# What is verified: compiler, flags, source, function, what it is given.
Question = tuple[str, list[str], Path, Signature, Layout]


def plan(signature: Signature, given: dict[str, str], default_range: tuple[float, float]) -> Layout:
    """`given` maps parameter names to the texts behind --arg NAME=."""
    unknown = set(given) - {p.name for p in signature.parameters}
    if unknown:
        raise Problem(f"{signature.name} has no parameter '{sorted(unknown)[0]}'; it is\n  {signature}")
    layout = Layout(signature, [_one(p, given.get(p.name), default_range) for p in signature.parameters])
    layout.outputs = 1 if layout.returns_real else 0
    for a in layout.arguments:
        if a.kind in ("active", "in", "inout", "const"):
            a.x = layout.inputs
            layout.inputs += a.length
        if a.kind in ("out", "inout"):
            a.y = layout.outputs
            layout.outputs += a.length
    if not any(a.kind in ("active", "in", "inout") for a in layout.arguments):
        raise Problem(f"{signature} has no active input: there is nothing to differentiate")
    if not layout.outputs:
        raise Problem(f"{signature} has no active output: give the pointer it writes to as out:N or inout:N")
    return layout
