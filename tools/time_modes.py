"""Times the programs of examples/modes/ that take --time, and shows the numbers in docs/modes/.

    python3 -m tools.time_modes --plugin build/release/engine/retrograde.so

builds them, runs each several times, writes results/<machine>/modes.json and the tables of the pages. --pages writes the tables again
from that file, --check exits with 1 where a page does not show what the file holds."""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
from ablation import machine

SHOWN = ROOT / "results" / "amd-epyc-2-cores" / "modes.json"  # what the pages show
FLAGS = [["-O2"], ["-O3", "-march=native", "-fno-math-errno"]]


def measure(program: str, flags: list[str], plugin: str, clang: str, runs: int) -> list[dict[str, Any]]:
    """One row a problem: of each number that differs from run to run the median and all runs."""
    source = ROOT / "examples" / "modes" / f"{program}.cpp"
    command = [clang, "-std=c++20", *flags, f"-fpass-plugin={plugin}", str(source)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*command, "-o", f"{folder}/{program}"], check=True)
        outputs = []
        for _ in range(runs):
            ran = subprocess.run([f"{folder}/{program}", "--time"], capture_output=True, text=True, check=True)
            outputs.append([json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")])
    rows = []
    for same in zip(*outputs):
        row: dict[str, Any] = {"program": f"examples/modes/{program}.cpp", "flags": " ".join(flags)}
        for key, first in same[0].items():
            values = [one[key] for one in same]
            if isinstance(first, float):
                row[key] = statistics.median(values)
                row[f"{key}_runs"] = values
            else:
                row[key] = first
        rows.append(row)
    return rows


def microseconds(seconds: float) -> str:
    return f"{1e6 * seconds:.3g}"


def table(data: dict[str, Any], program: str) -> str:
    rows = [row for row in data["rows"] if row["program"].endswith(f"/{program}.cpp")]
    if program == "pde_jacobian":
        head = "| compiled with | primal, µs | a column alone, µs | a column of eight, µs | **ratio** | ratio of each run |"
        lines = [
            f"| `{r['flags']}` | {microseconds(r['primal_seconds'])} | {microseconds(r['column_seconds'])} "
            f"| {microseconds(r['column_seconds_width_8'])} | **{r['ratio']:.3f}** "
            f"| {min(r['ratio_runs']):.3f}–{max(r['ratio_runs']):.3f} |"
            for r in rows
        ]
    else:
        head = "| Hessian of | numbers | compiled with | nonzeros | triples | **seconds** | of each run |"
        lines = [
            f"| {r['problem']} | {r['n']} | `{r['flags']}` | {r['nonzeros']} | {r['triples']} | **{r['seconds']:.3f}** "
            f"| {min(r['seconds_runs']):.3f}–{max(r['seconds_runs']):.3f} |"
            for r in rows
        ]
    cpu = data["machine"]
    load = ", ".join(f"{one:.1f}" for one in data["load_average"])
    below = (
        f"{cpu['cpu']}, {cpu['cores']} cores, of which other jobs had a part: load average {load} before and after. {data['compiler']}. "
        f"Medians of {data['runs']} runs. `{data['command']}`."
    )
    rule = re.sub(r"[^|]+", "---", head)
    return "\n".join([head, rule, *lines, "", below])


def pages(data: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """(page, its text with the tables of data)"""
    for name, program in (("vector", "pde_jacobian"), ("sparse", "sparse_hessian")):
        page = ROOT / "docs" / "modes" / f"{name}.md"
        mark = f"<!-- times:{program} -->\n", f"\n<!-- /times:{program} -->"
        pattern = re.escape(mark[0]) + ".*" + re.escape(mark[1])
        text, found = re.subn(
            pattern, lambda _: mark[0] + table(data, program) + mark[1], page.read_text(), flags=re.DOTALL
        )
        if not found:
            sys.exit(f"{page.name} has no place for the times of {program}")
        yield page, text


def run(args: argparse.Namespace) -> dict[str, Any]:
    load = [os.getloadavg()[0]]
    rows = []
    for flags in FLAGS:
        for program in ("pde_jacobian", "sparse_hessian"):
            rows += measure(program, flags, args.plugin.resolve(), args.clang, args.runs)
    version = subprocess.run([args.clang, "--version"], capture_output=True, text=True, check=True).stdout
    return {
        "command": "python3 -m tools.time_modes --plugin build/release/engine/retrograde.so",
        "commit": machine.commit(),
        "compiler": version.splitlines()[0],
        "date": machine.today(),
        "load_average": [*load, os.getloadavg()[0]],
        "machine": machine.describe(),
        "runs": args.runs,
        "rows": rows,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", type=Path)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--runs", type=int, default=5, help="runs of each program")
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if args.plugin:
        out = ROOT / "results" / machine.slug() / "modes.json"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(run(args), indent=1, ensure_ascii=False) + "\n")
        print(f"wrote {out.relative_to(ROOT)}")
    bad = 0
    for page, text in pages(json.loads(SHOWN.read_text())):
        if args.check and text != page.read_text():
            bad = 1
            print(f"{page.name} does not show {SHOWN.relative_to(ROOT)}: run python3 -m tools.time_modes --pages")
        elif not args.check:
            page.write_text(text)
    return bad


if __name__ == "__main__":
    sys.exit(main())
