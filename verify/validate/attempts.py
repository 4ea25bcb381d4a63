"""Attempts to prove the gradients of the kernels beside this file, and shows what came of it.

    python3 -m verify.validate.attempts --tool PROGRAM [--only NAME]…
    … --tool build/release/verify/retro-verify --write    writes results/<machine>/proofs.json and docs/proofs.md
    … --page                                              docs/proofs.md again, from the newest such file

PROGRAM is `retro verify` as built. Z3 gets 2 s for a question. Exit status 1 if one is refuted, or not proved as KERNELS expects."""

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
from ablation import machine

SUITES = ROOT / "suites"
PAGE = ROOT / "docs" / "proofs.md"
LONGEST = 90  # seconds for one function
# (file, function, arguments, what is expected)
KERNELS: list[tuple[str, str, list[str], str]] = [
    ("small.c", "product", [], "proved"),
    ("small.c", "elementary", [], "proved"),
    ("small.c", "recurrence", ["x=vector:3", "n=3"], "proved"),
    ("small.c", "in_place", ["x=vector:4", "n=4"], "proved"),
    ("small.c", "sweeps", ["x=vector:4", "n=4"], "proved"),
    ("small.c", "branch", [], "proved"),
    ("small.c", "clipped_walk", ["x=vector:3", "n=3"], "proved"),
    ("small.c", "largest", ["x=vector:3", "n=3"], "proved"),
    ("small.c", "root", [], "proved"),
    ("small.c", "through_memory", ["x=vector:3", "n=3"], "proved"),
    ("small.c", "recursive", ["n=4"], "proved"),
    ("small.c", "interpolate", ["y=vector:4", "n=4"], "proved"),
    ("small.c", "branching", ["x=vector:3", "n=3"], "proved"),
    ("suites.cpp", "norm_of_product", ["n=3", "m=vector:9", "x=vector:3"], "proved"),
    ("suites.cpp", "decay_rk4", ["n=2"], "proved"),
    ("suites.cpp", "fft_stage", ["data=vector:8", "n=4"], "proved"),
    (
        "suites.cpp",
        "brusselator_stencil",
        ["n=3", "u=vector:9", "v=vector:9", "p=vector:3", "du=out:9", "dv=out:9"],
        "proved",
    ),
    (
        "suites.cpp",
        "lstm_layer",
        ["b=1", "weights=vector:4", "biases=vector:4", "hidden=inout:1", "cell=inout:1", "input=vector:1"],
        "proved",
    ),
    ("suites.cpp", "gmm_log_sum_exp", ["n=3", "v=vector:3"], "proved"),
    (
        "suites.cpp",
        "gmm_triangular_product",
        ["d=3", "diagonal=vector:3", "icf=vector:3", "x=vector:3", "out=out:3"],
        "proved",
    ),
    ("suites.cpp", "ba_distort", ["coefficients=vector:2", "point=inout:2"], "proved"),
    ("suites.cpp", "ba_rotate", ["rotation=vector:3", "point=vector:3", "out=out:3"], "proved"),
    (
        "suites.cpp",
        "ba_residual",
        ["camera=vector:11", "point=vector:3", "w=vector:1", "feature=const:2", "err=out:2"],
        "unknown",
    ),
    ("suites.cpp", "xs_interpolation", ["low=vector:12", "sum=out:5"], "proved"),
    ("suites.cpp", "lbm_moments", ["f=vector:19", "out=out:4"], "proved"),
    ("suites.cpp", "lbm_one_population", ["f=vector:19", "parameters=const:4"], "proved"),
    ("suites.cpp", "lbm_lid", ["f=vector:19", "parameters=vector:4", "out=out:19"], "proved"),
    ("suites.cpp", "lbm_collision", ["f=vector:19", "parameters=vector:4", "out=out:19"], "unknown"),
    ("suites.cpp", "dg_flux", ["state=vector:5", "metric=vector:9", "out=out:5"], "proved"),
    ("suites.cpp", "dg_fluxes", ["state=vector:5", "metric=vector:9", "out=out:15"], "unknown"),
    ("suites.cpp", "lulesh_volume", ["corners=vector:24"], "proved"),
    ("suites.cpp", "lulesh_strain_rate", ["corners=const:24", "velocities=vector:24"], "proved"),
    ("suites.cpp", "lulesh_limiter", [], "proved"),
    ("suites.cpp", "lulesh_courant_limit", [], "proved"),
    ("suites.cpp", "lulesh_length", ["corners=vector:24"], "unknown"),
    ("suites.cpp", "lulesh_equation_of_state", ["out=out:4"], "unknown"),
    (
        "suites.cpp",
        "minibude_pair",
        ["protein_kind=70", "ligand_kind=70", "distance=vector:3", "protein=const:3", "ligand=const:3"],
        "unknown",
    ),
    ("suites.cpp", "minibude_pose", ["pose=vector:6", "ligand=const:3", "protein=const:3"], "unknown"),
]


def attempt(
    tool: str, file: str, function: str, arguments: list[str], level: str, options: list[str], milliseconds: int = 2000
) -> dict[str, Any]:
    command = [
        tool,
        f"{HERE / 'kernels' / file}::{function}",
        "--prove",
        "--json",
        f"--solver-ms={milliseconds}",
        "--opt",
        level,
        *(part for a in arguments for part in ("--arg", a)),
        *options,
        "--",
        f"-I{SUITES}",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as done:
        try:
            output, errors = done.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(done.pid, signal.SIGKILL)
            return {"outcome": "unknown", "reasons": [f"no answer within {LONGEST} s"], "seconds": LONGEST}
    if done.returncode not in (0, 1, 3):
        return {"outcome": "unknown", "reasons": [errors.strip().splitlines()[-1] if errors else "no answer"]}
    return json.loads(output)


def write(rows: list[dict[str, Any]]) -> None:
    version = subprocess.run(["clang-22", "--version"], capture_output=True, text=True, check=True).stdout
    data = {
        "command": "python3 -m verify.validate.attempts --tool build/release/verify/retro-verify --write",
        "commit": machine.commit(),
        "compiler": version.splitlines()[0],
        "date": machine.today(),
        "machine": machine.describe(),
        "rows": rows,
    }
    out = ROOT / "results" / machine.slug() / "proofs.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def shown() -> dict[str, Any]:
    """What was attempted last, on whichever machine."""
    return max(
        (json.loads(f.read_text()) for f in (ROOT / "results").glob("*/proofs.json")), key=lambda data: data["date"]
    )


def page(data: dict[str, Any]) -> str:
    """The text of docs/proofs.md."""
    counts = {name: sum(r["outcome"] == name for r in data["rows"]) for name in ("proved", "refuted", "unknown")}
    lines = [
        "# Gradients proved",
        "",
        "Made by `"
        + data["command"]
        + "`: [verification.md](verification.md#for-all-inputs) says what an answer means and what is assumed.",
        "The functions are in `verify/validate/kernels/`. Equalities: one for each entry of the gradient on each way through the function.",
        "",
        "| function | size | answer | ways | equalities proved | not known | seconds | why not |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for r in data["rows"]:
        size = (
            ", ".join(r["arguments"])
            .replace("vector:", "")
            .replace("inout:", "")
            .replace("out:", "")
            .replace("const:", "")
        )
        lines.append(
            f"| {r['kernel']} ({r['file']}) | {size} | **{r['outcome']}** | {r.get('paths', 0)} | {r.get('proved', 0)} | "
            f"{r.get('unknown', 0)} | {r.get('seconds', 0):.1f} | {'; '.join(r.get('reasons', []))} |"
        )
    lines += [
        "",
        f"{counts['proved']} proved, {counts['refuted']} refuted, {counts['unknown']} not known. {data['machine']['cpu']}, "
        f"{data['machine']['cores']} cores. {data['compiler']}. Commit {data['commit'][:12]}.",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--expected", action="store_true", help="only what is expected to be proved")
    parser.add_argument("--opt", default="O2")
    parser.add_argument("--option", action="append", default=[], help="an option of the engine")
    options = parser.parse_args()
    if options.page:
        PAGE.write_text(page(shown()))
        return 0
    if not options.tool:
        parser.error("--tool is missing")
    rows, worse = [], 0
    for file, function, arguments, expected in KERNELS:
        if (options.only and function not in options.only) or (options.expected and expected != "proved"):
            continue
        r = attempt(
            options.tool,
            file,
            function,
            arguments,
            options.opt,
            [f"--option={o}" for o in options.option],
            milliseconds=30000 if options.expected else 2000,
        )  # what must be proved is, on a busy machine as well
        why = "; ".join(r.get("reasons", []))
        print(
            f"{r['outcome']:8} {function:24} {' '.join(arguments):50} {r.get('paths', 0):3} paths "
            f"{r.get('proved', 0):3} proved {r.get('unknown', 0):3} not known {r.get('seconds', 0):6.1f} s  {why}",
            flush=True,
        )
        worse += r["outcome"] == "refuted" or (expected == "proved" and r["outcome"] != "proved")
        rows.append({"kernel": function, "file": file, "arguments": arguments, "opt": options.opt, **r})
    if options.write:
        write(rows)
        PAGE.write_text(page(shown()))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
