"""Texts, sheets and figures -> HTML, with few bytes: a page holds thousands of cells."""

import re
from html import escape
from pathlib import Path

from .. import drawing, sheets

# What the page's style gives another value in the dark.
SHADES = {
    drawing.INK: "ink", drawing.FAINT: "faint", drawing.LINE: "line", drawing.PAPER: "paper", drawing.NEUTRAL: "neutral",
    drawing.FAILED: "bad", drawing.COLORS["gradient"]: "own",
}  # fmt: skip
WIDEST = 24  # columns of a table


def markup(text: str) -> str:
    """Escaped text in which `code` and **strong** are what they are in Markdown."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)


def anchor(*words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def _texts(sheet: sheets.Sheet, column: int) -> bool:
    """Whether a column is one of texts: to be aligned to the left, and broken into lines."""
    values = [line[column] for line in sheet.lines]
    return column < sheet.left or (any(isinstance(v, str) and len(v) > 12 for v in values))


def text_columns() -> str:
    """The style of columns of texts: a table says by its classes which they are."""
    return "".join(
        f".t{i} :is(td,th):nth-child({i + 1}){{text-align:left;white-space:normal;min-width:7rem}}\n"
        for i in range(WIDEST)
    )


def table(sheet: sheets.Sheet) -> str:
    if not sheet:
        return "<p>Nothing measured yet.</p>" + notes(sheet)
    texts = " ".join(f"t{i}" for i in range(len(sheet.header)) if _texts(sheet, i))
    head = "".join(f"<th scope=col><button type=button>{markup(h)}</button>" for h in sheet.header)
    body = "\n".join("<tr>" + "".join(f"<td>{markup(sheets.text(value))}" for value in line) for line in sheet.lines)
    return f'<div class="table" tabindex=0><table class="{texts}"><thead><tr>{head}</thead><tbody>\n{body}</tbody></table></div>{notes(sheet)}'


def notes(sheet: sheets.Sheet) -> str:
    lines = "".join(f"<li>{markup(note)}</li>" for note in sheet.notes)
    return f'<ul class="faint">{lines}</ul>' if lines else ""


def fold(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>\n{content}</details>"


def picture(path: Path, name: str, text: str) -> tuple[str, str]:
    """(the SVG of a file as a part of the page, what stands below it): without title and source, in colours of the page's style."""
    svg = path.read_text(encoding="utf-8")
    about = re.search(r'<desc data-top="([\d.]+)" data-bottom="([\d.]+)">(.*?)</desc>', svg, re.S)
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    top, bottom, note = float(about[1]), float(about[2]), about[3]
    body = svg[about.end() : svg.rindex("</svg>")]
    body = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", body, flags=re.S)
    body = re.sub(r'<g id="(?:head|foot)\d+">.*?</g>|<text id="(?:head|foot)\d+".*?</text>', "", body, flags=re.S)
    body = re.sub(r'(id="|="#|url\(#)', rf"\g<1>{name}-", body).replace("xlink:href", "href")
    body = re.sub(r"#[0-9a-f]{6}", lambda m: f"var(--{SHADES[m[0]]})" if m[0] in SHADES else m[0], body)
    box = f"0 {top:g} {width:g} {height - top - bottom:g}"
    drawn = f'<svg viewBox="{box}" style="--w:{width:g}" role="img" aria-label="{escape(text)}">{body.strip()}</svg>'
    return f"<figure tabindex=0>{drawn}</figure>", note
