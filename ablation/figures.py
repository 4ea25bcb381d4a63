"""Rows -> figures: overhead, what each optimization is worth, overhead over size. Each gives the file names, [] where there is nothing to
draw. Those of studies, study_figures.py, are drawn by the same functions."""

import math
import matplotlib.axes
import numpy
import re
from collections.abc import Callable
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.ticker import MaxNLocator
from pathlib import Path
from typing import Any

from tools.retrolib.toggles import Toggle

from . import drawing, failures, intervals, matrix, rows, tables
from .drawing import COLORS, FAINT, INK, LABELS, plt
from .intervals import Interval

RESULT = ("gradient", "hand", "compare")
HELPS = LinearSegmentedColormap.from_list("helps", ["#dceaf7", "#7db3e0", "#1f6fb5", "#0b3c6f"])
HURTS = LinearSegmentedColormap.from_list("hurts", ["#fbe6d3", "#e9a15b", "#a44a00"])
FEW = 12  # optimizations; where there are no more, those without a sure effect are shown too
DARKEST = 30  # the factor from which a cell is no darker
SPREAD = "Medians of CPU time; whiskers: quartiles."
BOOTSTRAP = "Medians of ratios round by round; whiskers: 95 % bootstrap intervals."


def quartiles(row: rows.Row, column: str = "gradient") -> Interval | None:
    """Overhead with quartiles for bounds, as in overhead.md."""
    value, primal = rows.overhead(row, column), rows.median(row, "primal")
    if not value:
        return None
    low, high = (row["columns"][column][q] / primal for q in ("q1", "q3"))
    return Interval(value, low, high, 0)


def overhead_bars(
    chosen: list[tuple[rows.Key, rows.Row]],
    measured: list[rows.Row],
    title: str,
    folder: Path,
    name: str,
    measure: Callable[..., Any] = intervals.overhead,
    note: str = BOOTSTRAP,
) -> list[str]:
    """Bars of [(key, row)]: gradient, adjoint by hand, compared plugin; a diamond where another tool's figure was published."""
    if not any(measure(row) for _, row in chosen):
        return []
    columns = [c for c in RESULT if any(measure(row, c) for _, row in chosen)]
    bars, width = rows.read_bars(), 0.8 / len(columns)
    with plt.rc_context(drawing.STYLE):
        figure, axes = drawing.row_axes(drawing.labels([key for key, _ in chosen]), pitch=12 + 4.5 * len(columns))
        for i, column in enumerate(columns):
            label = LABELS[column]
            for y, (_, row) in enumerate(chosen):
                if found := measure(row, column):
                    drawing.bar(axes, y - 0.4 + (i + 0.5) * width, found, COLORS[column], 0.92 * width, label)
                    label = None
        published = [(rows.bar_of(row, bars).get("enzyme"), y) for y, (_, row) in enumerate(chosen)]
        if any(v for v, _ in published):
            axes.plot(*zip(*(p for p in published if p[0])), **drawing.DIAMOND, label=drawing.PUBLISHED)
        for y, (_, row) in enumerate(chosen):
            found = measure(row)
            drawing.beside(
                axes,
                y,
                tables.number(found.value) if found else failures.kind_of(row) or "–",
                INK if found else drawing.FAILED,
            )
        axes.axvline(1, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.set_xlim(0, 1.06 * axes.dataLim.x1)
        axes.set_xlabel("gradient time / primal time")
        drawing.legend(axes, 2 if len(columns) < 3 else 1)
        if "hand" in columns and not all(measure(row, "hand") for _, row in chosen):
            note += " Without a second bar: no adjoint was written by hand."
        note += " Dashed: the primal. On the right: the gradient's number. Lower is better."
        return drawing.finish(figure, measured, title, folder, name, note, room=16 * (1 + (len(columns) > 1)))


def overhead(measured: list[rows.Row], folder: Path) -> list[str]:
    """Each benchmark's usual kernel and size."""
    chosen = [(key, row) for key, row in rows.all_on(measured) if rows.is_usual(row) and quartiles(row)]
    return overhead_bars(chosen, measured, "Overhead of the gradient", folder, "overhead", quartiles, SPREAD)


def _sure(found: Interval | str) -> bool:
    return isinstance(found, Interval) and bool(found.differs_from(1))


def _shade(value: float) -> str:
    """The colour of a factor: blue where the optimization helps, orange where it harms, the darker the more."""
    share = min(1.0, abs(math.log(value)) / math.log(DARKEST if value > 1 else 2))
    return to_hex((HELPS if value > 1 else HURTS)(share))


def _cells(
    groups: list[tuple[rows.Key, dict[str, rows.Row]]], order: list[tuple[str, str]]
) -> dict[tuple[str, int], Interval | str]:
    """{(setting, column): "failed", Interval or None} of what was measured and, as its counter says, applied."""
    found: dict[tuple[str, int], Interval | str | None] = {}
    for x, (_, cells) in enumerate(groups):
        base = cells.get(matrix.ALL_ON) or {}
        for name, _ in order:
            row = cells.get(name)
            if row and row["status"] != "ok":
                found[name, x] = "failed"
            elif row and (base.get("counters") or {}).get(name.removeprefix("no-")) != 0:
                found[name, x] = intervals.slowdown(row, base)
    return {place: value for place, value in found.items() if value is not None}


def _draw_cell(axes: matplotlib.axes.Axes, x: int, y: int, value: Interval | str) -> None:
    sure = isinstance(value, Interval) and _sure(value)
    color = _shade(value.value) if isinstance(value, Interval) and sure else drawing.NEUTRAL
    axes.add_patch(plt.Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=color, linewidth=0))
    if sure or value == "failed":
        light = sure and numpy.dot([int(color[i : i + 2], 16) for i in (1, 3, 5)], (0.3, 0.59, 0.11)) > 128
        text, shade = (
            (tables.number(value.value), "#111111" if light else "#fefefe")
            if isinstance(value, Interval) and sure
            else ("✗", drawing.FAILED)
        )
        axes.annotate(text, (x, y), ha="center", va="center", fontsize=8, color=shade)


def _chosen(
    cells: dict[tuple[str, int], Interval | str], order: list[tuple[str, str]]
) -> tuple[list[tuple[str, str]], list[str]]:
    """(the optimizations that have a line, from the one that is worth most; names of those that applied without a sure effect)."""
    sure = {}
    for (name, _), found in cells.items():
        effect = (
            abs(math.log(found.value))
            if isinstance(found, Interval) and _sure(found)
            else math.inf
            if found == "failed"
            else 0
        )
        sure[name] = max(effect, sure.get(name, 0))
    applied = [o for o in order if o[0] in sure]
    if len(applied) <= FEW:
        return applied, []
    shown = sorted((o for o in applied if sure[o[0]]), key=lambda o: (o[0] == matrix.ALL_OFF, -sure[o[0]]))
    return shown, [heading.removeprefix("no ") for name, heading in applied if not sure[name]]


HEAT = (
    "Times slower without it; a number stands where the 95 % interval excludes 1. Grey: applied, but no effect that is sure. "
    "Blank: never applied, or not measured. Orange: faster without it."
)


def heat_map(
    groups: list[tuple[rows.Key, dict[str, rows.Row]]],
    order: list[tuple[str, str]],
    measured: list[rows.Row],
    title: str,
    folder: Path,
    name: str,
    means: dict[str, float | None] | None = None,
) -> list[str]:
    """What each optimization is worth: optimizations from top to bottom, benchmarks from left to right. groups: [(key, cells)];
    means: {setting: geometric mean}, written on the right."""
    cells = _cells(groups, order)
    if not cells:
        return []
    shown, unsure = _chosen(cells, order)
    names = drawing.labels([key for key, _ in groups])
    with plt.rc_context(drawing.STYLE):
        across = max(7, len(groups))  # few columns are no wider than many
        width = max(drawing.WIDTH, (112 + 27 * across + (40 if means else 0)) / 72)
        figure, axes = drawing.row_axes(
            [h.removeprefix("no ") for _, h in shown], pitch=15, width=width, extra=drawing.turned(names)
        )
        axes.grid(False)
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
        place = {n: y for y, (n, _) in enumerate(shown)}
        for (setting, x), value in cells.items():
            if setting in place:
                _draw_cell(axes, x, place[setting], value)
        for setting, mean in (means or {}).items():
            if setting in place and mean:
                drawing.beside(axes, place[setting], tables.number(mean))
        axes.set_xlim(-0.52, across - 0.48)
        axes.xaxis.tick_top()
        axes.set_xticks(range(len(groups)), names, rotation=90)
        if means:
            axes.annotate(
                "mean",
                (1, 1),
                (6, 4),
                xycoords="axes fraction",
                textcoords="offset points",
                rotation=90,
                annotation_clip=False,
            )
        note = HEAT + (" ✗: the cell failed." if "failed" in cells.values() else "")
        note += " Mean: geometric, over the usual kernels and sizes." if means else ""
        note += f" Applied without an effect that is sure: {', '.join(unsure)}." if unsure else ""
        return drawing.finish(figure, measured, title, folder, name, note)


def ablation(measured: list[rows.Row], toggles: list[Toggle], folder: Path) -> list[str]:
    """Slowdown of the gradient with each toggle off, and the geometric means. [] when no pair of cells was timed."""
    order = rows.setting_order(measured, toggles)
    groups = [(key, cells) for key, cells in rows.group(measured).items()
              if any(v is not None for v in rows.slowdowns(cells).values())]  # fmt: skip
    means = rows.geometric_means(measured, [n for n, _ in order]) if len(groups) > 1 else {}
    title = "What each optimization is worth: one switched off at a time"
    return heat_map(
        groups, order, measured, title, folder, "ablation", {name: mean for name, (mean, _) in means.items()}
    )


def _panel(axes: matplotlib.axes.Axes, key: tuple[str, str, str], series: list[rows.Row], bars: dict[str, Any]) -> None:
    """One benchmark: overhead at each size, from small to large."""
    for column, style in (("gradient", "o-"), ("hand", "s--"), ("compare", "^-")):
        points = [(x, rows.overhead(row, column)) for x, row in enumerate(series)]
        points = [p for p in points if p[1] is not None]
        if points:
            axes.plot(
                *zip(*points),
                style,
                color=COLORS[column],
                markeredgecolor=INK,
                markeredgewidth=0.4,
                markersize=5,
                label=LABELS[column],
            )
    published = [(x, rows.bar_of(row, bars).get("enzyme")) for x, row in enumerate(series)]
    published = [p for p in published if p[1] is not None]
    if published:
        axes.plot(*zip(*published), **drawing.DIAMOND, label=drawing.PUBLISHED)
    axes.set_title(drawing.labels([(key[0], key[1], "", key[2])])[0], fontsize=9, loc="left")
    # A long size takes two lines, broken before its last letter.
    sizes = [
        re.sub(r"(?<=.{3})(?=[a-z]\d+$)", "\n", row["size"]) if len(row["size"]) > 7 else row["size"] for row in series
    ]
    axes.set_xticks(range(len(series)), sizes, fontsize=8)
    axes.yaxis.set_major_locator(MaxNLocator(4, min_n_ticks=3))
    axes.set_xlim(-0.4, len(series) - 0.6)
    axes.set_ylim(0, 1.12 * axes.dataLim.y1)


def scaling(
    measured: list[rows.Row], folder: Path, name: str = "scaling", title: str = "Overhead over problem size"
) -> list[str]:
    """Overhead over problem size, one panel a benchmark. [] when no benchmark was run at two sizes."""
    series = rows.scaling_series(measured)
    if not series:
        return []
    down = -(-len(series) // 2)
    with plt.rc_context(drawing.STYLE):
        figure, grid = plt.subplots(
            down, 2, figsize=(drawing.WIDTH, 1.45 * down + 0.5), squeeze=False, layout="constrained"
        )
        bars, known = rows.read_bars(), {}
        for axes in grid.flat[len(series) :]:
            axes.set_visible(False)
        for axes, (key, found) in zip(grid.flat, series.items()):
            drawing.plain(axes, "y")
            _panel(axes, key, found, bars)
            known.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
        for axes in grid[:, 0]:
            axes.set_ylabel("gradient / primal", fontsize=8, color=FAINT)
        figure.legend(
            known.values(),
            known.keys(),
            loc="upper left",
            ncol=2,
            frameon=False,
            handlelength=1.6,
            columnspacing=1.2,
            labelspacing=0.25,
        )
        note = "Sizes from small to large; all optimizations on. Medians of CPU time. Lower is better."
        return drawing.finish(figure, measured, title, folder, name, note, room=32)
