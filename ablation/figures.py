"""Rows -> figures, each as PNG and SVG: overhead bars, ablation bars on a log axis, scaling over size."""

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from . import rows, tables

# Colour-blind safe (Okabe and Ito).
COLORS = {"gradient": "#0072B2", "hand": "#009E73", "compare": "#D55E00"}
LABELS = {"gradient": "Retrograde", "hand": "adjoint written by hand", "compare": "compared plugin"}
CYCLE = [
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#F0E442",
    "#7F3C8D",
    "#999999",
    "#000000",
]
MARKERS = "osD^vP<>Xp*h"
STYLE = {
    "font.size": 9,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "xtick.labelsize": 9,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "svg.hashsalt": "retrograde",  # equal rows give equal files
}
NAMES = {
    "gmm": "GMM",
    "ba": "BA",
    "lstm": "LSTM",
    "hand": "Hand",
    "fft": "FFT",
    "euler": "Euler",
    "rk4": "RK4",
    "brusselator": "Brusselator",
    "matvec": "mat-vec",
    "xsbench": "XSBench",
    "rsbench": "RSBench",
}


def _axes(width, height):
    figure, axes = plt.subplots(figsize=(width, height), constrained_layout=True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _label(key):
    """Benchmark, kernel and size, one below the other: the labels stand side by side."""
    benchmark, kernel, size, variant = key
    words = [NAMES.get(benchmark, benchmark), *([kernel] if kernel != "default" else []), size]
    return "\n".join(words + ([variant] if variant != "restrict" else []))


def _ticks(axes, keys):
    """The benchmark's name large, what belongs to it small."""
    labels = [_label(key).split("\n", 1) for key in keys]
    axes.set_xticks(range(len(keys)), [first for first, _ in labels])
    axes.tick_params(axis="x", length=0)
    for x, (_, rest) in enumerate(labels):
        axes.annotate(
            rest,
            (x, 0),
            (0, -19),
            xycoords=axes.get_xaxis_transform(),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=7,
            color="#555555",
        )


def _plain_log(axis):
    """1, 2, 5, 10 … as plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axis.set_minor_formatter(NullFormatter())


def _legend(figure, axes, columns):
    """Above the axes, so that it hides nothing."""
    axes.legend(
        frameon=False,
        ncol=columns,
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.0),
        borderaxespad=0.2,
        handlelength=1.4,
        columnspacing=1.4,
    )


def _finish(figure, axes, measured, title, folder, name, note=""):
    """Title, a footnote that says where the numbers come from, and both files, without dates."""
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=11)
    machine, compiler, commit, command = rows.conditions(measured)
    source = " · ".join(filter(None, [machine, compiler, commit, command]))
    figure.supxlabel(f"{note}\n{source}" if note else source, x=0.01, ha="left", fontsize=7, color="#555555")
    figure.savefig(folder / f"{name}.png", dpi=180)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)
    return [f"{name}.png", f"{name}.svg"]


def _published(axes, chosen, bars, reach):
    """Short lines over each group of bars: what other tools and hand adjoints were published to need."""
    for tool, style, label in (
        ("enzyme", "-", "bar: Enzyme (published)"),
        ("hand", (0, (1, 1)), "adjoint written by hand (published)"),
    ):
        lines = [(x, rows.bar_of(row, bars).get(tool)) for x, (_, row) in enumerate(chosen)]
        lines = [(x, v) for x, v in lines if v is not None]
        if lines:
            axes.hlines(
                [v for _, v in lines],
                [x - reach for x, _ in lines],
                [x + reach for x, _ in lines],
                color="black",
                linestyle=style,
                linewidth=1.4,
                label=label,
            )


def _numbers(axes, numbers, size):
    """[(x, value, column)] in the feet of their bars, where they meet no whisker; above a bar that is too short.
    A box in the bar's colour keeps a published line from crossing the number."""
    high = axes.get_ylim()[1]
    for x, value, column in numbers:
        inside = value > 0.085 * high
        axes.annotate(
            f"{value:.2f}",
            (x, 0 if inside else value),
            (0, 3 if inside else 4),
            textcoords="offset points",
            ha="center",
            fontsize=size,
            fontweight="bold",
            color="white" if inside else COLORS[column],
            bbox={"boxstyle": "square,pad=0.15", "fc": COLORS[column] if inside else "white", "ec": "none"},
        )


def overhead(measured, folder):
    """Gradient/primal of each benchmark's usual kernel and size; lines mark the published figures of the same
    size. [] when nothing was timed."""
    chosen = [
        (key, row) for key, row in rows.all_on(measured) if rows.is_usual(row) and rows.overhead(row) is not None
    ]
    if not chosen:
        return []
    with plt.rc_context(STYLE):
        figure, axes = _axes(max(6.5, 0.95 * len(chosen) + 1), 4.3)
        columns = [c for c in LABELS if any(rows.overhead(row, c) is not None for _, row in chosen)]
        width, numbers = 0.8 / len(columns), []
        for i, column in enumerate(columns):
            for x, (_, row) in enumerate(chosen):
                value = rows.overhead(row, column)
                if value is None:
                    continue
                at = x - 0.4 + (i + 0.5) * width
                primal, timed = rows.median(row, "primal"), row["columns"][column]
                label = LABELS[column] if not axes.get_legend_handles_labels()[1].count(LABELS[column]) else None
                axes.bar(at, value, width * 0.92, color=COLORS[column], label=label)
                spread = [[max(0, value - timed["q1"] / primal)], [max(0, timed["q3"] / primal - value)]]
                axes.errorbar(at, value, spread, color="black", linewidth=0.8, capsize=1.5)
                numbers.append((at, value, column))
        _published(axes, chosen, rows.read_bars(), 0.44)
        _numbers(axes, numbers, 7.5 if len(columns) < 3 else 6)
        axes.set_xlim(-0.6, len(chosen) - 0.4)
        _ticks(axes, [key for key, _ in chosen])
        axes.set_ylabel("gradient time / primal time")
        _legend(figure, axes, 2)
        note = "Medians of CPU time, whiskers: quartiles. Lower is better."
        return _finish(figure, axes, measured, "Overhead of the gradient", folder, "overhead", note)


def ablation(measured, toggles, folder):
    """Slowdown of the gradient with each toggle off, on a log axis, and the geometric means. [] when no pair of
    cells was timed."""
    order = rows.setting_order(measured, toggles)
    groups = [(key, rows.slowdowns(cells), cells) for key, cells in rows.group(measured).items()]
    groups = [group for group in groups if any(v is not None for v in group[1].values())]
    if not groups:
        return []
    keys, factors = [key for key, _, _ in groups], [f for _, f, _ in groups]
    lost = [{name for name, row in cells.items() if row["status"] != "ok"} for _, _, cells in groups]
    if len(groups) > 1:
        means = rows.geometric_means(measured, [n for n, _ in order])
        keys.append(("geometric\nmean", "default", "", "restrict"))
        factors.append({name: mean for name, (mean, _) in means.items()})
    with plt.rc_context(STYLE):
        figure, axes = _axes(min(13, max(7.0, 1.05 * len(keys) + 1.2)), 4.8)
        width = 0.86 / len(order)
        for i, (name, heading) in enumerate(order):
            points = [(x - 0.43 + (i + 0.5) * width, f.get(name)) for x, f in enumerate(factors)]
            points = [(x, v) for x, v in points if v is not None]
            # Bars grow from 1, "no difference": a toggle that helps stands up, one that hurts hangs down.
            axes.bar(
                [x for x, _ in points],
                [v - 1 for _, v in points],
                width * 0.96,
                bottom=1,
                color=CYCLE[i % len(CYCLE)],
                label=heading,
            )
            failed = [x - 0.43 + (i + 0.5) * width for x, names in enumerate(lost) if name in names]
            axes.plot(failed, [1.06] * len(failed), "x", color=CYCLE[i % len(CYCLE)], markersize=4)
        axes.set_yscale("log")
        _plain_log(axes.yaxis)
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, 0.8), max(high, 1.5))
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_xlim(-0.6, len(keys) - 0.4)
        if len(keys) > len(groups):
            axes.axvline(len(groups) - 0.5, color="#999999", linewidth=0.8, linestyle=(0, (4, 3)))
        _ticks(axes, [key if key[2] else (key[0].replace("\n", " "), *key[1:]) for key in keys])
        axes.set_ylabel("gradient time / time with all on (log)")
        _legend(figure, axes, min(5, len(order)))
        note = "Higher: the optimization matters more; below 1 the gradient is faster without it. Medians of CPU time."
        note += " A cross: that cell failed." if any(lost) else ""
        title = "One optimization switched off at a time"
        return _finish(figure, axes, measured, title, folder, "ablation", note)


def scaling(measured, folder):
    """Overhead over the primal's time, one line a benchmark. [] when no benchmark was run at two sizes."""
    series = rows.scaling_series(measured)
    if not series:
        return []
    with plt.rc_context(STYLE):
        figure, axes = _axes(7.5, 4.3)
        for i, ((benchmark, kernel, variant), points) in enumerate(series.items()):
            name = tables.title((NAMES.get(benchmark, benchmark), kernel, "", variant), size=False)
            axes.plot(
                [1e3 * p for p, _ in points],
                [rows.overhead(row) for _, row in points],
                MARKERS[i % len(MARKERS)] + "-",
                color=CYCLE[i % len(CYCLE)],
                markersize=5,
                label=name,
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        axes.margins(x=0.04)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("time of one primal, ms (log)")
        axes.set_ylabel("gradient time / primal time")
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        note = "All optimizations on. Medians of CPU time. Lower is better; flat is what reverse mode promises."
        return _finish(figure, axes, measured, "Overhead over problem size", folder, "scaling", note)
