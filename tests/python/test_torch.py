"""retro.torch: autograd's own checks of first, second and third derivatives, in reverse and forward mode."""

import inspect
import torch
import unittest
from pathlib import Path
from torch.autograd import grad, gradcheck, gradgradcheck

from retro.torch import Foreign, foreign

SOURCES = Path(__file__).resolve().parent / "sources"
C, CXX = SOURCES / "functions.c", SOURCES / "functions.cpp"


def leaf(*shape: int, dtype: torch.dtype = torch.double, seed: int = 1) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(shape, dtype=dtype, generator=generator).requires_grad_()


class Checks(unittest.TestCase):
    def check(self, f: Foreign, *args: int | torch.Tensor) -> None:
        self.assertTrue(gradcheck(f.apply, args, check_forward_ad=True))
        self.assertTrue(gradgradcheck(f.apply, args))

    def test_one_array(self) -> None:
        f = foreign(C, "rosenbrock")
        for n in (1, 2, 9):
            self.check(f, leaf(n))
        self.check(f, leaf(2, 3).t().detach().requires_grad_())
        self.assertEqual(str(inspect.signature(f)), "(x)")

    def test_numbers(self) -> None:
        self.check(foreign(C, "product"), leaf(), leaf(seed=2))

    def test_several_arrays(self) -> None:
        self.check(foreign(C, "matvec"), leaf(3, 2), leaf(2))
        self.check(foreign(C, "powers"), leaf(4), 3)

    def test_in_place_and_several_outputs(self) -> None:
        self.check(foreign(C, "relax", inout=["u"]), leaf(4), leaf())
        self.check(foreign(C, "destructive"), leaf(4))
        self.check(foreign(CXX, "model::inner::polar"), leaf(), leaf(seed=2))

    def test_cxx(self) -> None:
        self.check(foreign(CXX, "model::energy"), leaf(), leaf(5))

    def test_batches(self) -> None:
        self.check(foreign(C, "matvec", batch=["x"]), leaf(3, 2), leaf(4, 2))
        self.check(foreign(C, "relax", inout=["u"], batch=["u"]), leaf(3, 4), leaf())
        self.check(foreign(C, "product", batch=True), leaf(3), leaf(3, seed=2))
        self.check(foreign(CXX, "model::energy", batch=["x"]), leaf(), leaf(3, 2))


class ThirdDerivatives(unittest.TestCase):
    """Those of a function are the second ones of its gradient, which autograd holds against differences."""

    def check(self, f: Foreign, *args: int | torch.Tensor) -> None:
        def gradient(*args: int | torch.Tensor) -> tuple[torch.Tensor, ...]:
            results = f.apply(*args)
            results = results if isinstance(results, tuple) else (results,)
            total = sum(((k + 1) * r * r).sum() for k, r in enumerate(results))
            return grad(total, [a for a in args if isinstance(a, torch.Tensor)], create_graph=True)

        self.assertTrue(gradgradcheck(gradient, args))

    def test_one_array(self) -> None:
        self.check(foreign(C, "rosenbrock"), leaf(3))

    def test_several_arrays(self) -> None:
        self.check(foreign(C, "matvec"), leaf(3, 2), leaf(2))
        self.check(foreign(C, "powers"), leaf(4), 4)

    def test_in_place_and_several_outputs(self) -> None:
        self.check(foreign(C, "relax", inout=["u"]), leaf(4), leaf())
        self.check(foreign(C, "destructive"), leaf(4))
        self.check(foreign(CXX, "model::inner::polar"), leaf(), leaf(seed=2))

    def test_cxx_and_batches(self) -> None:
        self.check(foreign(CXX, "model::energy", batch=["x"]), leaf(), leaf(3, 2))

    def test_a_number(self) -> None:
        f, a, b = foreign(C, "product"), leaf(), leaf(seed=2)
        (first,) = grad(f(a, b), a, create_graph=True)
        (second,) = grad(first, a, create_graph=True)
        of_a, of_b = grad(second, (a, b))
        self.assertEqual((of_a.item(), of_b.item()), (0, 2))  # of a a b


class Use(unittest.TestCase):
    def test_a_graph(self) -> None:
        f, x = foreign(C, "rosenbrock"), torch.tensor([0.3, 0.7, -0.2, 1.1], dtype=torch.double, requires_grad=True)
        loss = f.apply(x.sin()) * 2
        loss.backward()
        y = x.detach().sin()
        want = torch.zeros_like(y)
        want[:-1] = -400 * y[:-1] * (y[1:] - y[:-1] ** 2) - 2 * (1 - y[:-1])
        want[1:] += 200 * (y[1:] - y[:-1] ** 2)
        self.assertTrue(torch.allclose(x.grad, 2 * want * x.detach().cos(), rtol=1e-12))

    def test_floats_and_integers(self) -> None:
        f = foreign(C, "pick", scratch=["work"], shapes={"at": "count", "work": "count", "sum": (), "largest": ()})
        x = torch.tensor([1.0, 2, 3], requires_grad=True)
        total, largest = f(x, torch.tensor([0, 2], dtype=torch.int32))
        self.assertEqual((total.dtype, total.shape), (torch.float32, ()))
        self.assertEqual(grad(total * largest, x)[0].tolist(), [6, 0, 28])

    def test_only_what_is_asked_for(self) -> None:
        f, a, x = foreign(C, "matvec"), leaf(3, 2).detach(), leaf(2)
        y = f(a, x=x)
        y.sum().backward()
        self.assertTrue(torch.allclose(x.grad, a.sum(0)))
        self.assertFalse(f(a, x.detach()).requires_grad)
        constant = foreign(C, "matvec", constant=["a"])
        a.requires_grad_()
        self.assertIsNone(grad(constant(a, x).sum(), a, allow_unused=True)[0])

    def test_it_learns(self) -> None:
        f, a, w = (
            foreign(C, "matvec", batch=["x"]),
            leaf(2, 3),
            torch.tensor([[1.0, -2, 3], [0.5, 0, 1]], dtype=torch.double),
        )
        inputs = leaf(16, 3, seed=3).detach()
        optimizer = torch.optim.LBFGS([a], max_iter=50)

        def closure() -> torch.Tensor:
            optimizer.zero_grad()
            loss = (f(a, inputs) - inputs @ w.t()).square().sum()
            loss.backward()
            return loss

        optimizer.step(closure)
        self.assertTrue(torch.allclose(a, w, atol=1e-4))


class Errors(unittest.TestCase):
    def test_fourth_derivatives(self) -> None:
        f, x = foreign(C, "rosenbrock"), leaf(3)
        (first,) = grad(f(x), x, create_graph=True)
        (second,) = grad(first.sum(), x, create_graph=True)
        (third,) = grad(second.sum(), x, create_graph=True)
        with self.assertRaisesRegex(NotImplementedError, "the fourth derivative of 'rosenbrock'"):
            grad(third.sum() + x.sum(), x)

    def test_tensors(self) -> None:
        f = foreign(C, "rosenbrock")
        with self.assertRaisesRegex(
            TypeError, r"'x' is of type float64; a tensor of torch.float32 was given: use x.to\(torch.float64\)"
        ):
            f(torch.ones(3))
        with self.assertRaisesRegex(TypeError, "'x' is an array: pass a tensor, not list"):
            f([1.0, 2])
        with self.assertRaisesRegex(TypeError, "'x' is sparse"):
            f(torch.ones(3, dtype=torch.double).to_sparse())
        with self.assertRaisesRegex(TypeError, "'x' is on meta"):
            f(torch.ones(3, dtype=torch.double, device="meta"))
        with self.assertRaisesRegex(TypeError, "too many positional arguments"):
            f(torch.ones(3, dtype=torch.double), 3)

    def test_a_change_between_the_passes(self) -> None:
        f, x = foreign(C, "rosenbrock"), leaf(3)
        y = x * 1
        value = f(y)
        y.mul_(2)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            value.backward()


if __name__ == "__main__":
    unittest.main()
