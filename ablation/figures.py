"""Rows -> figures, each as PNG and SVG: overhead bars, ablation bars on a log axis, scaling over size."""

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from . import matrix, rows, tables

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
    "#8C564B",
    "#17BECF",
    "#A6761D",
]
BAR = "bar: Enzyme (published)"
STYLE = {
    "font.size": 9,
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
    "brusselator-openmp": "Brusselator OpenMP",
    "matvec": "mat-vec",
    "xsbench": "XSBench",
    "rsbench": "RSBench",
    "xsbench-openmp": "XSBench OpenMP",
    "xsbench-mpi": "XSBench MPI",
    "rsbench-openmp": "RSBench OpenMP",
    "rsbench-mpi": "RSBench MPI",
    "lulesh": "LULESH",
    "lulesh-openmp": "LULESH OpenMP",
    "lulesh-mpi": "LULESH MPI",
    "lulesh-hybrid": "LULESH hybrid",
    "minibude": "miniBUDE",
    "minibude-openmp": "miniBUDE OpenMP",
    "lbm": "LBM",
    "dg": "DG",
}


def _color(setting, at):
    """All off is black, so that the toggles before it keep their colours when one more is declared."""
    return "black" if setting == matrix.ALL_OFF else CYCLE[at % len(CYCLE)]


def _plain(axes):
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _axes(width, height):
    figure, axes = plt.subplots(figsize=(width, height), constrained_layout=True)
    _plain(axes)
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


def _legend(axes, columns):
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


def _finish(figure, measured, title, folder, name, note=""):
    """Title, a footnote that says where the numbers come from, and both files, without dates."""
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=11)
    machine, compiler, commit, command = rows.conditions(measured)
    known = [t for t in (machine, compiler, commit, command) if t and not t.startswith("commit unknown")]
    source = " · ".join(known)
    figure.supxlabel(f"{note}\n{source}" if note else source, x=0.01, ha="left", fontsize=7, color="#555555")
    figure.savefig(folder / f"{name}.png", dpi=180)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)
    return [f"{name}.png", f"{name}.svg"]


def _published(axes, chosen, bars, reach):
    """Short lines over each group of bars: what other tools and hand adjoints were published to need."""
    for tool, style, label in (
        ("enzyme", "-", BAR),
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
        _legend(axes, 2)
        note = "Medians of CPU time, whiskers: quartiles. Lower is better."
        return _finish(figure, measured, "Overhead of the gradient", folder, "overhead", note)


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
                color=_color(name, i),
                label=heading,
            )
            failed = [x - 0.43 + (i + 0.5) * width for x, names in enumerate(lost) if name in names]
            axes.plot(failed, [1.06] * len(failed), "x", color=_color(name, i), markersize=4)
        axes.set_yscale("log")
        _plain_log(axes.yaxis)
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, 0.8), max(high, 1.5))
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_xlim(-0.6, len(keys) - 0.4)
        if len(keys) > len(groups):
            axes.axvline(len(groups) - 0.5, color="#999999", linewidth=0.8, linestyle=(0, (4, 3)))
        _ticks(axes, [key if key[2] else (key[0].replace("\n", " "), *key[1:]) for key in keys])
        axes.set_ylabel("overhead / overhead with all on (log)")
        _legend(axes, min(6, len(order)))
        note = "Higher: the optimization matters more; below 1 the gradient is faster without it. Medians of CPU time."
        note += " A cross: that cell failed." if any(lost) else ""
        title = "One optimization switched off at a time"
        return _finish(figure, measured, title, folder, "ablation", note)


def _panel(axes, key, series, bars):
    """One benchmark: overhead at each size, from small to large."""
    lines = [("gradient", "o-"), ("hand", "s--"), ("compare", "^-")]
    for column, style in lines:
        points = [(x, rows.overhead(row, column)) for x, row in enumerate(series)]
        points = [(x, v) for x, v in points if v is not None]
        if points:
            axes.plot(*zip(*points), style, color=COLORS[column], markersize=4, label=LABELS[column])
    published = [(x, rows.bar_of(row, bars).get("enzyme")) for x, row in enumerate(series)]
    published = [(x, v) for x, v in published if v is not None]
    if published:
        axes.plot(*zip(*published), "_", color="black", markersize=16, markeredgewidth=1.6, label=BAR)
    benchmark, kernel, variant = key
    axes.set_title(tables.title((NAMES.get(benchmark, benchmark), kernel, "", variant), size=False), fontsize=9)
    axes.set_xticks(range(len(series)), [row["size"] for row in series], fontsize=7)
    axes.set_xlim(-0.4, len(series) - 0.6)
    axes.set_ylim(0, 1.12 * axes.dataLim.y1)


def scaling(measured, folder, name="scaling"):
    """Overhead over problem size, one panel a benchmark. [] when no benchmark was run at two sizes."""
    series = rows.scaling_series(measured)
    if not series:
        return []
    across = min(4, len(series))
    down = -(-len(series) // across)
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(
            down,
            across,
            figsize=(max(6.5, 2.75 * across), 2.2 * down + 1),
            squeeze=False,
            constrained_layout=True,
        )
        bars, legend = rows.read_bars(), {}
        for axes in grid.flat[len(series) :]:
            axes.set_visible(False)
        for axes, (key, found) in zip(grid.flat, series.items()):
            _plain(axes)
            _panel(axes, key, found, bars)
            legend.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
        figure.supylabel("gradient time / primal time", fontsize=9.5)
        figure.legend(
            legend.values(),
            legend.keys(),
            loc="upper right",
            ncol=len(legend),
            frameon=False,
        )
        note = "Sizes from small to large; all optimizations on. Medians of CPU time. Lower is better."
        return _finish(figure, measured, "Overhead over problem size", folder, name, note)
