"""What is asked of rows: grouping, order, ratios, and the published figures that belong to them."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tools.retrolib.toggles import Toggle

from . import matrix, statistics

Row = dict[str, Any]  # what was measured of one cell, as its file of JSON has it (docs/reading-the-tables.md)
Key = tuple[str, str, str, str]  # benchmark, kernel, size, variant
BARS = Path(__file__).with_name("reference_bars.json")


def read(folder: Path) -> list[Row]:
    """The rows of a folder in the order of the tables."""
    return arrange([json.loads(f.read_text()) for f in sorted(folder.glob("*.json"))])


def read_bars() -> dict[str, Any]:
    return json.loads(BARS.read_text())


def arrange(rows: list[Row]) -> list[Row]:
    """Rows by benchmark in the order of reference_bars.json, the usual kernel and size first, other sizes from
    small to large."""
    order = {name: i for i, name in enumerate(read_bars()["order"])}

    def place(row: Row) -> tuple[int | str, ...]:
        return (
            order.get(row["benchmark"], len(order)),
            row["benchmark"],
            not row["is_default_kernel"],
            row["kernel"],
            not row["is_default_size"],
            row["size_index"],
            row["variant"] != "restrict",
            row["setting"],
        )

    return sorted(rows, key=place)


def bar_of(row: Row, bars: dict[str, Any]) -> Row:
    """The published figures that belong to a row's benchmark and size; {} when there are none."""
    for bar in bars["bars"]:
        if (
            bar["benchmark"] == row["benchmark"]
            and row["variant"] == "restrict"
            and row["kernel"] in bar.get("kernels", [row["kernel"]])
            and all(row["size_values"].get(k) == v for k, v in bar["dims"].items())
        ):
            return bar
    return {}


def median(row: Row | None, column: str) -> float | None:
    """Median seconds per call of a column, or None where it was not timed."""
    timed = (row or {}).get("columns", {}).get(column)
    return timed["median"] if timed else None


def ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def overhead(row: Row | None, column: str = "gradient") -> float | None:
    """Gradient time / primal time of one run, or None."""
    return ratio(median(row, column), median(row, "primal"))


def within(value: float | None, limit: float | None) -> bool | None:
    """value <= limit; None where one of them is missing."""
    return None if value is None or limit is None else value <= limit


def compile_seconds(row: Row | None) -> tuple[float | None, float | None]:
    """(median CPU seconds with the plugin, without it); None where it was not timed."""
    times = (row or {}).get("compile") or {}
    made, bare = ((times.get(key) or {}).get("median") for key in ("with_plugin", "without_plugin"))
    return made, bare


def compile_ratio(row: Row | None) -> float | None:
    return ratio(*compile_seconds(row))


def group(rows: list[Row]) -> dict[Key, dict[str, Row]]:
    """{(benchmark, kernel, size, variant): {setting: row}} in order of appearance."""
    groups = {}
    for row in rows:
        groups.setdefault((row["benchmark"], row["kernel"], row["size"], row["variant"]), {})[row["setting"]] = row
    return groups


def all_on(rows: list[Row]) -> list[tuple[Key, Row]]:
    """[(key, row)] of the rows with every toggle on."""
    return [(key, cells[matrix.ALL_ON]) for key, cells in group(rows).items() if matrix.ALL_ON in cells]


def primary(rows: list[Row]) -> list[Row]:
    """The rows without those of variants that have a row with no-alias pointers beside them: these are compared with it."""
    usual = {(r["benchmark"], r["kernel"], r["size"]) for r in rows if r["variant"] == "restrict"}
    return [r for r in rows if r["variant"] == "restrict" or (r["benchmark"], r["kernel"], r["size"]) not in usual]


def variant_pairs(rows: list[Row]) -> dict[tuple[str, str, str], tuple[Row, Row]]:
    """{(benchmark, kernel, size): (row with no-alias pointers, row without)} of the rows with every toggle on."""
    found = {key: row for key, row in all_on(rows)}
    return {
        key[:3]: (row, found[*key[:3], "plain"])
        for key, row in found.items()
        if key[3] == "restrict" and (*key[:3], "plain") in found
    }


def plain_over_restrict(pair: tuple[Row, Row]) -> float | None:
    """Gradient time without no-alias pointers over that with them, or None."""
    return ratio(median(pair[1], "gradient"), median(pair[0], "gradient"))


def is_usual(row: Row) -> bool:
    """The benchmark's usual kernel and size."""
    return row["is_default_kernel"] and row["is_default_size"]


def slowdowns(cells: dict[str, Row]) -> dict[str, float | None]:
    """{setting: overhead with it / overhead with all on}; None where one of them was not timed.

    The primal is the same code in every cell. Relative to it, two cells compare even when the machine was not
    equally fast during both.
    """
    base = overhead(cells.get(matrix.ALL_ON))
    return {name: ratio(overhead(row), base) for name, row in cells.items() if name != matrix.ALL_ON}


def setting_order(rows: list[Row], toggles: list[Toggle]) -> list[tuple[str, str]]:
    """The settings that occur, in the order of toggles.def, all-off last, and their table headings. Rows are of CPUs: a switch of GPUs
    changes none of them, and what it seems to cost is noise."""
    present = {row["setting"] for row in rows}
    names = [f"no-{t.name}" for t in toggles if not t.of_gpus] + [matrix.ALL_OFF]
    headings = {f"no-{t.name}": f"no {t.heading}" for t in toggles} | {matrix.ALL_OFF: "all off"}
    return [(n, headings[n]) for n in names if n in present]


def geometric_means(
    rows: list[Row], names: list[str], benchmarks: Iterable[str] | None = None
) -> dict[str, tuple[float | None, int]]:
    """{setting: (geometric mean of the slowdowns, how many)}, over all benchmarks or the named ones.

    Only a benchmark's usual kernel and size count, with no-alias pointers: none weighs more for having more.
    """
    result = {}
    for name in names:
        values = [
            slowdowns(cells).get(name)
            for (benchmark, _, _, variant), cells in group(rows).items()
            if (benchmarks is None or benchmark in benchmarks)
            and variant == "restrict"
            and is_usual(next(iter(cells.values())))
        ]
        values = [v for v in values if v is not None]
        result[name] = (statistics.geometric_mean(values), len(values))
    return result


def scaling_series(rows: list[Row]) -> dict[tuple[str, str, str], list[Row]]:
    """{(benchmark, kernel, variant): [row with all on]} from small to large; two rows each at least."""
    series = {}
    for (benchmark, kernel, _, variant), row in all_on(rows):
        if overhead(row) is not None:
            series.setdefault((benchmark, kernel, variant), []).append(row)
    return {key: sorted(found, key=lambda row: row["size_index"]) for key, found in series.items() if len(found) > 1}


def distinct(rows: list[Row], pick: Callable[[Row], object]) -> list[str]:
    """The values of pick(row) that occur, as text, sorted; None is left out."""
    return sorted({str(pick(r)) for r in rows if pick(r)})


def conditions(rows: list[Row]) -> list[str]:
    """[machine, compiler, commit, command] of the rows; where they differ, all that occur."""
    return [
        "; ".join(
            distinct(rows, lambda r: f"{r['machine']['cpu']}, {r['machine']['cores']} cores".removesuffix(", 0 cores"))
        ),
        "; ".join(distinct(rows, lambda r: r.get("compiler"))) or "unknown compiler",
        "commit "
        + (
            ", ".join(
                distinct(
                    rows,
                    lambda r: r["commit"] and r["commit"][:12] + ("+changes" if "+" in r["commit"] else ""),
                )
            )
            or "unknown"
        ),
        "; ".join(distinct(rows, lambda r: r.get("study"))),
    ]
