import io
import json
import re
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

import support
from retrolib import progress, system
from retrolib import toggles as toggle_table
from retrolib.cli import parse, parser


class Toggles(unittest.TestCase):
    def test_rows_over_several_lines_and_comments(self):
        rows = toggle_table.parse(
            '// TOGGLE(no, "no", true, "No", "Commented out.")\n'
            'TOGGLE(min_cut, "min-cut", false,\n       "MinCut", "Choose "\n       "by cut.")\n'
        )
        self.assertEqual(rows, [toggle_table.Toggle("min_cut", "min-cut", False, "MinCut", "Choose by cut.")])
        self.assertEqual(rows[0].flags(False), ["-mllvm", "-retro-min-cut=0"])

    def test_a_row_that_cannot_be_read_is_an_error(self):
        with self.assertRaises(ValueError):
            toggle_table.parse('TOGGLE(a, "a", maybe, "A", "B.")')
        with self.assertRaises(ValueError):
            toggle_table.parse('TOGGLE(a, "a", true, "A", "B.")\nTOGGLE(b, "a", true, "A", "B.")')

    def test_the_projects_own_table(self):
        if not toggle_table.DEFINITIONS.exists():
            self.skipTest("no engine")
        names = {t.name for t in toggle_table.read()}
        self.assertLessEqual(
            {
                "preopt",
                "min-cut",
                "tape-merge",
                "tape-stack",
                "tape-pool",
                "cache-licm",
                "inline",
                "unroll",
                "post-opt",
                "alias-scopes",
            },
            names,
        )

    def test_markdown_has_every_row(self):
        text = toggle_table.to_markdown(support.TOGGLES)
        self.assertIn("| `first` | on | The first. |", text)
        self.assertIn("| `second` | on | The second. |", text)


class Packages(unittest.TestCase):
    def test_every_package_has_a_reason_in_the_docs(self):
        page = (support.ROOT / "docs" / "dependencies.md").read_text()
        packages = {p for section in system.read_packages().values() for p in section}
        explained = set(re.findall(r"^\| `([^`]+)` \| \S", page, re.M))
        self.assertEqual(packages, explained)


class Progress(unittest.TestCase):
    def test_estimate_and_lines(self):
        now, out = [0.0], io.StringIO()
        meter = progress.Meter(4, "work", every=15, out=out, clock=lambda: now[0])
        self.assertIsNone(meter.left())
        now[0] = 10
        meter.advance(note="a")
        self.assertEqual(meter.left(), 30)
        now[0] = 12
        meter.advance()  # too soon for another line
        now[0] = 60
        meter.to(4)
        self.assertEqual(out.getvalue(), "[1/4] work: 10s, about 30s left  a\n[4/4] work: 1m00s\n")

    def test_an_estimate_that_is_better_known(self):
        out = io.StringIO()
        meter = progress.Meter(4, "work", every=0, out=out, clock=lambda: 10)
        meter.advance(left=90)
        self.assertIn("about 1m30s left", out.getvalue())

    def test_steps_remember_and_say_what_is_left_of_the_budget(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch(
            "sys.stderr", new=io.StringIO()
        ) as said:
            memory = Path(folder) / "times.json"
            memory.write_text('{"a": 30}')
            steps = progress.Steps(["a", "b"], {"a": 100, "b": 50}, memory)
            steps.expect("b", 20)
            steps.budget = time.monotonic(), 600
            steps.begin("a")
            self.assertLess(steps.end(), 5)
            self.assertLess(json.loads(memory.read_text())["a"], 5)
        self.assertIn("step 1 of 2: a (about 30s; about 50s to the end; 10m00s of the budget", said.getvalue())

    def test_spans(self):
        self.assertEqual([progress.span(s) for s in (0, 59.4, 61, 3660)], ["0s", "59s", "1m01s", "1h01m"])


class CommandLine(unittest.TestCase):
    def test_every_command_has_help(self):
        for name in ("reproduce", "test", "build", "bench", "ablate", "toggles", "doctor"):
            with self.assertRaises(SystemExit) as end, unittest.mock.patch(
                "sys.stdout", new=io.StringIO()
            ) as out:
                parser().parse_args([name, "--help"])
            self.assertEqual(end.exception.code, 0)
            self.assertIn(f"usage: retro {name}", out.getvalue())

    def test_the_verifiers_arguments_are_passed_on_in_order(self):
        args = parse(["verify", "f.c", "--function", "f", "--preset", "debug", "--help"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["f.c", "--function", "f", "--help"]))

    def test_compiler_flags_of_the_verifier_are_left_alone(self):
        args = parse(["verify", "--preset=debug", "f.c::f", "--", "--preset", "x"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["f.c::f", "--", "--preset", "x"]))
        args = parse(["verify", "f.c::f", "--", "-DN=3"])
        self.assertEqual((args.preset, args.arguments), ("release", ["f.c::f", "--", "-DN=3"]))

    def test_the_fuzzers_arguments_are_passed_on(self):
        args = parse(["fuzz", "-n", "5", "--preset", "debug", "--seed", "3"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["-n", "5", "--seed", "3"]))

    def test_the_arguments_of_python_are_passed_on(self):
        args = parse(["python", "--preset", "debug", "-c", "pass", "--preset"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["-c", "pass", "--preset"]))
        args = parse(["python", "program.py", "--preset", "x"])
        self.assertEqual((args.preset, args.arguments), ("release", ["program.py", "--preset", "x"]))

    def test_the_benchmarks_arguments_are_passed_on(self):
        args = parse(["bench", "--no-install", "gmm", "--size", "smoke", "--verify"])
        self.assertEqual((args.name, args.arguments), ("gmm", ["--size", "smoke", "--verify"]))

    def test_the_packs_arguments_are_passed_on(self):
        args = parse(["bench", "--preset=debug", "--device", "cuda", "--budget", "8", "--pack", "p", "--full"])
        self.assertEqual((args.preset, args.pack, args.arguments), ("debug", "p", ["--budget", "8", "--full"]))
        args = parse(["bench", "lbm", "--device=cuda", "--check"])
        self.assertEqual((args.device, args.pack, args.arguments), ("cuda", None, ["lbm", "--check"]))
        args = parse(["pack", "--suite", "lbm", "--preset", "debug"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["--suite", "lbm"]))

    def test_unknown_arguments_are_refused(self):
        with self.assertRaises(SystemExit), unittest.mock.patch("sys.stderr", new=io.StringIO()):
            parse(["build", "--nonsense"])


if __name__ == "__main__":
    unittest.main()
