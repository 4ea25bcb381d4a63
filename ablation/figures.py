"""Rows -> figures, each as PNG and SVG: overhead bars, ablation bars on a log axis, scaling over size."""

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.ticker import FuncFormatter

from . import matrix, tables

# Colour-blind safe (Okabe and Ito).
COLORS = {"gradient": "#0072B2", "hand": "#009E73", "compare": "#D55E00"}
CYCLE = [
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
    "#999999",
    "#000000",
    "#7F3C8D",
]
LABELS = {"gradient": "Retrograde", "hand": "hand adjoint", "compare": "compared plugin"}


def _axes(width=9.0, height=4.2):
    figure, axes = plt.subplots(figsize=(width, height), constrained_layout=True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.margins(x=0.01)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _label(key):
    """A row's title, on as many lines as it has words: the labels stand side by side."""
    return tables.title(key).replace(" ", "\n")


def _plain_log(axis):
    axis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axis.set_minor_formatter(FuncFormatter(lambda v, _: f"{v:g}" if f"{v:e}"[0] in "25" else ""))


def _legend(axes):
    """Beside the axes, so that it hides nothing."""
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _save(figure, folder, name):
    """Write NAME.png and NAME.svg without dates, so that equal rows give equal files."""
    plt.rcParams["svg.hashsalt"] = "retrograde"
    figure.savefig(folder / f"{name}.png", dpi=150)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)
    return [f"{name}.png", f"{name}.svg"]


def _overhead_rows(rows):
    """The rows with all on of each benchmark's usual kernel and size; other sizes are in the figure
    of scaling."""
    return [
        (key, cells[matrix.ALL_ON])
        for key, cells in tables.group(rows).items()
        if tables.overhead(cells.get(matrix.ALL_ON)) is not None and cells[matrix.ALL_ON]["is_default"]
    ]


def overhead(rows, folder):
    """Gradient/primal of each benchmark; lines mark the published figures of the same size. [] when nothing
    was timed."""
    chosen = _overhead_rows(rows)
    if not chosen:
        return []
    bars = tables.read_bars()
    figure, axes = _axes(max(6.0, 0.9 * len(chosen) + 2))
    columns = [c for c in LABELS if any(tables.overhead(row, c) is not None for _, row in chosen)]
    width = 0.8 / len(columns)
    for i, column in enumerate(columns):
        at = [x - 0.4 + (i + 0.5) * width for x in range(len(chosen))]
        values = [tables.overhead(row, column) for _, row in chosen]
        axes.bar(at, [v or 0 for v in values], width * 0.92, color=COLORS[column], label=LABELS[column])
        if column == "gradient":
            for x, v, (_, row) in zip(at, values, chosen):
                primal, timed = tables.median(row, "primal"), row["columns"]["gradient"]
                low, high = timed["q1"] / primal, timed["q3"] / primal
                axes.errorbar(x, v, [[v - low], [high - v]], color="black", linewidth=0.8)
                axes.annotate(
                    tables.number(v), (x, high), (0, 2), textcoords="offset points", ha="center", fontsize=8
                )
    for tool, style, label in (
        ("enzyme", "-", "Enzyme (published)"),
        ("hand", ":", "hand adjoint (published)"),
    ):
        lines = [(x, tables.bar_of(row, bars).get(tool)) for x, (_, row) in enumerate(chosen)]
        lines = [(x, v) for x, v in lines if v is not None]
        if lines:
            axes.hlines(
                [v for _, v in lines],
                [x - 0.45 for x, _ in lines],
                [x + 0.45 for x, _ in lines],
                color="black",
                linestyle=style,
                linewidth=1.3,
                label=label,
            )
    axes.set_xticks(range(len(chosen)), [_label(key) for key, _ in chosen], fontsize=8)
    axes.set_ylabel("gradient time / primal time")
    axes.set_title("Overhead of the gradient (lower is better; medians, quartiles)", fontsize=10)
    _legend(axes)
    return _save(figure, folder, "overhead")


def ablation(rows, toggles, folder):
    """Slowdown of the gradient with each toggle off, on a log axis. [] when no pair of cells was timed."""
    order = tables.setting_order(rows, toggles)
    groups = [(key, tables.slowdowns(cells)) for key, cells in tables.group(rows).items()]
    groups = [(key, factors) for key, factors in groups if any(v is not None for v in factors.values())]
    if not groups:
        return []
    figure, axes = _axes(max(7.0, 1.5 * len(groups) + 2.5), 4.6)
    width = 0.84 / len(order)
    for i, (name, heading) in enumerate(order):
        points = [(x, factors.get(name)) for x, (_, factors) in enumerate(groups)]
        points = [(x - 0.42 + (i + 0.5) * width, v) for x, v in points if v is not None]
        # Bars grow from 1, "no difference": a toggle that helps stands up, one that hurts hangs down.
        axes.bar(
            [x for x, _ in points],
            [v - 1 for _, v in points],
            width * 0.95,
            bottom=1,
            color=CYCLE[i % len(CYCLE)],
            label=heading,
        )
    axes.set_yscale("log")
    _plain_log(axes.yaxis)
    axes.tick_params(axis="y", which="minor", labelsize=7)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(groups)), [_label(key) for key, _ in groups], fontsize=8)
    axes.set_ylabel("gradient time / time with all on")
    axes.set_title("One optimization switched off at a time (higher: it matters more)", fontsize=10)
    _legend(axes)
    return _save(figure, folder, "ablation")


def scaling(rows, folder):
    """Overhead over the primal's time, one line a benchmark. [] when no benchmark was run at two sizes."""
    series = tables.scaling_series(rows)
    if not series:
        return []
    figure, axes = _axes(7.0)
    for i, (name, points) in enumerate(series.items()):
        axes.plot(
            [1e3 * p for p, _, _ in points],
            [v for _, v, _ in points],
            "o-",
            color=CYCLE[i % len(CYCLE)],
            markersize=4,
            label=name,
        )
    axes.set_xscale("log")
    _plain_log(axes.xaxis)
    axes.margins(x=0.04)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("primal time, ms")
    axes.set_ylabel("gradient time / primal time")
    axes.set_title("Overhead over problem size", fontsize=10)
    _legend(axes)
    return _save(figure, folder, "scaling")
