"""docs/diagnostics.md from engine/base/diagnostics.def and engine/facts/losses/warnings.def, where the engine's messages are declared.

Without options prints the page. --write writes it; --check exits with 1 when the page is not what would be
written, or when a message has no test in engine/test/lit/diagnostics."""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEFINITIONS = ROOT / "engine" / "base" / "diagnostics.def"
WARNINGS = ROOT / "engine" / "facts" / "losses" / "warnings.def"
PAGE = ROOT / "docs" / "diagnostics.md"
TESTS = ROOT / "engine" / "test" / "lit" / "diagnostics"
UNTESTED = {"internal"}  # the engine itself is wrong: no program is meant to bring it about

STRING = r'"((?:[^"\\]|\\.)*)"'
STRINGS = rf"((?:{STRING}\s*)+)"
ROW = re.compile(
    rf"^DIAGNOSTIC\(\s*(\w+)\s*,\s*{STRING}\s*,\s*(Wrong|Unsupported)\s*,\s*{STRINGS},\s*{STRINGS}\)", re.M
)
WARNING = re.compile(rf"^WARNING\(\s*(\w+)\s*,\s*{STRING}\s*,\s*{STRINGS}\)", re.M)

INTRODUCTION = """\
# Diagnostics

Generated from `engine/base/diagnostics.def` and `engine/facts/losses/warnings.def` by `tools/diagnostics_page.py --write`; do not edit.

A request that cannot be differentiated stops the compilation with an error of this form:

    f.c:12:3: error: <message> [retro-<id>]; to fix it: <what to do>
    f.c:20:10: note: 'g' is called from 'f' here
    f.c:31:5: note: the derivative of 'f' is requested in 'main' here

The place is the construct's own, also where it was inlined; the notes are the calls that lead there from the request.
Exact lines need `-g` (`-gline-tables-only` is enough); without it the place is the function that holds the construct,
or that it was inlined into, and the notes name functions. One request reports one error; the others of the same file
are still looked at.
"""

SECTIONS = {
    "Wrong": "## The request is wrong",
    "Unsupported": "## The engine cannot differentiate this",
    "Warning": "## Warnings",
}


@dataclass(frozen=True)
class Diagnostic:
    """One row of diagnostics.def. `kind` is Wrong or Unsupported, or Warning for a row of warnings.def."""

    identifier: str
    name: str
    kind: str
    sentence: str
    advice: str


def joined(literals: str) -> str:
    """The text of adjacent C string literals."""
    return "".join(re.findall(STRING, literals)).replace('\\"', '"')


def parse(text: str) -> list[Diagnostic]:
    """All rows of a diagnostics.def text. ValueError when a row cannot be read or an id stands twice."""
    code = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    rows = [Diagnostic(m[1], m[2], m[3], joined(m[4]), joined(m[6])) for m in ROW.finditer(code)]
    started = len(re.findall(r"^DIAGNOSTIC\(", code, re.M))
    if started != len(rows):
        raise ValueError(f"{started} DIAGNOSTIC rows, but only {len(rows)} could be read")
    if len({row.name for row in rows}) != len(rows):
        raise ValueError("an id is declared twice")
    return rows


def parse_warnings(text: str) -> list[Diagnostic]:
    """All rows of a warnings.def text."""
    rows = [Diagnostic(m[1], m[2], "Warning", joined(m[3]), "") for m in WARNING.finditer(text)]
    if len(re.findall(r"^WARNING\(", text, re.M)) != len(rows):
        raise ValueError("a WARNING row could not be read")
    return rows


def to_markdown(rows: list[Diagnostic]) -> str:
    """The page. What a message says of the program (%0, %1) is shown as …"""
    lines = [INTRODUCTION]
    for kind, title in SECTIONS.items():
        chosen = [row for row in rows if row.kind == kind]
        if not chosen:
            continue
        lines += [title, ""]
        if kind == "Warning":
            lines += ["What is differentiated as it is written. `-w` and `-Werror` hold for these, too.", ""]
            lines += ["| id | message |", "|---|---|"]
        else:
            lines += ["| id | message | what to do |", "|---|---|---|"]
        for row in chosen:
            sentence = re.sub(r"%\d", "…", row.sentence)
            cells = [text.replace("|", "\\|") for text in (sentence, row.advice) if text]
            lines.append(f"| `{row.name}` | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def untested(rows: list[Diagnostic], tests: Path) -> list[str]:
    """Ids that no CHECK line below `tests` expects."""
    files = [f for f in tests.rglob("*") if f.is_file()]
    checks = "\n".join(line for f in files for line in f.read_text().splitlines() if "CHECK" in line)
    return [row.name for row in rows if row.name not in UNTESTED and f"[retro-{row.name}]" not in checks]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="write docs/diagnostics.md")
    action.add_argument("--check", action="store_true", help="compare it, and look for the tests")
    args = parser.parse_args()
    rows = parse(DEFINITIONS.read_text()) + parse_warnings(WARNINGS.read_text())
    page = to_markdown(rows)
    if args.write:
        PAGE.write_text(page)
    elif args.check:
        problems = [f"retro-{name} has no test in {TESTS.relative_to(ROOT)}" for name in untested(rows, TESTS)]
        if not PAGE.exists() or PAGE.read_text() != page:
            problems.append(f"{PAGE.relative_to(ROOT)} is out of date: run tools/diagnostics_page.py --write")
        if problems:
            sys.exit("\n".join(problems))
    else:
        sys.stdout.write(page)


if __name__ == "__main__":
    main()
