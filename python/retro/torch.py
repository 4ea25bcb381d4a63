"""Functions of C and C++ on torch's tensors, which autograd differentiates. See docs/python.md."""

import torch

from .function import Function


def foreign(file, name, **options):
    """The function `name` of a source file of C or C++, as one that autograd can differentiate: foreign("f.c", "f").apply(x).

    Takes the options of retro.numpy.foreign. Tensors are on the CPU, of the types of the parameters; numbers may also be Python's.
    """
    return Foreign(Function(file, name, **options))


class Foreign:
    """A function of tensors. Its gradient comes from the engine's reverse mode, its tangents from forward mode, second derivatives
    from forward over reverse mode."""

    def __init__(self, function):
        self._function = function
        self.__name__, self.__doc__, self.__signature__ = function.__name__, function.__doc__, function.signature

    def __repr__(self):
        return repr(self._function)

    def apply(self, *args):
        return self(*args)

    def __call__(self, *args, **kwargs):
        function = self._function
        if kwargs:
            args = tuple(function.signature.bind(*args, **kwargs).arguments.values())
        if len(args) == len(function.given):
            check(function, args)
        results = Value.apply(function, *args)
        return results[0] if len(results) == 1 else results


def check(function, args):
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


def array(value):
    """A tensor's memory as NumPy's array; anything else as it is."""
    return value.detach().contiguous().numpy() if isinstance(value, torch.Tensor) else value


def tensor(value):
    return torch.from_numpy(value) if value is not None else None


def plain(argument, value):
    """What binding understands: integers are no tensors."""
    if isinstance(value, torch.Tensor) and not argument.array and not argument.type.startswith("float"):
        return value.item()
    return array(value)


def call_of(function, args):
    return function.bind([plain(a, v) for a, v in zip(function.given, args)] + list(args[len(function.given) :]))


def kept(ctx, function, args):
    """Saves the arguments of a call for its derivative: the tensors where autograd can watch over them."""
    ctx.function = function
    ctx.others = [None if isinstance(value, torch.Tensor) else value for value in args]
    tensors = [value for value in args if isinstance(value, torch.Tensor)]
    ctx.save_for_backward(*tensors)
    ctx.save_for_forward(*tensors)


def restored(ctx):
    tensors = iter(ctx.saved_tensors)
    return [next(tensors) if value is None else value for value in ctx.others]


class Value(torch.autograd.Function):
    """The function."""

    @staticmethod
    def forward(ctx, function, *args):
        values = function.value(call_of(function, args))
        kept(ctx, function, args)
        results = tuple(tensor(value) for value in values)
        ctx.mark_non_differentiable(*(r for a, r in zip(function.made, results) if not a.active))
        return results

    @staticmethod
    def backward(ctx, *seeds):
        wrt = tuple(a.name for k, a in enumerate(ctx.function.given, 1) if ctx.needs_input_grad[k] and a.differentiable)
        gradients = iter(Gradient.apply(ctx.function, wrt, len(seeds), *seeds, *restored(ctx)))
        return (None, *(next(gradients) if a.name in wrt else None for a in ctx.function.given))

    @staticmethod
    def jvp(ctx, _, *tangents):
        function = ctx.function
        moving = {a.name: array(t) for a, t in zip(function.given, tangents) if a.differentiable and t is not None}
        _, changes = function.jvp(call_of(function, restored(ctx)), tuple(moving), list(moving.values()))
        return tuple(tensor(change) for change in changes)


class Gradient(torch.autograd.Function):
    """The gradients of the weighted outputs, as a function of the weights and of the arguments. Its derivative is the Hessian's product."""

    @staticmethod
    def forward(ctx, function, wrt, count, *args):
        seeds, inputs = args[:count], args[count:]
        _, gradients = function.vjp(call_of(function, inputs), wrt, [array(seed) for seed in seeds], keep_value=False)
        ctx.wrt, ctx.count = wrt, count
        kept(ctx, function, args)
        return tuple(tensor(gradient) for gradient in gradients)

    @staticmethod
    def backward(ctx, *tangents):
        results = iter(Product.apply(ctx.function, ctx.wrt, ctx.count, *tangents, *restored(ctx)))
        made, given = ctx.function.made, ctx.function.given
        of_seeds = [next(results) if a.active else None for a in made]
        return (None, None, None, *of_seeds, *(next(results) if a.name in ctx.wrt else None for a in given))


class Product(torch.autograd.Function):
    """How the outputs and the gradients change along tangents."""

    @staticmethod
    def forward(ctx, function, wrt, count, *args):
        tangents, seeds, inputs = args[: len(wrt)], args[len(wrt) : len(wrt) + count], args[len(wrt) + count :]
        _, second, changes = function.hvp(
            call_of(function, inputs), wrt, [array(t) for t in tangents], [array(seed) for seed in seeds]
        )
        ctx.name = function.name
        return tuple(tensor(change) for a, change in zip(function.made, changes) if a.active) + tuple(
            tensor(g) for g in second
        )

    @staticmethod
    def backward(ctx, *_):
        raise NotImplementedError(
            f"the third derivative of '{ctx.name}': retro.torch gives first and second derivatives"
        )
