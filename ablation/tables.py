"""Rows -> markdown. Every number comes from a measured row or, in the columns of other tools, from
reference_bars.json."""

import json
from pathlib import Path

from . import matrix, statistics

BARS = Path(__file__).with_name("reference_bars.json")
NOT_MEASURED = "–"


def read_rows(folder):
    """The rows of a folder, in the order of their file names."""
    return [json.loads(f.read_text()) for f in sorted(folder.glob("*.json"))]


def read_bars():
    return json.loads(BARS.read_text())


def bar_of(row, bars):
    """The published figures that belong to a row's benchmark and size; {} when there are none."""
    for bar in bars["bars"]:
        if (
            bar["benchmark"] == row["benchmark"]
            and row["kernel"] in bar.get("kernels", [row["kernel"]])
            and all(row["size_values"].get(k) == v for k, v in bar["dims"].items())
        ):
            return bar
    return {}


def median(row, column):
    """Median seconds per call of a column, or None where it was not timed."""
    timed = (row or {}).get("columns", {}).get(column)
    return timed["median"] if timed else None


def ratio(above, below):
    return above / below if above is not None and below else None


def overhead(row, column="gradient"):
    """Gradient time / primal time of one run, or None."""
    return ratio(median(row, column), median(row, "primal"))


def group(rows):
    """{(benchmark, kernel, size, variant): {setting: row}} in order of appearance."""
    groups = {}
    for row in rows:
        groups.setdefault((row["benchmark"], row["kernel"], row["size"], row["variant"]), {})[
            row["setting"]
        ] = row
    return groups


def title(key):
    """benchmark (kernel) size, the variant only when it is not the usual one."""
    benchmark, kernel, size, variant = key
    name = benchmark if kernel == "default" else f"{benchmark} {kernel}"
    return f"{name} {size}" + ("" if variant == "restrict" else f" ({variant})")


def number(value, digits=3):
    """A number to so many significant digits, never in exponent form between 0.001 and 1e6."""
    if value is None:
        return NOT_MEASURED
    if value and not 1e-3 <= abs(value) < 1e6:
        return f"{value:.{digits - 1}e}"
    text = f"{value:.{digits}g}"
    return f"{float(text):g}" if "e" in text else text


def milliseconds(seconds):
    return number(None if seconds is None else 1e3 * seconds)


def byte_count(n):
    if n is None:
        return NOT_MEASURED
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if abs(n) >= size:
            return f"{number(n / size)} {unit}"
    return f"{n:g} B"


def markdown(header, lines, left=1):
    """A table; the first `left` columns are aligned to the left, the rest to the right."""
    out = [
        "| " + " | ".join(header) + " |",
        "|" + "|".join(["---"] * left + ["---:"] * (len(header) - left)) + "|",
    ]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def compile_ratio(row):
    times = row.get("compile") or {}
    with_plugin, without = times.get("with_plugin"), times.get("without_plugin")
    return ratio(with_plugin["median"], without["median"]) if with_plugin and without else None


def status(row, column="gradient"):
    """verified / WRONG / failed, as the verdicts of the row say."""
    if row["status"] != "ok" and column == "gradient":
        return "failed"
    verdict = row.get("verified", {}).get(column)
    return {True: "verified", False: "WRONG"}.get(verdict, NOT_MEASURED)


def overhead_table(rows):
    """Gradient/primal of every row with all toggles on, beside the hand adjoint, a compared plugin and
    published figures."""
    bars = read_bars()
    chosen = [(key, cells[matrix.ALL_ON]) for key, cells in group(rows).items() if matrix.ALL_ON in cells]
    compared = any("compare" in row.get("verified", {}) for _, row in chosen)
    header = [
        "benchmark",
        "gradient",
        "primal ms",
        "gradient ms",
        "quartiles",
        "**overhead**",
        "hand adjoint",
    ]
    header += ["compared plugin"] if compared else []
    header += ["Enzyme (published)", "hand (published)", "peak memory", "tape", "compile time"]
    lines = []
    for key, row in chosen:
        timed, bar = row.get("columns", {}).get("gradient"), bar_of(row, bars)
        line = [
            title(key),
            status(row),
            milliseconds(median(row, "primal")),
            milliseconds(median(row, "gradient")),
            f"{milliseconds(timed['q1'])}–{milliseconds(timed['q3'])}" if timed else NOT_MEASURED,
            f"**{number(overhead(row))}**" if timed else NOT_MEASURED,
            number(overhead(row, "hand")),
        ]
        if compared:
            line.append(number(overhead(row, "compare")) if status(row, "compare") != "WRONG" else "WRONG")
        factor = compile_ratio(row)
        line += [
            number(bar.get("enzyme")),
            number(bar.get("hand")),
            byte_count(timed.get("peak_memory_bytes") if timed else None),
            byte_count(timed.get("tape_bytes") if timed else None),
            NOT_MEASURED if factor is None else f"{number(factor)}×",
        ]
        lines.append(line)
    return markdown(header, lines, left=2)


def slowdowns(cells):
    """{setting: gradient time with it / gradient time with all on}; None where one of them was not timed."""
    base = median(cells.get(matrix.ALL_ON), "gradient")
    return {
        name: ratio(median(row, "gradient"), base) for name, row in cells.items() if name != matrix.ALL_ON
    }


def setting_order(rows, toggles):
    """The settings that occur, in the order of toggles.def, all-off last, and their table headings."""
    present = {row["setting"] for row in rows}
    names = [f"no-{t.name}" for t in toggles] + [matrix.ALL_OFF]
    headings = {f"no-{t.name}": f"no {t.heading}" for t in toggles} | {matrix.ALL_OFF: "all off"}
    return [(n, headings[n]) for n in names if n in present]


def geometric_means(rows, names, benchmarks=None):
    """{setting: (geometric mean of the slowdowns, how many)}, over all benchmarks or the named ones.

    Only a benchmark's usual kernel and size count: none weighs more for having more of them.
    """
    result = {}
    for name in names:
        values = [
            slowdowns(cells).get(name)
            for (benchmark, *_), cells in group(rows).items()
            if (benchmarks is None or benchmark in benchmarks) and next(iter(cells.values()))["is_default"]
        ]
        values = [v for v in values if v is not None]
        result[name] = (statistics.geometric_mean(values), len(values))
    return result


def ablation_table(rows, toggles):
    """How many times slower the gradient is with one toggle off, then with all off."""
    order = setting_order(rows, toggles)
    names = [n for n, _ in order]
    lines = []
    for key, cells in group(rows).items():
        factors = slowdowns(cells)
        if not factors:
            continue
        line = [title(key), milliseconds(median(cells.get(matrix.ALL_ON), "gradient"))]
        for name in names:
            row = cells.get(name)
            line.append("failed" if row and row["status"] != "ok" else number(factors.get(name)))
        lines.append(line)
    for label, only in (
        ("geometric mean", None),
        ("geometric mean of the study's seven", set(read_bars()["study"])),
    ):
        means = geometric_means(rows, names, only)
        if any(count for _, count in means.values()):
            lines.append(
                [
                    f"**{label}**",
                    "",
                    *(f"{number(m)} ({c})" if c else NOT_MEASURED for m, c in means.values()),
                ]
            )
    return markdown(["benchmark", "all on, ms", *(h for _, h in order)], lines)


def scaling_table(rows):
    """Overhead over size with all toggles on, for benchmarks that were run at two sizes or more."""
    series = scaling_series(rows)
    lines = [
        [name, size, milliseconds(primal), number(value)]
        for name, points in series.items()
        for primal, value, size in points
    ]
    return markdown(["benchmark", "size", "primal ms", "overhead"], lines, left=2) if lines else ""


def scaling_series(rows):
    """{benchmark and kernel: [(primal seconds, overhead, size)] from small to large}; at least two points
    each."""
    series = {}
    for (benchmark, kernel, size, variant), cells in group(rows).items():
        row = cells.get(matrix.ALL_ON)
        if overhead(row) is not None:
            name = title((benchmark, kernel, "", variant)).replace("  ", " ").strip()
            series.setdefault(name, []).append((median(row, "primal"), overhead(row), size))
    return {name: sorted(points) for name, points in series.items() if len(points) > 1}


def failures(rows):
    """One line for each cell that failed, with its reason."""
    return "".join(f"- `{row['cell']}`: {row['reason']}\n" for row in rows if row["status"] != "ok")


def conditions(rows):
    """One sentence: machine, compiler, commit of the rows. Says so when they differ."""

    def values(pick):
        return sorted({str(pick(r)) for r in rows})

    machines = values(lambda r: f"{r['machine']['cpu']}, {r['machine']['cores']} cores")
    compilers = values(lambda r: r.get("compiler") or "unknown compiler")
    commits = values(
        lambda r: (r["commit"] or "unknown")[:12] + ("+changes" if "+" in (r["commit"] or "") else "")
    )
    return f"{'; '.join(machines)}. {'; '.join(compilers)}. Commit {', '.join(commits)}."
