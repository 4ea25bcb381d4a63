import contextlib
import io
import json
import re
import tempfile
import time
import types
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

from tools.retrolib import build, cli, commands, names, packaging, progress, system, testing
from tools.retrolib import toggles as toggle_table
from tools.retrolib.cli import parse, parser

from . import support


class Toggles(unittest.TestCase):
    ROW = 'TOGGLE(a, "a", true, "A", Plan, NEEDS({}), NOT_WITH({}), "B.")'

    def test_rows_over_several_lines_and_comments(self) -> None:
        rows = toggle_table.parse(
            '// TOGGLE(no, "no", true, "No", Plan, NEEDS(), NOT_WITH(), "Commented out.")\n'
            'TRAIT(Gpu, "It runs on a GPU.")\n'
            'TOGGLE(min_cut, "min-cut", false,\n       "MinCut", Plan, NEEDS(), NOT_WITH(Gpu), "Choose "\n       "by cut.")\n'
            'PART(cost, min_cut, Emit, NEEDS(min_cut, Gpu), NOT_WITH(),\n     "By cost.")\n'
        )
        part = toggle_table.Part("cost", "Emit", ("min_cut", "Gpu"), (), "By cost.")
        self.assertEqual(
            rows,
            [
                toggle_table.Toggle(
                    "min_cut", "min-cut", False, "MinCut", "Choose by cut.", "Plan", (), ("Gpu",), (part,)
                )
            ],
        )
        self.assertEqual(rows[0].flags(False), ["-mllvm", "-retro-min-cut=0"])

    def test_a_row_that_cannot_be_read_is_an_error(self) -> None:
        good = self.ROW.format("", "")
        self.assertEqual(len(toggle_table.parse(good)), 1)
        for wrong in (
            good.replace("true", "maybe"),
            f"{good}\n{good}",
            good.replace("Plan", "Later"),
            self.ROW.format("b", ""),
            self.ROW.format("", "Gpu"),
            'PART(b, a, Plan, NEEDS(), NOT_WITH(), "B.")\n' + good,
        ):
            with self.assertRaises(ValueError):
                toggle_table.parse(wrong)

    def test_the_projects_own_table(self) -> None:
        if not toggle_table.DEFINITIONS.exists():
            self.skipTest("no engine")
        rows = toggle_table.read()
        self.assertGreater(len(rows), 30)
        self.assertEqual([t.name for t in rows], toggle_table.names())
        self.assertEqual([t.name for t in rows if not t.of_gpus], toggle_table.names(gpu=False))
        self.assertGreater(len(rows), len(toggle_table.names(gpu=False)))

    def test_markdown_has_every_row(self) -> None:
        text = toggle_table.to_markdown(support.TOGGLES, {"Gpu": "It runs on a GPU.", "Forward": "Forward."})
        self.assertIn("| `first` | on | The first. |", text)
        self.assertIn("| `second` | on | The second. |", text)
        self.assertIn("| `first` | prepare |  | – |  |", text)
        self.assertIn("| `second` | plan | `first` |  |  |", text)


class Packages(unittest.TestCase):
    def test_every_package_has_a_reason_in_the_docs(self) -> None:
        page = (support.ROOT / "docs" / "dependencies.md").read_text()
        packages = {p for section in system.read_packages().values() for p in section}
        explained = set(re.findall(r"^\| `([^`]+)` \| \S", page, re.M))
        self.assertEqual(packages, explained)

    def test_each_package_stands_in_one_section(self) -> None:
        sections = system.read_packages()
        self.assertEqual(list(sections), ["build", "suites", "tests", "optional"])
        everything = [p for section in sections.values() for p in section]
        self.assertEqual(len(everything), len(set(everything)))

    def test_only_what_is_missing_of_the_sections_asked_for(self) -> None:
        build, suites = (system.read_packages()[s] for s in ("build", "suites"))
        with unittest.mock.patch("tools.retrolib.system.installed_packages", return_value=set(build) - {"cmake"}):
            self.assertEqual(system.missing_packages(), ["cmake"])
            self.assertEqual(system.missing_packages(["build", "suites"]), ["cmake", *suites])


class Configuration(unittest.TestCase):
    OFF = "RETRO_BUILD_SUITES:BOOL=OFF\nRETRO_BUILD_TESTS:BOOL=OFF\n"

    def test_what_is_needed_is_added_to_what_there_is(self) -> None:
        on = build.options("release", build.SUITES, self.OFF)
        self.assertEqual(on, {"RETRO_BUILD_SUITES": "ON", "RETRO_BUILD_TESTS": "OFF"})
        self.assertEqual(
            build.options("release", build.USER, self.OFF.replace("TESTS:BOOL=OFF", "TESTS:BOOL=ON"))[
                "RETRO_BUILD_TESTS"
            ],
            "ON",
        )
        self.assertEqual(build.options("release", build.USER, ""), dict.fromkeys(on, "OFF"))

    def test_no_benchmarks_under_a_sanitizer(self) -> None:
        self.assertEqual(
            build.options("asan", build.TESTS, ""), {"RETRO_BUILD_SUITES": "OFF", "RETRO_BUILD_TESTS": "ON"}
        )

    def test_cmake_is_called_only_where_something_is_to_change(self) -> None:
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(
            build, "build_dir", lambda preset: Path(folder)
        ):
            with unittest.mock.patch.object(build.subprocess, "run") as run:
                run.return_value.returncode = 0
                for name, text in (("build.ninja", ""), ("CMakeCache.txt", self.OFF)):
                    (Path(folder) / name).write_text(text)
                build.configure()
                run.assert_not_called()
                build.configure(needs=build.SUITES)
                self.assertIn("-DRETRO_BUILD_SUITES=ON", run.call_args[0][0])

    def test_the_target_of_a_command(self) -> None:
        for words, needs, targets in (
            (["build"], build.USER, []),
            (["build", "--target", "retrograde"], build.USER, ["retrograde"]),
            (["build", "--target", "verify_test"], build.TESTS, ["verify_test"]),
            (["build", "--target", "benchmarks"], build.SUITES, ["benchmarks"]),
            (["build", "--all"], build.TESTS, []),
        ):
            with unittest.mock.patch.object(commands, "prepare") as prepare, unittest.mock.patch(
                "sys.stdout", new=io.StringIO()
            ):
                commands.build(parse([*words, "--no-install"]))
            self.assertEqual(prepare.call_args[0][2:], (needs, targets), words)


class Names(unittest.TestCase):
    def test_the_nearest_name_is_offered(self) -> None:
        self.assertEqual(
            names.unknown("toggle", "mincut", ["fusion", "min-cut"]),
            "no toggle 'mincut': did you mean 'min-cut'? There are: fusion, min-cut",
        )
        self.assertEqual(names.unknown("toggle", "x", ["fusion"]), "no toggle 'x'; there are: fusion")

    def test_benchmarks_are_read_from_the_suites(self) -> None:
        found = names.benchmarks()
        for name, suite in (
            ("gmm", "neurips20"),
            ("lulesh-mpi", "lulesh"),
            ("minibude-openmp", "docking"),
            ("dg", "fluid"),
        ):
            self.assertEqual(found.get(name), suite)

    def test_they_are_those_that_the_configuration_writes(self) -> None:
        written = {path.stem for path in (build.build_dir() / "suites").glob("*.json")}
        self.assertLessEqual(written, set(names.benchmarks()))

    def test_nothing_is_built_for_a_name_that_is_unknown(self) -> None:
        for words in (
            ["bench", "gm"],
            ["ablate", "--benchmark", "gm"],
            ["ablate", "--toggle", "mincut"],
            ["ablate", "--study", "sc21"],
            ["tune", "--suite", "neurips"],
            ["reproduce", "--benchmark", "gm"],
            ["verfy"],
        ):
            with unittest.mock.patch.object(commands, "prepare") as prepare, unittest.mock.patch(
                "sys.stderr", new=io.StringIO()
            ) as said:
                self.assertEqual(cli.main(words), 1)
            prepare.assert_not_called()
            self.assertIn("did you mean", said.getvalue(), words)


class Places(unittest.TestCase):
    """Results of another machine of the same name are not replaced in silence."""

    def test_what_becomes_of_rows_that_are_there(self) -> None:
        with tempfile.TemporaryDirectory() as scratch, unittest.mock.patch("sys.stderr", new=io.StringIO()) as said:
            folder = Path(scratch)
            (folder / "rows").mkdir()
            cells: list[Any] = [types.SimpleNamespace(key=key) for key in ("there", "new", "current")]
            commands.say_place(folder, cells, cells[1:2])
            self.assertIn("3 cells, 2 of them measured before", said.getvalue())
            self.assertNotIn("replaced", said.getvalue())
            (folder / "rows" / "there.json").write_text("{}")
            commands.say_place(folder, cells, cells[:2])
        self.assertIn(f"results go to {folder}; 1 rows there", said.getvalue())
        self.assertIn("are replaced (--results DIR: elsewhere)", said.getvalue())


class Looking(unittest.TestCase):
    """What lists or foretells builds and measures nothing, and leaves no file."""

    def looked(self, *words: str) -> str:
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(commands, "prepare") as prepare:
            with unittest.mock.patch.object(commands, "looked_up", return_value={}), unittest.mock.patch.object(
                commands, "executables", return_value={}
            ), unittest.mock.patch("sys.stdout", new=io.StringIO()) as out, unittest.mock.patch(
                "sys.stderr", new=io.StringIO()
            ):
                self.assertEqual(cli.main([*words, "--results", folder] if words[0] != "bench" else list(words)), 0)
            prepare.assert_not_called()
            self.assertEqual(list(Path(folder).rglob("*")), [])
        return out.getvalue()

    def test_bench(self) -> None:
        self.assertIn("neurips20/gmm", self.looked("bench"))

    def test_ablate(self) -> None:
        self.assertIn("sc21-cpu", self.looked("ablate", "--list"))
        self.assertIn("nothing was measured", self.looked("ablate", "--dry-run"))
        self.assertIn("together", self.looked("ablate", "--study", "sc21-cpu", "--dry-run"))
        self.looked("ablate", "--study", "sc21-cpu", "--list")

    def test_reproduce(self) -> None:
        self.assertIn("packages and build before", self.looked("reproduce", "--dry-run", "--no-install"))


class Tests(unittest.TestCase):
    def test_costs_of_earlier_runs_then_properties_then_labels(self) -> None:
        listed = {
            "tests": [
                {"name": "a", "properties": [{"name": "COST", "value": 50.0}, {"name": "LABELS", "value": ["unit"]}]},
                {"name": "b", "properties": [{"name": "COST", "value": 50.0}, {"name": "PROCESSORS", "value": 2}]},
                {"name": "c", "properties": [{"name": "LABELS", "value": ["suite", "slow"]}]},
                {"name": "d"},
            ]
        }
        self.assertEqual(testing.costs(listed, {"a": 3.0}), {"a": 3.0, "b": 50.0, "c": 10.0, "d": 1.0})

    def test_what_chosen_tests_take_is_built(self) -> None:
        outputs, folder = {"engine/retrograde.so", "suites/a", "suites/b"}, Path("/tree/build/release")

        def of(*words: str, **properties: list[str]) -> list[str] | None:
            has = [{"name": name, "value": value} for name, value in properties.items()]
            return testing.targets_of([{"name": "t", "command": words, "properties": has}], outputs, folder)

        self.assertEqual(of("python3", f"--plugin={folder}/engine/../engine/retrograde.so"), ["engine/retrograde.so"])
        self.assertEqual(of("python3", "run.py", ENVIRONMENT=[f"P={folder}/suites/a"]), ["suites/a"])
        self.assertEqual(of("python3", "layers.py", f"--out={folder}/elsewhere"), [])
        self.assertIsNone(of("run", f"{folder}/suites/a", f"{folder}/suites"))
        self.assertIsNone(of("run", str(folder)))

    def test_costs_as_ctest_keeps_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(testing.recorded(Path(folder)), {})
            kept = Path(folder) / "Testing" / "Temporary"
            kept.mkdir(parents=True)
            (kept / "CTestCostData.txt").write_text("verify.a b 2 1.5\nnever 0 0\n---\nfailed.one\n")
            self.assertEqual(testing.recorded(Path(folder)), {"verify.a b": 1.5})

    def test_long_tests_that_come_first_are_not_taken_for_all(self) -> None:
        now = [0.0]
        costs = {"long": 600.0, "other": 600.0, **{f"short{i}": 1.0 for i in range(1000)}}
        clock = testing.Clock(costs, 2, clock=lambda: now[0])
        self.assertEqual(clock.left(), 1100)
        clock.started("long")
        clock.started("other")
        now[0] = 300
        self.assertAlmostEqual(clock.left(), 800)
        now[0] = 600
        clock.finished("long")
        clock.finished("other")
        self.assertAlmostEqual(clock.left(), 500)

    def test_a_machine_that_is_slower_than_expected(self) -> None:
        now = [0.0]
        clock = testing.Clock({"a": 100.0, "b": 100.0}, 1, clock=lambda: now[0])
        clock.started("a")
        now[0] = 200
        clock.finished("a")
        self.assertTrue(150 < clock.left() < 200)

    def test_what_failed_is_shown_by_its_last_lines(self) -> None:
        failures = testing.Failures()
        for line in (
            "1/4 Test  #1: a.good .....   Passed    1.00 sec",
            "2/4 Test  #2: a.bad ......***Failed    1.00 sec",
            *(f"line {i}" for i in range(9)),
            "",
            "    Start  3: a.left",
            "3/4 Test  #3: a.left .....***Skipped   1.00 sec",
            "no compiler",
            "4/4 Test  #4: a.slow .....***Timeout   9.00 sec",
            "x" * 400,
        ):
            failures.line(line + "\n")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            failures.show()
        shown = out.getvalue().split()
        self.assertEqual(shown[:5], ["a.bad", "ended", "with", "line", "3"])
        self.assertEqual(shown[-4:-1], ["a.slow", "ended", "with"])
        self.assertEqual(len(shown[-1]), 220)
        self.assertNotIn("a.left", shown)

    def test_where_the_time_went(self) -> None:
        times = testing.Times({"a.b.two": 2.0})
        for line in (
            "    Start  1: a.b.one",
            "1/3 Test  #1: a.b.one ....   Passed    1.50 sec",
            "2/3 Test  #2: a.b.two ....***Failed    2.00 sec",
            "3/3 Test  #3: c.d ........   Passed   10.25 sec",
        ):
            times.line(line + "\n")
        self.assertEqual(times.of, {"a.b": (2, 5.5), "c.d": (1, 10.25)})
        with contextlib.redirect_stdout(io.StringIO()) as out:
            times.show()
        self.assertEqual(
            [line.split() for line in out.getvalue().splitlines()[2:]],
            [["10", "1", "c.d"], ["6", "2", "a.b"], ["16", "3", "all"]],
        )


class Progress(unittest.TestCase):
    def test_estimate_and_lines(self) -> None:
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

    def test_what_was_expected_counts_less_and_less(self) -> None:
        now = [0.0]
        meter = progress.Meter(10, "work", out=io.StringIO(), clock=lambda: now[0], expected=100)
        self.assertEqual(meter.left(), 100)
        now[0], meter.done = 60, 1  # a first unit that is long: not nine times as long again
        self.assertAlmostEqual(meter.left() or 0, 9 * 80 / 3)
        now[0], meter.done = 270, 9
        self.assertAlmostEqual(meter.left() or 0, 290 / 11)

    def test_an_estimate_that_is_better_known(self) -> None:
        out = io.StringIO()
        meter = progress.Meter(4, "work", every=0, out=out, clock=lambda: 10)
        meter.advance(left=90)
        self.assertIn("about 1m30s left", out.getvalue())

    def test_steps_remember_and_say_what_is_left_of_the_budget(self) -> None:
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("sys.stderr", new=io.StringIO()) as said:
            memory = Path(folder) / "times.json"
            memory.write_text('{"a": 30}')
            steps = progress.Steps(["a", "b"], {"a": 100, "b": 50}, memory)
            steps.expect("b", 20)
            steps.budget = time.monotonic(), 600
            steps.begin("a")
            self.assertLess(steps.end(), 5)
            self.assertLess(json.loads(memory.read_text())["a"], 5)
        self.assertIn("step 1 of 2: a (about 30s; about 50s to the end; 10m00s of the budget", said.getvalue())

    def test_spans(self) -> None:
        self.assertEqual([progress.span(s) for s in (0, 59.4, 61, 3660)], ["0s", "59s", "1m01s", "1h01m"])


class CommandLine(unittest.TestCase):
    def test_every_command_has_help(self) -> None:
        for name in ("reproduce", "test", "build", "bench", "ablate", "toggles", "doctor"):
            with self.assertRaises(SystemExit) as end, unittest.mock.patch("sys.stdout", new=io.StringIO()) as out:
                parser().parse_args([name, "--help"])
            self.assertEqual(end.exception.code, 0)
            self.assertIn(f"usage: retro {name}", out.getvalue())

    def test_the_verifiers_arguments_are_passed_on_in_order(self) -> None:
        args = parse(["verify", "f.c", "--function", "f", "--preset", "debug", "--help"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["f.c", "--function", "f", "--help"]))

    def test_compiler_flags_of_the_verifier_are_left_alone(self) -> None:
        args = parse(["verify", "--preset=debug", "f.c::f", "--", "--preset", "x"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["f.c::f", "--", "--preset", "x"]))
        args = parse(["verify", "f.c::f", "--", "-DN=3"])
        self.assertEqual((args.preset, args.arguments), ("release", ["f.c::f", "--", "-DN=3"]))

    def test_the_fuzzers_arguments_are_passed_on(self) -> None:
        args = parse(["fuzz", "-n", "5", "--preset", "debug", "--seed", "3"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["-n", "5", "--seed", "3"]))

    def test_the_arguments_of_python_are_passed_on(self) -> None:
        args = parse(["python", "--preset", "debug", "-c", "pass", "--preset"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["-c", "pass", "--preset"]))
        args = parse(["python", "program.py", "--preset", "x"])
        self.assertEqual((args.preset, args.arguments), ("release", ["program.py", "--preset", "x"]))

    def test_the_benchmarks_arguments_are_passed_on(self) -> None:
        args = parse(["bench", "--no-install", "gmm", "--size", "smoke", "--verify"])
        self.assertEqual((args.name, args.arguments), ("gmm", ["--size", "smoke", "--verify"]))

    def test_the_packs_arguments_are_passed_on(self) -> None:
        args = parse(["bench", "--preset=debug", "--device", "cuda", "--budget", "8", "--pack", "p", "--full"])
        self.assertEqual((args.preset, args.pack, args.arguments), ("debug", "p", ["--budget", "8", "--full"]))
        args = parse(["bench", "lbm", "--device=cuda", "--check"])
        self.assertEqual((args.device, args.pack, args.arguments), ("cuda", None, ["lbm", "--check"]))
        args = parse(["pack", "--suite", "lbm", "--preset", "debug"])
        self.assertEqual((args.preset, args.arguments), ("debug", ["--suite", "lbm"]))

    def test_the_help_names_every_command_in_a_group(self) -> None:
        top = parser()
        self.assertEqual(sorted(top.texts), sorted(name for group in cli.GROUPS.values() for name in group))
        text = top.format_help()
        self.assertLess(text.index("  verify "), text.index("  reproduce "))
        for name, line in top.texts.items():
            self.assertIn(f"  {name:<15}{line}", text)

    def test_version(self) -> None:
        with self.assertRaises(SystemExit), unittest.mock.patch("sys.stdout", new=io.StringIO()) as out:
            parser().parse_args(["--version"])
        self.assertRegex(out.getvalue(), r"^retrograde \d+\.\d+\.\d+, for LLVM \d+\n$")

    def test_the_python_package_has_the_same_version(self) -> None:
        text = (support.ROOT / "python" / "retro" / "__init__.py").read_text()
        self.assertIn(f'__version__ = "{packaging.version()}"', text)

    def test_columns_of_toggles_are_apart(self) -> None:
        with unittest.mock.patch("sys.stdout", new=io.StringIO()) as out:
            self.assertEqual(cli.main(["toggles"]), 0)
        for line in out.getvalue().splitlines():
            self.assertRegex(line, r"^[a-z-]+ {2,}(on|off) +\S")

    def test_unknown_arguments_are_refused(self) -> None:
        with self.assertRaises(SystemExit), unittest.mock.patch("sys.stderr", new=io.StringIO()):
            parse(["build", "--nonsense"])


if __name__ == "__main__":
    unittest.main()
