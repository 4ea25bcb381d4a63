"""Tests of the fuzzer's parts: no plugin is needed. Usage: fuzz_test.py [unittest arguments]."""

import argparse
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True

from verify.fuzz import harness, judge, mutations, retro_fuzz
from verify.fuzz.source import Source, Span

PROGRAM = """
#include <math.h>
static double inner(double x, int n) {
  double s = 0, t[3] = {x, 2, 3};
  for (int i = 0; i < n; ++i) // a ; in a comment
    s += t[i % 3] * sin(x);
  if (s > 1)
    s = s * 0.5;
  return s + x;
}
double outer(double x) { return inner(x * x, 4) + 1; }
double __enzyme_autodiff(void *, ...);
int main() { return __enzyme_autodiff((void *)outer, 1.0) > 0; }
"""


def options(**more: int | str | None) -> argparse.Namespace:
    return argparse.Namespace(
        plugin=None, clang=["clang-22"], clangxx=["clang++-22"], opt="opt-22", hang=60, run_seconds=10, **more
    )


def built(text: str, suffix: str, folder: str, *flags: str) -> tuple[int, str]:
    """(exit status, what was said) of a program, or the compiler's."""
    path = Path(folder) / f"p{suffix}"
    path.write_text(text)
    compiler = "clang-22" if suffix == ".c" else "clang++-22"
    done = subprocess.run(
        [compiler, "-O1", "-w", *flags, str(path), "-o", str(path.with_suffix(".out")), "-lm"],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return done.returncode, done.stderr
    done = subprocess.run([path.with_suffix(".out")], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


class Sources(unittest.TestCase):
    def setUp(self) -> None:
        self.source = Source(PROGRAM)

    def text(self, span: Span) -> str:
        return PROGRAM[span.at : span.end]

    def test_functions(self) -> None:
        self.assertEqual([name for name, _, _ in self.source.functions], ["inner", "outer", "main"])
        self.assertEqual(
            self.text(self.source.whole_function("outer")), "double outer(double x) { return inner(x * x, 4) + 1; }"
        )

    def test_statements(self) -> None:
        found = {self.text(s): s.kind for s in self.source.statements([self.source.body("inner")])}
        self.assertEqual(
            found, {"s += t[i % 3] * sin(x);": "plain", "s = s * 0.5;": "plain", "return s + x;": "return"}
        )

    def test_expressions(self) -> None:
        found = {self.text(s) for s in self.source.expressions([self.source.body("outer")])}
        self.assertIn("inner(x * x, 4) + 1", found)
        self.assertIn("x * x", found)

    def test_edits(self) -> None:
        spans = sorted(self.source.statements([self.source.body("inner")]), key=lambda s: s.at)
        changed = self.source.replace([(spans[1], "B;"), (spans[0], "A;")])
        self.assertIn("    A;\n  if (s > 1)\n    B;\n  return s + x;", changed)

    def test_requests_are_left_out(self) -> None:
        text = harness.without_requests(self.source)
        self.assertIn("double outer", text)
        self.assertNotIn("main", text)
        self.assertEqual(text.count("\n"), PROGRAM.count("\n"))
        self.assertEqual(harness.targets(PROGRAM), ["outer"])


class Keeps(unittest.TestCase):
    """What is to leave the program's results alone does."""

    def check(self, wrappers: dict[str, str], statements: dict[str, str], suffix: str) -> None:
        lines = [mutations.PRELUDE, "#include <math.h>", "int main() {", "  double a = 1.7; int bad = 0;"]
        for k, (name, template) in enumerate(sorted(wrappers.items())):
            # Twice, as in a loop: what is static must not remember.
            lines.append(
                f'  for (int i = 0; i < 2; ++i) {{ double r = {mutations.fill(template, "a + i", f"w{k}")};'
                f' if (fabs(r - 1.7 - i) > 1e-15) {{ printf("{name}: %.17g\\n", r); bad = 1; }} }}'
            )
        for k, (name, template) in enumerate(sorted(statements.items())):
            text = mutations.fill(template, "E", f"s{k}").replace(" S", " r = r * 2;")
            lines.append(f'  {{ double r = a; {text} if (r != 3.4) {{ printf("{name}: %.17g\\n", r); bad = 1; }} }}')
        lines.append('  if (!bad) puts("kept");\n  return bad;\n}')
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(
                built("\n".join(lines), suffix, folder, "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
                (0, "kept\n"),
            )

    def test_in_c(self) -> None:
        self.check(mutations.WRAPPERS, mutations.STATEMENTS, ".c")

    def test_in_cxx(self) -> None:
        # C++ lets no jump cross the start of a variable's life.
        wrappers = {n: t for n, t in mutations.WRAPPERS.items() if n != "jump into"}
        self.check({**wrappers, **mutations.WRAPPERS_CXX}, {**mutations.STATEMENTS, **mutations.STATEMENTS_CXX}, ".cpp")

    def test_a_statement_of_an_else(self) -> None:
        text = "int f(int a) { int r = 0; if (a) r = 1; else r = 2; return r; }\n"
        main = 'int puts(const char *); int main() { puts(f(1) == 1 && f(0) == 2 ? "kept" : "lost"); return 0; }\n'
        seen = set()
        for seed in range(150):
            source = Source(text)
            made = mutations.keep_statement(source, [source.body("f")], random.Random(seed), "u", False)
            if made not in seen:
                seen.add(made)
                with tempfile.TemporaryDirectory() as folder:
                    self.assertEqual(
                        built(mutations.PRELUDE + made[0] + main, ".c", folder)[1].splitlines()[-1:], ["kept"], made
                    )
        self.assertEqual(len(seen), 2 * len(mutations.STATEMENTS))

    def test_an_expression_keeps_its_type(self) -> None:
        text = "int f(int a) { return (a + 1) / 2 / 2; }\n"
        main = "int main() { return f(5) != 1; }\n"
        for seed in range(12):
            source = Source(text)
            made = mutations.keep_wrap(source, [source.body("f")], random.Random(seed), "u", False)
            with tempfile.TemporaryDirectory() as folder:
                self.assertEqual(built(mutations.PRELUDE + made[0] + main, ".c", folder)[0], 0, made)

    def test_indices(self) -> None:
        text = "double f(const double *x, int i) { double s = x[i + 1]; return s * x[0]; }\n"
        main = '#include <stdio.h>\nint main() { double x[3] = {2, 3, 5}; printf("%g\\n", f(x, 1)); return 0; }\n'
        seen = set()
        for seed in range(60):
            source = Source(text)
            made = mutations.keep_index(source, [Span(0, len(text))], random.Random(seed), "u", False)
            if made and made[1] not in seen:
                seen.add(made[1])
                with tempfile.TemporaryDirectory() as folder:
                    self.assertEqual(built(made[0] + main, ".c", folder), (0, "10\n"), made[1])
        self.assertEqual(len(seen), 6)


class Mutants(unittest.TestCase):
    def mutant(self, number: int, seed: int = 7) -> retro_fuzz.Mutant:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "p.c"
            path.write_text(PROGRAM)
            one = retro_fuzz.Mutant(number, options(seed=seed, kind="change"), [retro_fuzz.Program(path)])
            one.make(judge.Judge(options(), Path(folder)), Path(folder))
            return one

    def test_a_number_is_a_mutant(self) -> None:
        for number in range(4):
            one, again = self.mutant(number), self.mutant(number)
            self.assertEqual((one.text, one.level, one.done), (again.text, again.level, again.done))
        self.assertGreater(len({self.mutant(n).text for n in range(4)}), 2)
        self.assertNotEqual(self.mutant(0).text, self.mutant(0, seed=8).text)

    def test_one_program_more_changes_few_mutants(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{n}.c" for n in range(21)]
            for path in paths:
                path.write_text(PROGRAM)
            known = [retro_fuzz.Program(p) for p in paths]

            def chosen(of: list[retro_fuzz.Program]) -> list[str]:
                return [retro_fuzz.Mutant(n, options(seed=1, kind=None), of).program.name for n in range(200)]

            same = sum(a == b for a, b in zip(chosen(known), chosen(known[1:])))
            self.assertGreater(same, 170)
            self.assertEqual(len(set(chosen(known))), 21)

    def test_there_are_programs_without_the_conformance_programs(self) -> None:
        names = {p.name for p in retro_fuzz.programs([retro_fuzz.OWN])}
        self.assertIn("loops/branches.c", names)
        self.assertNotIn("programs/run.py", names)


class Judging(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.judge = judge.Judge(options(), Path(self.folder.name))

    def after(self, status: int | None, said: str) -> tuple[str, bool] | None:
        path = Path(self.folder.name) / "p.c"
        path.write_text(PROGRAM)
        outcome = self.judge.after_compile(path, status, said, [])
        return (outcome.name, outcome.defect) if outcome else None

    def test_what_the_compiler_said(self) -> None:
        self.assertIsNone(self.after(0, ""))
        self.assertEqual(self.after(None, ""), ("hang", True))
        self.assertEqual(self.after(1, "f.c:3:1: error: cannot [retro-cannot-do]"), ("diagnostic", False))
        self.assertEqual(self.after(1, "f.c:3:1: error: broken [retro-internal]"), ("internal", True))
        self.assertEqual(self.after(1, "error: x [retro-cannot]\nStack dump:\n0. clang"), ("crash", True))
        self.assertEqual(self.after(-11, ""), ("crash", True))
        self.assertEqual(self.after(139, "clang frontend command failed"), ("crash", True))
        self.assertEqual(self.after(1, "undefined reference to `__enzyme_autodiff'"), ("link", True))
        # No error of the program's own: it is the plugin that stopped, and it does not say so.
        self.assertEqual(self.after(1, "error: Broken something"), ("crash", True))

    def test_the_compiler_alone_gets_no_option_of_the_engine(self) -> None:
        flags = ["-Ia", "-mllvm", "-retro-min-cut=0", "-mllvm", "-x", "-g"]
        self.assertEqual(self.judge.without_toggles(flags), ["-Ia", "-mllvm", "-x", "-g"])
        path = Path(self.folder.name) / "p.c"
        path.write_text(PROGRAM)
        outcome = self.judge.after_compile(path, 1, "error: that stops", flags[:3])
        self.assertEqual(outcome.name, "crash")

    def test_an_error_of_the_compilers_own(self) -> None:
        path = Path(self.folder.name) / "p.c"
        path.write_text("int main() { return x; }")
        outcome = self.judge.after_compile(path, 1, "p.c:1:21: error: use of undeclared identifier 'x'", [])
        self.assertEqual((outcome.name, outcome.defect), ("compiler", False))

    def compare(self, text: str = "double f(double x);", **values: float) -> str:
        known = {
            "reverse": 2.0,
            "forward": 2.0,
            "differences": 2.0,
            "error": 1e-9,
            "kink": 1e-5,
            "fine": 2.0,
            "scale": 2.0,
            "size": 1.0,
            **values,
        }
        return self.judge.compare(
            "COMPARE 0 0 " + " ".join(f"{k} {v!r}" for k, v in known.items()) + "\nEND\n", text
        ).name

    def test_numbers(self) -> None:
        self.assertEqual(self.compare(), "right")
        self.assertEqual(self.compare(reverse=2.00001), "wrong")
        self.assertEqual(self.compare(forward=-2.0), "wrong")
        self.assertEqual(self.compare(reverse=float("nan")), "wrong")
        self.assertEqual(self.compare(reverse=0.0, forward=0.0), "wrong")
        self.assertEqual(self.compare(reverse=2.001, text="float f(float x);"), "right")
        self.assertEqual(self.compare(reverse=2.1, text="float f(float x);"), "wrong")
        self.assertEqual(self.compare(reverse=3.0, error=1.0), "not smooth")
        self.assertEqual(self.compare(reverse=3.0, kink=1.0), "not smooth")
        self.assertEqual(self.compare(reverse=0.0, forward=0.0, fine=0.0), "not smooth")
        self.assertEqual(self.compare(reverse=1.0, fine=1.0), "wrong")
        self.assertEqual(self.compare(reverse=1e4, forward=1e4, scale=1e4, text="float f(float x);"), "not smooth")
        self.assertEqual(self.compare(reverse=1e4, forward=1e4, scale=1e4), "wrong")
        self.assertEqual(self.compare(reverse=1e9, forward=1e9, scale=1e9), "not smooth")
        self.assertEqual(self.judge.compare("DOMAIN 0\nEND\n", "").name, "domain")

    def test_a_program_that_does_not_end(self) -> None:
        self.assertEqual(judge.run(["sleep", "60"], 0.2)[0], None)
        self.assertEqual(judge.run(["sh", "-c", "while :; do :; done"], 0.5)[0], None)
        self.assertEqual(judge.run(["sh", "-c", "echo said; exit 3"], 5), (3, "said\n"))

    def function(self, text: str, function: str, derivative: str, suffix: str = ".c") -> judge.Outcome:
        """A harness with the derivatives written by hand."""
        path = Path(self.folder.name) / f"p{suffix}"
        path.write_text(text)
        found = harness.read("clang-22", path, function, [])
        path.write_text(text + harness.write(found, random.Random(1)) + derivative)
        return self.judge.function(path, "O1", [])[1]

    SQUARES = "double f(double *x, double a) { x[1] = a * x[0]; return x[0] * x[0] * a; }\n"
    BY_HAND = """
        double __enzyme_autodiff_fz(void *f, int m, double *x, double *d, int n, double a) {
          double r = d[1] * x[0] + x[0] * x[0];
          d[0] += a * d[1] + FACTOR * x[0] * a;
          d[1] = 0;
          return r;
        }
        double __enzyme_fwddiff_fz(void *f, int m, double *x, double *d, int n, double a, double da) {
          d[1] = da * x[0] + a * d[0];
          return 2 * x[0] * d[0] * a + x[0] * x[0] * da;
        }
        """

    def test_a_right_derivative(self) -> None:
        self.assertEqual(self.function(self.SQUARES, "f", self.BY_HAND.replace("FACTOR", "2")).name, "right")

    def test_a_function_may_have_a_short_name(self) -> None:
        for name in ("g", "x", "y", "v", "jv", "i", "r"):
            text = self.SQUARES.replace("double f(", f"double {name}(")
            self.assertEqual(self.function(text, name, self.BY_HAND.replace("FACTOR", "2")).name, "right", name)

    def test_a_wrong_derivative(self) -> None:
        outcome = self.function(self.SQUARES, "f", self.BY_HAND.replace("FACTOR", "2.0001"))
        self.assertEqual((outcome.name, outcome.defect), ("wrong", True))

    def test_a_derivative_that_stops(self) -> None:
        self.assertEqual(
            self.function(self.SQUARES, "f", self.BY_HAND.replace("FACTOR", "(abort(), 2)")).name, "stopped"
        )

    def test_a_function_that_is_undefined_is_no_find(self) -> None:
        text = self.SQUARES.replace("x[0] * x[0] * a", "x[0] * x[0] * a + x[24]")
        self.assertEqual(self.function(text, "f", self.BY_HAND.replace("FACTOR", "3")).name, "undefined")

    def test_a_function_that_reads_what_was_never_written_is_no_find(self) -> None:
        for suffix in (".c", ".cpp"):
            text = '#include <stdlib.h>\nextern "C" ' if suffix == ".cpp" else "#include <stdlib.h>\n"
            text += self.SQUARES.replace(
                "return ", "double *p = (double *)malloc(32), s = 2; if (p[2] != 0) s = 1; free(p); return s * "
            )
            by_hand = self.BY_HAND.replace("FACTOR", "3").replace(
                "        double __", '        extern "C" double __' if suffix == ".cpp" else "        double __"
            )
            self.assertEqual(self.function(text, "f", by_hand, suffix).name, "undefined", suffix)

    def test_what_nothing_can_be_passed_to(self) -> None:
        path = Path(self.folder.name) / "p.c"
        path.write_text("struct s { double x; }; double f(struct s *p) { return p->x; }\n")
        with self.assertRaises(harness.NotCallable):
            harness.read("clang-22", path, "f", [])


if __name__ == "__main__":
    unittest.main()
