"""Folders of results -> one page that shows everything that is known of them: the newest machine's figures, the others' folded below."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ablation.study import Study
from tools.retrolib import ROOT
from tools.retrolib.toggles import Toggle

from .. import conclusions, intervals, report, rows, statistics, storage, study_report, study_tables, tables
from ..sheets import Sheet
from . import opening
from .markup import anchor, fold, markup, picture, table, text_columns

HERE = Path(__file__).parent
# Whatever the page would want to fetch is refused, so that it is whole or visibly broken.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
GUIDE = ROOT / "docs" / "reading-the-tables.md"


@dataclass
class Machine:
    folder: Path
    measured: list  # every row
    outcomes: dict  # {study's name: Outcome}

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    @property
    def title(self) -> str:
        return rows.conditions(self.measured)[0]

    @property
    def newest(self) -> str:
        return max(row.get("date") or "" for row in self.measured)


def rows_sheet(measured: list[rows.Row]) -> Sheet:
    """A line a cell: how its gradient was checked, and the nearest that a check came to its tolerance; then what was measured."""
    sheet = Sheet(
        ["cell", "gradient", "checks", "largest error / tolerance", "at", "overhead", "primal ms", "gradient ms", "hand ms", "tape, MB",
         "peak, MB", "compile s", "rounds", "noise %", "digest"], left=2
    )  # fmt: skip
    for row in measured:
        checks = [v for v in row.get("verdicts", ()) if v["column"] == "gradient"]
        shares = [
            (v["error"] / v["tolerance"], v["check"]) for v in checks if v["tolerance"] and v["error"] is not None
        ]
        share, check = max(shares, default=(None, tables.NOT_MEASURED))
        found = row.get("columns", {}).get("gradient") or {}
        noise = intervals.noise(intervals.runs(row, "gradient"))
        sheet.add(
            row["cell"],
            study_tables.status(row),
            f"{sum(v['outcome'] == 'passed' for v in checks)} of {len(checks)}",
            share,
            check,
            intervals.overhead(row),
            *(None if t is None else 1e3 * t for t in (rows.median(row, c) for c in ("primal", "gradient", "hand"))),
            *(None if b is None else b / 1e6 for b in (found.get(k) for k in ("tape_bytes", "peak_memory_bytes"))),
            rows.compile_seconds(row)[0],
            len(intervals.runs(row, "gradient")),
            None if noise is None else 100 * noise,
            row.get("digest") or tables.NOT_MEASURED,
        )
    return sheet


def noise_sheet(measured: list[rows.Row]) -> Sheet:
    """The cells whose times are spread most, and how often a round was far from the others."""
    sheet = Sheet(["column", "rounds", "outliers", "noise %, median", "noise %, worst", "worst cell"], left=1)
    by_column = {}
    for row, found in intervals.noise_of(measured):
        for column, (noise, outliers, count) in found.items():
            by_column.setdefault(column, []).append((noise, row["cell"], outliers, count))
    for column, found in sorted(by_column.items()):
        worst, cell_name, _, _ = max(found)
        sheet.add(
            column,
            sum(count for *_, count in found),
            sum(outliers for _, _, outliers, _ in found),
            100 * statistics.quantile([n for n, *_ in found], 0.5),
            100 * worst,
            cell_name,
        )
    return sheet


def toggles_sheet(measured: list[rows.Row], toggles: list[Toggle]) -> Sheet:
    sheet = study_tables.toggle_effects(measured, toggles)
    described = Sheet(["toggle", "default", "what it does", *sheet.header[1:]], left=3, notes=sheet.notes)
    for toggle, line in zip(toggles, sheet.lines):
        described.add(f"`{toggle.name}`", "on" if toggle.default else "off", toggle.description, *line[1:])
    return described


def machine_list(measured: list[rows.Row]) -> str:
    found = []
    for row in measured:
        m = row["machine"]
        memory = f", {m['memory_bytes'] / 2**30:.0f} GiB" if m.get("memory_bytes") else ""
        found.append(f"{m['cpu']}, {m['cores']} cores{memory}; {m.get('system', '')} {m.get('kernel', '')}".strip("; "))
    lines = list(dict.fromkeys(found)) + rows.conditions(measured)[1:]
    return f'<ul class="faint">{"".join(f"<li>{markup(line)}</li>" for line in lines if line)}</ul>'


def conclusion_list(measured: list[rows.Row]) -> str:
    marks = {True: "met", False: "not", None: "none"}
    usual = [row for row in measured if "=" not in row["size"]]
    lines = "".join(
        f'<li><span class="verdict-{marks[c.met]}">{conclusions.MARKS[c.met]}</span> {markup(c.text)}</li>'
        for c in conclusions.conclude(usual)
    )
    return f"<ul>{lines}</ul>"


def figures_of(machine: Machine, found: study_report.Outcome) -> tuple[str, str]:
    """(figures, what stands below them) of one study on one machine."""
    one = found.study
    made = [
        picture(machine.folder / "studies" / f, anchor(machine.name, one.name), one.title)
        for f in found.figures
        if f.endswith(".svg")
    ]
    return "".join(figure for figure, _ in made), "".join(f'<p class="faint">{note}</p>' for _, note in made if note)


def brief(found: study_report.Outcome) -> Sheet:
    """The study's table without what never applied, which its Markdown and CSV list."""
    sheet = found.sheet
    if "applied" not in sheet.header or "remark" not in sheet.header:
        return sheet
    at = sheet.header.index("remark")
    kept = [line for line in sheet.lines if line[at] != "never applied"]
    left_out = len(sheet.lines) - len(kept)
    note = (
        [f"{left_out} lines of optimizations that never applied are left out here; `{found.study.name}.csv` has them."]
        if left_out
        else []
    )
    return Sheet(sheet.header, kept, sheet.left, sheet.notes + note)


def others(machines: list[Machine], one: Study) -> str:
    """The same study on the other machines, folded; a figure that is the same everywhere stands once."""
    parts, seen = [], [figures_of(machines[0], machines[0].outcomes[one.name])[1]]
    first = machines[0].outcomes[one.name]
    for machine in machines[1:]:
        found = machine.outcomes.get(one.name)
        if found and (found.sheet.lines != first.sheet.lines or found.sheet.notes != first.sheet.notes):
            figure, note = figures_of(machine, found)
            parts.append(
                fold(
                    f"The same on {escape(machine.title)}",
                    figure + ("" if note in seen else note) + table(brief(found)),
                )
            )
    return "".join(parts)


def study_section(machines: list[Machine], one: Study, title: str | None = None, lead: str = "") -> str:
    """A study: figure and text side by side, its table and the other machines folded below."""
    machine = machines[0]
    found = machine.outcomes[one.name]
    figure, note = figures_of(machine, found)
    text = [lead or f"<p>{markup(one.text)}</p>", note]
    if one.published:
        text.append(f'<p class="faint">Published: {markup(one.published)}.</p>')
    if one.differs:
        text.append(f'<ul class="faint">{"".join(f"<li>{markup(s)}</li>" for s in one.differs)}</ul>')
    text.append(f'<p class="faint"><code>./retro ablate --study {one.name}</code></p>')
    heading = f"<h2>{markup(one.title)}</h2>" if title is None else title
    parts = [
        f'<section id="{one.name}">{heading}<div class="pair">{figure}<div class="say">{"".join(text)}</div></div>'
    ]
    parts += [fold(f"Table: {escape(machine.title)}", table(brief(found))), others(machines, one), "</section>"]
    return "\n".join(parts)


TABLES = (
    (
        "Toggles",
        "What each optimization does, in how many benchmarks it applied, where it is worth most, and what it leaves as it is.",
        toggles_sheet,
    ),
    (
        "Noise",
        "Interquartile range over median of the rounds, and rounds beyond the fences of 1.5 interquartile ranges.",
        lambda measured, _: noise_sheet(measured),
    ),
    (
        "All rows",
        "A cell a line. Every gradient is checked before it is timed; the digest is of its bits. Overhead: median of gradient over "
        "primal, round by round, with its 95 % bootstrap interval.",
        lambda measured, _: rows_sheet(measured),
    ),
)


def table_section(
    machines: list[Machine], toggles: list[Toggle], title: str, text: str, sheet_of: Callable[..., Any]
) -> str:
    parts = [f'<section id="{anchor(title)}"><h2>{title}</h2><p>{text}</p>']
    parts += [fold(escape(m.title), table(sheet_of(m.measured, toggles))) for m in machines]
    return "\n".join([*parts, "</section>"])


def bars_section(machines: list[Machine]) -> str:
    parts = [
        '<section id="bars"><h2>What was aimed at</h2><p>Each line is a goal, computed from the rows; one that is not met says so.</p>'
    ]
    for i, machine in enumerate(machines):
        content = conclusion_list(machine.measured) + machine_list(machine.measured)
        parts.append(f"<h3>{escape(machine.title)}</h3>{content}" if i == 0 else fold(escape(machine.title), content))
    return "\n".join([*parts, "</section>"])


def contents(studies: list[Study]) -> str:
    links = [(one.name, one.title) for one in studies] + [("bars", "What was aimed at")]
    links += [(anchor(title), title) for title, *_ in TABLES]
    return f'<nav aria-label="Contents"><ul>{"".join(f"<li><a href=#{target}>{markup(title)}</a></li>" for target, title in links)}</ul></nav>'


def machine_of(
    folder: Path, toggles: list[Toggle], outcomes: list[study_report.Outcome] | None = None
) -> Machine | None:
    """A Machine, or None where nothing was measured. outcomes: of its studies, where they are drawn already."""
    measured = rows.read(folder / "rows")
    if not measured:
        return None
    outcomes = study_report.write(folder, toggles, measured) if outcomes is None else outcomes
    return Machine(folder, measured, {found.study.name: found for found in outcomes})


def body(machines: list[Machine], toggles: list[Toggle], guide: str) -> list[str]:
    studies = sorted((found.study for found in machines[0].outcomes.values()), key=lambda one: (one.place, one.name))
    first = [one for one in studies if one.figure == "overhead"][:1]
    rest = [one for one in studies if one not in first]
    parts = []
    for one in first:
        said = "".join(f"<p>{markup(s)}</p>" for s in opening.sentences(machines[0].outcomes[one.name].rows))
        parts.append(
            study_section(
                machines, one, "<h1>Retrograde: what a gradient costs</h1>", f'<div class="lead">{said}</div>'
            )
        )
    if not first:
        parts.append(f"<h1>Retrograde: what was measured</h1><p>{opening.WHAT}</p>")
    parts.append(contents(studies))
    explained = f'<a href="{guide}">How to read it</a> explains bar, overhead, cell and noise.'
    parts.append(
        f'<p class="faint">A click on a column\'s heading sorts. – means not measured, never zero. {explained}</p>'
    )
    parts += [study_section(machines, one) for one in rest]
    return [*parts, bars_section(machines), *(table_section(machines, toggles, *line) for line in TABLES)]


def render(
    folders: list[Path], toggles: list[Toggle], guide: str, drawn: dict[Path, list[study_report.Outcome]] | None = None
) -> str:
    """The page of these folders of results, with a link to the guide. ValueError when none has rows. drawn: {folder: its studies'
    outcomes}, where known."""
    drawn = drawn or {}
    machines = [found for folder in folders if (found := machine_of(folder, toggles, drawn.get(folder)))]
    if not machines:
        raise ValueError("no folder of results has rows")
    machines.sort(key=lambda machine: machine.newest, reverse=True)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            "<title>Retrograde: what was measured</title>",
            f"<style>\n{(HERE / 'page.css').read_text()}{text_columns()}</style></head><body>",
            *body(machines, toggles, guide),
            f"<script>\n{(HERE / 'page.js').read_text()}</script>",
            "</body></html>\n",
        ]
    )


def write(
    path: Path, folders: list[Path], toggles: list[Toggle], drawn: dict[Path, list[study_report.Outcome]] | None = None
) -> None:
    storage.write(path, render(folders, toggles, report.relative(GUIDE, path.resolve().parent), drawn))
