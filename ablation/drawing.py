"""How every figure is drawn: benchmarks from top to bottom, names on the left, numbers on the right; PNG and a small SVG.

A figure is as wide as a telephone, because that is where it must be legible too. Title and source stand above and below the part that
`html.page` cuts out: there a heading and the machine's line say the same.
"""

import matplotlib
import re
import textwrap
from html import escape
from pathlib import Path

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from . import rows, tables
from .intervals import Interval

WIDTH = 4.5  # inches
INK, FAINT, LINE, PAPER = "#1c2733", "#5a6875", "#d8dde3", "#ffffff"
# Colour-blind safe (after Okabe and Ito), and of different lightness.
COLORS = {"gradient": "#0b5394", "hand": "#7fc09b", "compare": "#e9a15b", "primal": "#a9b4bf"}
LABELS = {"gradient": "Retrograde", "hand": "adjoint written by hand", "compare": "compared plugin"}
ABOVE, FAILED, NEUTRAL = "#d9731a", "#b00020", "#e3e7ec"  # beyond a limit; a cell that failed; no effect that is sure
PUBLISHED = "Enzyme (published)"
DIAMOND = {"marker": "D", "color": PAPER, "markeredgecolor": INK, "markersize": 5.5, "linestyle": "none", "zorder": 4}
STYLE = {
    "font.size": 9.5,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "axes.labelsize": 9,
    "axes.titlesize": 9.5,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9.5,
    "legend.fontsize": 9,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    "hatch.color": INK,
    "svg.hashsalt": "retrograde",  # equal rows give equal files
    "svg.fonttype": "none",
}
NAMES = {
    "gmm": "GMM", "ba": "BA", "lstm": "LSTM", "hand": "Hand", "fft": "FFT", "euler": "Euler", "rk4": "RK4",
    "brusselator": "Brusselator", "matvec": "mat-vec", "xsbench": "XSBench", "rsbench": "RSBench",
    "lulesh": "LULESH", "minibude": "miniBUDE", "lbm": "LBM", "dg": "DG", "openmp": "OpenMP", "mpi": "MPI",
}  # fmt: skip


def name_of(benchmark: str) -> str:
    """The name of a benchmark, or of its port: "lulesh-openmp" is LULESH OpenMP."""
    first, *rest = benchmark.split("-")
    return " ".join(NAMES.get(word, word) for word in (first, *rest))


def labels(keys: dict[rows.Key, rows.Row] | list[rows.Key]) -> list[str]:
    """A label a key: benchmark and kernel; the size too where benchmark and kernel say nothing new."""
    short = [tables.title((name_of(key[0]), NAMES.get(key[1], key[1]), "", key[3]), size=False) for key in keys]
    return [f"{s} {key[2]}".strip() if short.count(s) > 1 else s for s, key in zip(short, keys)]


def plain(axes: matplotlib.axes.Axes, grid: str = "x") -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis=grid, color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", length=0)


def plain_log(axis: matplotlib.axis.XAxis | matplotlib.axis.YAxis) -> None:
    """1, 2, 5, 10 … as plain numbers, more of them on a short axis. To be called when the axis has its limits."""
    low, high = sorted(axis.get_view_interval())
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 6 * low else (1, 1.5, 2, 3, 4, 5, 7)))
    axis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    axis.set_minor_formatter(NullFormatter())


def turned(names: list[str]) -> float:
    """Points that names need where they stand upright."""
    return 24 + 5.6 * max(map(len, names), default=0)


def row_axes(
    names: list[str], pitch: float = 16, width: float = WIDTH, extra: float = 58, panels: int = 1
) -> tuple[matplotlib.figure.Figure, matplotlib.axes.Axes]:
    """Axes with a line of `pitch` points a name, from top to bottom; a list of them where there are several panels."""
    height = (pitch * len(names) + extra) / 72
    figure, grid = plt.subplots(1, panels, figsize=(width, height), sharey=True, squeeze=False, layout="constrained")
    for axes in grid[0]:
        plain(axes)
        axes.set_ylim(len(names) - 0.45, -0.55)
    grid[0][0].set_yticks(range(len(names)), names)
    return figure, grid[0][0] if panels == 1 else list(grid[0])


def bar(
    axes: matplotlib.axes.Axes,
    y: float,
    found: Interval,
    color: str,
    height: float = 0.62,
    label: str | None = None,
    low: int = 0,
) -> None:
    axes.barh(y, found.value - low, height, left=low, color=color, edgecolor=INK, linewidth=0.4, label=label)
    whisker(axes, y, found)


def whisker(axes: matplotlib.axes.Axes, y: float, found: Interval) -> None:
    if found.low is not None:
        spread = [[max(0, found.value - found.low)], [max(0, found.high - found.value)]]
        axes.errorbar(found.value, y, xerr=spread, fmt="none", color=INK, linewidth=0.9, capsize=1.8)


def beside(axes: matplotlib.axes.Axes, y: float, text: str, color: str = INK, weight: str = "bold") -> None:
    """A number to the right of its line, where no bar and no whisker meets it."""
    axes.annotate(
        text, (1, y), (6, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points", va="center",
        fontsize=9, color=color, fontweight=weight, annotation_clip=False,
    )  # fmt: skip


def limit(axes: matplotlib.axes.Axes, value: float, text: str) -> None:
    """A dashed line that is not to be crossed, named above it."""
    axes.axvline(value, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.annotate(
        text,
        (value, 1),
        (0, 3),
        xycoords=axes.get_xaxis_transform(),
        textcoords="offset points",
        ha="center",
        fontsize=8.5,
    )


def legend(axes: matplotlib.axes.Axes, columns: int = 1) -> None:
    """Above the axes, so that it hides nothing; as wide as the figure, not as the axes."""
    known = {label: handle for handle, label in zip(*axes.get_legend_handles_labels())}
    order = [name for name in (*LABELS.values(), PUBLISHED) if name in known]
    names = order + [name for name in known if name not in order]
    if names:
        axes.figure.legend(
            [known[name] for name in names], names, frameon=False, ncol=columns, loc="upper left",
            bbox_to_anchor=(0, 1), borderaxespad=0.1, handlelength=1.3, columnspacing=1.2, labelspacing=0.25,
        )  # fmt: skip


def source(measured: list[rows.Row] | str) -> str:
    """Where the numbers come from: machine, compiler, commit, command of rows, or a sentence that says it."""
    if isinstance(measured, str):
        return measured
    return " · ".join(t for t in rows.conditions(measured) if t and "unknown" not in t)


def finish(
    figure: matplotlib.figure.Figure,
    measured: list[rows.Row] | str,
    title: str,
    folder: Path,
    name: str,
    note: str = "",
    room: float = 0,
) -> list[str]:
    """Title above, note and source below, each broken to the figure's width; both files, without dates. room: points for a legend."""
    width, height = (72 * v for v in figure.get_size_inches())
    heads = textwrap.wrap(title, int(width / 7.2))
    feet = [line for text in (note, source(measured)) for line in textwrap.wrap(text, int(width / 3.95))]
    top, bottom = 15 * len(heads) + 6, 9.5 * len(feet) + 4
    whole = height + top + bottom
    figure.set_size_inches(width / 72, whole / 72)
    figure.get_layout_engine().set(rect=(0, bottom / whole, 1, (height - room) / whole))
    for old in figure.legends:
        old.set_bbox_to_anchor((0.004, 1 - top / whole), transform=figure.transFigure)
    for gid, lines, start, step, size, look in (
        ("head", heads, whole - 12, 15, 11, {"fontweight": "bold"}),
        ("foot", feet, bottom - 8, 9.5, 7, {"color": FAINT}),
    ):
        for i, line in enumerate(lines):
            figure.text(4 / width, (start - step * i) / whole, line, fontsize=size, gid=f"{gid}{i}", **look)
    path = folder / f"{name}.svg"
    figure.savefig(folder / f"{name}.png", dpi=180)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    path.write_text(small(path.read_text(encoding="utf-8"), note, top, bottom), encoding="utf-8")
    return [f"{name}.png", f"{name}.svg"]


LETTERS = f"text{{fill:{INK};font-family:'DejaVu Sans',sans-serif}}"


def _font(found: re.Match[str]) -> str:
    return f"font-size:{found[2]}" + (f";font-weight:{found[1]}" if found[1] else "")


def small(svg: str, note: str, top: float, bottom: float) -> str:
    """The same picture in a third of the bytes: a tenth of a point is exact enough, most names are of nothing, all letters are alike."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<clipPath.*?</clipPath>", "", svg, flags=re.S)
    svg = re.sub(r' clip-path="[^"]*"| transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r"-?\d+\.\d+", lambda m: f"{round(float(m[0]), 1) + 0:g}", tag[0]), svg)
    svg = re.sub(rf"(?:fill: {INK}; )?font: (?:(\d+) )?([\d.]+px)[^;\"]*", _font, svg)
    used = set(re.findall(r'"(?:url\()?#([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in used or m[1].startswith(("head", "foot")) else "", svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg).replace('\n"', '"')
    svg = re.sub(r"(?<=[\d.]) ?\n(?=[LMQCz])", "", svg)
    for _ in range(4):
        svg = re.sub(r"<g>\s*</g>|<g/>|<defs>\s*</defs>", "", svg)
        svg = re.sub(r"<g>\s*(<(?:path|use|text)\b[^>]*(?:/>|>[^<]*</text>))\s*</g>", r"\1", svg)
    svg = svg.replace("butt}", f"butt}}{LETTERS}", 1)
    start = '<?xml version="1.0" encoding="utf-8"?>\n'
    about = f'<desc data-top="{top:g}" data-bottom="{bottom:g}">{escape(note)}</desc>'
    svg = re.sub(r"\n+", "\n", svg)
    return start + re.sub(r"(<svg[^>]*>)", lambda m: str(m[1]) + about, svg, count=1)
