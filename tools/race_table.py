"""How the threads of a gradient add to shadow memory: counts what the plans say of the parallel suites, and shows it in docs/parallel.md.

    python3 -m tools.race_table --plugin build/release/engine/retrograde.so

compiles the gradients of the suites with OpenMP, with and without the proofs, prints the table, and writes results/races.json
and the table of the page. The table counts places of the program, not additions at run time. --check exits with 1 where the page does not
show what the file holds. The times with the proofs on and off are an ablation's: `./retro ablate` has the toggle race-proofs."""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
from ablation import machine

SHOWN = ROOT / "results" / "races.json"  # of plans: no matter on what machine
PAGE = ROOT / "docs" / "parallel.md"
BEGIN, END = "<!-- races: tools/race_table.py -->\n", "<!-- end -->\n"
SUITES = {"lulesh": "suites/lulesh/gradient.cpp", "minibude": "suites/minibude/gradient.cpp"}
FLAGS = [
    "-std=c++20",
    "-O3",
    "-fno-math-errno",
    "-ffp-contract=off",
    "-fopenmp",
    "-DRETRO_SYMBOL_PREFIX=gradient_",
    "-DRETRO_VARIANT_RESTRICT=1",
]
KINDS = [
    "exclusive: overwritten",
    "exclusive: affine",
    "exclusive: affine, if apart",
    "exclusive: solved",
    "combined",
    "atomic",
]


def count(text: str) -> dict[str, int]:
    """How often the plans in a compiler's output name each way to add. ValueError at one that is not known."""
    found = Counter(re.findall(r"^  add to shadow of [^\n]*?: ([a-z:, ]+)$", text, re.MULTILINE))
    if unknown := set(found) - set(KINDS):
        raise ValueError(f"ways to add that the table does not have: {sorted(unknown)}")
    return {kind: found[kind] for kind in KINDS}


def compile_plan(source: str, plugin: str, clang: str, proofs: bool) -> str:
    command = [
        clang,
        *FLAGS,
        f"-I{ROOT / 'suites'}",
        f"-I{ROOT / 'engine' / 'include'}",
        f"-fpass-plugin={plugin}",
        "-mllvm",
        "-retro-print-plan",
        "-mllvm",
        f"-retro-race-proofs={int(proofs)}",
        "-c",
        str(ROOT / source),
        "-o",
        "/dev/null",
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


def table(rows: list[dict[str, Any]]) -> str:
    lines = ["| suite | proofs | " + " | ".join(KINDS) + " |", "|---|---|" + "---:|" * len(KINDS)]
    for row in rows:
        lines.append(
            f"| {row['suite']} | {'on' if row['proofs'] else 'off'} | "
            + " | ".join(str(row["places"][k]) for k in KINDS)
            + " |"
        )
    return "\n".join(lines) + "\n"


def with_table(page: str, rows: list[dict[str, Any]]) -> str:
    head, rest = page.split(BEGIN)
    return head + BEGIN + table(rows) + END + rest.split(END, 1)[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", help="retrograde.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if args.check:
        page = PAGE.read_text()
        return page != with_table(page, json.loads(SHOWN.read_text())["rows"])
    if not args.plugin:
        parser.error("--plugin is needed")
    rows = [
        {"suite": suite, "proofs": proofs, "places": count(compile_plan(source, args.plugin, args.clang, proofs))}
        for suite, source in SUITES.items()
        for proofs in (True, False)
    ]
    SHOWN.write_text(json.dumps({"machine": machine.describe(), "rows": rows}, indent=1) + "\n")
    PAGE.write_text(with_table(PAGE.read_text(), rows))
    print(table(rows), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
