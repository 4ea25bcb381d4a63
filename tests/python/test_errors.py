"""What cannot be done is said in words: wrong arguments, declarations, sources, options and tools."""

import numpy as np
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import retro
from retro import CompileError, DifferentiationError, SignatureError, ToolError
from retro.numpy import foreign

SOURCES = Path(__file__).resolve().parent / "sources"
C, CXX = SOURCES / "functions.c", SOURCES / "functions.cpp"
X = np.array([0.3, 0.7, -0.2, 1.1])


class Declarations(unittest.TestCase):
    def refused(self, file: Path, name: str, text: str, **options: dict[str, list[str] | str] | list[str]) -> None:
        with self.assertRaisesRegex(SignatureError, text):
            foreign(file, name, **options)

    def test_names(self) -> None:
        self.refused(C, "rosenbrok", "functions.c has no function 'rosenbrok'; did you mean 'rosenbrock'")
        self.refused(CXX, "energy", "no function 'energy'")
        self.refused(C, "declared", "'declared' is declared but not defined in functions.c")
        self.refused(
            CXX, "overloaded", r"'overloaded' in functions.cpp has overloads \(double \(double\), float \(float\)\)"
        )
        self.refused(CXX, "square", "'square' in functions.cpp is a template")
        self.refused(CXX, "square<double>", "calls the template")
        self.refused(CXX, "Model::value", "is a member function")

    def test_types(self) -> None:
        self.refused(C, "of_struct", r"parameter 'p' is of type 'const struct point \*'.*write a function")
        self.refused(CXX, "of_vector", "parameter 'x' is of type 'const std::vector<double> &'")
        self.refused(CXX, "of_array", r"parameter 'x' is of type 'double \(&\)\[3\]'")
        self.refused(C, "status", "'status' returns 'int'")
        self.refused(C, "unnamed", r"a parameter of type 'const double \*' has no name")

    def test_what_is_not_said(self) -> None:
        self.refused(
            C,
            "pick",
            r"the shape of 'sum', which 'pick' writes, is not known: say it, as in shapes=\{'sum': 'n'\}",
            shapes={"at": "count", "work": "count"},
        )
        self.refused(C, "product", "'product' has no parameter 'c'; it has a, b", constant=["c"])
        self.refused(C, "product", r"parameter 'a' \(double a\) is passed by value", outputs=["a"])
        self.refused(
            C, "rosenbrock", r"parameter 'x' \(const double \*x\) points to constants: it cannot be inout", inout=["x"]
        )
        self.refused(C, "rosenbrock", "the extent 'n!' of 'x' is not made of names", shapes={"x": ["n!"]})
        self.refused(C, "powers", "the shape of 'y' has 'rows' in it", shapes={"y": "rows"})
        self.refused(C, "relax", "'u' is said to be both output and inout", outputs=["u"], inout=["u"])
        with self.assertRaisesRegex(TypeError, r'inout is a list of names: \["u"\]'):
            foreign(C, "relax", inout="u")
        with self.assertRaisesRegex(ValueError, "every item of the batch writes 'u'"):
            foreign(C, "relax", inout=["u"], batch=["rate"])


class Arguments(unittest.TestCase):
    def test_numbers_of_arguments(self) -> None:
        f = foreign(C, "rosenbrock")
        with self.assertRaisesRegex(
            TypeError, r"too many positional arguments. The function is rosenbrock\(x\).*n follows from the shapes"
        ):
            f(X, 4)
        with self.assertRaisesRegex(TypeError, r"missing a required argument: 'k'. The function is powers\(x, k\)"):
            foreign(C, "powers")(X)

    def test_types(self) -> None:
        f = foreign(C, "pick", scratch=["work"], shapes={"at": "count", "work": "count", "sum": (), "largest": ()})
        with self.assertRaisesRegex(TypeError, "'x' is of type float32; float64 was given"):
            f(X, [0, 1])
        with self.assertRaisesRegex(TypeError, "'x' is of type float32; complex128 was given"):
            f([1j], [0])
        with self.assertRaisesRegex(TypeError, "'at' is of type int32; float64 was given"):
            f(X.astype("float32"), [0.5])
        with self.assertRaisesRegex(ValueError, "'at' has numbers that do not fit"):
            f(X.astype("float32"), [2**40])
        with self.assertRaisesRegex(TypeError, "'k' is an integer; float was given"):
            foreign(C, "powers")(X, 2.5)
        with self.assertRaisesRegex(ValueError, "'k' is 4294967296, which does not fit"):
            foreign(C, "powers")(X, 2**32)
        with self.assertRaisesRegex(TypeError, "'x' is of type float64; str was given|<U3 was given"):
            foreign(C, "rosenbrock")("one")

    def test_shapes(self) -> None:
        with self.assertRaisesRegex(ValueError, "'b' is a number; an array of shape"):
            foreign(C, "product")(1, X)
        with self.assertRaisesRegex(ValueError, "the derivative that is given for 'x' has shape"):
            foreign(C, "rosenbrock").jvp(X, X[:2])
        with self.assertRaisesRegex(ValueError, "does not have one number as its output"):
            foreign(C, "powers").gradient(X, 2)
        with self.assertRaisesRegex(ValueError, "2 tangents for 1 of them: x"):
            foreign(C, "rosenbrock").jvp(X, (X, X))
        with self.assertRaisesRegex(
            ValueError, r"'X' has 6 elements; and n is 4 by 'w'; if n is not its size, say what is: shapes=\{'X': '…'\}"
        ):
            foreign(C, "loss")(X, [[1.0, 2, 3], [4, 5, 6]], 3)
        self.assertEqual(foreign(C, "loss", shapes={"w": "d", "X": "n d"})([1.0, 1, 1], [[1.0, 2, 3], [4, 5, 6]]), 21)
        batch = foreign(C, "matvec", batch=["x", "a"])
        with self.assertRaisesRegex(ValueError, "'x' has 2 items; another argument has 3"):
            batch(np.ones((3, 2, 2)), np.ones((2, 2)))
        with self.assertRaisesRegex(ValueError, "'x' has no axis for the batch"):
            foreign(C, "rosenbrock", batch=True)(1.0)
        with self.assertRaisesRegex(ValueError, "not of a batch"):
            foreign(C, "rosenbrock", batch=True).hessian(np.ones((2, 2)))


class Sources(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def source(self, text: str, name: str = "f.c") -> Path:
        path = Path(self.folder.name) / name
        path.write_text(text)
        return path

    def test_the_compilers_errors(self) -> None:
        path = self.source("double f(double x) {\n  return y;\n}\n")
        with self.assertRaisesRegex(CompileError, r"f.c:2:10: error: use of undeclared identifier 'y'") as caught:
            foreign(path, "f")
        self.assertNotIsInstance(caught.exception, DifferentiationError)
        with self.assertRaisesRegex(CompileError, "'absent.h' file not found"):
            foreign(self.source('#include "absent.h"\n'), "f")

    def test_the_linkers_errors(self) -> None:
        path = self.source("double g(void);\ndouble f(double x) { return x * g(); }\n")
        with self.assertRaisesRegex(CompileError, "undefined reference to `g'"):
            foreign(path, "f")(1)

    def test_the_engines_errors(self) -> None:
        f = foreign(C, "unsupported")
        self.assertEqual(f(2), 6)
        with self.assertRaises(DifferentiationError) as caught:
            f.gradient(2)
        (diagnostic,) = caught.exception.diagnostics
        line = next(k for k, text in enumerate(C.read_text().splitlines(), 1) if "first(1, x)" in text)
        self.assertEqual(
            (Path(diagnostic.file).name, diagnostic.line, diagnostic.id), ("functions.c", line, "variadic")
        )
        self.assertIn(diagnostic.message, str(caught.exception))
        self.assertIsInstance(caught.exception, retro.RetroError)

    def test_files_and_flags(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, "no source file absent.c"):
            foreign("absent.c", "f")
        with self.assertRaisesRegex(ValueError, "a source file of C or C\\+\\+ ends with"):
            foreign(self.source("", "f.f90"), "f")
        with self.assertRaisesRegex(TypeError, "flags is a list"):
            foreign(C, "product", flags="-O1")

    def test_tools(self) -> None:
        with mock.patch.dict(os.environ, RETRO_PLUGIN="/absent/retrograde.so"):
            with self.assertRaisesRegex(ToolError, "RETRO_PLUGIN names /absent/retrograde.so"):
                foreign(C, "product")(1, 2)
        with mock.patch.dict(os.environ, RETRO_CLANG="absent-clang"):
            with self.assertRaisesRegex(ToolError, "no compiler absent-clang"):
                foreign(C, "product")


if __name__ == "__main__":
    unittest.main()
