"""Rows of a study -> its figure, PNG and SVG. One function a kind of figure; each gives the file names, [] where there is nothing to draw.

Legible in greyscale: what colours tell apart, hatching or the shape of a marker tells apart as well.
"""

import math

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt

from . import failures, figures, intervals, matrix, rows, study_tables, tables

HATCH = {"gradient": "", "hand": "////", "compare": "....", "primal": "\\\\"}
SHADE = {"gradient": "#0b3c6f", "hand": "#8fc7a5", "compare": "#e9a15b", "primal": "#c9c9c9"}
FAILED = "#b00020"
RESULT = ("gradient", "hand", "compare")


def _finish(figure, study, measured, folder, note=""):
    return figures._finish(figure, measured, study.title, folder, study.name, note)


def _whisker(axes, x, found, horizontal=False):
    if found.low is None:
        return
    spread = [[max(0, found.value - found.low)], [max(0, found.high - found.value)]]
    errors = {"xerr": spread} if horizontal else {"yerr": spread}
    place = (found.value, x) if horizontal else (x, found.value)
    axes.errorbar(*place, fmt="none", color="black", linewidth=0.9, capsize=2, **errors)


def overhead(study, measured, context, folder):
    """Grouped bars: gradient, adjoint by hand, compared plugin; a diamond where another tool's figure was published."""
    chosen = [(key, row) for key, row in rows.all_on(measured)]
    timed = [(key, row) for key, row in chosen if intervals.overhead(row)]
    if not timed:
        return []
    bars = rows.read_bars()
    columns = [c for c in RESULT if any(intervals.overhead(row, c) for _, row in timed)]
    with plt.rc_context(figures.STYLE):
        figure, axes = figures._axes(max(6.5, 0.8 * len(chosen) + 1), 4.3)
        width = 0.8 / len(columns)
        for i, column in enumerate(columns):
            shown = False
            for x, (_, row) in enumerate(chosen):
                found = intervals.overhead(row, column)
                if not found:
                    continue
                at = x - 0.4 + (i + 0.5) * width
                label = None if shown else figures.LABELS[column]
                shown = True
                axes.bar(
                    at, found.value, width * 0.92, color=SHADE[column], hatch=HATCH[column], edgecolor="black",
                    linewidth=0.5, label=label,
                )  # fmt: skip
                _whisker(axes, at, found)
                axes.annotate(
                    f"{found.value:.2f}", (at, found.high or found.value), (0, 3), textcoords="offset points",
                    ha="center", fontsize=6.5,
                )  # fmt: skip
        published = [(x, rows.bar_of(row, bars).get("enzyme")) for x, (_, row) in enumerate(chosen)]
        published = [(x, v) for x, v in published if v is not None]
        if published:
            axes.plot(*zip(*published), "D", color="white", markeredgecolor="black", markersize=6, label=figures.BAR)
        for x, (_, row) in enumerate(chosen):
            if row["status"] != "ok":
                axes.annotate(
                    failures.kind_of(row), (x, 0), (0, 4), textcoords="offset points", rotation=90, ha="center",
                    fontsize=7, color=FAILED,
                )  # fmt: skip
        axes.axhline(1, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xlim(-0.6, len(chosen) - 0.4)
        figures._ticks(axes, [key for key, _ in chosen])
        axes.set_ylabel("gradient time / primal time")
        figures._legend(axes, 2)
        note = "Medians of ratios round by round; whiskers: 95 % bootstrap intervals. Dashed: the primal. Lower is better."
        return _finish(figure, study, measured, folder, note)


def before_after(study, measured, context, folder):
    pairs = [(key, intervals.slowdown(cells.get("no-preopt"), cells.get(matrix.ALL_ON)), cells)
             for key, cells in rows.group(measured).items()]  # fmt: skip
    pairs = [pair for pair in pairs if pair[1]]
    if not pairs:
        return []
    bars = rows.read_bars()
    with plt.rc_context(figures.STYLE):
        figure, axes = figures._axes(max(6.5, 0.9 * len(pairs) + 1), 4)
        for x, (_, found, cells) in enumerate(pairs):
            axes.bar(x, found.value, 0.6, color=SHADE["gradient"], edgecolor="black", linewidth=0.5)
            _whisker(axes, x, found)
            axes.annotate(
                f"×{tables.number(found.value)}", (x, found.high or found.value), (0, 4), textcoords="offset points",
                ha="center", fontsize=8,
            )  # fmt: skip
            bar = rows.bar_of(cells[matrix.ALL_ON], bars)
            published = rows.ratio(bar.get("before"), bar.get("enzyme"))
            if published:
                label = "the same ratio of another tool (published)" if not axes.get_legend_handles_labels()[1] else None
                axes.plot(x, published, "D", color="white", markeredgecolor="black", markersize=6, label=label)
        axes.set_yscale("log")
        figures._plain_log(axes.yaxis)
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_ylim(0.8, 1.6 * axes.get_ylim()[1])
        figures._ticks(axes, [key for key, _, _ in pairs])
        axes.set_ylabel("overhead before / after (log)")
        if axes.get_legend_handles_labels()[1]:
            figures._legend(axes, 1)
        return _finish(figure, study, measured, folder, "Higher: differentiating optimized code is worth more.")


def _waterfall_panel(axes, cells, headings):
    base = cells.get(matrix.ALL_ON)
    names = [name for name in headings if name in cells]
    axes.set_yticks(range(len(names)), [headings[n].removeprefix("no ") for n in names], fontsize=7.5)
    axes.invert_yaxis()
    axes.set_xscale("log")
    for y, name in enumerate(names):
        found = intervals.slowdown(cells[name], base)
        if cells[name]["status"] != "ok" or found is None:
            what = failures.kind_of(cells[name]) or "not measured"
            axes.annotate(what, (1, y), (4, 0), textcoords="offset points", va="center", fontsize=7, color=FAILED)
            continue
        counter = ((base or {}).get("counters") or {}).get(name.removeprefix("no-"))
        unmoved = study_tables._effect(found, counter) in ("no effect", "never applied")
        low, high = min(1, found.value), max(1, found.value)
        black = name == matrix.ALL_OFF
        color = "#222222" if black else "#dddddd" if unmoved else SHADE["gradient"]
        axes.barh(y, high - low, 0.7, left=low, color=color, edgecolor="black", linewidth=0.4, hatch="////" if found.value < 1 else "")
        _whisker(axes, y, found, horizontal=True)
        text = f"×{tables.number(found.value)}" + (f"  ({counter} applied)" if counter is not None else "")
        axes.annotate(text, (max(high, found.high or 0), y), (4, 0), textcoords="offset points", va="center", fontsize=6.5)
    axes.axvline(1, color="black", linewidth=0.8)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.8), max(2.0, high) ** 1.55)
    figures._plain_log(axes.xaxis)
    axes.tick_params(axis="x", labelsize=7)


def waterfall(study, measured, context, folder):
    """A panel a benchmark: how many times slower without each, on a log axis, the multiplier at each bar."""
    headings = dict(rows.setting_order(measured, context.toggles))
    groups = {
        key: cells
        for key, cells in rows.group(measured).items()
        if len(cells) > 1 and intervals.overhead(cells.get(matrix.ALL_ON))
    }
    if not groups:
        return []
    across = min(3, len(groups))
    down = math.ceil(len(groups) / across)
    bars = max(sum(n in cells for n in headings) for cells in groups.values())
    with plt.rc_context(figures.STYLE):
        figure, grid = plt.subplots(
            down, across, figsize=(max(6.5, 4.1 * across), (0.2 * bars + 0.6) * down + 0.9), squeeze=False,
            constrained_layout=True,
        )  # fmt: skip
        for axes in grid.flat[len(groups) :]:
            axes.set_visible(False)
        for axes, (key, cells) in zip(grid.flat, groups.items()):
            figures._plain(axes)
            axes.grid(axis="x", color="#dddddd", linewidth=0.6)
            axes.set_title(tables.title((figures.NAMES.get(key[0], key[0]), *key[1:])), fontsize=9)
            _waterfall_panel(axes, cells, headings)
        note = "Overhead without one optimization over overhead with all (log). Whiskers: 95 % bootstrap intervals. Light: no effect."
        return _finish(figure, study, measured, folder, note + " Hatched: faster without it.")


def scaling(study, measured, context, folder):
    """As the figure of the whole study, under this study's name."""
    made = figures.scaling(measured, folder, study.name)
    return made


def atomics(study, measured, context, folder):
    pairs = [(key, cells[matrix.ALL_ON], cells["no-race-proofs"]) for key, cells in rows.group(measured).items()
             if {matrix.ALL_ON, "no-race-proofs"} <= set(cells)]  # fmt: skip
    if not any(intervals.overhead(on) and intervals.overhead(off) for _, on, off in pairs):
        return []
    with plt.rc_context(figures.STYLE):
        figure, axes = figures._axes(max(5.5, 1.3 * len(pairs) + 1.5), 4)
        for i, (label, shade, hatch) in enumerate(
            (("proved exclusive: plain additions", SHADE["gradient"], ""), ("race-proofs off: atomic", "#e9a15b", "...."))
        ):
            for x, pair in enumerate(pairs):
                found = intervals.overhead(pair[1 + i])
                if not found:
                    continue
                at = x - 0.2 + 0.4 * i
                axes.bar(at, found.value, 0.37, color=shade, hatch=hatch, edgecolor="black", linewidth=0.5, label=label if x == 0 else None)
                _whisker(axes, at, found)
                axes.annotate(f"{found.value:.2f}", (at, found.high or found.value), (0, 3), textcoords="offset points", ha="center", fontsize=7)
        for x, (_, on, _) in enumerate(pairs):
            count = (on.get("counters") or {}).get("race-proofs")
            if count is not None:
                axes.annotate(f"{count} proofs", (x - 0.2, 0), (0, 5), textcoords="offset points", ha="center", fontsize=7, color="white", rotation=90)
        figures._ticks(axes, [key for key, _, _ in pairs])
        axes.set_ylabel("gradient time / primal time")
        figures._legend(axes, 2)
        return _finish(figure, study, measured, folder, "Whiskers: 95 % bootstrap intervals.")


def variants(study, measured, context, folder):
    """The gradient's time without no-alias pointers over that with them."""
    found = {key: intervals.of_gradients(*reversed(pair)) for key, pair in rows.variant_pairs(measured).items()}
    found = {key: ratio for key, ratio in found.items() if ratio}
    if not found:
        return []
    limit = rows.read_bars()["limits"]["plain_over_restrict"]
    with plt.rc_context(figures.STYLE):
        figure, axes = figures._axes(max(6.5, 0.5 * len(found) + 1), 4)
        for x, ratio in enumerate(found.values()):
            axes.bar(x, ratio.value, 0.6, color=SHADE["gradient"], edgecolor="black", linewidth=0.5)
            _whisker(axes, x, ratio)
            axes.annotate(f"{ratio.value:.2f}", (x, ratio.high or ratio.value), (0, 3), textcoords="offset points", ha="center", fontsize=6.5)
        axes.axhline(1, color="black", linewidth=0.8)
        axes.axhline(limit, color="black", linewidth=0.8, linestyle=(0, (4, 3)))
        figures._ticks(axes, [(*key, "restrict") for key in found])
        axes.set_ylabel("gradient without / with no-alias pointers")
        note = f"Ratios of medians; whiskers: 95 % bootstrap intervals. Dashed: at most {limit:g}. Lower is better."
        return _finish(figure, study, measured, folder, note)


def memory(study, measured, context, folder):
    """Peak memory and overhead side by side for each size."""
    chosen = [row for _, row in rows.all_on(study_tables.by_memory(measured)) if "gradient" in row.get("columns", {})]
    if not chosen:
        return []
    with plt.rc_context(figures.STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
        names = [_snapshots(row) for row in chosen]
        for axes, pick, unit, shade, hatch in (
            (left, lambda r: (r["columns"]["gradient"].get("peak_memory_bytes") or 0) / 1e6, "peak memory of a gradient, MB", SHADE["gradient"], ""),
            (right, lambda r: intervals.overhead(r).value, "gradient time / primal time", "#e9a15b", "...."),
        ):
            figures._plain(axes)
            values = list(map(pick, chosen))
            axes.bar(range(len(chosen)), values, 0.65, color=shade, hatch=hatch, edgecolor="black", linewidth=0.5)
            for x, value in enumerate(values):
                axes.annotate(tables.number(value), (x, value), (0, 3), textcoords="offset points", ha="center", fontsize=7.5)
            axes.set_xticks(range(len(chosen)), names, fontsize=7.5)
            axes.set_ylabel(unit)
        return _finish(figure, study, measured, folder, "Each gradient was verified; a state is one snapshot of the mesh.")


def _snapshots(row):
    kept = row["size_values"].get("snapshots")
    return "one tape" if kept is None else f"{kept} states"


def coverage(study, measured, context, folder):
    """Checks of each benchmark by kind, stacked; and what became of the attempts to prove gradients."""
    sheet = study_tables.coverage(study, measured, context)
    checks = [line for line in sheet.lines if line[0] != "gradients attempted"]
    proofs = [line for line in sheet.lines if line[0] == "gradients attempted"]
    if not checks and not proofs:
        return []
    subjects = list(dict.fromkeys(line[0] for line in checks))
    kinds = list(dict.fromkeys(line[1] for line in checks))
    hatches = ["", "////", "....", "\\\\\\\\", "xxxx", "----", "oo", "++", "**"]
    with plt.rc_context(figures.STYLE):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(10.5, max(3.2, 0.28 * len(subjects) + 1.4)), width_ratios=[3, 1], constrained_layout=True
        )
        start = dict.fromkeys(subjects, 0)
        for i, kind in enumerate(kinds):
            counts = {line[0]: line[2] for line in checks if line[1] == kind}
            ys = [y for y, s in enumerate(subjects) if s in counts]
            axes_left = [start[subjects[y]] for y in ys]
            left.barh(
                ys, [counts[subjects[y]] for y in ys], 0.7, left=axes_left, color=figures.CYCLE[i % len(figures.CYCLE)],
                hatch=hatches[i % len(hatches)], edgecolor="black", linewidth=0.4, label=kind,
            )  # fmt: skip
            for y in ys:
                start[subjects[y]] += counts[subjects[y]]
        left.set_yticks(range(len(subjects)), [figures.NAMES.get(s, s) for s in subjects], fontsize=7.5)
        left.invert_yaxis()
        left.set_xlabel("checks of gradients that passed")
        if checks:
            left.legend(frameon=False, fontsize=6.5, ncol=4, loc="lower left", bbox_to_anchor=(0, 1))
        right.set_visible(bool(proofs))
        for x, line in enumerate(proofs):
            right.bar(x, line[2], 0.6, color=SHADE["gradient"] if line[1] == "proved" else "#cccccc", edgecolor="black", hatch="" if line[1] == "proved" else "////")
            right.annotate(str(line[2]), (x, line[2]), (0, 3), textcoords="offset points", ha="center", fontsize=8)
        right.set_xticks(range(len(proofs)), [line[1] for line in proofs], fontsize=7, rotation=20)
        right.set_ylabel("gradients attempted")
        for axes in (left, right):
            figures._plain(axes)
        return _finish(figure, study, measured or [_nowhere(context)], folder, "Every check must pass before a gradient is timed.")


def _nowhere(context):
    """What stands for a row in the footnote of a figure that has none."""
    proofs = context.artefacts.get("proofs.json", {})
    return {"machine": {"cpu": "–", "cores": 0}, "commit": "", **proofs, "study": proofs.get("command")}


def roofline(study, measured, context, folder):
    points = study_tables.roofline_points(study, measured)
    if not points:
        return []
    roofs = context.artefacts.get("roofs.json")
    markers, shades = {"primal": "o", "gradient": "s", "hand": "^"}, {"primal": "white", "gradient": "#0b3c6f", "hand": "#8fc7a5"}
    with plt.rc_context(figures.STYLE):
        figure, axes = figures._axes(6.5, 4.4)
        shown = set()
        for row, column, intensity, rate in points:
            label = {"primal": "primal", "gradient": "gradient (the primal's operations over its time)", "hand": "adjoint by hand (the same)"}[column]
            axes.plot(intensity, rate / 1e9, markers[column], color=shades[column], markeredgecolor="black", markersize=7, label=None if column in shown else label)
            shown.add(column)
            if column == "primal":
                axes.annotate(figures.NAMES.get(row["benchmark"], row["benchmark"]), (intensity, rate / 1e9), (7, 3), textcoords="offset points", fontsize=7.5)
        axes.set_xscale("log")
        axes.set_yscale("log")
        figures._plain_log(axes.xaxis)
        figures._plain_log(axes.yaxis)
        axes.set_ylim(0.6 * axes.get_ylim()[0], 2.5 * axes.get_ylim()[1])
        if roofs:
            low, high = axes.get_xlim()[0] / 2, axes.get_xlim()[1] * 4
            ridge = roofs["flops"] / roofs["bytes"]
            axes.plot([low, ridge, max(high, 2 * ridge)], [low * roofs["bytes"] / 1e9, roofs["flops"] / 1e9, roofs["flops"] / 1e9], color="black", linewidth=1.2, label="this core: memory, arithmetic (measured)")
        axes.set_xlabel("operations / byte (declared)")
        axes.set_ylabel("Gop/s")
        axes.legend(frameon=False, fontsize=7)
        return _finish(figure, study, measured, folder, "One core. Nominal counts.")


def threads(study, measured, context, folder):
    """Speed-up of primal and gradient over cores, a panel a series, with the ideal line; its own figures are in scaling/."""
    series = [s for s in context.artefacts.get("scaling/summary.json", ()) if sum(p["overhead"] is not None for p in s["points"]) > 1]
    if not series:
        return []
    across = min(3, len(series))
    with plt.rc_context(figures.STYLE):
        figure, grid = plt.subplots(
            math.ceil(len(series) / across), across, figsize=(3.4 * across, 3 * math.ceil(len(series) / across) + 0.8),
            squeeze=False, constrained_layout=True,
        )  # fmt: skip
        for axes in grid.flat[len(series) :]:
            axes.set_visible(False)
        for axes, found in zip(grid.flat, series):
            timed = [p for p in found["points"] if p["overhead"] is not None]
            cores = [p["ranks"] * p["threads"] for p in timed]
            figures._plain(axes)
            axes.plot(cores, [c / cores[0] for c in cores], ":", color="black", linewidth=1, label="ideal")
            for column, style, shade in (("primal", "s--", "#777777"), ("gradient", "o-", SHADE["gradient"])):
                axes.plot(cores, [p["speedup"][column] for p in timed], style, color=shade, markersize=4.5, label=column)
            axes.set_xticks(cores)
            axes.set_title(f"{figures.NAMES.get(found['suite'], found['suite'])} {found['model']}, {found['mode']}", fontsize=9)
        grid[0][0].set_ylabel("speed-up")
        grid[0][0].legend(frameon=False, fontsize=7.5)
        place = {"machine": {"cpu": "cores: ranks times threads", "cores": max(cores)}, "commit": "", "study": "./retro scale"}
        return _finish(figure, study, [place], folder)


def resources(study, measured, context, folder):
    """Registers of each kernel and of its gradient, a panel a device."""
    found = context.artefacts.get("gpu-resources.json") or {}
    counted = [row for row in found.get("rows", ()) if row["primal"]["registers"] and row["gradient"]["registers"]]
    devices = list(dict.fromkeys(row["arch"] for row in counted))
    if not counted:
        return []
    with plt.rc_context(figures.STYLE):
        longest = max(sum(row["arch"] == d for row in counted) for d in devices)
        size = max(6.5, 0.5 * longest + 1.5), 2.9 * len(devices) + 0.8
        figure, grid = plt.subplots(len(devices), 1, figsize=size, squeeze=False, constrained_layout=True)
        for axes, device in zip(grid.flat, devices):
            chosen = [row for row in counted if row["arch"] == device]
            figures._plain(axes)
            axes.set_title(device, fontsize=9, loc="right")  # the legend is on the left
            for i, column in enumerate(("primal", "gradient")):
                xs = [x - 0.2 + 0.4 * i for x in range(len(chosen))]
                values = [row[column]["registers"] for row in chosen]
                axes.bar(xs, values, 0.37, color=SHADE[column], hatch=HATCH[column], edgecolor="black", linewidth=0.5, label=column)
                for x, row in zip(xs, chosen):
                    text = f"{row[column]['registers']}" + (" spills" if row[column]["spills"] else "")
                    axes.annotate(text, (x, row[column]["registers"]), (0, 3), textcoords="offset points", ha="center", fontsize=6.5, rotation=90)
            names = [f"{figures.NAMES.get(row['suite'], row['suite'])}\n{row['kernel']}" for row in chosen]
            axes.set_xticks(range(len(chosen)), names, fontsize=6.5, rotation=90)
            axes.set_ylabel("registers a thread")
            axes.margins(y=0.25)
        figures._legend(grid[0][0], 2)
        place = {"machine": {"cpu": "device code", "cores": 0}, "compiler": found.get("llvm"), "commit": "", "study": "./retro gpu-resources"}
        return _finish(figure, study, [place], folder, "Counts of the code generators. Time: not measured.")


KINDS = {
    "overhead": overhead,
    "before-after": before_after,
    "waterfall": waterfall,
    "scaling": scaling,
    "roofline": roofline,
    "atomics": atomics,
    "memory": memory,
    "coverage": coverage,
    "threads": threads,
    "resources": resources,
    "variants": variants,
}


def draw(study, measured, context, folder):
    return KINDS[study.figure](study, measured, context, folder)
