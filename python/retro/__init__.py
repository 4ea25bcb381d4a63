"""Derivatives of C and C++ functions in Python.

`retro.torch.foreign(file, name)` is a function of torch tensors that autograd can differentiate; `retro.numpy.foreign(file, name)` one of NumPy
arrays with its gradients, Jacobians and Hessians. docs/python.md explains both."""

from .errors import (
    CompileError,
    Diagnostic,
    DifferentiationError,
    ForeignException,
    RetroError,
    SignatureError,
    ToolError,
)

__version__ = "0.2.0"

__all__ = [
    "CompileError",
    "Diagnostic",
    "DifferentiationError",
    "ForeignException",
    "RetroError",
    "SignatureError",
    "ToolError",
]
