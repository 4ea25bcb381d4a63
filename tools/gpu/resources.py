"""Registers, spills, scratch and shared memory of the suites' kernels and of their gradients, for each architecture.

Needs no GPU. Prints a table; --write puts it into docs/gpu-resources.md and results/gpu-resources.json. --check fails where a gradient
spills and its primal does not, but for the kernels named in KNOWN_SPILLS. Exit status 77: a device library is missing."""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .device_code import ARCHES, ROOT, SUFFIX, SUITES, Failed, Suite, Tools, Usage, call, kernels_of

# Gradients that may spill though their primal does not: (suite, kernel, architecture). Each has an element's eight corners three times over
# (positions, velocities, adjoints), where the primal's force takes 253 of 255 registers.
CHECKED = ("lbm", "xsbench", "lulesh")
KNOWN_SPILLS = {("lulesh", "force", arch) for arch in ("sm_80", "sm_90", "gfx90a", "gfx942")} | {
    ("lulesh", "shape", arch) for arch in ("sm_80", "sm_90")
}

PAGE = """# What kernels and their gradients use

For each kernel of a suite and its gradient: registers of a thread, spills, local memory (scratch) of a thread and shared memory of a block,
in bytes. `./retro gpu-resources --write` makes this page; no GPU is needed.

- NVIDIA: counted by {ptxas}. A thread has at most 255 registers. Spills are bytes stored and loaded.
- AMD: from the code object that llc makes; vector registers (VGPR and AGPR; at most 512), scalar ones in brackets. Spills are vector
  registers; a scalar register is spilled into a vector register, and is counted in brackets.
- Local memory holds arrays that are indexed by a variable, spills, and the first 2 KB of a thread's tape where a kernel has one.
- What a kernel that calls another function uses is what both use together; `malloc` (a tape that grows) is not counted.

These numbers stand for no timing.
"""


def measure(
    tools: Tools, suites: list[Suite], arches: list[str], flags: Sequence[str], jobs: int
) -> list[dict[str, Any]]:
    """A row for each pair of kernels and architecture."""
    with tempfile.TemporaryDirectory() as name:

        def one(cell: tuple[int, tuple[Suite, str]]) -> dict[str, Usage]:
            number, (suite, arch) = cell
            folder = Path(name) / str(number)
            folder.mkdir()
            vendor = ARCHES[arch]
            return kernels_of(
                tools, ROOT / "suites" / suite.folder / f"{vendor}_gradient.{SUFFIX[vendor]}", arch, folder, flags
            )

        cells = [(suite, arch) for suite in suites for arch in arches]
        with ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(one, enumerate(cells)))
    rows = []
    for (suite, arch), kernels in zip(cells, found):
        for label, primal, gradient in suite.kernels:
            pair = {}
            for role, pattern in (("primal", primal), ("gradient", gradient)):
                names = [k for k in kernels if re.search(pattern, k)]
                if len(names) != 1:
                    raise Failed(
                        f"{suite.name} {label} {arch}: {len(names)} kernels match {pattern!r} among\n"
                        + "\n".join(kernels)
                    )
                usage = kernels[names[0]]
                pair[role] = {
                    "registers": usage.registers,
                    "spills": usage.spills,
                    "scratch": usage.scratch,
                    "shared": usage.shared,
                    **usage.more,
                }
            rows.append({"suite": suite.name, "kernel": label, "arch": arch, **pair})
    return rows


def cell(usage: dict[str, int]) -> list[str]:
    if usage["registers"] is None:
        return ["not measured"] * 4
    scalars = f" ({usage['sgpr']})" if "sgpr" in usage else ""
    spilled = f" ({usage['sgpr_spills']})" if usage.get("sgpr_spills") else ""
    return [
        f"{usage['registers']}{scalars}",
        f"{usage['spills']}{spilled}",
        str(usage["scratch"]),
        str(usage["shared"]),
    ]


def ratio(row: dict[str, Any]) -> str:
    primal, gradient = row["primal"]["registers"], row["gradient"]["registers"]
    return "" if primal is None else f"{gradient / primal:.1f}"


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| suite | kernel | | registers | spills | scratch | shared | gradient: registers | of primal | spills | scratch | shared |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        gradient = cell(row["gradient"])
        cells = [row["suite"], row["kernel"], row["arch"], *cell(row["primal"]), gradient[0], ratio(row), *gradient[1:]]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def new_spills(rows: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    """(suite, kernel, arch) of gradients that spill where the primal does not."""
    return {(r["suite"], r["kernel"], r["arch"]) for r in rows if r["gradient"]["spills"] and not r["primal"]["spills"]}


def summary(rows: list[dict[str, Any]]) -> str:
    spilled = sorted(new_spills(rows))
    twice = [r for r in rows if r["primal"]["registers"] and r["gradient"]["registers"] > 2 * r["primal"]["registers"]]
    lines = [
        "",
        "Gradients that spill and whose primal does not: "
        + (", ".join(f"{s} {k} on {a}" for s, k, a in spilled) or "none")
        + ".",
        "",
        "More than twice the primal's registers: "
        + (", ".join(f"{r['suite']} {r['kernel']} on {r['arch']} ({ratio(r)})" for r in twice) or "none")
        + ".",
    ]
    return "\n".join(lines) + "\n"


def check(rows: list[dict[str, Any]]) -> list[str]:
    """Reasons why the rows are not what they must be."""
    measured = {(r["suite"], r["kernel"], r["arch"]) for r in rows if r["suite"] in CHECKED}
    return [
        f"{' '.join(c)}: the gradient spills, the primal does not"
        for c in sorted(new_spills(rows) & measured - KNOWN_SPILLS)
    ]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="retro gpu-resources", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--suite", action="append", default=[], choices=[s.name for s in SUITES], help="repeatable; default: all"
    )
    parser.add_argument("--arch", action="append", default=[], choices=ARCHES, help="repeatable; default: all")
    parser.add_argument("--plugin", required=True, help="retrograde.so")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument(
        "--flag",
        action="append",
        default=[],
        help="one more compiler flag, for instance --flag=-mllvm --flag=-retro-min-cut=0",
    )
    parser.add_argument("--jobs", "-j", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args(argv)
    tools = Tools(args.plugin, args.clangxx)
    arches = args.arch or list(ARCHES)
    for arch in list(arches):
        if library := tools.missing_library(ARCHES[arch]):
            print(f"{arch}: not measured, {library} is not here", flush=True)
            arches.remove(arch)
    if not arches:
        return 77
    try:
        rows = measure(tools, [s for s in SUITES if s.name in (args.suite or [s.name])], arches, args.flag, args.jobs)
    except Failed as error:
        sys.exit(str(error))
    print(table(rows) + summary(rows))
    version = re.findall(r"release ([\d.]+)", call(tools.ptxas, "--version"))[0] if tools.ptxas else None
    record = {
        "ptxas": version,
        "llvm": call(args.clangxx, "--version").split("\n")[0],
        "flags": args.flag,
        "rows": rows,
    }
    if args.json:
        args.json.write_text(json.dumps(record, indent=1) + "\n")
    if args.write:
        (ROOT / "results" / "gpu-resources.json").write_text(json.dumps(record, indent=1) + "\n")
        page = PAGE.format(ptxas=f"ptxas {version}" if version else "ptxas (which is not here: not measured)")
        (ROOT / "docs" / "gpu-resources.md").write_text(page + summary(rows) + "\n" + table(rows))
    reasons = check(rows) if args.check else []
    print("\n".join(reasons))
    return bool(reasons)


if __name__ == "__main__":
    sys.exit(main())
