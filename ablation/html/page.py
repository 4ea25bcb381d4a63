"""Folders of results -> one page that shows everything that is known of them."""

import base64
import re
from html import escape
from pathlib import Path

from .. import conclusions, failures, intervals, rows, sheets, statistics, storage, study_report, study_tables, tables
from ..intervals import Interval
from ..sheets import Sheet

HERE = Path(__file__).parent
# Whatever the page would want to fetch is refused, so that it is whole or visibly broken.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
TEXT = ' class="text"'


def markup(text):
    """Escaped text in which `code` and **strong** are what they are in Markdown."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)


def anchor(*words):
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def cell(value, is_text):
    found = sheets.sort_value(value)
    number = isinstance(found, (int, float)) and not isinstance(found, bool)
    sort = f' data-v="{float(found)!r}"' if number else ' data-v=""' if found is None else ""
    return f"<td{TEXT if is_text else ''}{sort}>{markup(sheets.text(value))}</td>"


def _texts(sheet, column):
    """Whether a column is one of texts: to be aligned to the left, and broken into lines."""
    values = [line[column] for line in sheet.lines]
    return column < sheet.left or (any(isinstance(v, str) and len(v) > 12 for v in values))


def table(sheet):
    if not sheet:
        return "<p>Nothing measured yet.</p>" + notes(sheet)
    texts = [_texts(sheet, i) for i in range(len(sheet.header))]
    head = "".join(
        f"<th scope=col{TEXT if t else ''}><button type=button>{markup(h)}</button></th>"
        for h, t in zip(sheet.header, texts)
    )
    body = "\n".join(
        "<tr>" + "".join(cell(value, t) for value, t in zip(line, texts)) + "</tr>" for line in sheet.lines
    )
    whole = f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    return f'<div class="table" tabindex=0>{whole}</div>{notes(sheet)}'


def notes(sheet):
    lines = "".join(f"<li>{markup(note)}</li>" for note in sheet.notes)
    return f'<ul class="faint">{lines}</ul>' if lines else ""


def picture(path, text):
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<figure><img alt="{escape(text)}" src="data:image/svg+xml;base64,{data}"></figure>'


def verdicts_sheet(measured):
    """A line a cell: how it was checked, and the nearest that a check came to its tolerance."""
    sheet = Sheet(["cell", "gradient", "checks", "largest error / tolerance", "at", "digest"], left=2)
    for row in measured:
        checks = [v for v in row.get("verdicts", ()) if v["column"] == "gradient"]
        shares = [(v["error"] / v["tolerance"], v["check"]) for v in checks if v["tolerance"] and v["error"] is not None]
        share, check = max(shares, default=(None, tables.NOT_MEASURED))
        passed = sum(v["outcome"] == "passed" for v in checks)
        verdict = failures.kind_of(row) or "verified"
        sheet.add(row["cell"], verdict, f"{passed} of {len(checks)}", share, check, row.get("digest") or tables.NOT_MEASURED)
    return sheet


def rows_sheet(measured):
    """A line a cell with what was measured of it."""
    sheet = Sheet(
        ["cell", "overhead", "primal ms", "gradient ms", "hand ms", "tape, MB", "peak, MB", "compile s", "rounds", "noise %", "commit"]
    )  # fmt: skip
    for row in measured:
        found = row.get("columns", {}).get("gradient") or {}
        sizes = [found.get(k) for k in ("tape_bytes", "peak_memory_bytes")]
        times = [rows.median(row, c) for c in ("primal", "gradient", "hand")]
        noise = intervals.noise(intervals.runs(row, "gradient"))
        sheet.add(
            row["cell"],
            intervals.overhead(row) or failures.kind_of(row),
            *(None if t is None else 1e3 * t for t in times),
            *(None if b is None else b / 1e6 for b in sizes),
            rows.compile_seconds(row)[0],
            len(intervals.runs(row, "gradient")),
            None if noise is None else 100 * noise,
            (row.get("commit") or "unknown")[:12],
        )
    return sheet


def noise_sheet(measured):
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


def costs_sheet(measured):
    sheet = Sheet(["benchmark", "compile s without", "with the plugin", "ratio", "tape, MB", "peak gradient, MB", "peak hand, MB"])
    for key, row in rows.all_on(measured):
        with_plugin, without = rows.compile_seconds(row)
        columns = row.get("columns", {})
        sizes = [
            (columns.get(c) or {}).get(k)
            for c, k in (("gradient", "tape_bytes"), ("gradient", "peak_memory_bytes"), ("hand", "peak_memory_bytes"))
        ]
        sheet.add(
            tables.title(key), without, with_plugin, rows.compile_ratio(row), *(None if b is None else b / 1e6 for b in sizes)
        )
    return sheet


def toggles_sheet(measured, toggles):
    sheet = study_tables.toggle_effects(measured, toggles)
    described = Sheet(["toggle", "default", "what it does", *sheet.header[1:]], left=3, notes=sheet.notes)
    for toggle, line in zip(toggles, sheet.lines):
        described.add(f"`{toggle.name}`", "on" if toggle.default else "off", toggle.description, *line[1:])
    return described


def machine_list(measured):
    found = []
    for row in measured:
        m = row["machine"]
        memory = f", {m['memory_bytes'] / 2**30:.0f} GiB" if m.get("memory_bytes") else ""
        found.append(f"{m['cpu']}, {m['cores']} cores{memory}; {m.get('system', '')} {m.get('kernel', '')}".strip("; "))
    lines = list(dict.fromkeys(found)) + rows.conditions(measured)[1:]
    return "".join(f"<li>{markup(line)}</li>" for line in lines if line)


def conclusion_list(measured):
    marks = {True: "met", False: "not", None: "none"}
    return "".join(
        f'<li><span class="verdict-{marks[c.met]}">{conclusions.MARKS[c.met]}</span> {markup(c.text)}</li>'
        for c in conclusions.conclude(measured)
    )


def study_section(folder, found, name):
    one = found.study
    parts = [f'<h3 id="{anchor(name, one.name)}">{markup(one.title)}</h3>', f"<p>{markup(one.text)}</p>"]
    if one.published:
        parts.append(f'<p class="faint">Published: {markup(one.published)}.</p>')
    if one.differs:
        parts.append(f'<ul class="faint">{"".join(f"<li>{markup(s)}</li>" for s in one.differs)}</ul>')
    parts += [picture(folder / "studies" / f, one.title) for f in found.figures if f.endswith(".svg")]
    parts.append(table(found.sheet))
    parts.append(f'<p class="faint"><code>./retro ablate --study {one.name}</code></p>')
    return "\n".join(parts)


def machine_section(folder, toggles, outcomes=None):
    """(name, studies' outcomes, HTML) of one folder of results; None where nothing was measured. outcomes: where they are drawn already."""
    everything = rows.read(folder / "rows")
    if not everything:
        return None
    measured = [row for row in everything if "=" not in row["size"]]
    outcomes = study_report.write(folder, toggles, everything) if outcomes is None else outcomes
    name = folder.resolve().name
    parts = [f'<h2 id="{anchor(name)}">{escape(name)}</h2>', f"<ul>{machine_list(everything)}</ul>"]
    parts += ["<h3>Conclusions</h3>", f"<ul>{conclusion_list(measured)}</ul>"]
    parts += [study_section(folder, found, name) for found in outcomes]
    for title, text, sheet in (
        ("Toggles", "What each optimization does, in how many benchmarks it applied, where it is worth most, and what it leaves as it is.", toggles_sheet(measured, toggles)),
        ("Compile time and memory", "CPU seconds to compile the gradient's source; bytes of a call's tape, and resident memory that a call adds.", costs_sheet(measured)),
        ("Noise", "Interquartile range over median of the rounds, and rounds beyond the fences of 1.5 interquartile ranges.", noise_sheet(everything)),
        ("Verification verdicts", "Every gradient is checked before it is timed; a digest is of the gradient's bits.", verdicts_sheet(everything)),
        ("All rows", "A cell a line. Overhead: median of gradient over primal, round by round, with its 95 % bootstrap interval.", rows_sheet(everything)),
    ):  # fmt: skip
        parts += [f'<h3 id="{anchor(name, title)}">{title}</h3>', f"<p>{text}</p>", table(sheet)]
    return name, outcomes, "\n".join(parts)


def contents(sections):
    items = []
    for name, outcomes, _ in sections:
        inner = [f'<li><a href="#{anchor(name, o.study.name)}">{markup(o.study.title)}</a></li>' for o in outcomes]
        inner += [
            f'<li><a href="#{anchor(name, title)}">{title}</a></li>'
            for title in ("Toggles", "Compile time and memory", "Noise", "Verification verdicts", "All rows")
        ]
        items.append(f'<p><a href="#{anchor(name)}">{escape(name)}</a></p><ul>{"".join(inner)}</ul>')
    return f"<nav>{''.join(items)}</nav>"


def render(folders, toggles, drawn=None):
    """The page of these folders of results. ValueError when none has rows. drawn: {folder: its studies' outcomes}, where known."""
    drawn = drawn or {}
    sections = [found for folder in folders if (found := machine_section(folder, toggles, drawn.get(folder)))]
    if not sections:
        raise ValueError("no folder of results has rows")
    title = "Retrograde: what was measured"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{(HERE / 'page.css').read_text()}</style></head><body>",
            f"<h1>{title}</h1>",
            "<p>Gradients of benchmarks, each verified before it was timed. A click on a column's heading sorts. "
            "– means not measured, never zero.</p>",
            contents(sections),
            *(html for _, _, html in sections),
            f"<script>\n{(HERE / 'page.js').read_text()}</script>",
            "</body></html>\n",
        ]
    )


def write(path, folders, toggles, drawn=None):
    storage.write(path, render(folders, toggles, drawn))
