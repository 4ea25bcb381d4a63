"""`retro verify --prove`: is the gradient, as compiled, the derivative of the primal, as compiled, for all inputs?"""

import argparse
import ctypes
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import adapter, builder
from .arguments import Layout, Question
from .signature import Problem, Signature

EXIT = {"proved": 0, "refuted": 1, "unknown": 3}
# What is validated is what the engine made of optimized code, and not what the vectorizers make of that.
FLAGS = ["-fno-vectorize", "-fno-slp-vectorize", "-ffp-contract=off", "-w", "-emit-llvm", "-c"]
ASSUMED = "assumed: arrays do not overlap; nothing is rounded; inputs where the function is differentiable"


def compile_unit(
    options: argparse.Namespace, folder: Path, question: Question, unit: str, parts: Sequence[str], flags: list[str]
) -> None:
    compiler, user_flags, source, _, layout = question
    cxx = compiler == options.clangxx
    text = folder / f"{unit}{'.cpp' if cxx else '.c'}"
    text.write_text(adapter.write(layout, source, cxx, list(parts)))
    command = [compiler, f"-{options.opt}", *FLAGS, *flags, *user_flags, str(text), "-o", str(folder / f"{unit}.bc")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Problem("\n".join([" ".join(command), *done.stderr.strip().splitlines()[:30]]))


def prove(options: argparse.Namespace, folder: Path, question: Question) -> dict[str, Any]:
    """The report of retro-validate."""
    layout = question[4]
    compile_unit(options, folder, question, "primal", ["primal"], [])
    compile_unit(options, folder, question, "reverse", ["reverse"], builder.engine_flags(options))
    plan = {
        "primal": str(folder / "primal.bc"),
        "reverse": str(folder / "reverse.bc"),
        "inputs": builder.inputs_of(layout),
        "num_inputs": layout.inputs,
        "num_outputs": layout.outputs,
        "returns_real": layout.returns_real,
        "paths": options.paths,
        "solver_ms": options.solver_ms,
        "seconds": options.seconds,
    }
    if options.smt2:
        Path(options.smt2).mkdir(parents=True, exist_ok=True)
        plan["smt2"] = str(Path(options.smt2).resolve())
    (folder / "question.json").write_text(json.dumps(plan))
    done = subprocess.run(
        [options.validate, str(folder / "question.json"), str(folder / "answer.json")], capture_output=True, text=True
    )
    if done.returncode:
        raise Problem(done.stderr.strip() or f"retro-validate ended with status {done.returncode}")
    return json.loads((folder / "answer.json").read_text())


def vector(report: dict[str, Any], letter: str, count: int) -> ctypes.Array[ctypes.c_double]:
    point = report["counterexample"]["point"]
    return (ctypes.c_double * max(count, 1))(*(point.get(f"{letter}{i}", 0.0) for i in range(count)))


def confirm(options: argparse.Namespace, folder: Path, question: Question, report: dict[str, Any]) -> dict[str, float]:
    """Runs what was compiled at the counterexample: what the gradient gives there, and what differences of the primal."""
    compiler, flags, _, _, layout = question
    builder.build(options, folder, compiler, flags, layout, question[2], ["reverse"])
    primal = ctypes.CDLL(str(folder / "primal.so")).retro_verify_primal
    reverse = ctypes.CDLL(str(folder / "gradient.so")).retro_verify_reverse
    entry = report["counterexample"]["entry"]
    number = int(entry[1:])
    x, w = vector(report, "x", layout.inputs), vector(report, "w", layout.outputs)
    if layout.returns_real:
        w[0] = 1.0
    g = (ctypes.c_double * max(layout.inputs, 1))()
    y = (ctypes.c_double * max(layout.outputs, 1))()
    reverse(x, w, g, y)

    def weighted(at: int, value: float) -> float:
        moved = type(x)(*x)
        moved[at] = value
        out = type(y)()
        primal(moved, out)
        return sum(w[j] * out[j] for j in range(layout.outputs)) if entry[0] == "g" else out[number]

    if entry[0] == "y":
        return {"claimed": y[number], "differences": weighted(0, x[0])}
    h = 1e-5 * max(1.0, abs(x[number]))
    slope = [(weighted(number, x[number] + k * h) - weighted(number, x[number] - k * h)) / (2 * k * h) for k in (1, 2)]
    return {"claimed": g[number], "differences": (4 * slope[0] - slope[1]) / 3}


def describe(layout: Layout, entry: str) -> str:
    """'g3' as the user knows it: the derivative by which argument, or the output left behind."""
    number = int(entry[1:])
    for a in layout.arguments:
        start = a.x if entry[0] == "g" else a.y
        if start >= 0 and start <= number < start + a.length:
            name = a.parameter.name if a.kind == "active" else f"{a.parameter.name}[{number - start}]"
            return f"the derivative by {name}" if entry[0] == "g" else f"{name} after the call"
    return entry


def show(found: Signature, layout: Layout, options: argparse.Namespace, report: dict[str, Any]) -> None:
    print(f"{found}   -{options.opt}")
    counts = ", ".join(f"{report[name]} {name}" for name in EXIT)
    print(f"{report['outcome']}   {report['paths']} paths, {counts}, {report['seconds']:.1f} s")
    if report["cut"]:
        print("  within a bound: there are more ways through the program, or longer ones (--paths)")
    for reason in report["reasons"]:
        print(f"  not known: {reason}")
    if "counterexample" in report:
        c = report["counterexample"]
        point = ", ".join(f"{name} = {value:.17g}" for name, value in c["point"].items())
        print(f"  {describe(layout, c['entry'])} is {c['claimed']:.17g}, and should be {c['right']:.17g}")
        print(f"  at {point}")
    if "run" in report:
        print(
            f"  the compiled gradient gives {report['run']['claimed']:.17g} there, differences of the compiled primal "
            f"{report['run']['differences']:.17g}"
        )
    print(f"  {ASSUMED}")


def run(options: argparse.Namespace, folder: Path, question: Question) -> int:
    if not options.validate or not Path(options.validate).is_file():
        raise Problem(
            "there is no retro-validate here, which proofs need: the source tree builds it where libz3-dev is installed, and installs it then"
        )
    report = prove(options, folder, question)
    if report["outcome"] == "refuted":
        report["run"] = confirm(options, folder, question, report)
    if options.json:
        print(json.dumps({"function": str(question[3]), "opt": options.opt, **report}, indent=2))
    else:
        show(question[3], question[4], options, report)
    return EXIT[report["outcome"]]
