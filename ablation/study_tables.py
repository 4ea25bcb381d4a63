"""Rows of a study -> its table. One function a kind of figure; all take (study, rows, context) and give a Sheet."""

import ast
import operator
from dataclasses import dataclass, field
from typing import Any

from tools.retrolib.toggles import Toggle

from . import failures, intervals, matrix, rows, tables
from .sheets import Sheet
from .study import Study

SMALL = 0.03  # a slowdown within so much of 1, and surely so, is none


@dataclass
class Context:
    """toggles: of toggles.def; artefacts: {file: its JSON}, those that there are; absent: what was not built."""

    toggles: list
    artefacts: dict = field(default_factory=dict)
    absent: list = field(default_factory=list)


def label(key: rows.Key) -> str:
    return tables.title(key)


def on_rows(measured: list[rows.Row]) -> list[tuple[rows.Key, rows.Row]]:
    return rows.all_on(measured)


def noisy(interval: intervals.Interval | None, tolerance: float) -> str:
    """A remark on an interval that is wider than asked; "" where it is not."""
    return "noisy" if interval and interval.width is not None and interval.width > tolerance else ""


def outlier_count(row: rows.Row) -> int:
    return sum(len(intervals.outliers(intervals.runs(row, c))) for c in ("primal", "gradient"))


def status(row: rows.Row) -> str:
    return failures.kind_of(row) or "verified"


def overhead(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    bars = rows.read_bars()
    compared = any(intervals.overhead(row, "compare") for _, row in on_rows(measured))
    header = ["benchmark", "gradient", "primal ms", "overhead", "bar", "hand adjoint", "over hand"]
    header += ["compared plugin", "over compared"] if compared else []
    sheet = Sheet([*header, "noise %", "outliers", "remark"], left=2)
    for key, row in on_rows(measured):
        found = intervals.overhead(row)
        spread = intervals.noise(intervals.runs(row, "gradient"))
        primal = rows.median(row, "primal")
        line: list[Any] = [label(key), status(row), None if primal is None else 1e3 * primal, found]
        line += [rows.bar_of(row, bars).get("enzyme"), intervals.overhead(row, "hand")]
        line += [intervals.overhead(row, "gradient") and over(row, "hand")]
        line += [intervals.overhead(row, "compare"), over(row, "compare")] if compared else []
        sheet.add(*line, None if spread is None else 100 * spread, outlier_count(row), noisy(found, study.tolerance))
    return sheet


def over(row: rows.Row, column: str) -> intervals.Interval | None:
    found = intervals.ratios(row, "gradient", column)
    return intervals.of_median(found) if found else None


def before_after(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    bars = rows.read_bars()
    sheet = Sheet(["benchmark", "after", "before", "before / after", "published", "remark"])
    for key, cells in rows.group(measured).items():
        on, off = cells.get(matrix.ALL_ON), cells.get("no-preopt")
        if on is None or off is None:
            continue
        bar = rows.bar_of(on, bars)
        sheet.add(
            label(key),
            intervals.overhead(on) or status(on),
            intervals.overhead(off) or status(off),
            intervals.slowdown(off, on),
            rows.ratio(bar.get("before"), bar.get("enzyme")),
            _effect(intervals.slowdown(off, on)),
        )
    means = rows.geometric_means(measured, ["no-preopt"], set(bars["study"]))
    mean, count = means["no-preopt"]
    if count:
        sheet.notes.append(f"Geometric mean over {count} of the study's seven: {tables.number(mean)} (published 4.2).")
    return sheet


def _effect(interval: intervals.Interval | None, counter: int | None = None) -> str:
    """What a slowdown says: nothing where it is known less exactly than it differs from 1."""
    if interval is None:
        return ""
    applied = "" if counter is None else "never applied" if counter == 0 else ""
    if interval.low is None:
        return applied or "too few rounds"
    if abs(interval.value - 1) <= SMALL and interval.high - interval.low <= 2 * SMALL:
        return applied or "no effect"
    if interval.wider_than_effect():
        return applied or "interval wider than the effect"
    return "faster without" if interval.high < 1 else applied and "never applied, yet slower"


def waterfall(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    """Each toggle off, with how often it had applied when all were on."""
    headings = dict(rows.setting_order(measured, context.toggles))
    sheet = Sheet(["benchmark", "without", "times slower", "applied", "tape, MB", "remark"], left=2)
    for key, cells in rows.group(measured).items():
        base = cells.get(matrix.ALL_ON)
        for setting, heading in headings.items():
            if setting not in cells:
                continue
            row = cells[setting]
            toggle = setting.removeprefix("no-") if setting != matrix.ALL_OFF else None
            counter = ((base or {}).get("counters") or {}).get(toggle) if toggle else None
            found: Any = intervals.slowdown(row, base)
            if row["status"] != "ok":
                found, remark = failures.kind_of(row), row["reason"][:100]
            else:
                remark = _effect(found, counter)
            tape = ((row.get("columns") or {}).get("gradient") or {}).get("tape_bytes")
            sheet.add(
                label(key), heading.removeprefix("no "), found, counter, None if tape is None else tape / 1e6, remark
            )
    return sheet


def toggle_effects(measured: list[rows.Row], toggles: list[Toggle]) -> Sheet:
    """Every toggle: on how many benchmarks it applied, where it matters most, and where it changes nothing."""
    sheet = Sheet(["toggle", "applied in", "most", "times slower without", "no effect on"], left=1)
    groups = rows.group(measured)
    for toggle in (t for t in toggles if not t.of_gpus):
        applied, unmoved, seen = 0, [], 0
        best: tuple[str | None, intervals.Interval | None] = (None, None)
        for key, cells in groups.items():
            base, off = cells.get(matrix.ALL_ON), cells.get(f"no-{toggle.name}")
            counter = ((base or {}).get("counters") or {}).get(toggle.name)
            found = intervals.slowdown(off, base) if off else None
            seen += counter is not None
            applied += bool(counter)
            if found is None:
                continue
            if best[1] is None or found.value > best[1].value:
                best = label(key), found
            if _effect(found) == "no effect":
                unmoved.append(label(key))
        sheet.add(
            toggle.heading,
            f"{applied} of {seen}" if seen else None,
            best[0] or tables.NOT_MEASURED,
            best[1],
            ", ".join(dict.fromkeys(unmoved)) or tables.NOT_MEASURED,
        )
    return sheet


def scaling(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    bars = rows.read_bars()
    sheet = Sheet(["benchmark", "size", "primal ms", "overhead", "bar", "hand adjoint", "tape, MB"], left=2)
    for (benchmark, kernel, variant), series in rows.scaling_series(measured).items():
        for row in series:
            tape = row["columns"]["gradient"].get("tape_bytes")
            sheet.add(
                tables.title((benchmark, kernel, "", variant), size=False),
                row["size"],
                1e3 * rows.median(row, "primal"),
                intervals.overhead(row),
                rows.bar_of(row, bars).get("enzyme"),
                intervals.overhead(row, "hand"),
                None if tape is None else tape / 1e6,
            )
    return sheet


def atomics(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    sheet = Sheet(["benchmark", "proofs", "overhead, proved", "overhead, atomic", "atomic / proved", "remark"])
    for key, cells in rows.group(measured).items():
        on, off = cells.get(matrix.ALL_ON), cells.get("no-race-proofs")
        if on is None or off is None:
            continue
        counter = (on.get("counters") or {}).get("race-proofs")
        found = intervals.slowdown(off, on)
        sheet.add(
            label(key),
            counter,
            intervals.overhead(on) or status(on),
            intervals.overhead(off) or status(off),
            found,
            _effect(found, counter),
        )
    return sheet


def by_memory(measured: list[rows.Row]) -> list[rows.Row]:
    """From much memory to little."""

    def peak(row: rows.Row) -> float:
        return (row.get("columns", {}).get("gradient") or {}).get("peak_memory_bytes") or 0

    return sorted(measured, key=peak, reverse=True)


def variants(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    """The gradient without no-alias pointers beside that with them, each kernel."""
    limit = rows.read_bars()["limits"]["plain_over_restrict"]
    header = [
        "benchmark",
        "gradient",
        "primal ms",
        "gradient ms",
        "primal ms, without restrict",
        "gradient ms, without",
    ]
    sheet = Sheet([*header, "without / with", f"at most {limit:g}", "remark"], left=2)
    for key, pair in rows.variant_pairs(measured).items():
        found = intervals.of_gradients(*reversed(pair))
        times = [rows.median(row, column) for row in pair for column in ("primal", "gradient")]
        sheet.add(
            label((*key, "restrict")),
            next((status(row) for row in pair if status(row) != "verified"), "verified"),
            *(None if t is None else 1e3 * t for t in times),
            found,
            tables.mark(rows.within(found.value if found else None, limit)),
            noisy(found, study.tolerance),
        )
    return sheet


def memory(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    sheet = Sheet(["benchmark", "size", "gradient", "overhead", "peak memory, MB", "tape, MB", "digest"], left=3)
    for key, row in on_rows(by_memory(measured)):
        timed = row.get("columns", {}).get("gradient") or {}
        bytes_ = [timed.get(field) for field in ("peak_memory_bytes", "tape_bytes")]
        sheet.add(
            label((key[0], key[1], "", key[3])).strip(),
            key[2],
            status(row),
            intervals.overhead(row),
            *(None if b is None else b / 1e6 for b in bytes_),
            row.get("digest") or tables.NOT_MEASURED,
        )
    return sheet


def coverage(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    """By benchmark: checks that passed of those made, by kind; then what is proved."""
    sheet = Sheet(["subject", "check", "passed", "of", "largest error / tolerance"], left=2)
    for (benchmark, check), verdicts in checks(measured).items():
        shares = [v["error"] / v["tolerance"] for v in verdicts if v["tolerance"] and v["error"] is not None]
        passed = sum(v["outcome"] == "passed" for v in verdicts)
        sheet.add(benchmark, check, passed, len(verdicts), max(shares, default=None))
    attempts = proofs(context)
    for outcome, count in attempts.items():
        sheet.add("gradients attempted", outcome, count, sum(attempts.values()), None)
    if attempts:
        found = context.artefacts["proofs.json"]
        sheet.notes.append(f"Proofs at commit {found['commit'][:12]}: `{found['command']}`.")
    return sheet


def checks(measured: list[rows.Row]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """{(benchmark, kind of check): verdicts of its gradients}."""
    found = {}
    for row in measured:
        for verdict in row.get("verdicts", ()):
            if verdict["column"] == "gradient":
                found.setdefault((row["benchmark"], kind_of_check(verdict["check"])), []).append(verdict)
    return found


def proofs(context: Context) -> dict[str, int]:
    """{outcome: how many} of the gradients that were attempted to be proved."""
    outcomes = [entry["outcome"] for entry in context.artefacts.get("proofs.json", {}).get("rows", ())]
    return {outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))}


def costs(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    """Compile time without and with the plugin, and memory of a call."""
    header = ["benchmark", "compile s without", "with the plugin", "ratio"]
    sheet = Sheet([*header, "tape, MB", "peak gradient, MB", "peak hand, MB"])
    for key, row in on_rows(measured):
        with_plugin, without = rows.compile_seconds(row)
        sizes = [
            (row.get("columns", {}).get(column) or {}).get(field)
            for column, field in (
                ("gradient", "tape_bytes"),
                ("gradient", "peak_memory_bytes"),
                ("hand", "peak_memory_bytes"),
            )
        ]
        if without is not None or any(sizes):
            sheet.add(
                label(key),
                without,
                with_plugin,
                rows.compile_ratio(row),
                *(None if b is None else b / 1e6 for b in sizes),
            )
    return sheet


def kind_of_check(check: str) -> str:
    """The kinds of a benchmark's checks, without the entry or the size that each names."""
    for word, kind in (
        ("published", "published values"),
        ("same bits", "same bits in two runs"),
        ("hand", "against the hand adjoint"),
        ("difference", "central differences"),
        ("forward", "against forward mode"),
        ("dot product", "dot product"),
        ("Taylor", "Taylor remainder"),
        ("finite", "finite"),
    ):
        if word in check:
            return kind
    return "identities and others"


_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def evaluate(text: str, values: dict[str, int]) -> float:
    """Arithmetic on the entries of a size. KeyError for an unknown name, ValueError for anything but + - * / **."""

    def of(node: ast.AST) -> float:
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return node.value
        if isinstance(node, ast.Name):
            return values[node.id]
        raise ValueError(f"not arithmetic: {text}")

    return of(ast.parse(text, mode="eval").body)


def roofline_points(study: Study, measured: list[rows.Row]) -> list[tuple[rows.Row, str, float, float]]:
    """[(row, column, operations a byte, operations a second)]."""
    points = []
    for _, row in on_rows(measured):
        work = study.work.get(row["benchmark"])
        if not work:
            continue
        flops, moved = (float(evaluate(work[k], row["size_values"])) for k in ("flops", "bytes"))
        for column in ("primal", "gradient", "hand"):
            seconds = rows.median(row, column)
            if seconds:
                points.append((row, column, flops / moved, flops / seconds))
    return points


def roofline(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    sheet = Sheet(["benchmark", "column", "operations / byte", "Gop/s", "GB/s"], left=2)
    for row, column, intensity, rate in roofline_points(study, measured):
        key = row["benchmark"], row["kernel"], row["size"], row["variant"]
        sheet.add(label(key), column, intensity, rate / 1e9, rate / intensity / 1e9)
    return sheet


def threads(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    """What `./retro scale` measured: a line a point."""
    sheet = Sheet(
        [
            "series",
            "ranks",
            "threads",
            "primal s",
            "gradient s",
            "overhead",
            "speed-up primal",
            "gradient",
            "efficiency primal",
            "gradient ",
        ]
    )
    for series in context.artefacts.get("scaling/summary.json", ()):
        name = f"{series['suite']} {series['model']}, {series['mode']}"
        for point in series["points"]:
            numbers = [point[k].get(c) for k in ("speedup", "efficiency") for c in ("primal", "gradient")]
            times = [point["seconds"].get(c) for c in ("primal", "gradient")]
            reason = "oversubscribed" if point["oversubscribed"] else point["reason"]
            overhead = point["overhead"] if point["overhead"] is not None else reason
            sheet.add(name, point["ranks"], point["threads"], *times, overhead, *numbers)
    return sheet


def resources(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    """What the code generators say of device code, primal and gradient; there is a time only where there was a GPU."""
    found = context.artefacts.get("gpu-resources.json") or {}
    header = ["kernel", "device", "registers, primal", "gradient", "gradient / primal", "spills, primal", "gradient "]
    sheet = Sheet([*header, "scratch, bytes", "shared, bytes", "time"], left=2)
    for row in found.get("rows", ()):
        primal, gradient = row["primal"], row["gradient"]
        sheet.add(
            f"{row['suite']} {row['kernel']}",
            row["arch"],
            primal["registers"],
            gradient["registers"],
            rows.ratio(gradient["registers"], primal["registers"]),
            primal["spills"],
            gradient["spills"],
            gradient["scratch"],
            gradient["shared"],
            "not measured",
        )
    return sheet


KINDS = {
    "overhead": overhead,
    "before-after": before_after,
    "waterfall": waterfall,
    "scaling": scaling,
    "roofline": roofline,
    "atomics": atomics,
    "memory": memory,
    "coverage": coverage,
    "costs": costs,
    "threads": threads,
    "resources": resources,
    "variants": variants,
}


def table(study: Study, measured: list[rows.Row], context: Context) -> Sheet:
    """The study's table with what belongs below it: failed cells, what was not built, artefacts that are missing."""
    sheet = KINDS[study.figure](study, measured, context)
    for row in measured:
        if row["status"] != "ok":
            sheet.notes.append(f"**{failures.kind_of(row)}**: `{row['cell']}`: {row['reason']}")
    sheet.notes += [f"Not built, so not measured: {what}." for what in context.absent]
    for file, command in study.artefacts.items():
        if file not in context.artefacts:
            sheet.notes.append(f"Not measured yet: `{command}` makes {file}.")
    return sheet
