"""A function of a source file, and its derivatives, on NumPy's arrays. `retro.numpy` and `retro.torch` are faces of it."""

from __future__ import annotations

import ctypes
import inspect
import numpy as np
import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from numpy.typing import ArrayLike
from pathlib import Path
from typing import Any

from . import declaration, roles, toolchain, wrapper
from .errors import ForeignException
from .sizes import Sizes


class Function:
    """What `foreign` returns is built on this. Calls of it may run at the same time: the compiled code runs without Python's lock."""

    def __init__(
        self,
        file: Path | str,
        name: str,
        *,
        outputs: Sequence[str] = (),
        inout: Sequence[str] | str = (),
        scratch: Sequence[str] = (),
        constant: Sequence[str] = (),
        shapes: dict[str, Any] | None = None,
        batch: Sequence[str] | bool = (),
        flags: Sequence[str] | str = (),
    ) -> None:
        self.source = toolchain.snapshot(file, flags)
        self.name = name.removeprefix("::")
        declared = declaration.read(self.source, name)
        self.arguments = roles.arguments(
            declared, outputs=outputs, inout=inout, scratch=scratch, constant=constant, shapes=shapes
        )
        self.given = [a for a in self.arguments if a.given]
        self.made = [a for a in self.arguments if a.made]
        self.inputs = tuple(a.name for a in self.arguments if a.differentiable)
        self.batch = self._batch(batch)
        parameters = [inspect.Parameter(a.name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for a in self.given]
        self.signature = inspect.Signature(parameters)
        self.__name__, self.__doc__ = name, self._describe()
        self._libraries, self._lock = {}, threading.Lock()

    def _batch(self, said: bool | Sequence[str]) -> frozenset[str]:
        if said is True:
            return frozenset(a.name for a in self.given if a.array or a.differentiable)
        batch = frozenset(roles.names(said, "batch") if said else ())
        known = {a.name for a in self.given if wrapper.in_memory(a)}
        if batch - known:
            raise ValueError(f"batch: '{min(batch - known)}' is no number or array that is given to '{self.name}'")
        alone = [a.name for a in self.given if a.role == "inout" and a.name not in batch]
        if batch and alone:
            raise ValueError(
                f"batch: every item of the batch writes '{alone[0]}', so it must have an axis for the batch too"
            )
        return batch

    def _describe(self) -> str:
        sizes = [a.name for a in self.arguments if a.role == "size"]
        made = ", ".join(a.name for a in self.made)
        text = f"{self.name}{self.signature} -> {made}, from {self.source.file.name}"
        return text + (
            f"; {', '.join(sizes)} follow{'s' if len(sizes) == 1 else ''} from the shapes of the arrays"
            if sizes
            else ""
        )

    def __repr__(self) -> str:
        return f"<foreign {self.__doc__}>"

    def bind(self, args: Sequence[ArrayLike], kwargs: Mapping[str, ArrayLike] | None = None) -> Call:
        """The arguments of one call, checked."""
        try:
            bound = self.signature.bind(*args, **(kwargs or {}))
        except TypeError as wrong:
            raise TypeError(f"{wrong}. The function is {self.__doc__}") from None
        return Call(self, bound.arguments)

    def duplicated(self, wrt: tuple[str, ...]) -> frozenset[str]:
        """The names of the arguments with shadows where derivatives with respect to some are wanted."""
        return frozenset(
            a.name
            for a in self.arguments
            if a.active and (a.name in wrt or a.made or a.role == "scratch" or (a.array and not a.const))
        )

    def entry(self, kind: str, duplicated: frozenset[str], lanes: int, keep_value: bool) -> Callable[..., None]:
        """The compiled function for one kind of derivative."""
        key = (kind, duplicated, lanes, keep_value)
        with self._lock:
            if key not in self._libraries:
                exceptions = "-fno-exceptions" not in self.source.flags
                code = wrapper.code(
                    self.name, self.arguments, duplicated, kind, lanes, keep_value, self.source.cxx, exceptions
                )
                library = ctypes.CDLL(str(self.source.library(code)))
                self._libraries[key] = library.retro_python_entry
            return self._libraries[key]

    def run(
        self,
        kind: str,
        call: Call,
        wrt: tuple[str, ...] = (),
        shadows: dict[tuple[str, int], dict[str, np.ndarray]] | None = None,
        lanes: int = 1,
        keep_value: bool = True,
    ) -> tuple[dict[str, np.ndarray], dict[tuple[str, int], dict[str, np.ndarray]]]:
        """Runs the function or a derivative of it. `shadows` has some of the streams, (stream, lane) -> name -> array; the others begin as zeros.
        Returns the memory and all shadows, among them those that were given, changed."""
        duplicated = frozenset() if kind == "value" else self.duplicated(wrt)
        entry = self.entry(kind, duplicated, lanes, keep_value)
        memory, streams = {}, {key: dict((shadows or {}).get(key, {})) for key in wrapper.streams(kind, lanes)}
        pointers, steps = [], []

        def slot(array: np.ndarray, a: roles.Argument) -> None:
            pointers.append(array.ctypes.data)
            steps.append(array.nbytes // call.count if call.count and call.has_axis(a) else 0)

        for a in self.arguments:
            if not wrapper.in_memory(a):
                continue
            memory[a.name] = call.memory(a)
            slot(memory[a.name], a)
            for key in streams if a.name in duplicated else ():
                if a.name not in streams[key]:
                    streams[key][a.name] = np.zeros(call.shape(a), a.type)
                slot(streams[key][a.name], a)
        integers = [int(call.integers[a.name]) for a in self.arguments if not wrapper.in_memory(a)]
        integers = [value - 2**64 if value >= 2**63 else value for value in integers]
        error = ctypes.create_string_buffer(500)
        if entry(
            ctypes.c_long(1 if call.count is None else call.count),
            (ctypes.c_void_p * len(pointers))(*pointers),
            (ctypes.c_long * len(steps))(*steps),
            (ctypes.c_longlong * len(integers))(*integers),
            error,
        ):
            raise ForeignException(
                f"'{self.name}' threw an exception: {error.value.decode(errors='replace') or 'not a std::exception'}"
            )
        return memory, streams

    # What the faces are made of. Arrays of shadows are of the shapes of the call.

    def value(self, call: Call) -> list[np.ndarray]:
        memory, _ = self.run("value", call)
        return [memory[a.name] for a in self.made]

    def vjp(
        self, call: Call, wrt: tuple[str, ...], seeds: Sequence[ArrayLike], keep_value: bool = True
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """(values, gradients with respect to `wrt`) for a weight of each output."""
        memory, streams = self.run("vjp", call, wrt, {("adjoint", 0): self._seeds(call, seeds)}, keep_value=keep_value)
        return [memory[a.name] for a in self.made], [call.folded(name, streams["adjoint", 0][name]) for name in wrt]

    def jvp(
        self, call: Call, wrt: tuple[str, ...], tangents: Sequence[ArrayLike]
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """(values, how they change) where the inputs `wrt` move along the tangents."""
        memory, streams = self.run("jvp", call, wrt, {("tangent", 0): self._tangents(call, wrt, tangents)})
        return [memory[a.name] for a in self.made], self._changes(call, streams["tangent", 0])

    def hvp(
        self, call: Call, wrt: tuple[str, ...], tangents: Sequence[ArrayLike], seeds: Sequence[ArrayLike]
    ) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
        """(gradients, how they change along the tangents, how the values change)."""
        given = {("tangent", 0): self._tangents(call, wrt, tangents), ("adjoint", 0): self._seeds(call, seeds)}
        _, streams = self.run("hvp", call, wrt, given)
        first, second = (
            [call.folded(name, streams[key, 0][name]) for name in wrt] for key in ("adjoint", "adjoint tangent")
        )
        return first, second, self._changes(call, streams["tangent", 0])

    def third(
        self,
        call: Call,
        wrt: tuple[str, ...],
        tangents: Sequence[ArrayLike],
        seeds: Sequence[ArrayLike],
        moves: Sequence[ArrayLike],
        seed_moves: Sequence[ArrayLike],
    ) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
        """How what hvp gives changes where the inputs move along `moves` and the seeds along `seed_moves`: (the gradients, their change along the
        tangents, the values' change along the tangents)."""
        given = {
            ("tangent", 0): self._tangents(call, wrt, tangents),
            ("adjoint", 0): self._seeds(call, seeds),
            ("move", 0): self._tangents(call, wrt, moves),
            ("adjoint's move", 0): self._seeds(call, seed_moves),
        }
        _, streams = self.run("third", call, wrt, given)
        first, second = (
            [call.folded(name, streams[key, 0][name]) for name in wrt]
            for key in ("adjoint's move", "adjoint tangent's move")
        )
        return first, second, self._changes(call, streams["tangent's move", 0])

    def _seeds(self, call: Call, seeds: Sequence[ArrayLike]) -> dict[str, np.ndarray]:
        return {a.name: call.filled(a, seed) for a, seed in zip(self.made, seeds) if a.active}

    def _tangents(self, call: Call, wrt: tuple[str, ...], tangents: Sequence[ArrayLike]) -> dict[str, np.ndarray]:
        return {name: call.filled(self.argument(name), tangent) for name, tangent in zip(wrt, tangents)}

    def _changes(self, call: Call, tangents: dict[str, np.ndarray]) -> list[np.ndarray]:
        return [tangents[a.name] if a.active else np.zeros(call.shape(a)) for a in self.made]

    def argument(self, name: str) -> roles.Argument:
        return next(a for a in self.arguments if a.name == name)


class Call:
    """The arguments of one call: arrays of the right types, shapes, and the integers."""

    def __init__(self, function: Function, values: dict[str, Any]) -> None:
        self.function = function
        self.count: int | None = None  # items of a batch
        self.arrays: dict[str, np.ndarray] = {}
        integers: dict[str, int] = {}
        shapes: dict[str, tuple[int, ...]] = {}
        for a in function.given:
            if not wrapper.in_memory(a):
                integers[a.name] = as_integer(a, values[a.name])
                continue
            array = self.arrays[a.name] = as_array(a, values[a.name])
            shape = array.shape
            if a.name in function.batch:
                shape = self._without_axis(a, shape)
            if not a.array and shape:
                raise ValueError(f"'{a.name}' is a number; an array of shape {array.shape} was given")
            shapes[a.name] = shape
        sizes = Sizes(function.arguments, shapes, integers)
        self.shapes, self.integers = sizes.shapes, sizes.integers | {
            a.name: integers[a.name] for a in function.given if a.name in integers
        }
        for a in function.arguments:
            if a.role == "size":
                self.integers[a.name] = as_integer(a, self.integers[a.name])

    def _without_axis(self, a: roles.Argument, shape: tuple[int, ...]) -> tuple[int, ...]:
        if not shape:
            raise ValueError(f"'{a.name}' has no axis for the batch")
        if self.count not in (None, shape[0]):
            raise ValueError(f"'{a.name}' has {shape[0]} items; another argument has {self.count}")
        self.count = shape[0]
        return shape[1:]

    def has_axis(self, a: roles.Argument) -> bool:
        """Whether it has an item for each one of the batch. Memory that the function may write must, also where all have the same contents."""
        return self.count is not None and (a.name in self.function.batch or not a.given or (a.array and not a.const))

    def shape(self, a: roles.Argument) -> tuple[int, ...]:
        inner = self.shapes.get(a.name, ())
        return (self.count, *inner) if self.count is not None and self.has_axis(a) else inner

    def memory(self, a: roles.Argument) -> np.ndarray:
        """The memory of an argument before the function runs."""
        if not a.given:
            return np.zeros(self.shape(a), a.type)
        array = self.arrays[a.name]
        return np.array(np.broadcast_to(array, self.shape(a)), order="C") if a.array and not a.const else array

    def public_shape(self, a: roles.Argument) -> tuple[int, ...]:
        """The shape that the caller sees."""
        return self.arrays[a.name].shape if a.given else self.shape(a)

    def filled(self, a: roles.Argument, value: ArrayLike) -> np.ndarray:
        """A shadow with the contents that the caller gives, or zeros."""
        if value is None:
            return np.zeros(self.shape(a), a.type)
        value = np.asarray(value, a.type)
        if value.shape != self.public_shape(a):
            raise ValueError(
                f"the derivative that is given for '{a.name}' has shape {value.shape}; it must be {self.public_shape(a)}"
            )
        return np.array(np.broadcast_to(value, self.shape(a)), order="C")

    def folded(self, name: str, gradient: np.ndarray) -> np.ndarray:
        """The gradient with respect to what the caller gave: of all items of a batch, if they share it."""
        shared = gradient.shape != self.arrays[name].shape
        return np.asarray(gradient.sum(axis=0)) if shared else gradient


def as_integer(a: roles.Argument, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"'{a.name}' is an integer; {type(value).__name__} was given") from None
    low, high = (0, 1) if a.type == "bool" else (np.iinfo(a.type).min, np.iinfo(a.type).max)
    if not low <= number <= high:
        raise ValueError(f"'{a.name}' is {number}, which does not fit into its type ({a.type})")
    return number


def as_array(a: roles.Argument, value: ArrayLike) -> np.ndarray:
    """The value as an array of the parameter's type. What would lose digits is refused."""
    array = np.asarray(value)
    if isinstance(value, (np.ndarray, np.generic)):
        fits = np.can_cast(array.dtype, a.type, "safe") or (array.dtype.kind in "iub" and a.type in roles.FLOATS)
    else:
        fits = array.dtype.kind in "iub" or (array.dtype.kind == "f" and a.type in roles.FLOATS) or array.size == 0
    if not fits:
        raise TypeError(
            f"'{a.name}' is of type {a.type}; {array.dtype if array.dtype != object else type(value).__name__} was given"
        )
    made = np.ascontiguousarray(array, a.type).reshape(array.shape)
    if a.type not in roles.FLOATS and not np.array_equal(made, array):
        raise ValueError(f"'{a.name}' has numbers that do not fit into its type ({a.type})")
    return made
