"""Everything that is drawn from a folder of rows: tables (markdown, JSON) and figures (PNG, SVG)."""

import json
import re

from retrolib import ROOT

from . import figures, matrix, tables


def summary(rows, toggles):
    """The tables' numbers as one JSON object, for other programs to read."""
    order = tables.setting_order(rows, toggles)
    names = [n for n, _ in order]
    study = set(tables.read_bars()["study"])
    entries = []
    for key, cells in tables.group(rows).items():
        base = cells.get(matrix.ALL_ON)
        entries.append(
            {
                **dict(zip(("benchmark", "kernel", "size", "variant"), key)),
                "overhead": {c: tables.overhead(base, c) for c in ("gradient", "hand", "compare")},
                "published": tables.bar_of(base, tables.read_bars()) if base else {},
                "compile_ratio": tables.compile_ratio(base) if base else None,
                "tape_bytes": ((base or {}).get("columns", {}).get("gradient") or {}).get("tape_bytes"),
                "slowdown": tables.slowdowns(cells),
                "failed": {name: row["reason"] for name, row in cells.items() if row["status"] != "ok"},
            }
        )
    means = {"all": None, "study": study}
    return {
        "rows": entries,
        "geometric_mean_slowdown": {
            label: {
                n: {"value": m, "benchmarks": c}
                for n, (m, c) in tables.geometric_means(rows, names, only).items()
            }
            for label, only in means.items()
        },
        "published_source": tables.read_bars()["source"],
    }


def overhead_page(rows):
    page = [
        "# Overhead of the gradient",
        "",
        tables.conditions(rows),
        "",
        "Gradient time / primal time, medians of CPU time in one run; each gradient was verified before it was "
        "timed. Peak memory and tape are what one gradient adds; compile time is that of its source with the plugin "
        "over without. The columns marked 'published' are other tools' figures, measured elsewhere "
        "(`ablation/reference_bars.json` names the source). – means not measured.",
        "",
        tables.overhead_table(rows),
    ]
    scaling = tables.scaling_table(rows)
    if scaling:
        page += ["## Over size", "", scaling]
    failed = tables.failures(rows)
    if failed:
        page += ["## Failed cells", "", failed]
    return "\n".join(page)


def ablation_page(rows, toggles):
    return "\n".join(
        [
            "# Ablation",
            "",
            tables.conditions(rows),
            "",
            "How many times slower the gradient is with one optimization off (docs/toggles.md says what each does). "
            "Below 1 it is faster without. The number after a geometric mean is how many benchmarks it is taken "
            "over; a failed cell is in none.",
            "",
            tables.ablation_table(rows, toggles),
        ]
    )


def fill(text, name, content):
    """`text` with `content` between the markers of table `name`; unchanged where it has no such marker."""
    pattern = rf"(<!-- table:{name} -->\n).*?(<!-- /table:{name} -->)"
    return re.sub(pattern, lambda m: m[1] + content + m[2], text, flags=re.S)


def update_pages(rows, toggles, pages=None):
    """Put the tables between their markers in README.md and docs/*.md. Returns the pages that changed."""
    contents = {
        "overhead": tables.conditions(rows) + "\n\n" + tables.overhead_table(rows),
        "ablation": tables.conditions(rows) + "\n\n" + tables.ablation_table(rows, toggles),
    }
    changed = []
    for page in pages or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        old = new = page.read_text()
        for name, content in contents.items():
            new = fill(new, name, content)
        if new != old:
            page.write_text(new)
            changed.append(page)
    return changed


def write(folder, toggles):
    """Draw all from FOLDER/rows into FOLDER. Returns the rows. FileNotFoundError when there is no row."""
    rows = tables.read_rows(folder / "rows")
    if not rows:
        raise FileNotFoundError(f"no rows in {folder / 'rows'}")
    (folder / "overhead.md").write_text(overhead_page(rows))
    (folder / "ablation.md").write_text(ablation_page(rows, toggles))
    (folder / "summary.json").write_text(json.dumps(summary(rows, toggles), indent=1) + "\n")
    pictures = folder / "figures"
    pictures.mkdir(exist_ok=True)
    figures.overhead(rows, pictures)
    figures.ablation(rows, toggles, pictures)
    figures.scaling(rows, pictures)
    return rows
