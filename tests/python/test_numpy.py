"""retro.numpy: values and derivatives of functions of every kind of signature."""

import inspect
import numpy as np
import os
import threading
import unittest
from collections.abc import Callable
from numpy.testing import assert_allclose, assert_array_equal
from pathlib import Path
from typing import Any

from retro.numpy import foreign

SOURCES = Path(__file__).resolve().parent / "sources"
C, CXX = SOURCES / "functions.c", SOURCES / "functions.cpp"
X = np.array([0.3, 0.7, -0.2, 1.1])


def rosenbrock_gradient(x: np.ndarray) -> np.ndarray:
    g = np.zeros_like(x)
    g[:-1] = -400 * x[:-1] * (x[1:] - x[:-1] ** 2) - 2 * (1 - x[:-1])
    g[1:] += 200 * (x[1:] - x[:-1] ** 2)
    return g


def rosenbrock_hessian(x: np.ndarray) -> np.ndarray:
    h: Any = np.diag(-400 * x[:-1], 1) + np.diag(-400 * x[:-1], -1)
    h[range(len(x) - 1), range(len(x) - 1)] += 1200 * x[:-1] ** 2 - 400 * x[1:] + 2
    h[range(1, len(x)), range(1, len(x))] += 200
    return h


class OneArray(unittest.TestCase):
    def setUp(self) -> None:
        self.f = foreign(C, "rosenbrock")

    def test_value_and_gradient(self) -> None:
        value, gradient = self.f.value_and_gradient(X)
        assert_allclose(value, 199.2, rtol=1e-14)
        self.assertEqual(value, self.f(X))
        assert_allclose(gradient, rosenbrock_gradient(X), rtol=1e-13)
        assert_allclose(self.f.gradient(x=X), gradient)

    def test_the_size_follows_from_the_array(self) -> None:
        for n in (1, 2, 9, 33):
            x = np.linspace(-1, 2, n)
            assert_allclose(self.f.gradient(x), rosenbrock_gradient(x), rtol=1e-12, atol=1e-12)

    def test_second_derivatives(self) -> None:
        v = np.array([1.0, -2, 0.5, 3])
        assert_allclose(self.f.hvp(X, v), rosenbrock_hessian(X) @ v, rtol=1e-13)
        x = np.linspace(-1, 2, 11)  # more columns than lanes
        assert_allclose(self.f.hessian(x), rosenbrock_hessian(x), rtol=1e-12, atol=1e-10)

    def test_products(self) -> None:
        v = np.array([1.0, -2, 0.5, 3])
        value, slope = self.f.jvp(X, v)
        assert_allclose([value, slope], [199.2, rosenbrock_gradient(X) @ v], rtol=1e-13)
        assert_allclose(self.f.vjp(X, -2.0), -2 * rosenbrock_gradient(X), rtol=1e-13)
        assert_allclose(self.f.hvp(X, v, seeds=-2.0), -2 * rosenbrock_hessian(X) @ v, rtol=1e-13)

    def test_lists_other_layouts_and_other_types(self) -> None:
        strided = np.array([0.3, 9, 0.7, 9, -0.2, 9, 1.1])[::2]
        layouts: tuple[Any, ...] = (list(X), strided, np.array(X).reshape(2, 2))
        for x in layouts:
            assert_allclose(np.ravel(self.f.gradient(x)), rosenbrock_gradient(X), rtol=1e-13)
        assert_allclose(self.f.gradient(np.array([1, 2, 3])), rosenbrock_gradient(np.array([1.0, 2, 3])))
        assert_allclose(self.f.gradient(X.astype("float32")), rosenbrock_gradient(X), rtol=1e-5)

    def test_it_describes_itself(self) -> None:
        self.assertEqual(str(inspect.signature(self.f)), "(x)")
        self.assertIn("n follows from the shapes", repr(self.f))


class Signatures(unittest.TestCase):
    def test_numbers(self) -> None:
        f = foreign(C, "product")
        self.assertEqual(f(2, 3.0), 12)
        self.assertEqual(f.gradient(2, 3), (12, 4))
        self.assertEqual(f.gradient(2, b=3, wrt=["b"]), 4)
        self.assertEqual(f.hessian(2, 3), ((6, 4), (4, 0)))
        self.assertEqual(f.hvp((2, 3), (1, 10)), (46, 4))

    def test_an_output_as_large_as_the_input(self) -> None:
        f = foreign(C, "powers")
        assert_allclose(f(X, 3), X**3, rtol=1e-14)
        assert_allclose(f(X.reshape(2, 2), 2), X.reshape(2, 2) ** 2, rtol=1e-14)
        for mode in ("forward", "reverse", None):
            assert_allclose(f.jacobian(X, 3, mode=mode), np.diag(3 * X**2), rtol=1e-13, atol=1e-16)
        self.assertEqual(f.jacobian(X.reshape(2, 2), 2).shape, (2, 2, 2, 2))

    def test_an_output_of_the_size_that_the_caller_says(self) -> None:
        f = foreign(C, "stencil")
        assert_allclose(f(X, 6), [X[i % 4] * X[(i + 1) % 4] for i in range(6)])
        want = np.zeros((6, 4))
        for i in range(6):
            want[i, i % 4], want[i, (i + 1) % 4] = X[(i + 1) % 4], X[i % 4]
        assert_allclose(f.jacobian(X, 6, mode="forward"), want)
        assert_allclose(f.jacobian(X, 6, mode="reverse"), want)

    def test_shapes_in_the_declaration(self) -> None:
        f = foreign(C, "matvec")
        a, x, w = np.arange(6.0).reshape(2, 3), np.array([1.0, -2, 3]), np.array([1.0, 10])
        assert_allclose(f(a, x), a @ x)
        of_a, of_x = f.jacobian(a, x)
        assert_allclose(of_x, a)
        assert_allclose(of_a, np.einsum("ik,l->ikl", np.eye(2), x))
        by_a, by_x = f.vjp((a, x), w)
        assert_allclose(by_a, np.outer(w, x))
        assert_allclose(by_x, a.T @ w)
        assert_allclose(f.jacobian(a, x, wrt=["x"]), a)
        # The function is bilinear.
        second = f.hvp((a, x), (np.zeros_like(a), np.ones(3)), seeds=w)
        assert_allclose(second[0], np.outer(w, np.ones(3)))
        assert_allclose(second[1], 0)
        with self.assertRaisesRegex(ValueError, r"'x' has shape \(4,\); it must be \(n\), and n is 3 by 'a'"):
            f(a, X)
        with self.assertRaisesRegex(ValueError, r"'a' has shape \(4,\); it must have 2 axes \(m, n\)"):
            f(X, x)

    def test_in_place(self) -> None:
        f = foreign(C, "relax", inout=["u"])
        u, r = X.copy(), 0.1
        want = u.copy()
        jacobian = np.eye(4)
        by_rate = np.zeros(4)
        for i in (1, 2):
            move = want[i - 1] - 2 * want[i] + want[i + 1]
            row = jacobian[i] * (1 + 2 * want[i]) + r * (jacobian[i - 1] - 2 * jacobian[i] + jacobian[i + 1])
            slope = by_rate[i] * (1 + 2 * want[i]) + move + r * (by_rate[i - 1] - 2 * by_rate[i] + by_rate[i + 1])
            want[i] += r * move + want[i] ** 2
            jacobian[i], by_rate[i] = row, slope
        assert_allclose(f(u, r), want)
        assert_array_equal(u, X)
        for mode in ("forward", "reverse"):
            of_u, of_rate = f.jacobian(u, r, mode=mode)
            assert_allclose(of_u, jacobian, rtol=1e-13, atol=1e-16)
            assert_allclose(of_rate, by_rate, rtol=1e-13, atol=1e-16)
        value, change = f.jvp((u, r), (np.ones(4), 2.0))
        assert_allclose(value, want)
        assert_allclose(change, jacobian @ np.ones(4) + 2 * by_rate)
        assert_array_equal(u, X)

    def test_an_argument_that_is_written_is_not_the_callers(self) -> None:
        f = foreign(C, "destructive")
        x = X.copy()
        value, gradient = f.value_and_gradient(x)
        assert_allclose(value, (X**4).sum())
        assert_allclose(gradient, 4 * X**3)
        assert_allclose(f.hessian(x), np.diag(12 * X**2))
        assert_array_equal(x, X)

    def test_integers_workspace_and_two_outputs(self) -> None:
        f = foreign(C, "pick", scratch=["work"], shapes={"at": "count", "work": "count", "sum": (), "largest": ()})
        x = np.array([1, 2, 3], "float32")
        got = f(x, [0, 2])
        self.assertEqual(got, (10, 3))
        self.assertEqual(got[0].dtype, np.float32)
        of_sum, of_largest = f.jacobian(x, np.array([0, 2], "int32"))
        assert_array_equal(of_sum, [2, 0, 6])
        assert_array_equal(of_largest, [0, 0, 1])
        assert_array_equal(f.vjp((x, [0, 2]), (1, 10)), [2, 0, 16])

    def test_what_is_constant_has_no_gradient(self) -> None:
        f = foreign(C, "product", constant=["a"])
        self.assertEqual(f.inputs, ("b",))
        self.assertEqual(f.gradient(2, 3), 4)
        with self.assertRaisesRegex(ValueError, "'a' is no input"):
            f.gradient(2, 3, wrt=["a"])

    def test_registered_derivatives_hold(self) -> None:
        f = foreign(C, "registered")
        assert_allclose(
            f.jacobian(X[:2], mode="forward"), [7, 3]
        )  # ten times too large, and for one direction at a time
        assert_allclose(f.jacobian(X[:2], mode="reverse"), [0.7, 0.3])


class InCxx(unittest.TestCase):
    def test_namespaces_and_references(self) -> None:
        f = foreign(CXX, "model::energy")
        value, (by_scale, by_x) = f.value_and_gradient(2.0, X)
        assert_allclose(value, 2 * np.sqrt(1 + X**2).sum())
        assert_allclose(by_scale, np.sqrt(1 + X**2).sum())
        assert_allclose(by_x, 2 * X / np.sqrt(1 + X**2))
        f = foreign(CXX, "model::inner::polar")
        assert_allclose(f(2, 0.5), [2 * np.cos(0.5), 2 * np.sin(0.5)])
        assert_allclose(f.jacobian(2, 0.5), [[np.cos(0.5), -2 * np.sin(0.5)], [np.sin(0.5), 2 * np.cos(0.5)]])

    def test_an_array_beside_the_result(self) -> None:
        f = foreign(CXX, "rows", outputs=["y"])
        m = np.arange(6, dtype="float32").reshape(3, 2)
        y, result = f(m, 2)
        assert_array_equal(y, [0, 1])
        self.assertEqual(result, 8)
        (y_by_m, y_by_factor), (by_m, by_factor) = f.jacobian(m, 2)
        assert_array_equal(y_by_m, [[[6, 0], [0, 0], [0, 0]], [[0, 1], [0, 0], [0, 0]]])
        assert_array_equal(y_by_factor, [0, 0])
        assert_array_equal(by_m, [[0, 0], [0, 0], [2, 0]])
        self.assertEqual(by_factor, 4)

    def test_exceptions(self) -> None:
        from retro import ForeignException

        f = foreign(CXX, "root")
        self.assertEqual(f.value_and_gradient(4, True), (-2, -0.25))
        calls: tuple[Callable[..., Any], ...] = (f, f.gradient)
        for call in calls:
            with self.assertRaisesRegex(ForeignException, "the root of a negative number"):
                call(-1, False)
        with self.assertRaisesRegex(ForeignException, "not a std::exception"):
            f(1e7, False)
        self.assertEqual(f(4, False), 2)


class Batches(unittest.TestCase):
    def test_each_item_has_its_gradient(self) -> None:
        f = foreign(C, "rosenbrock", batch=True)
        x = np.array([X, X + 1, X * 2])
        assert_allclose(f.gradient(x), [rosenbrock_gradient(item) for item in x], rtol=1e-12)
        assert_allclose(f.hvp(x, x), [rosenbrock_hessian(item) @ item for item in x], rtol=1e-12)
        self.assertEqual(f(x).shape, (3,))
        self.assertEqual(f(np.zeros((0, 4))).shape, (0,))

    def test_shared_arguments_gather_the_gradients(self) -> None:
        f, a, x = foreign(C, "matvec", batch=["x"]), np.arange(6.0).reshape(2, 3), np.array([[1.0, 2, 3], [-1, 0, 4]])
        w = np.array([[1.0, 10], [2, -1]])
        assert_allclose(f(a, x), x @ a.T)
        by_a, by_x = f.vjp((a, x), w)
        assert_allclose(by_a, w.T @ x)
        assert_allclose(by_x, w @ a)
        _, change = f.jvp((a, x), (a, np.zeros_like(x)))
        assert_allclose(change, x @ a.T)

    def test_numbers_and_memory_that_is_written(self) -> None:
        f = foreign(C, "relax", inout=["u"], batch=["u"])
        one, u = foreign(C, "relax", inout=["u"]), np.array([X, 2 * X])
        assert_allclose(f(u, 0.1), [one(item, 0.1) for item in u])
        by_u, by_rate = f.vjp((u, 0.1), np.ones_like(u))
        each = [one.vjp((item, 0.1), np.ones(4)) for item in u]
        assert_allclose(by_u, [g for g, _ in each])
        assert_allclose(by_rate, sum(g for _, g in each))
        product = foreign(C, "product", batch=["a"])
        by_a, by_b = product.gradient([1.0, 2, 3], 4)
        assert_allclose(by_a, [8, 16, 24])
        assert_allclose(by_b, 14)


class Threads(unittest.TestCase):
    def test_calls_at_the_same_time(self) -> None:
        f, results = foreign(C, "rosenbrock"), {}

        def work(k: int) -> None:
            x = np.linspace(-1, 1 + k, 50)
            results[k] = all(np.allclose(f.gradient(x), rosenbrock_gradient(x)) for _ in range(50))

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, dict.fromkeys(range(8), True))


class Cache(unittest.TestCase):
    def test_a_compiled_function_is_kept(self) -> None:
        from unittest import mock

        foreign(C, "product").gradient(1, 2)
        with mock.patch("retro.toolchain.Snapshot.command", side_effect=AssertionError("compiled again")):
            self.assertEqual(foreign(C, "product").gradient(1, 2), (4, 1))

    def test_it_knows_what_changed(self) -> None:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            header, source = Path(folder) / "k.h", Path(folder) / "f.c"
            source.write_text('#include "k.h"\ndouble f(double x) { return K * x; }\n')
            header.write_text("#define K 3\n")
            old = foreign(source, "f")
            self.assertEqual(old.gradient(1), 3)
            header.write_text("#define K 4\n")
            self.assertEqual(foreign(source, "f").gradient(1), 4)
            self.assertEqual(foreign(source, "f", flags=["-DF"]).gradient(1), 4)
            # What was read before is not mixed with what is there now.
            self.assertEqual(old.jvp(1, 1), (3, 3))
        self.assertTrue(any(Path(os.environ["RETRO_CACHE"]).glob("*.so")))


if __name__ == "__main__":
    unittest.main()
