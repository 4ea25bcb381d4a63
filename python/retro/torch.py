"""Functions of C and C++ on torch's tensors, which autograd differentiates. See docs/python.md."""

from __future__ import annotations

import numpy as np
import torch
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .function import Call, Function
from .roles import Argument


def foreign(file: Path | str, name: str, **options: Any) -> Foreign:
    """The function `name` of a source file of C or C++, as one that autograd can differentiate: foreign("f.c", "f").apply(x).

    Takes the options of retro.numpy.foreign. Tensors are on the CPU, of the types of the parameters; numbers may also be Python's.
    """
    return Foreign(Function(file, name, **options))


class Foreign:
    """A function of tensors. Its gradient comes from the engine's reverse mode, its tangents from forward mode, second derivatives
    from forward over reverse mode, third ones from forward over that."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self.__name__, self.__doc__, self.__signature__ = function.__name__, function.__doc__, function.signature

    def __repr__(self) -> str:
        return repr(self._function)

    def apply(self, *args: torch.Tensor) -> Any:  # a tensor, or a tuple of several
        return self(*args)

    def __call__(self, *args: torch.Tensor, **kwargs: torch.Tensor) -> Any:  # a tensor, or a tuple of several
        function = self._function
        if kwargs:
            args = tuple(function.signature.bind(*args, **kwargs).arguments.values())
        if len(args) == len(function.given):
            check(function, args)
        results = Value.apply(function, *args)
        return results[0] if len(results) == 1 else results


def check(function: Function, args: tuple[Any, ...]) -> None:
    for argument, value in zip(function.given, args):
        if not isinstance(value, torch.Tensor):
            if argument.array:
                raise TypeError(f"'{argument.name}' is an array: pass a tensor, not {type(value).__name__}")
            continue
        if value.device.type != "cpu":
            raise TypeError(
                f"'{argument.name}' is on {value.device}; compiled code reads the memory of the CPU: use x.cpu()"
            )
        if value.layout != torch.strided:
            raise TypeError(f"'{argument.name}' is sparse; compiled code reads dense memory: use x.to_dense()")
        if argument.differentiable and value.dtype != getattr(torch, argument.type):
            raise TypeError(
                f"'{argument.name}' is of type {argument.type}; a tensor of {value.dtype} was given: use x.to(torch.{argument.type})"
            )


def array(value: torch.Tensor) -> np.ndarray:
    """A tensor's memory as NumPy's array; anything else as it is."""
    return value.detach().contiguous().numpy() if isinstance(value, torch.Tensor) else value


def tensor(value: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(value) if value is not None else None


def plain(argument: Argument, value: torch.Tensor) -> np.ndarray:
    """What binding understands: integers are no tensors."""
    if isinstance(value, torch.Tensor) and not argument.array and not argument.type.startswith("float"):
        return value.item()
    return array(value)


def call_of(function: Function, args: Sequence[torch.Tensor]) -> Call:
    return function.bind([plain(a, v) for a, v in zip(function.given, args)] + list(args[len(function.given) :]))


def kept(
    ctx: torch.autograd.function.GradientBackward | torch.autograd.function.ValueBackward,
    function: Function,
    args: tuple[torch.Tensor, ...],
) -> None:
    """Saves the arguments of a call for its derivative: the tensors where autograd can watch over them."""
    ctx.function = function
    ctx.others = [None if isinstance(value, torch.Tensor) else value for value in args]
    tensors = [value for value in args if isinstance(value, torch.Tensor)]
    ctx.save_for_backward(*tensors)
    ctx.save_for_forward(*tensors)


def restored(ctx: Any) -> list[torch.Tensor]:
    tensors = iter(ctx.saved_tensors)
    return [next(tensors) if value is None else value for value in ctx.others]


class Value(torch.autograd.Function):
    """The function."""

    @staticmethod
    def forward(ctx: Any, function: Function, *args: torch.Tensor) -> tuple[torch.Tensor, ...]:
        values = function.value(call_of(function, args))
        kept(ctx, function, args)
        results = tuple(tensor(value) for value in values)
        ctx.mark_non_differentiable(*(r for a, r in zip(function.made, results) if not a.active))
        return results

    @staticmethod
    def backward(ctx: Any, *seeds: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        wrt = tuple(a.name for k, a in enumerate(ctx.function.given, 1) if ctx.needs_input_grad[k] and a.differentiable)
        gradients = iter(Gradient.apply(ctx.function, wrt, len(seeds), *seeds, *restored(ctx)))
        return (None, *(next(gradients) if a.name in wrt else None for a in ctx.function.given))

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
        function = ctx.function
        moving = {a.name: array(t) for a, t in zip(function.given, tangents) if a.differentiable and t is not None}
        _, changes = function.jvp(call_of(function, restored(ctx)), tuple(moving), list(moving.values()))
        return tuple(tensor(change) for change in changes)


class Gradient(torch.autograd.Function):
    """The gradients of the weighted outputs, as a function of the weights and of the arguments. Its derivative is the Hessian's product."""

    @staticmethod
    def forward(
        ctx: Any, function: Function, wrt: tuple[str, ...], count: int, *args: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        seeds, inputs = args[:count], args[count:]
        _, gradients = function.vjp(call_of(function, inputs), wrt, [array(seed) for seed in seeds], keep_value=False)
        ctx.wrt, ctx.count = wrt, count
        kept(ctx, function, args)
        return tuple(tensor(gradient) for gradient in gradients)

    @staticmethod
    def backward(ctx: Any, *tangents: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        results = iter(Product.apply(ctx.function, ctx.wrt, ctx.count, *tangents, *restored(ctx)))
        made, given = ctx.function.made, ctx.function.given
        of_seeds = [next(results) if a.active else None for a in made]
        return (None, None, None, *of_seeds, *(next(results) if a.name in ctx.wrt else None for a in given))


class Product(torch.autograd.Function):
    """How the outputs and the gradients change along tangents."""

    @staticmethod
    def forward(
        ctx: Any, function: Function, wrt: tuple[str, ...], count: int, *args: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        tangents, seeds, inputs = parts(wrt, count, args)
        _, second, changes = function.hvp(
            call_of(function, inputs), wrt, [array(t) for t in tangents], [array(seed) for seed in seeds]
        )
        ctx.wrt, ctx.count = wrt, count
        kept(ctx, function, args)
        return tuple(tensor(change) for a, change in zip(function.made, changes) if a.active) + tuple(
            tensor(g) for g in second
        )

    @staticmethod
    def backward(ctx: Any, *weights: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        results = iter(Third.apply(ctx.function, ctx.wrt, ctx.count, *weights, *restored(ctx)))
        of_tangents = [next(results) for _ in ctx.wrt]
        of_seeds = [next(results) if a.active else None for a in ctx.function.made]
        of_inputs = [next(results) if a.name in ctx.wrt else None for a in ctx.function.given]
        return (None, None, None, *of_tangents, *of_seeds, *of_inputs)


class Third(torch.autograd.Function):
    """The gradient of a Product, each of whose results has a weight. With weights c of the outputs' changes and w of the gradients', all
    of it is how gradients and products change where the inputs move along w and the seeds along c."""

    @staticmethod
    def forward(
        ctx: Any, function: Function, wrt: tuple[str, ...], count: int, *args: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        active = sum(a.active for a in function.made)
        weights, rest = args[: active + len(wrt)], args[active + len(wrt) :]
        tangents, seeds, inputs = parts(wrt, count, rest)
        of_changes = iter(weights[:active])
        seed_moves = [next(of_changes) if a.active else None for a in function.made]
        first, second, changes = function.third(
            call_of(function, inputs),
            wrt,
            *([array(t) for t in each] for each in (tangents, seeds, weights[active:], seed_moves)),
        )
        ctx.name = function.name
        of_seeds = [change for a, change in zip(function.made, changes) if a.active]
        ordered = dict(zip(wrt, second))
        of_inputs = [ordered[a.name] for a in function.given if a.name in wrt]
        return tuple(tensor(result) for result in (*first, *of_seeds, *of_inputs))

    @staticmethod
    def backward(ctx: Any, *_: torch.Tensor) -> None:
        raise NotImplementedError(
            f"the fourth derivative of '{ctx.name}': retro.torch gives derivatives up to the third"
        )


def parts(wrt: tuple[str, ...], count: int, args: Sequence[torch.Tensor]) -> tuple[Sequence[torch.Tensor], ...]:
    """(tangents, seeds, inputs)"""
    return args[: len(wrt)], args[len(wrt) : len(wrt) + count], args[len(wrt) + count :]
