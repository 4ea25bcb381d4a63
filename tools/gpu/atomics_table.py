"""How the threads of the suites' GPU gradients add to shadow memory: counts what the plans say of each differentiated function.

    python3 -m tools.gpu.atomics_table --plugin build/release/engine/retrograde.so

compiles the gradients for both vendors, prints the table, and with --write writes results/gpu-atomics.json and the table in docs/gpu-design.md. It
counts places of the program, not additions at run time; what a thread adds to variables of its own is in no plan. --check exits with 1
where the page does not show what the file holds. Needs no GPU and no SDK."""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from .device_code import ROOT, SUFFIX, SUITES, Failed, Suite, Tools, call, compile_plan, demangled

HELD = ROOT / "results" / "gpu-atomics.json"
PAGE = ROOT / "docs" / "gpu-design.md"
BEGIN, END = "<!-- atomics: tools/gpu/atomics_table.py -->\n", "<!-- end -->\n"
ARCH = {"cuda": "sm_90", "hip": "gfx90a"}
KINDS = ["exclusive: overwritten", "exclusive: affine", "exclusive: solved", "reduced", "atomic"]


def plans(text: str) -> dict[str, Counter[str]]:
    """{function: Counter of the ways to add} from a compiler's output; of several plans of one function the counts add up. ValueError at
    a way that is not known."""
    found = {}
    for block in re.split(r"^plan for ", text, flags=re.MULTILINE)[1:]:
        ways = Counter(re.findall(r"^  add to shadow of [^\n]*?: ([a-z: ]+)$", block, re.MULTILINE))
        if unknown := set(ways) - set(KINDS):
            raise ValueError(f"ways to add that the table does not have: {sorted(unknown)}")
        if ways:
            found.setdefault(block.split()[0], Counter()).update(ways)
    return found


def short(name: str) -> str:
    """A function's name without its namespaces' and parameters' names."""
    name = re.sub(r"\((?!anonymous)(?:[^()]|\([^()]*\))*\)[ const]*$", "", name).removeprefix("void ")
    depth, start = 0, 0
    for at, c in enumerate(name):
        depth += {"<": 1, ">": -1}.get(c, 0)
        if depth == 0 and name[at : at + 2] == "::":
            start = at + 2
    return name[start:]


def rows_of(tools: Tools, suite: Suite) -> list[dict[str, Any]]:
    """A row for each differentiated function and vendor; the vendors share a row where they agree."""
    rows = {}
    for vendor, arch in ARCH.items():
        with tempfile.TemporaryDirectory() as folder:
            source = ROOT / "suites" / suite.folder / f"{vendor}_gradient.{SUFFIX[vendor]}"
            found = plans(compile_plan(tools, source, vendor, arch, Path(folder) / "device.bc"))
        names = demangled(tools, found)
        merged = {}
        for name, ways in found.items():
            merged.setdefault(short(names[name]), Counter()).update(ways)
        for name, ways in merged.items():
            rows.setdefault((name, tuple(ways[k] for k in KINDS)), []).append(vendor)
    return [
        {"suite": suite.name, "function": name, "vendors": vendors, "places": dict(zip(KINDS, counts))}
        for (name, counts), vendors in rows.items()
    ]


def table(rows: list[dict[str, Any]]) -> str:
    lines = ["| suite | function | " + " | ".join(KINDS) + " |", "|---|---|" + "---:|" * len(KINDS)]
    for row in rows:
        name = f"`{row['function']}`".replace("|", "\\|") + (
            "" if len(row["vendors"]) == len(ARCH) else f" ({row['vendors'][0]})"
        )
        lines.append(f"| {row['suite']} | {name} | " + " | ".join(str(row["places"][k]) for k in KINDS) + " |")
    return "\n".join(lines) + "\n"


def with_table(page: str, rows: list[dict[str, Any]]) -> str:
    head, rest = page.split(BEGIN)
    return head + BEGIN + table(rows) + END + rest.split(END, 1)[1]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", help="retrograde.so")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument(
        "--suite", action="append", default=[], choices=[s.name for s in SUITES], help="repeatable; default: all"
    )
    parser.add_argument("--write", action="store_true", help="all suites only")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args(argv)
    if args.check:
        page = PAGE.read_text()
        return page != with_table(page, json.loads(HELD.read_text())["rows"])
    if not args.plugin or (args.write and args.suite):
        parser.error("--plugin is needed, and --write takes all suites")
    tools = Tools(args.plugin, args.clangxx)
    try:
        rows = [row for suite in SUITES if suite.name in (args.suite or [suite.name]) for row in rows_of(tools, suite)]
    except Failed as error:
        sys.exit(str(error))
    if args.write:
        HELD.write_text(
            json.dumps({"llvm": call(args.clangxx, "--version").split("\n")[0], "rows": rows}, indent=1) + "\n"
        )
        PAGE.write_text(with_table(PAGE.read_text(), rows))
    print(table(rows), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
