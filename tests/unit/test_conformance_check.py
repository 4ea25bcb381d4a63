import tempfile
import unittest
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from tests.conformance import check

CLEAN, DIRTY = (lambda *_: (True, "")), (lambda *_: (False, "exit 139: Stack dump:"))


def outcome(
    status: str, message: str = "", program: str = "core/loop_a.c", level: str = "O2"
) -> list[dict[str, dict[str, dict[str, str]] | str]]:
    return [{"test": program, "levels": {level: {"status": status, "message": message}}}]


class Judge(unittest.TestCase):
    listed = {"core/loop_a.c": None}

    def complaints(
        self,
        tests: list[dict[str, dict[str, dict[str, str]] | str]],
        expected: Mapping[str, Collection[str] | None],
        diagnosed: Callable[..., Any] = CLEAN,
    ) -> list[str]:
        return check.judge(tests, expected, diagnosed)

    def test_a_pass_is_fine_unless_listed(self) -> None:
        self.assertEqual(self.complaints(outcome("pass"), {}), [])
        self.assertIn("take it off the list", self.complaints(outcome("pass"), self.listed)[0])

    def test_a_wrong_number_fails_listed_or_not(self) -> None:
        wrong = outcome("fail", "run: exit 1: check failed: 1 is not 2")
        self.assertEqual(len(self.complaints(wrong, {})), 1)
        self.assertEqual(len(self.complaints(wrong, self.listed)), 1)

    def test_a_diagnostic_is_fine_only_when_listed(self) -> None:
        stops = outcome("fail", "compile: loop_a.c:3:1: error: no [retro-x]")
        self.assertEqual(self.complaints(stops, self.listed), [])
        self.assertEqual(len(self.complaints(stops, {})), 1)

    def test_differentiated_instead_of_refused_only_when_listed(self) -> None:
        said = "compiled, but must be refused"
        self.assertEqual(len(self.complaints(outcome("fail", said), self.listed)), 1)
        row = outcome("fail", said, "errors/a.c")
        self.assertEqual(self.complaints(row, {"errors/a.c": None}), [])
        self.assertEqual(len(self.complaints(row, {})), 1)

    def test_a_crash_is_no_diagnostic(self) -> None:
        self.assertEqual(len(self.complaints(outcome("fail", "compile: error"), self.listed, DIRTY)), 1)

    def test_only_the_listed_levels(self) -> None:
        stops = outcome("fail", "compile: x: error: no")
        self.assertEqual(self.complaints(stops, {"core/loop_a.c": {"O2"}}), [])
        self.assertEqual(len(self.complaints(stops, {"core/loop_a.c": {"O0"}})), 1)


class Diagnostic(unittest.TestCase):
    def stops(self, script: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "compile.sh"
            path.write_text(script)
            return check.stops_with_diagnostic(f"sh {path} -O2 x.c -o out", folder)[0]

    def test_clean_error_of_the_engine(self) -> None:
        self.assertTrue(self.stops('echo "x.c:3:4: error: cannot [retro-atomic]" >&2; exit 1'))

    def test_not_the_engines_error_or_a_crash(self) -> None:
        self.assertFalse(self.stops('echo "x.c:3:4: error: expected expression" >&2; exit 1'))
        self.assertFalse(self.stops('echo "x.c:3:4: error: cannot [retro-atomic]" >&2; exit 139'))
        self.assertFalse(self.stops('echo "x.c:3:4: error: no [retro-internal] Stack dump:" >&2; exit 1'))
        self.assertFalse(self.stops('echo "x.c:3:4: error: invalid IR [retro-internal]" >&2; exit 1'))
        self.assertFalse(self.stops("exit 0"))


class Levels(unittest.TestCase):
    def test_in_turns(self) -> None:
        every = ["O0", "O1", "O2", "O3"]
        self.assertEqual({check.chosen(k, every) for k in range(4)}, set(every))
        self.assertEqual({check.chosen(k, ["O1", "O2"]) for k in range(4)}, {"O1", "O2"})


class Files(unittest.TestCase):
    def test_list_needs_a_reason(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.txt"
            path.write_text("# comment\ncore/a.c O0,O1 # why\ncore/b.c # why\n")
            self.assertEqual(check.read_expected(path), {"core/a.c": {"O0", "O1"}, "core/b.c": None})
            path.write_text("core/a.c\n")
            with self.assertRaises(ValueError):
                check.read_expected(path)

    def test_commands_are_found_in_the_log(self) -> None:
        log = "clang++-22 -O2 -I/p -fpass-plugin=/r.so /p/core/cpp_a.cpp -o /t/x -lm\nFAIL core/cpp_a.cpp at O2: …\n"
        self.assertEqual(list(check.commands_of(log)), [("cpp_a.cpp", "O2")])


if __name__ == "__main__":
    unittest.main()
