"""Everything that is drawn from a folder of rows: tables (markdown, JSON) and figures (PNG, SVG)."""

import json
import os
import re
from pathlib import Path
from typing import Any

from tools.retrolib import ROOT
from tools.retrolib.toggles import Toggle

from . import conclusions, figures, matrix, rows, tables

OVERHEAD = """\
Gradient time / primal time, medians of CPU time in one run with all toggles on; each gradient was verified before
it was timed. *bar* and *published* are other tools' figures, measured elsewhere (`ablation/reference_bars.json` names
their source); *met* says whether the overhead is at or below the bar; *without restrict* is the time of the gradient of the
same code without no-alias pointers over that with them. – means not measured or nothing to compare."""
COMPILE = """\
CPU seconds to compile the gradient's source file (`gradient.cpp`), median of several compilations alone on the machine: the same
file, compiler and flags with the plugin, which generates the gradient, and without it, when the request stays a call of an
undefined function and only the primal code beside it is compiled."""
MEMORY = """\
Tape: bytes that the forward sweep of one call keeps for its reverse sweep, as the plugin counts them (0 B: everything is
recomputed or lives in registers). Peak: resident memory that one call adds to a process that has its data already."""
ABLATION = """\
How many times slower the gradient is with one optimization off ([what each does](TOGGLES)). Below 1 it is faster without.
The number after a geometric mean is how many benchmarks it is taken over; a failed cell is in none."""


def summary(measured: list[rows.Row], toggles: list[Toggle]) -> dict[str, Any]:
    """The tables' numbers as one JSON object, for other programs to read."""
    order = rows.setting_order(measured, toggles)
    names = [n for n, _ in order]
    bars = rows.read_bars()
    entries = []
    for key, cells in rows.group(measured).items():
        base = cells.get(matrix.ALL_ON)
        with_plugin, without = rows.compile_seconds(base)
        entries.append(
            {
                **dict(zip(("benchmark", "kernel", "size", "variant"), key)),
                "overhead": {c: rows.overhead(base, c) for c in ("gradient", "hand", "compare")},
                "published": rows.bar_of(base, bars) if base else {},
                "compile_seconds": {"with_plugin": with_plugin, "without_plugin": without},
                "compile_ratio": rows.compile_ratio(base),
                "tape_bytes": ((base or {}).get("columns", {}).get("gradient") or {}).get("tape_bytes"),
                "slowdown": rows.slowdowns(cells),
                "failed": {name: row["reason"] for name, row in cells.items() if row["status"] != "ok"},
            }
        )
    means = {"all": None, "study": set(bars["study"])}
    return {
        "conclusions": [{"met": c.met, "text": c.text} for c in conclusions.conclude(measured)],
        "rows": entries,
        "geometric_mean_slowdown": {
            label: {
                n: {"value": m, "benchmarks": c} for n, (m, c) in rows.geometric_means(measured, names, only).items()
            }
            for label, only in means.items()
        },
        "published_source": bars["source"],
    }


def relative(path: Path, folder: Path) -> str:
    """A link from a page in `folder` to `path`."""
    return os.path.relpath(path, folder)


def page(title: str, measured: list[rows.Row], *parts: str) -> str:
    return "\n".join([f"# {title}", "", tables.conditions_line(measured), "", *parts])


def pages(measured: list[rows.Row], toggles: list[Toggle], folder: Path, drawn: set[str]) -> dict[str, str]:
    """{file name: content} of the pages in `folder`. drawn: names of the figures that there are."""

    def figure(name: str, text: str) -> list[str]:
        return [f"![{text}](figures/{name}.svg)", ""] if name in drawn else []

    primary = rows.primary(measured)
    scaling, compiled = tables.scaling_table(primary), tables.compile_table(primary)
    result = {
        "overhead.md": page(
            "Overhead of the gradient",
            measured,
            *[OVERHEAD, "", tables.overhead_table(measured)],
            *figure("overhead", "Overhead of each benchmark"),
            *(["## Over size", "", scaling, *figure("scaling", "Overhead over size")] if scaling else []),
        ),
        "ablation.md": page(
            "Ablation",
            measured,
            ABLATION.replace("TOGGLES", relative(ROOT / "docs" / "toggles.md", folder)),
            "",
            tables.ablation_table(measured, toggles),
            *figure("ablation", "Slowdown with one optimization off"),
        ),
        "costs.md": page(
            "Compile time and memory",
            measured,
            *(["## Compile time", "", COMPILE, "", compiled] if compiled else []),
            *["## Tape and memory", "", MEMORY, "", tables.memory_table(primary)],
        ),
    }
    failed = tables.failures(measured)
    result["README.md"] = page(
        "Results of one machine",
        measured,
        conclusions.as_markdown(measured),
        f"- [Overhead](overhead.md), [ablation](ablation.md), [compile time and memory](costs.md); "
        f"[how to read them]({relative(ROOT / 'docs' / 'reading-the-tables.md', folder)})",
        "- [`summary.json`](summary.json): the same numbers for programs",
        "- [`rows/`](rows): one JSON row a cell, with everything needed to measure it again",
        "",
        *figure("overhead", "Overhead of each benchmark"),
        *figure("ablation", "Slowdown with one optimization off"),
        *figure("scaling", "Overhead over size"),
        *(["## Failed cells", "", failed] if failed else []),
    )
    return result


def fill(text: str, name: str, content: str) -> str:
    """`text` with `content` between the markers of table `name`; unchanged where it has no such marker."""
    pattern = rf"(<!-- table:{name} -->\n).*?(<!-- /table:{name} -->)"
    return re.sub(pattern, lambda m: m[1] + content + m[2], text, flags=re.S)


def update_pages(
    measured: list[rows.Row], toggles: list[Toggle], folder: Path, targets: list[Path] | None = None
) -> list[Path]:
    """Put the tables between their markers in README.md and docs/*.md. Returns the pages that changed."""
    head, primary = tables.conditions_line(measured), rows.primary(measured)
    changed = []
    for target in targets or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        place = relative(folder, target.parent)
        tail = f"[All tables, figures and rows of this run]({place}/README.md)\n"
        contents = {
            "conclusions": conclusions.as_markdown(measured),
            "overhead": f"{head}\n\n{tables.overhead_table(measured)}\n{tail}",
            "ablation": f"{head}\n\n{tables.ablation_table(measured, toggles)}\n{tail}",
            "costs": f"{head}\n\n{tables.compile_table(primary)}\n{tables.memory_table(primary)}\n{tail}",
        }
        old = new = target.read_text()
        for name, content in contents.items():
            new = fill(new, name, content)
        if new != old:
            target.write_text(new)
            changed.append(target)
    return changed


def write(folder: Path, toggles: list[Toggle]) -> list[rows.Row]:
    """Draw all from FOLDER/rows into FOLDER. Returns the rows. FileNotFoundError when there is no row."""
    # A size that is given by its values belongs to the study that asks for it.
    measured = [row for row in rows.read(folder / "rows") if "=" not in row["size"]]
    if not measured:
        raise FileNotFoundError(f"no rows in {folder / 'rows'}")
    pictures = folder / "figures"
    pictures.mkdir(exist_ok=True)
    for old in pictures.glob("*.*"):
        old.unlink()  # a figure of rows that are gone must not stay
    primary = rows.primary(measured)
    files = (
        figures.overhead(primary, pictures)
        + figures.ablation(measured, toggles, pictures)
        + figures.scaling(primary, pictures)
    )
    for name, text in pages(measured, toggles, folder, {f.split(".")[0] for f in files}).items():
        (folder / name).write_text(text.rstrip("\n") + "\n")
    (folder / "summary.json").write_text(json.dumps(summary(measured, toggles), indent=1) + "\n")
    return measured
