"""What becomes of programs written as users write them, held against the list of what is known; and the verdicts of the corpus."""

import tempfile
import unittest
from pathlib import Path

from tests.users import check
from verify.fuzz import corpus, retro_corpus


class Judge(unittest.TestCase):
    listed = {"users/a.c": {"O2": "refused"}, "users/b.c": {"O2": "WRONG"}}

    def judged(self, program: str, verdict: str, level: str = "O2") -> tuple[list[str], list[str]]:
        return check.judge([(program, level, corpus.Verdict(verdict))], self.listed)

    def complaints(self, program: str, verdict: str, level: str = "O2") -> list[str]:
        return self.judged(program, verdict, level)[0]

    def news(self, program: str, verdict: str) -> list[str]:
        return self.judged(program, verdict)[1]

    def test_what_is_right_should_not_be_listed(self) -> None:
        self.assertEqual(self.complaints("users/c.c", "right"), [])
        self.assertIn("take it off the list", self.news("users/a.c", "right")[0])
        self.assertEqual(self.complaints("users/a.c", "right"), [])

    def test_what_is_listed_must_be_that(self) -> None:
        self.assertEqual(self.complaints("users/a.c", "refused"), [])
        for worse in corpus.DEFECTS:
            self.assertEqual(len(self.complaints("users/a.c", worse)), 1)
            self.assertEqual(len(self.complaints("users/c.c", worse)), 1)
        self.assertEqual(len(self.complaints("users/a.c", "refused", "O1")), 1)

    def test_better_than_wrong(self) -> None:
        self.assertEqual(self.complaints("users/b.c", "WRONG"), [])
        self.assertIn("the list says WRONG", self.news("users/b.c", "refused")[0])
        self.assertIn("take it off", self.news("users/b.c", "right")[0])

    def test_another_processor(self) -> None:
        self.assertEqual(self.complaints("users/a.c", "refused", "fast"), [])
        self.assertEqual(len(self.complaints("users/a.c", "WRONG", "fast")), 1)

    def test_what_is_not_installed(self) -> None:
        self.assertEqual(self.complaints("users/c.c", "skipped"), [])

    def test_the_list(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "expected.txt"
            path.write_text("# all\nusers/a.c O1,fast refused # why\nusers/b.c * WRONG # why\n")
            self.assertEqual(check.read_expected(path)["users/a.c"], {"O1": "refused", "fast": "refused"})
            self.assertEqual(len(check.read_expected(path)["users/b.c"]), 5)
            for bad in ("users/a.c O1 refused\n", "users/a.c refused # why\n", "users/a.c O9 refused # why\n"):
                path.write_text(bad)
                with self.assertRaises(ValueError):
                    check.read_expected(path)

    def test_levels_in_turns(self) -> None:
        slow, fast = (type("Case", (), {"levels": None, "path": Path(name)})() for name in ("a.cpp", "a.c"))
        self.assertEqual([len(check.chosen(k, slow)) for k in range(5)], [1] * 5)
        self.assertEqual({level for k in range(5) for level in check.chosen(k, slow)}, set(corpus.LEVELS))
        self.assertEqual([len(set(check.chosen(k, fast))) for k in range(5)], [2] * 5)
        slow.levels = fast.levels = ["O1", "O3"]
        self.assertEqual({level for k in range(5) for level in check.chosen(k, slow)}, {"O1", "O3"})
        self.assertTrue(all(sorted(check.chosen(k, fast)) == ["O1", "O3"] for k in range(5)))


class Verdicts(unittest.TestCase):
    def test_of_compilations(self) -> None:
        self.assertEqual(corpus.failed(None, "").name, "HANG")
        self.assertEqual(corpus.failed(1, "a.c:1:2: error: no [retro-byte-copy]").detail, "byte-copy")
        self.assertEqual(corpus.failed(1, "error: broken [retro-internal]").name, "INTERNAL")
        self.assertEqual(corpus.failed(1, "error: no [retro-byte-copy]\nStack dump:").name, "COMPILER")
        self.assertEqual(corpus.failed(1, "error: undefined symbol").name, "COMPILER")
        self.assertEqual(corpus.failed(139, "").name, "COMPILER")

    def test_of_runs(self) -> None:
        names = [
            corpus.ended(*of).name
            for of in (
                (0, ""),
                (1, "1 of 2 checks failed"),
                (-11, ""),
                (134, "terminate called"),
                (None, ""),
                (77, "no MPI"),
            )
        ]
        self.assertEqual(names, ["right", "WRONG", "CRASH", "CRASH", "HANG", "skipped"])
        self.assertEqual(corpus.ended(1, "==1==ERROR: AddressSanitizer: heap-use-after-free").name, "CRASH")
        self.assertEqual(corpus.ended(1, "==1==ERROR: LeakSanitizer: detected memory leaks").name, "leak")

    def test_a_run_goes_on(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program, plugin = Path(folder) / "a.c", Path(folder) / "plugin.so"
            program.write_text("int main() {}")
            plugin.write_text("1")
            options = retro_corpus.parse(["--plugin", str(plugin), "--state", folder + "/done", "--clang", "true"])
            case = corpus.User(program)
            state = retro_corpus.State(options)
            state.add(case, "O0", "g", corpus.Verdict("refused", "x"))
            again = retro_corpus.State(options)
            self.assertEqual(again.done[again.key(case, "O0", "g")].detail, "x")
            self.assertNotIn(again.key(case, "O1", "g"), again.done)
            plugin.write_text("2")
            other = retro_corpus.State(options)
            self.assertNotIn(other.key(case, "O0", "g"), other.done)

    def test_a_case_that_is_known(self) -> None:
        rows = [("users/a.c", ["fast"], ["*"], "WRONG")]
        self.assertTrue(retro_corpus.known(rows, "users/a.c", "fast", "g", "WRONG"))
        self.assertFalse(retro_corpus.known(rows, "users/a.c", "O3", "g", "WRONG"))
        self.assertFalse(retro_corpus.known(rows, "users/a.c", "fast", "g", "CRASH"))


if __name__ == "__main__":
    unittest.main()
