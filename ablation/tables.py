"""Rows -> markdown. Every number comes from a measured row or, in the columns of other tools, from
reference_bars.json."""

from tools.retrolib.toggles import Toggle

from . import matrix
from .intervals import Interval
from .rows import (
    Key,
    Row,
    all_on,
    bar_of,
    compile_ratio,
    compile_seconds,
    conditions,
    geometric_means,
    group,
    median,
    overhead,
    plain_over_restrict,
    primary,
    read_bars,
    scaling_series,
    setting_order,
    slowdowns,
    variant_pairs,
    within,
)

NOT_MEASURED = "–"


def title(key: Key, size: bool = True) -> str:
    """benchmark (kernel) size, the variant only when it is not the usual one."""
    benchmark, kernel, size_name, variant = key
    words = [benchmark, *([kernel] if kernel != "default" else []), *([size_name] if size else [])]
    return " ".join(words) + ("" if variant == "restrict" else f" ({variant})")


def number(value: float | None, digits: int = 3) -> str:
    """A number to so many significant digits, never in exponent form between 0.001 and 1e6."""
    if value is None:
        return NOT_MEASURED
    if not value:
        return "0"
    if not 1e-3 <= abs(value) < 1e6:
        return f"{value:.{digits - 1}e}"
    text = f"{value:#.{digits}g}"
    return f"{float(text):g}" if "e" in text else text.rstrip(".")


def interval(found: Interval | None, digits: int = 3) -> str:
    """A median with its confidence interval."""
    if found is None:
        return NOT_MEASURED
    text = number(found.value, digits)
    return text if found.low is None else f"{text} [{number(found.low, digits)}, {number(found.high, digits)}]"


def milliseconds(seconds: float | None) -> str:
    return number(None if seconds is None else 1e3 * seconds)


def byte_count(n: int | None) -> str:
    if n is None:
        return NOT_MEASURED
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if abs(n) >= size:
            return f"{number(n / size)} {unit}"
    return f"{n:g} B"


def mark(good: bool | None) -> str:
    """A verdict on a bar: yes, **no**, or – where there is nothing to compare."""
    return {True: "yes", False: "**no**", None: NOT_MEASURED}[good]


def markdown(header: list[str], lines: list[list[str]], left: float = 1) -> str:
    """A table whose source is readable too; the first `left` columns are aligned to the left, the rest to the
    right."""
    widths = [max(map(len, column)) for column in zip(header, *lines)]
    widths = [max(w, 4) for w in widths]

    def line(cells: list[str]) -> str:
        padded = [c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * w if i < left else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    return "\n".join([line(header), line(rule), *map(line, lines)]) + "\n"


def status(row: Row, column: str = "gradient") -> str:
    """verified / WRONG / failed, as the verdicts of the row say."""
    if row["status"] != "ok" and column == "gradient":
        return "failed"
    verdict = row.get("verified", {}).get(column)
    return {True: "verified", False: "WRONG"}.get(verdict, NOT_MEASURED)


def _has_compared(chosen: list[tuple[Key, Row]]) -> bool:
    return any("compare" in row.get("verified", {}) for _, row in chosen)


def _compared(row: Row) -> str:
    return number(overhead(row, "compare")) if status(row, "compare") != "WRONG" else "WRONG"


def overhead_table(rows: list[Row]) -> str:
    """Gradient/primal with all toggles on at each benchmark's usual size (at every size where that was not run),
    every kernel that was run, beside the bar (another tool's published figure) and an adjoint written by hand."""
    bars, measured, pairs = read_bars(), all_on(primary(rows)), variant_pairs(rows)
    usual = {(key[0], key[1], key[3]) for key, row in measured if row["is_default_size"]}
    chosen = [(key, row) for key, row in measured if row["is_default_size"] or (key[0], key[1], key[3]) not in usual]
    compared = _has_compared(chosen)
    header = ["benchmark", "gradient", "primal ms", "gradient ms", "quartiles", "**overhead**", "bar", "met"]
    header += ["compared plugin"] if compared else []
    header += ["hand adjoint", "hand (published)"]
    header += ["without restrict"] if pairs else []
    lines = []
    for key, row in chosen:
        timed, bar = row.get("columns", {}).get("gradient"), bar_of(row, bars)
        lines.append(
            [
                title(key),
                status(row),
                milliseconds(median(row, "primal")),
                milliseconds(median(row, "gradient")),
                f"{milliseconds(timed['q1'])}–{milliseconds(timed['q3'])}" if timed else NOT_MEASURED,
                f"**{number(overhead(row))}**" if timed else NOT_MEASURED,
                number(bar.get("enzyme")),
                mark(within(overhead(row), bar.get("enzyme"))),
                *([_compared(row)] if compared else []),
                number(overhead(row, "hand")),
                number(bar.get("hand")),
                *([number(plain_over_restrict(pairs[key[:3]]) if key[:3] in pairs else None)] if pairs else []),
            ]
        )
    return markdown(header, lines, left=2)


def compile_table(rows: list[Row]) -> str:
    """CPU seconds to compile each benchmark's gradient source, without and with the plugin."""
    limit = read_bars()["limits"]["compile_ratio"]
    lines, seen = [], set()
    for key, row in all_on(rows):
        (with_plugin, without), name = compile_seconds(row), (key[0], key[3])
        if without is None or name in seen:
            continue
        seen.add(name)
        factor = compile_ratio(row)
        lines.append(
            [
                key[0] + ("" if key[3] == "restrict" else f" ({key[3]})"),
                number(without),
                number(with_plugin),
                f"**{number(factor)}×**",
                mark(within(factor, limit)),
            ]
        )
    header = ["benchmark", "without plugin, s", "with plugin, s", "ratio", f"at most {limit:g}×"]
    return markdown(header, lines) if lines else ""


def _bytes(row: Row, column: str, field: str) -> int | None:
    return (row.get("columns", {}).get(column) or {}).get(field)


def memory_table(rows: list[Row]) -> str:
    """Bytes of tape per call, and the resident memory that one call adds to a process that has its data."""
    lines = [
        [
            title(key),
            f"**{byte_count(_bytes(row, 'gradient', 'tape_bytes'))}**",
            *(byte_count(_bytes(row, c, "peak_memory_bytes")) for c in ("primal", "gradient", "hand")),
        ]
        for key, row in all_on(rows)
        if "gradient" in row.get("columns", {})
    ]
    return markdown(["benchmark", "tape per call", "peak: primal", "peak: gradient", "peak: hand"], lines)


def ablation_table(rows: list[Row], toggles: list[Toggle]) -> str:
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


def scaling_table(rows: list[Row]) -> str:
    """Overhead over size with all toggles on, for benchmarks that were run at two sizes or more."""
    bars, lines, compared = read_bars(), [], _has_compared(all_on(rows))
    for (benchmark, kernel, variant), series in scaling_series(rows).items():
        for row in series:
            bar = bar_of(row, bars).get("enzyme")
            lines.append(
                [
                    title((benchmark, kernel, "", variant), size=False),
                    row["size"],
                    milliseconds(median(row, "primal")),
                    f"**{number(overhead(row))}**",
                    number(bar),
                    mark(within(overhead(row), bar)),
                    *([_compared(row)] if compared else []),
                    number(overhead(row, "hand")),
                    byte_count(_bytes(row, "gradient", "tape_bytes")),
                ]
            )
    header = ["benchmark", "size", "primal ms", "overhead", "bar", "met"]
    header += ["compared plugin"] if compared else []
    header += ["hand adjoint", "tape per call"]
    return markdown(header, lines, left=2) if lines else ""


def failures(rows: list[Row]) -> str:
    """One line for each cell that failed, with its reason."""
    return "".join(f"- `{row['cell']}`: {row['reason']}\n" for row in rows if row["status"] != "ok")


def conditions_line(rows: list[Row]) -> str:
    """One sentence: machine, compiler, commit, command of the rows."""
    machine, compiler, commit, command = conditions(rows)
    return f"{machine}. {compiler}. C{commit[1:]}." + (f" `{command}`." if command else "")
