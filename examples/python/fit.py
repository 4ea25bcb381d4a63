"""Least squares with a model in C: Gauss and Newton's method, with Jacobians of the model, then the errors from the Hessian."""

from pathlib import Path

import numpy as np
from retro.numpy import foreign

source = Path(__file__).parent / "cooling.c"
temperatures, misfit = foreign(source, "temperatures"), foreign(source, "misfit")
print(temperatures, misfit, sep="\n")

t = np.linspace(0, 3, 31)
y = temperatures([0.8, 20, 90], t) + 0.1 * np.sin(40 * t)

p = np.array([0.5, 10, 80])
for step in range(4):
    residual, jacobian = temperatures(p, t) - y, temperatures.jacobian(p, t, wrt="p")
    p = p - np.linalg.lstsq(jacobian, residual, rcond=None)[0]
    value, gradient = misfit.value_and_gradient(p, t, y, wrt="p")
    print(f"{step}: misfit {value:.4f}, gradient {np.linalg.norm(gradient):.3f}")

variances = np.linalg.inv(misfit.hessian(p, t, y, wrt="p")).diagonal()
for name, value, error in zip(("k", "air", "start"), p, 0.07 * variances**0.5):
    print(f"{name} = {value:.3f} +- {error:.3f}")
