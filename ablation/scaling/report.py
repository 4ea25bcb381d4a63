"""Tables and figures of a machine's scaling rows."""

import json
import matplotlib.axes
import os
from collections.abc import Callable
from matplotlib.ticker import NullFormatter, NullLocator
from pathlib import Path
from typing import Any

from ablation.rows import Row

from .. import drawing
from ..drawing import plt
from ..tables import byte_count, milliseconds, number
from . import rows, series
from .series import COLUMNS

ABSENT = "–"
OVERSUBSCRIBED = "oversubscribed"
STYLES = {"primal": ("#555555", "s--"), "gradient": (drawing.COLORS["gradient"], "o-")}
LEGEND = """\
Times are medians over all launches, primal and gradient run in turn in one allocation. Overhead: the median of gradient / primal
over these pairs. Speed-up: work per second relative to one unit (core) of the smallest point. Efficiency: speed-up / units. Where
a run has more threads than there are cores, the table says *oversubscribed* and no time: only what does not depend on
it, the messages and bytes that all ranks send in one call, and the largest tape of a rank's call."""


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def table(found: series.Series) -> str:
    """Markdown: a line a point."""
    heads = ["ranks", "threads", "size", "primal ms", "gradient ms", "overhead"]
    heads += [f"{what} {c}" for what in ("speed-up", "efficiency") for c in COLUMNS]
    lines = [line(heads), line(["--:"] * 2 + [":--"] + ["--:"] * (len(heads) - 3))]
    for p in found.points:
        cells = [str(p.ranks), str(p.threads), " ".join(f"{k}={v}" for k, v in p.size.items())]
        if p.times:
            cells += [*(milliseconds(p.median(c)) for c in COLUMNS), number(p.overhead())]
            cells += [number(found.speedup(p, c)) for c in COLUMNS]
            cells += [number(found.efficiency(p, c)) for c in COLUMNS]
        else:
            cells += [OVERSUBSCRIBED if p.oversubscribed else f"no time: {p.reason}".replace("|", "/")]
            cells += [ABSENT] * (len(heads) - 4)
        lines.append(line(cells))
    return "\n".join(lines) + "\n"


def counts_table(found: series.Series) -> str:
    """Markdown: messages, bytes and tape of each point; '' where nothing was counted."""
    counted = [p for p in found.points if p.counts]
    if not counted:
        return ""
    heads = [
        "ranks",
        "threads",
        *(f"{what} {c}" for what in ("messages", "sent", "collectives") for c in COLUMNS),
    ]
    lines = [line([*heads, "tape"]), line(["--:"] * (len(heads) + 1))]

    def plain(value: int | None, show: Callable[..., Any] = str) -> str:
        return ABSENT if value is None else show(value)

    for p in counted:
        cells = [str(p.ranks), str(p.threads)]
        shown: tuple[tuple[str, Callable[..., str]], ...] = (
            ("messages", str),
            ("message_bytes", byte_count),
            ("collectives", str),
        )
        for key, show in shown:
            cells += [plain(p.counts[c].get(key), show) for c in COLUMNS]
        lines.append(line([*cells, plain(p.counts["gradient"].get("tape_bytes"), byte_count)]))
    return "\n".join(lines) + "\n"


def machine_line(found: series.Series) -> str:
    """Where the rows of a series come from."""

    def all_of(pick: Callable[[Row], object]) -> str:
        return "; ".join(sorted({str(pick(row)) for row in found.rows if pick(row)}))

    def place(row: Row) -> str:
        m = row["machine"]
        nodes = f"{m['nodes']} nodes, " if m["nodes"] > 1 else ""
        return f"{m['cpu']}, {nodes}{m['cores']} cores, {m['kind']}, {'pinned' if m['pinned'] else 'not pinned'}"

    commit = all_of(lambda row: row["commit"] and row["commit"][:12] + ("+changes" if "+" in row["commit"] else ""))
    return f"{all_of(place)}. {all_of(lambda r: r.get('compiler'))}. Commit {commit or 'unknown'}."


def panel(
    axes: matplotlib.axes.Axes, found: series.Series, name: str, value: Callable[..., Any], spread: bool | None = None
) -> None:
    for column in COLUMNS:
        points = [(p, value(p, column)) for p in found.points if p.times]
        xs, ys = [p.units for p, _ in points], [v for _, v in points]
        color, style = STYLES[column]
        if spread:
            low, high = zip(*(p.quartiles(column) for p, _ in points))
            bars = [[y - a for y, a in zip(ys, low)], [b - y for y, b in zip(ys, high)]]
            axes.errorbar(xs, ys, bars, fmt="none", ecolor=color, linewidth=0.8, capsize=2)
        axes.plot(xs, ys, style, color=color, markersize=4, label=column)
    axes.set_title(name, fontsize=9, loc="left")


def figure(found: series.Series, folder: Path) -> list[str]:
    """Time, overhead, speed-up and efficiency over cores, as PNG and SVG. [] when fewer than two points were timed."""
    timed = [p for p in found.points if p.times]
    if len(timed) < 2:
        return []
    units = [p.units for p in timed]
    with plt.rc_context(drawing.STYLE):
        drawn, grid = plt.subplots(2, 2, figsize=(drawing.WIDTH, 4.2), layout="constrained")
        (time, overhead), (speedup, efficiency) = grid
        panel(time, found, "time, s", lambda p, c: p.median(c), spread=True)
        time.set_yscale("log")
        drawing.plain_log(time.yaxis)
        overhead.plot(
            units,
            [p.overhead() for p in timed],
            STYLES["gradient"][1],
            color=STYLES["gradient"][0],
            markersize=4,
        )
        overhead.set_title("overhead: gradient / primal", fontsize=9, loc="left")
        overhead.set_ylim(bottom=0)
        panel(speedup, found, "speed-up", found.speedup)
        speedup.plot(units, units, ":", color="black", linewidth=0.9, label="ideal")
        speedup.set_yscale("log")
        drawing.plain_log(speedup.yaxis)
        panel(efficiency, found, "efficiency", found.efficiency)
        efficiency.axhline(1, linestyle=":", color="black", linewidth=0.9)
        efficiency.set_ylim(bottom=0)
        for axes in grid.flat:
            drawing.plain(axes, "y")
            axes.set_xscale("log")
            axes.set_xticks(units, [str(u) for u in units])
            axes.xaxis.set_minor_locator(NullLocator())
            axes.xaxis.set_minor_formatter(NullFormatter())
        for axes in grid[1]:
            axes.set_xlabel("cores")
        drawing.legend(speedup, 3)
        return drawing.finish(
            drawn, machine_line(found), found.title, folder, found.name, "Whiskers: quartiles.", room=16
        )


def section(found: series.Series, drawn: list[str]) -> str:
    lines = [f"## {found.title}", "", machine_line(found), "", table(found)]
    if drawn:
        lines += [f"![{found.title}](figures/{found.name}.svg)", ""]
    counted = counts_table(found)
    return "\n".join([*lines, *([counted] if counted else [])])


def summary(found: series.Series) -> dict[str, Any]:
    return {
        **{k: getattr(found, k) for k in ("suite", "model", "mode", "threads", "base")},
        "points": [
            {
                **{k: getattr(p, k) for k in ("ranks", "threads", "size", "oversubscribed", "reason", "counts")},
                "seconds": {c: p.median(c) for c in COLUMNS},
                "overhead": p.overhead(),
                "speedup": {c: found.speedup(p, c) for c in COLUMNS},
                "efficiency": {c: found.efficiency(p, c) for c in COLUMNS},
            }
            for p in found.points
        ],
    }


def write(folder: Path) -> list[series.Series]:
    """Draw FOLDER/rows (FOLDER: results/<machine>/scaling) into FOLDER. Returns the series; [] when there is no row."""
    all_series = series.collect(rows.read(folder / "rows"))
    if not all_series:
        return []
    pictures = folder / "figures"
    pictures.mkdir(exist_ok=True)
    parts = [f"# Scaling: {folder.resolve().parent.name}", "", LEGEND, ""]
    for found in all_series:
        parts.append(section(found, figure(found, pictures)))
    (folder / "README.md").write_text("\n".join(parts).rstrip("\n") + "\n")
    (folder / "summary.json").write_text(json.dumps([summary(s) for s in all_series], indent=1) + "\n")
    return all_series


def index(results: Path) -> Path | None:
    """RESULTS/scaling.md: the pages of all machines. Returns its path, or None where there is no row."""
    pages = sorted(results.glob("*/scaling/README.md"))
    if not pages:
        return None
    lines = ["# Scaling, by machine", ""]
    for page in pages:
        done = series.collect(rows.read(page.parent / "rows"))
        link = os.path.relpath(page, results)
        lines += [f"- [{page.parent.parent.name}]({link}): {machine_line(done[-1])}"]
        lines += [f"  - {s.title}" for s in done]
    path = results / "scaling.md"
    path.write_text("\n".join(lines) + "\n")
    return path
