"""Functions of C and C++ on NumPy's arrays, with their derivatives. See docs/python.md."""

from __future__ import annotations

import numpy as np
from collections.abc import Sequence
from numpy.typing import ArrayLike
from pathlib import Path
from typing import Any

from .errors import DifferentiationError
from .function import Call, Function
from .wrapper import LANES

Given = ArrayLike | Sequence[Any]  # a value of a parameter, or those of several
Result = Any  # an array or a number of NumPy, or as many of them in a tuple as there are inputs or outputs


def foreign(file: Path | str, name: str, **options: Any) -> Foreign:
    """The function `name` of a source file of C or C++, on NumPy's arrays.

    outputs, inout, scratch, constant: names of parameters that are written, read and written, memory to work in, or not to be differentiated.
    shapes: the extents of arrays by name, for instance {"y": "n", "a": ("m", 3)}; a name is an integer parameter, or any unknown.
    batch: names of arguments that have an additional first axis, or True for all; the function is called for each item.
    flags: options for the compiler."""
    return Foreign(Function(file, name, **options))


class Foreign:
    """A function, and its derivatives with respect to `wrt`, names of inputs; without it, to all that hold floating-point numbers.

    Several inputs or outputs are a tuple; a single one need not be."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self.__name__, self.__doc__, self.__signature__ = function.__name__, function.__doc__, function.signature

    def __repr__(self) -> str:
        return repr(self._function)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs that can be differentiated with respect to."""
        return self._function.inputs

    def __call__(self, *args: Given, **kwargs: Given) -> Result:
        f = self._function
        return one([plain(value) for value in f.value(f.bind(args, kwargs))])

    def value_and_gradient(
        self, *args: Given, wrt: str | Sequence[str] | None = None, **kwargs: Given
    ) -> tuple[Result, Result]:
        """(value, gradient) of a function that has one number as its output; of a batch, the gradient of each."""
        f, wrt = self._function, self._wrt(wrt)
        call = f.bind(args, kwargs)
        self._one_number(call)
        values, gradients = f.vjp(call, wrt, [np.ones(call.shape(a)) for a in f.made])
        return plain(values[0]), one([plain(g) for g in gradients])

    def gradient(self, *args: Given, wrt: str | Sequence[str] | None = None, **kwargs: Given) -> Result:
        return self.value_and_gradient(*args, wrt=wrt, **kwargs)[1]

    def vjp(self, args: Given, seeds: Given, wrt: str | Sequence[str] | None = None) -> Result:
        """The gradient of the sum of the outputs, each times its seed: J^T seeds."""
        f, wrt = self._function, self._wrt(wrt)
        _, gradients = f.vjp(
            f.bind(several(args)), wrt, self._matching(seeds, [a.name for a in f.made], "seeds"), keep_value=False
        )
        return one([plain(g) for g in gradients])

    def jvp(self, args: Given, tangents: Given, wrt: str | Sequence[str] | None = None) -> tuple[Result, Result]:
        """(value, J tangents): how the outputs change when the inputs move along the tangents."""
        f, wrt = self._function, self._wrt(wrt)
        values, changes = f.jvp(f.bind(several(args)), wrt, self._matching(tangents, wrt, "tangents"))
        return one([plain(v) for v in values]), one([plain(c) for c in changes])

    def hvp(
        self,
        args: Given,
        tangents: Given,
        seeds: Given | None = None,
        wrt: str | Sequence[str] | None = None,
    ) -> Result:
        """The product of the Hessian with the tangents, by forward over reverse mode. Without seeds the output must be one number."""
        f, wrt = self._function, self._wrt(wrt)
        call = f.bind(several(args))
        if seeds is None:
            self._one_number(call)
            seeds = [np.ones(call.shape(a)) for a in f.made]
        else:
            seeds = self._matching(seeds, [a.name for a in f.made], "seeds")
        _, products, _ = f.hvp(call, wrt, self._matching(tangents, wrt, "tangents"), seeds)
        return one([plain(p) for p in products])

    def jacobian(
        self, *args: Given, wrt: str | Sequence[str] | None = None, mode: str | None = None, **kwargs: Given
    ) -> Result:
        """The derivative of each output with respect to each input, of shape (output's shape) + (input's shape), in vector mode.

        mode: "forward" or "reverse"; without it, what needs fewer sweeps. A tuple of outputs, each a tuple of inputs, where there are several.
        """
        f, wrt = self._function, self._wrt(wrt)
        call = self._single(f.bind(args, kwargs))
        outputs = [a.name for a in f.made if a.active]
        if mode not in (None, "forward", "reverse"):
            raise ValueError('mode is "forward" or "reverse"')
        columns, rows = (sum(size(f, call, name) for name in names) for names in (wrt, outputs))
        forward = mode == "forward" or (mode is None and columns <= rows)
        kind, stream, along, across = ("jvp", "tangent", wrt, outputs) if forward else ("vjp", "adjoint", outputs, wrt)
        swept = sweep(f, call, kind, wrt, stream, along, stream, across)
        return one(
            [one([joined(f, call, swept[(i, o) if forward else (o, i)], o, i, forward) for i in wrt]) for o in outputs]
        )

    def hessian(self, *args: Given, wrt: str | Sequence[str] | None = None, **kwargs: Given) -> Result:
        """The second derivatives of a function that has one number as its output, of shape (input's shape) + (input's shape)."""
        f, wrt = self._function, self._wrt(wrt)
        call = self._single(f.bind(args, kwargs))
        self._one_number(call)
        swept = sweep(f, call, "hvp", wrt, "tangent", wrt, "adjoint tangent", wrt)
        return one([one([joined(f, call, swept[j, i], i, j, True) for j in wrt]) for i in wrt])

    def _wrt(self, said: str | Sequence[str] | None) -> tuple[str, ...]:
        known = self._function.inputs
        if isinstance(said, str):
            said = (said,)
        wrt = known if said is None else tuple(said)
        for name in wrt:
            if name not in known:
                there = ", ".join(known) or "none"
                raise ValueError(
                    f"'{name}' is no input that '{self.__name__}' can be differentiated with respect to; there is {there}"
                )
        if not wrt:
            raise ValueError(f"'{self.__name__}' has no input to differentiate with respect to")
        return wrt

    def _one_number(self, call: Call) -> None:
        made = self._function.made
        if len(made) != 1 or call.shapes.get(made[0].name, ()) != () or not made[0].active:
            raise ValueError(
                f"'{self.__name__}' does not have one number as its output: use vjp, jvp or jacobian, or hvp with seeds"
            )

    def _single(self, call: Call) -> Call:
        if call.count is not None:
            raise ValueError("matrices of derivatives are of one item, not of a batch")
        return call

    @staticmethod
    def _matching(said: Given, names: Sequence[str], what: str) -> tuple[Given, ...]:
        said = several(said)
        if len(said) != len(names):
            raise ValueError(f"{len(said)} {what} for {len(names)} of them: {', '.join(names)}")
        return said


def size(function: Function, call: Call, name: str) -> int:
    return int(np.prod(call.shapes.get(name, ()), dtype=int))


def sweep(
    function: Function,
    call: Call,
    kind: str,
    wrt: tuple[str, ...],
    driven: str,
    along: Sequence[str],
    read: str,
    across: Sequence[str],
) -> dict[tuple[str, str], np.ndarray]:
    """Derivatives along each unit vector of the arguments `along`, several at once: (along, across) -> one row a unit vector."""
    units = [(name, k) for name in along for k in range(size(function, call, name))]
    rows = {
        (a, b): np.zeros((size(function, call, a), size(function, call, b)), function.argument(b).type)
        for a in along
        for b in across
    }
    lanes = LANES if len(units) > 1 else 1
    start = 0
    while start < len(units):
        some = units[start : start + lanes]
        shadows = {}
        for lane, (name, k) in enumerate(some):
            unit = np.zeros(size(function, call, name), function.argument(name).type)
            unit[k] = 1
            shadows[driven, lane] = {name: unit.reshape(call.shapes.get(name, ()))}
        if kind == "hvp":
            shadows["adjoint", 0] = {a.name: np.ones(call.shape(a), a.type) for a in function.made}
        try:
            _, streams = function.run(kind, call, wrt, shadows, lanes, keep_value=False)
        except DifferentiationError:
            if lanes == 1:
                raise
            lanes = 1  # what the program registered may serve one direction at a time only
            continue
        for lane, (name, k) in enumerate(some):
            for other in across:
                rows[name, other][k] = streams[read, lane][other].reshape(-1)
        start += lanes
    return rows


def joined(
    function: Function, call: Call, rows: np.ndarray, output: str, input_: str, transposed: bool
) -> np.ndarray | np.floating:
    """The matrix of one output and one input."""
    matrix = rows.T if transposed else rows
    return plain(np.ascontiguousarray(matrix).reshape((*call.shapes.get(output, ()), *call.shapes.get(input_, ()))))


def several(values: Given) -> tuple[Given, ...]:
    return values if isinstance(values, tuple) else (values,)


def one(values: Sequence[Result]) -> Result:
    return values[0] if len(values) == 1 else tuple(values)


def plain(array: np.ndarray) -> np.ndarray | np.floating:
    """A number where there are no axes."""
    return array[()]
