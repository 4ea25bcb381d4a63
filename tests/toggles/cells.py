"""Holds engine/base/toggles.def to what the engine does: for each optimization a program of cells.c to which it applies, compiled as a derivative of every
kind. Where the table says "not with", or where something is missing that it needs, its counter is 0; everywhere else it is not, but where a reason is given.

Exit status 1, and a line for each cell that is wrong."""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools.retrolib import toggles

SOURCE = Path(__file__).with_name("cells.c")
LIT = Path(__file__).resolve().parents[2] / "engine" / "test" / "lit" / "toggles"
HOST = 'target triple = "x86_64-pc-linux-gnu"'
DEVICE = 'target triple = "nvptx64-nvidia-cuda"'
OPTIONS = {
    "Split": ["-retro-force-split"],
    "RuntimeActivity": ["-retro-runtime-activity"],
    "CheckPlan": ["-retro-check-plan"],
}
FLAGS = {"BeforeLink": ["-flto"], **{row: ["-fno-unroll-loops"] for row in ("unroll", "contract", "clamped_loops")}}
# Without what else would be done about the same code.
ALONE = {
    "preaccumulate": ["-retro-loop-checkpoints=0"],
    "race_proofs": ["-retro-combine=0"],
    "apart_if": ["-retro-combine=0"],
    "omp_combine": ["-retro-combine=0"],
    "omp_hoist": ["-retro-combine=0"],
    "by_array": ["-retro-fusion=0"],
    "cache_licm": ["-retro-min-cut=0", "-retro-fusion=0"],
    "clamped_loops": ["-retro-post-opt=0", "-retro-neighbours=0"],
    "tape_records": ["-retro-recompute-cost=0"],
}
# What a counter counts of other parts of the same switch.
OTHERS = {"carry": 1, "stack_arrays": 1}
# Kernels stand as IR in a lit test.
KERNELS = {
    "race_smt": LIT / "threads" / "race-smt.ll",
    "warp_sums": LIT / "threads" / "warp-sums.ll",
    "tape_inline": LIT / "tape" / "tape-inline.ll",
}
NO_PROGRAM = {
    "preopt": "whatever is differentiated shows it",
    "stencil": "its parts have programs",
    "reload": "the counter is that of all parts",
    "nest_versions": "lit/toggles/by-array.c",
    "two_versions": "the counter is that of loop-order",
    "fast_atomics": "AMD's GPUs alone: lit/toggles/threads/fast-atomics.ll",
    "near_use": "lit/toggles/threads/near-use.ll",
    "send_adds": "lit/toggles/threads/device-memory.ll",
    "early_loads": "lit/toggles/threads/device-memory.ll",
}
# Traits that the optimization lives with, and yet does not apply to its program: (row, trait): what of the code is in the way.
GUARDED = "what is asked when it runs stands in the loop"
BECAUSE = {
    ("unroll", "Forward"): "-fno-unroll-loops marks its loop; that of a reverse pass is a new one",
    ("stack_arrays", "Pool"): "words of a pool are not on the stack",
    ("gather", "Forward"): "tangents are not requested for the same rows",
    ("loop_checkpoints", "Again"): "the runtime's code is not derived",
    ("combine", "Sparse"): "the region is not fused, and would keep a tape",
    ("updates", "Gpu"): "additions are atomic",
    ("updates", "Pool"): "additions are atomic",
    ("carry", "Gpu"): "additions are atomic",
    ("carry", "Pool"): "additions are atomic",
    ("carry", "Forward"): "nothing is added",
    ("omp_hoist", "Gpu"): "its regions are the host's",
    ("omp_hoist", "Pool"): "its regions are the host's",
    ("race_proofs", "Gpu"): "its region is the host's",
    ("race_proofs", "Pool"): "its region is the host's",
    ("scatters", "Split"): "arrays are not known to be apart",
    ("row_checks", "Forward"): "loops of tangents count up",
    ("row_checks", "Sparse"): "additions go to lists",
    ("row_checks", "CheckPlan"): GUARDED,
    ("outer_lanes", "CheckPlan"): GUARDED,
    ("sparse", "RuntimeActivity"): "refused",
    ("tape_pool", "Split"): "-retro-force-split takes no pool",
    ("tape_pool", "Again"): "refused",
    ("tape_merge", "Pool"): "words of a pool are not allocated",
    ("tape_merge", "Again"): "each array is memory of its own",
    ("tape_reuse", "Again"): "each array is memory of its own",
    **{(row, "RuntimeActivity"): GUARDED for row in ("neighbours", "carry", "strips", "strip_parts", "strip_ranges")},
    **{
        (row, "CheckPlan"): GUARDED
        for row in ("neighbours", "strips", "strip_parts", "strip_ranges", "argument_ranges")
    },
    **{("scatters", trait): GUARDED for trait in ("RuntimeActivity", "CheckPlan")},
    **{(row, "Forward"): "nothing is added" for row in ("strips", "strip_parts", "strip_ranges")},
    **{
        (row, "Forward"): "there is no tape"
        for row in ("tape_merge", "tape_stack", "stack_arrays", "tape_reuse", "alias_scopes")
    },
}


@dataclass(frozen=True)
class Cell:
    row: str
    option: str
    traits: frozenset[str]
    off: str | None  # a switch
    applies: bool
    why: str

    def __str__(self) -> str:
        return f"{self.row}, {self.why}"


def run(command: list[str], folder: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr[:1000]}")
    return done.stdout + done.stderr


def on_ir(ir: str, target: str, plugin: str, options: list[str], tools: str, folder: str) -> str:
    ir = re.sub(r"^target datalayout.*\n", "", ir, flags=re.M)
    (Path(folder) / "code.ll").write_text(re.sub(r"^target triple.*", target, ir, flags=re.M))
    command = [f"{tools}/opt", f"-load-pass-plugin={plugin}", "-passes=retrograde", *options, "code.ll"]
    return run([*command, "-disable-output"], folder)


def count(cell: Cell, plugin: str, tools: str) -> int:
    """How often the cell's optimization did something."""
    entry = "__enzyme_fwddiff_f" if "Forward" in cell.traits else "__enzyme_autodiff_f"
    traits = sorted(cell.traits)
    words = [f"-Dof_{cell.row}", f"-DREQUEST={entry}", *(f"-D{t}" for t in traits), "-fno-math-errno", "-w"]
    words += [w for t in (cell.row, *traits) for w in FLAGS.get(t, [])]
    options = [w for t in traits for w in OPTIONS.get(t, [])] + ALONE.get(cell.row, [])
    options += [f"-retro-{cell.off}=0"] * bool(cell.off) + ["-retro-print-counters"]
    target = DEVICE if "Gpu" in traits else HOST
    with tempfile.TemporaryDirectory() as folder:
        if cell.row in KERNELS:
            said = on_ir(KERNELS[cell.row].read_text(), target, plugin, options, tools, folder)
        elif "Gpu" in traits:
            make = [f"{tools}/clang", "-O2", *words, "-fno-vectorize", "-fno-slp-vectorize", "-S", "-emit-llvm"]
            said = on_ir(run([*make, str(SOURCE), "-o", "-"], folder), target, plugin, options, tools, folder)
        else:
            make = [f"{tools}/clang", "-O2" if "Vectorized" in traits else "-O1", f"-fpass-plugin={plugin}", "-fopenmp"]
            make += [*words, *(w for o in options for w in ("-mllvm", o)), "-c", str(SOURCE), "-o", "code.o"]
            said = run(make, folder)
    found = re.search(rf"^retro-counter {cell.option} (\d+)$", said, re.M)
    if not found:
        raise RuntimeError(f"no counter {cell.option}")
    return max(0, int(found[1]) - OTHERS.get(cell.row, 0))


def cells_of(
    t: toggles.Toggle, row: toggles.Toggle | toggles.Part, table: list[toggles.Toggle], traits: list[str]
) -> list[Cell]:
    option = {x.identifier: x.name for x in table}
    name = row.identifier
    base = frozenset(n for n in row.needs if n in traits) | {"Vectorized"}

    def cell(of: frozenset[str], off: str | None, applies: bool, why: str) -> Cell:
        return Cell(name, t.name, of, off, applies, why)

    found = [cell(base, None, True, "of what it needs"), cell(base, t.name, False, "switched off")]
    for need in row.needs:
        if need in option:
            found.append(cell(base, option[need], False, f"without {option[need]}"))
        elif need not in ("Pool",):
            found.append(cell(base - {need}, None, False, f"without {need}"))
    for trait in traits:
        if trait in base or name in KERNELS:
            continue
        # A pool is of GPUs, and sparse shadows and regions of threads are not.
        if (
            trait == "Pool"
            and "Gpu" in row.not_with
            or trait in ("Sparse", "Pool")
            and {trait, "Gpu"} & base == {"Gpu"}
        ):
            continue
        of = base | {trait} | ({"Gpu"} if trait == "Pool" else set())
        applies = trait not in row.not_with and (name, trait) not in BECAUSE
        found.append(cell(of, None, applies, f"with {trait}"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--tools", default="/usr/lib/llvm-22/bin", help="folder of clang and opt")
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("rows", nargs="*", help="only these, by their names in the table")
    args = parser.parse_args()
    plugin = str(Path(args.plugin).resolve())
    table, traits = toggles.read(), list(toggles.traits(toggles.DEFINITIONS.read_text()))
    rows = [(t, row) for t in table for row in t.rows() if row.identifier not in NO_PROGRAM]
    asked = [
        c for t, row in rows if not args.rows or row.identifier in args.rows for c in cells_of(t, row, table, traits)
    ]

    def wrong(cell: Cell) -> str | None:
        try:
            times = count(cell, plugin, args.tools)
        except RuntimeError as error:
            if cell.applies or "[retro-" not in str(error):
                return f"{cell}: {error}"
            times = 0  # refused
        if bool(times) == cell.applies:
            return None
        return f"{cell}: {'does not apply' if cell.applies else f'applies {times} times'}"

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = [w for w in pool.map(wrong, asked) if w]
    print("\n".join([*found, f"{len(asked)} cells, {len(found)} wrong"]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
