import unittest
from typing import Any

from ablation import report, rows, tables

from . import support
from .support import fake_row


def cells(text: str) -> list[list[str]]:
    """The cells of a markdown table, line by line."""
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines()]


class Numbers(unittest.TestCase):
    def test_significant_digits(self) -> None:
        self.assertEqual(tables.number(3.14159), "3.14")
        self.assertEqual(tables.number(1234.5), "1230")
        self.assertEqual(tables.number(0), "0")
        self.assertEqual(tables.number(2.5e-7), "2.50e-07")
        self.assertEqual(tables.number(None), tables.NOT_MEASURED)

    def test_bytes(self) -> None:
        self.assertEqual(tables.byte_count(1536), "1.54 kB")
        self.assertEqual(tables.byte_count(0), "0 B")
        self.assertEqual(tables.byte_count(None), tables.NOT_MEASURED)


class Overhead(unittest.TestCase):
    def test_ratio_of_medians(self) -> None:
        self.assertEqual(rows.overhead(fake_row(gradient=6.0, primal=2.0)), 3.0)
        self.assertIsNone(rows.overhead(fake_row(gradient=None)))

    def test_published_figure_needs_the_same_size(self) -> None:
        values = {"d": 10, "K": 25, "n": 2000}
        bars = rows.read_bars()
        self.assertEqual(rows.bar_of(fake_row(values=values), bars)["enzyme"], 2.73)
        self.assertEqual(rows.bar_of(fake_row(values={**values, "n": 2001}), bars), {})
        self.assertEqual(rows.bar_of(fake_row(benchmark="xsbench", values=values), bars), {})

    def test_table_shows_measured_and_published_numbers(self) -> None:
        text = tables.overhead_table([fake_row(values={"d": 10, "K": 25, "n": 2000}, hand=2.0)])
        self.assertEqual(
            cells(text)[-1],
            ["gmm small", "verified", "1000", "3000", "2700–3600", "**3.00**", "2.73", "**no**", "2.00", "1.95"],
        )
        self.assertNotIn("compared", text)

    def test_variants_are_a_column_where_both_were_run(self) -> None:
        both = [fake_row(), fake_row(variant="plain", gradient=4.2), fake_row("ba"), fake_row("fft", variant="plain")]
        lines = cells(tables.overhead_table(both))
        self.assertEqual(
            [lines[0][-1], *(line[0] for line in lines[2:])],
            ["without restrict", "gmm small", "ba small", "fft small (plain)"],
        )
        self.assertEqual([line[-1] for line in lines[2:]], ["1.40", "–", "–"])
        self.assertNotIn("plain", tables.compile_table(rows.primary(both[:3])))

    def test_the_bar_is_met_at_or_below(self) -> None:
        values = {"d": 10, "K": 25, "n": 2000}
        self.assertIn("yes", cells(tables.overhead_table([fake_row(values=values, gradient=2.73)]))[-1])

    def test_other_sizes_are_in_the_table_of_scaling(self) -> None:
        text = tables.overhead_table([fake_row(), fake_row(size="big")])
        self.assertEqual([line[0] for line in cells(text)[2:]], ["gmm small"])

    def test_a_benchmark_without_its_usual_size_is_not_lost(self) -> None:
        text = tables.overhead_table([fake_row(), fake_row("ba", size="big")])
        self.assertEqual([line[0] for line in cells(text)[2:]], ["gmm small", "ba big"])

    def test_a_compared_plugin_adds_a_column(self) -> None:
        row = fake_row()
        row["verified"]["compare"], row["columns"]["compare"] = True, {"median": 7.0}
        lines = cells(tables.overhead_table([row]))
        self.assertEqual(lines[2][lines[0].index("compared plugin")], "7.00")
        row["verified"]["compare"] = False
        self.assertIn("WRONG", cells(tables.overhead_table([row]))[2])

    def test_failed_row_has_no_overhead(self) -> None:
        text = tables.overhead_table([fake_row(gradient=None, status="failed", reason="gradient is wrong")])
        self.assertIn("failed", cells(text)[-1])
        self.assertNotIn("**3", text)


class Ablation(unittest.TestCase):
    def rows(self) -> list[dict[str, Any]]:
        return [
            fake_row(),
            fake_row(setting="no-first", gradient=12.0),
            fake_row(setting="all-off", gradient=27.0),
            fake_row("ba"),
            fake_row("ba", "no-first", 3.0),
            fake_row("ba", "all-off", None, status="failed", reason="too slow"),
        ]

    def test_slowdown_is_relative_to_the_primal_of_the_same_run(self) -> None:
        slow_machine = {"all-on": fake_row(), "no-first": fake_row(gradient=24.0, primal=2.0)}
        self.assertEqual(rows.slowdowns(slow_machine), {"no-first": 4.0})

    def test_slowdown_is_overhead_over_overhead(self) -> None:
        found = rows.group(self.rows())["gmm", "default", "small", "restrict"]
        self.assertEqual(rows.slowdowns(found), {"no-first": 4.0, "all-off": 9.0})

    def test_table(self) -> None:
        lines = cells(tables.ablation_table(self.rows(), support.TOGGLES))
        self.assertEqual(lines[0], ["benchmark", "all on, ms", "no First", "all off"])
        self.assertEqual(lines[2], ["gmm small", "3000", "4.00", "9.00"])
        self.assertEqual(lines[3], ["ba small", "3000", "1.00", "failed"])
        self.assertEqual(lines[4], ["**geometric mean**", "", "2.00 (2)", "9.00 (1)"])

    def test_failures_name_the_cell_and_the_reason(self) -> None:
        self.assertEqual(tables.failures(self.rows()), "- `ba.default.small.restrict.all-off`: too slow\n")


class Scaling(unittest.TestCase):
    def test_from_small_to_large(self) -> None:
        measured = [fake_row(size="big", primal=10, gradient=50), fake_row(size="small"), fake_row("ba")]
        series = rows.scaling_series(measured)
        self.assertEqual(list(series), [("gmm", "default", "restrict")])
        self.assertEqual([row["size"] for row in series["gmm", "default", "restrict"]], ["small", "big"])
        self.assertEqual(cells(tables.scaling_table(measured))[2][:4], ["gmm", "small", "1000", "**3.00**"])


class Costs(unittest.TestCase):
    def test_compile_time_once_a_benchmark(self) -> None:
        measured = [fake_row(), fake_row(kernel="other"), fake_row("ba", compile_seconds=(4.0, 1.0))]
        lines = cells(tables.compile_table(measured))[2:]
        self.assertEqual(lines[0], ["gmm", "0.800", "2.00", "**2.50×**", "yes"])
        self.assertEqual(lines[1], ["ba", "1.00", "4.00", "**4.00×**", "**no**"])

    def test_memory(self) -> None:
        lines = cells(tables.memory_table([fake_row()]))
        self.assertEqual(lines[2], ["gmm small", "**1.54 kB**", "2.00 MB", "2.00 MB", "–"])


class Order(unittest.TestCase):
    def test_benchmarks_as_declared_the_usual_first_then_by_size(self) -> None:
        measured = [
            fake_row("new"),
            fake_row("ba", kernel="other"),
            fake_row("ba", size="big", primal=4.0),
            fake_row("ba"),
            fake_row("gmm"),
        ]
        self.assertEqual(
            [(r["benchmark"], r["kernel"], r["size"]) for r in rows.arrange(measured)],
            [
                ("gmm", "default", "small"),
                ("ba", "default", "small"),
                ("ba", "default", "big"),
                ("ba", "other", "small"),
                ("new", "default", "small"),
            ],
        )


class Pages(unittest.TestCase):
    def test_fill_only_between_the_markers(self) -> None:
        text = "a\n<!-- table:overhead -->\nold\n<!-- /table:overhead -->\nb <!-- table:ablation -->\n"
        filled = report.fill(text, "overhead", "new\n")
        self.assertEqual(
            filled, "a\n<!-- table:overhead -->\nnew\n<!-- /table:overhead -->\nb <!-- table:ablation -->\n"
        )
        self.assertEqual(report.fill(filled, "other", "x"), filled)

    def test_summary_holds_the_numbers_of_the_tables(self) -> None:
        data = report.summary(Ablation().rows(), support.TOGGLES)
        self.assertEqual(data["rows"][0]["overhead"]["gradient"], 3.0)
        self.assertEqual(data["rows"][1]["failed"], {"all-off": "too slow"})
        self.assertAlmostEqual(data["geometric_mean_slowdown"]["all"]["no-first"]["value"], 2.0)


if __name__ == "__main__":
    unittest.main()
