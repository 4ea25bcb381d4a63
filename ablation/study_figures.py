"""Rows of a study -> its figure, PNG and SVG. One function a kind of figure; each gives the file names, [] where there is nothing to draw.

Legible in greyscale: what colours tell apart, lightness or the shape of a marker tells apart as well.
"""

import math
import matplotlib.axes
import matplotlib.figure
from pathlib import Path
from typing import Any

from . import drawing, figures, intervals, matrix, rows, study_tables, tables
from .drawing import COLORS, FAINT, INK, plt
from .intervals import Interval
from .study import Study

SHAPES = {"primal": ("o", drawing.PAPER), "gradient": ("o", COLORS["gradient"]), "hand": ("s", COLORS["hand"])}


def _finish(
    figure: matplotlib.figure.Figure,
    study: Study,
    measured: list[rows.Row],
    folder: Path,
    note: str = "",
    room: float = 0,
) -> list[str]:
    return drawing.finish(figure, measured, study.title, folder, study.name, note, room)


def _mark(
    axes: matplotlib.axes.Axes, x: float, y: float, column: str, label: str | None = None, size: float = 6
) -> None:
    shape, color = SHAPES[column]
    size += 2 * (column == "hand")  # which is drawn behind, and may be hidden
    axes.plot(
        x,
        y,
        shape,
        color=color,
        markeredgecolor=INK,
        markeredgewidth=0.8,
        markersize=size,
        label=label,
        zorder=2 if column == "hand" else 3,
    )


def overhead(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    return figures.overhead_bars(rows.all_on(measured), measured, study.title, folder, study.name)


def before_after(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    pairs = [(key, intervals.slowdown(cells.get("no-preopt"), cells.get(matrix.ALL_ON)), cells)
             for key, cells in rows.group(measured).items()]  # fmt: skip
    pairs = [pair for pair in pairs if pair[1]]
    if not pairs:
        return []
    bars = rows.read_bars()
    with plt.rc_context(drawing.STYLE):
        figure, axes = drawing.row_axes(drawing.labels([key for key, _, _ in pairs]))
        for y, (_, found, cells) in enumerate(pairs):
            drawing.bar(axes, y, found, COLORS["gradient"], low=1, label=None if y else drawing.LABELS["gradient"])
            drawing.beside(axes, y, f"×{tables.number(found.value)}")
            bar = rows.bar_of(cells[matrix.ALL_ON], bars)
            if published := rows.ratio(bar.get("before"), bar.get("enzyme")):
                known = drawing.PUBLISHED in axes.get_legend_handles_labels()[1]
                axes.plot(published, y, **drawing.DIAMOND, label=None if known else drawing.PUBLISHED)
        axes.set_xscale("log")
        axes.set_xlim(min(1, *(0.9 * (f.low or f.value) for _, f, _ in pairs)), 1.25 * axes.dataLim.x1)
        drawing.plain_log(axes.xaxis)
        axes.axvline(1, color=INK, linewidth=0.9)
        axes.set_xlabel("overhead before / after (log)")
        drawing.legend(axes, 2)
        note = "Higher: differentiating optimized code is worth more. Whiskers: 95 % bootstrap intervals. Diamonds: the same ratio of Enzyme."
        return _finish(figure, study, measured, folder, note, room=16)


def waterfall(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    """A heat map: optimizations by benchmarks."""
    groups = [
        (key, cells)
        for key, cells in rows.group(measured).items()
        if len(cells) > 1 and intervals.overhead(cells.get(matrix.ALL_ON))
    ]
    return figures.heat_map(
        groups, rows.setting_order(measured, context.toggles), measured, study.title, folder, study.name
    )


def scaling(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    return figures.scaling(measured, folder, study.name, study.title)


def atomics(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    pairs = [(key, cells[matrix.ALL_ON], cells["no-race-proofs"]) for key, cells in rows.group(measured).items()
             if {matrix.ALL_ON, "no-race-proofs"} <= set(cells)]  # fmt: skip
    if not any(intervals.overhead(on) and intervals.overhead(off) for _, on, off in pairs):
        return []
    counts = [(on.get("counters") or {}).get("race-proofs") for _, on, _ in pairs]
    names = [
        n if c is None else f"{n}\n{c} proofs" for n, c in zip(drawing.labels([key for key, _, _ in pairs]), counts)
    ]
    with plt.rc_context(drawing.STYLE):
        figure, axes = drawing.row_axes(names, pitch=36)
        columns = (
            ("proved exclusive: plain additions", COLORS["gradient"]),
            ("race-proofs off: atomic", COLORS["compare"]),
        )
        for i, (label, color) in enumerate(columns):
            for y, pair in enumerate(pairs):
                if found := intervals.overhead(pair[1:][i]):
                    drawing.bar(axes, y - 0.2 + 0.4 * i, found, color, 0.37, label=label if y == 0 else None)
                    drawing.beside(
                        axes, y - 0.2 + 0.4 * i, tables.number(found.value), weight="normal" if i else "bold"
                    )
        axes.set_xlim(0, 1.06 * axes.dataLim.x1)
        axes.set_xlabel("gradient time / primal time")
        drawing.legend(axes)
        note = "Whiskers: 95 % bootstrap intervals. Where there is no proof, both are the same code, and their difference is noise."
        return _finish(figure, study, measured, folder, note, room=30)


def variants(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    """The gradient's time without no-alias pointers over that with them."""
    found = {key: intervals.of_gradients(*reversed(pair)) for key, pair in rows.variant_pairs(measured).items()}
    found = {key: ratio for key, ratio in found.items() if ratio}
    if not found:
        return []
    limit = rows.read_bars()["limits"]["plain_over_restrict"]
    with plt.rc_context(drawing.STYLE):
        figure, axes = drawing.row_axes(drawing.labels([(*key, "restrict") for key in found]), pitch=14)
        for y, ratio in enumerate(found.values()):
            drawing.whisker(axes, y, ratio)
            axes.plot(
                ratio.value, y, "o", color=COLORS["gradient"] if ratio.value <= limit else drawing.ABOVE, markersize=6
            )
            drawing.beside(axes, y, f"{ratio.value:.2f}", weight="bold" if ratio.differs_from(1) else "normal")
        low = min(r.low or r.value for r in found.values())
        high = max(r.high or r.value for r in found.values())
        axes.set_xlim(min(0.8, 0.95 * low), max(1.05 * limit, 1.03 * high))
        axes.axvline(1, color=INK, linewidth=0.9)
        drawing.limit(axes, limit, f"at most {limit:g}")
        axes.set_xlabel("gradient without / with no-alias pointers")
        note = "Ratios of medians; whiskers: 95 % bootstrap intervals. Bold: the interval excludes 1. Lower is better."
        return _finish(figure, study, measured, folder, note, room=6)


def costs(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    """CPU seconds to compile with the plugin over those without it; a line marks what is allowed."""
    found = {}
    for key, row in rows.all_on(rows.primary(measured)):
        if rows.compile_ratio(row) is not None:
            found.setdefault((key[0], "default", "", key[3]), row)
    if not found:
        return []
    limit = rows.read_bars()["limits"]["compile_ratio"]
    with plt.rc_context(drawing.STYLE):
        figure, axes = drawing.row_axes(drawing.labels(found))
        for y, row in enumerate(found.values()):
            ratio = rows.compile_ratio(row)
            drawing.bar(
                axes, y, Interval(ratio, None, None, 0), COLORS["gradient"] if ratio <= limit else drawing.ABOVE
            )
            drawing.beside(axes, y, f"{tables.number(ratio)}×")
        axes.set_xlim(0, 1.06 * axes.dataLim.x1)
        axes.axvline(1, color=INK, linewidth=0.9)
        drawing.limit(axes, limit, f"at most {limit:g}×")
        axes.set_xlabel("compile time with the plugin / without")
        note = "Medians of CPU seconds of one source file. Orange: above the limit. Lower is better."
        return _finish(figure, study, measured, folder, note, room=6)


def memory(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    """Overhead over peak memory, a point a size."""
    chosen = [row for _, row in rows.all_on(study_tables.by_memory(measured)) if intervals.overhead(row)]
    points = [(((row["columns"]["gradient"].get("peak_memory_bytes") or 0) / 1e6), row) for row in chosen]
    points = [p for p in points if p[0]]
    if not points:
        return []
    with plt.rc_context(drawing.STYLE):
        figure, axes = plt.subplots(figsize=(drawing.WIDTH, 3.3), layout="constrained")
        drawing.plain(axes, "both")
        places = [(x, intervals.overhead(row).value) for x, row in points]
        for x, row in points:
            found = intervals.overhead(row)
            if found.low is not None:
                axes.vlines(x, found.low, found.high, color=INK, linewidth=0.9)
            _mark(axes, x, found.value, "gradient")
            # On the left where a point to the right would be in the way, or the frame.
            left = x > 5 * places[-1][0] or any(a > x and abs(b - found.value) < 0.08 * found.value for a, b in places)
            axes.annotate(
                _snapshots(row), (x, found.value), (-7 if left else 8, 0), textcoords="offset points",
                ha="right" if left else "left", va="center", fontsize=9,
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_xlim(0.45 * points[-1][0], 1.3 * points[0][0])
        drawing.plain_log(axes.xaxis)
        axes.set_ylim(0, 1.1 * axes.dataLim.y1)
        axes.set_xlabel("peak memory of a gradient, MB (log)")
        axes.set_ylabel("gradient time / primal time")
        note = "Each gradient was verified; a state is one snapshot of the mesh. Left and low is better. Whiskers: 95 % bootstrap intervals."
        return _finish(figure, study, measured, folder, note)


def _snapshots(row: rows.Row) -> str:
    kept = row["size_values"].get("snapshots")
    return "one tape" if kept is None else f"{kept} states"


def coverage(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    """A matrix, benchmarks by kinds of check: how many checks passed; below it what became of the attempts to prove gradients."""
    checks, proofs = study_tables.checks(measured), study_tables.proofs(context)
    if not checks and not proofs:
        return []
    subjects = list(dict.fromkeys(s for s, _ in checks)) or ["–"]
    kinds = sorted({k for _, k in checks}, key=lambda kind: (-sum(k == kind for _, k in checks), kind))
    with plt.rc_context(drawing.STYLE):
        figure, axes = drawing.row_axes([drawing.name_of(s) for s in subjects], pitch=15, extra=drawing.turned(kinds))
        axes.grid(False)
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
        for (subject, kind), verdicts in checks.items():
            passed = sum(v["outcome"] == "passed" for v in verdicts)
            bad = any(v["outcome"] == "failed" for v in verdicts)
            color = drawing.FAILED if bad else COLORS["hand"] if passed == len(verdicts) else COLORS["compare"]
            x, y = kinds.index(kind), subjects.index(subject)
            axes.add_patch(plt.Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=color, linewidth=0))
            text = str(passed) if passed == len(verdicts) else f"{passed} of {len(verdicts)}"
            axes.annotate(text, (x, y), ha="center", va="center", fontsize=8, color="#fefefe" if bad else "#111111")
        axes.set_xlim(-0.52, max(1, len(kinds)) - 0.48)
        axes.xaxis.tick_top()
        axes.set_xticks(range(len(kinds)), kinds, rotation=90)
        note = "Checks of gradients that passed, by kind; a gradient that fails one is not timed."
        note += " Orange: some could not decide. Blank: no such check."
        if proofs:
            note += f" Proved for all inputs: {proofs.get('proved', 0)} of {sum(proofs.values())} gradients that were attempted."
        return _finish(figure, study, measured or [_nowhere(context)], folder, note)


def _nowhere(context: study_tables.Context) -> rows.Row:
    """What stands for a row in the footnote of a figure that has none."""
    proofs = context.artefacts.get("proofs.json", {})
    return {"machine": {"cpu": "–", "cores": 0}, "commit": "", **proofs, "study": proofs.get("command")}


def _roofs(axes: matplotlib.axes.Axes, roofs: dict[str, float]) -> None:
    """The two lines that no point can cross, and their names; both are inside the frame."""
    (low, high), top, ridge = axes.get_xlim(), roofs["flops"] / 1e9, roofs["flops"] / roofs["bytes"]
    axes.plot([low, ridge, high], [low * roofs["bytes"] / 1e9, top, top], color=INK, linewidth=1.4)
    axes.annotate(
        f"arithmetic: {top:.3g} Gop/s", (high, top), (-2, 4), textcoords="offset points", ha="right", fontsize=8.5
    )
    middle = low**0.3 * min(ridge, high) ** 0.7
    axes.annotate(
        f"memory: {roofs['bytes'] / 1e9:.3g} GB/s", (middle, middle * roofs["bytes"] / 1e9), (-6, 6), textcoords="offset points",
        ha="right", fontsize=8.5,
    )  # fmt: skip


def roofline(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    points = study_tables.roofline_points(study, measured)
    if not points:
        return []
    roofs, shown = context.artefacts.get("roofs.json"), set()
    names = {"primal": "primal", "gradient": "gradient", "hand": "adjoint by hand"}
    with plt.rc_context(drawing.STYLE):
        figure, axes = plt.subplots(figsize=(drawing.WIDTH, 3.8), layout="constrained")
        drawing.plain(axes, "both")
        for row, column, intensity, rate in points:
            _mark(axes, intensity, rate / 1e9, column, None if column in shown else names[column], 7)
            shown.add(column)
            if column == "primal":
                axes.annotate(
                    drawing.name_of(row["benchmark"]),
                    (intensity, rate / 1e9),
                    (7, -3),
                    textcoords="offset points",
                    fontsize=9,
                )
        xs, ys = [p[2] for p in points], [p[3] / 1e9 for p in points]
        ridge = roofs["flops"] / roofs["bytes"] if roofs else 1
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(min(*xs, ridge) / 6, max(*xs, ridge) * 4)
        axes.set_ylim(min(ys) / 1.6, 1.8 * max(*ys, roofs["flops"] / 1e9 if roofs else 0))
        drawing.plain_log(axes.xaxis)
        drawing.plain_log(axes.yaxis)
        if roofs:
            _roofs(axes, roofs)
        axes.set_xlabel("operations / byte (declared, log)")
        axes.set_ylabel("Gop/s (log)")
        drawing.legend(axes, 3)
        note = "One core; its roofs are measured, operations and bytes are declared. Gradient and adjoint: the primal's operations over their time."
        return _finish(figure, study, measured, folder, note, room=16)


def threads(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    """Speed-up of primal and gradient over cores, a panel a series, with the ideal line; its own figures are in scaling/."""
    series = [
        s
        for s in context.artefacts.get("scaling/summary.json", ())
        if sum(p["overhead"] is not None for p in s["points"]) > 1
    ]
    if not series:
        return []
    across, most = min(2, len(series)), 1
    down = math.ceil(len(series) / across)
    with plt.rc_context(drawing.STYLE):
        figure, grid = plt.subplots(
            down, across, figsize=(drawing.WIDTH, 1.9 * down + 0.3), squeeze=False, layout="constrained"
        )
        for axes in grid.flat[len(series) :]:
            axes.set_visible(False)
        for axes, found in zip(grid.flat, series):
            timed = [p for p in found["points"] if p["overhead"] is not None]
            cores = [p["ranks"] * p["threads"] for p in timed]
            most = max(most, *cores)
            drawing.plain(axes, "y")
            axes.plot(cores, [c / cores[0] for c in cores], ":", color=INK, linewidth=1, label="ideal")
            for column, style, shade in (("primal", "s--", FAINT), ("gradient", "o-", COLORS["gradient"])):
                axes.plot(cores, [p["speedup"][column] for p in timed], style, color=shade, markersize=5, label=column)
            axes.set_xticks(cores)
            axes.set_ylim(0, 1.1 * axes.dataLim.y1)
            axes.set_title(
                f"{drawing.name_of(found['suite'])} {drawing.name_of(found['model'])}, {found['mode']}",
                fontsize=9,
                loc="left",
            )
        grid[0][0].set_ylabel("speed-up", fontsize=8, color=FAINT)
        drawing.legend(grid[0][0], 3)
        place = {
            "machine": {"cpu": "cores: ranks times threads", "cores": most},
            "commit": "",
            "study": "./retro scale",
        }
        return _finish(figure, study, [place], folder, room=16)


def _registers(axes: matplotlib.axes.Axes, y: int, row: dict[str, Any]) -> None:
    """Primal and gradient of one kernel; a cross where the gradient's registers do not suffice."""
    ends = [row[column]["registers"] for column in ("primal", "gradient")]
    axes.plot(ends, [y, y], "-", color=FAINT, linewidth=1.2, zorder=1)
    for column, x in zip(("primal", "gradient"), ends):
        _mark(axes, x, y, column, column, 5.5)
    if row["gradient"]["spills"]:
        axes.plot(ends[1], y, "x", color=drawing.FAILED, markersize=9, zorder=4, label="gradient spills")


def resources(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    """Registers of each kernel and of its gradient, a panel a device."""
    found = context.artefacts.get("gpu-resources.json") or {}
    counted = [row for row in found.get("rows", ()) if row["primal"]["registers"] and row["gradient"]["registers"]]
    devices = list(dict.fromkeys(row["arch"] for row in counted))
    kernels = list(dict.fromkeys((row["suite"], row["kernel"]) for row in counted))
    if not counted:
        return []
    names = [drawing.name_of(s) + (f" {k}" if k != s else "") for s, k in kernels]
    with plt.rc_context(drawing.STYLE):
        figure, panels = drawing.row_axes(
            names, pitch=15, width=max(drawing.WIDTH, 1.55 + 1.25 * len(devices)), panels=len(devices)
        )
        panels = panels if len(devices) > 1 else [panels]
        for axes, device in zip(panels, devices):
            axes.set_title(device, fontsize=9.5, loc="left")
            for row in counted:
                if row["arch"] == device:
                    _registers(axes, kernels.index((row["suite"], row["kernel"])), row)
            axes.set_xlim(0, 1.12 * axes.dataLim.x1)
            axes.set_xlabel("registers", fontsize=8, color=FAINT)
        drawing.legend(max(panels, key=lambda axes: len(set(axes.get_legend_handles_labels()[1]))), 3)
        place = {
            "machine": {"cpu": "device code", "cores": 0},
            "compiler": found.get("llvm"),
            "commit": "",
            "study": "./retro gpu-resources",
        }
        return _finish(
            figure,
            study,
            [place],
            folder,
            "Registers a thread, as the code generators count them. Time: not measured.",
            room=16,
        )


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


def draw(study: Study, measured: list[rows.Row], context: study_tables.Context, folder: Path) -> list[str]:
    return KINDS[study.figure](study, measured, context, folder)
