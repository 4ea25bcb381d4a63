"""Removes one barrier, atomic operation or store at a time from the device code of gradients, and sees whether a test notices.

Takes the programs of engine/test/gpu/gradients: compiles each once with the plugin, changes one instruction of one kernel with a request
(by its text), and runs what comes out in every order of threads with races checked. A mutant that no run notices is reported with its
kernel and line: either it changes nothing (an equal program), or a test is missing.

  barrier   gone
  atomic    gone; or as a load, an addition and a store
  store     gone: of the tape, of a shadow, or of a value that the primal computes
  load      zero in its place (floating-point numbers)

With --suite the gradients of a suite's kernels take the place of these programs: what notices is its test of kernels on the CPU (<suite>_gpu_test,
of ./retro build --all), which compares them with hand adjoints or the serial gradient in every order. --limit takes a sample of each kind."""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

from engine.runtime.gpu_on_cpu.gpu_on_cpu import ARCH, language

SUITES = ["xsbench", "rsbench", "lbm", "dg", "lulesh", "brusselator", "minibude"]
# Functions with a part of a derivative in them, by their mangled names.
OF_SUITES = r"radient|reverse_kernel|Differentiate|^augmented|^reverse_of|^__retro_"
PROGRAMS = ROOT / "engine" / "test" / "gpu" / "gradients"
ORDERS = ["forward", "reverse", "random:1"]
BARRIER = re.compile(r"call void @llvm\.(nvvm\.barrier|amdgcn\.s\.barrier)")
ATOMIC = re.compile(
    r"^(\s*)(?:(%[\w.]+) = )?atomicrmw (?:volatile )?fadd (ptr(?: addrspace\(\d+\))?) (.+), (\w+) ([^ ]+) (?:\w+|syncscope.*)(?:, .*)?$"
)
LOAD = re.compile(r"^(\s*)(%[\w.]+) = load (double|float), ")

Mutation = tuple[str, str, int, list[str]]  # kind, kernel, number of the line, lines in its place


def run(*command: object, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)


def must(*command: object) -> None:
    done = run(*command)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")


def mutations(lines: list[str], kernels: str) -> Iterator[Mutation]:
    """(kind, line number, lines in its place) of each change to a kernel whose name matches."""
    inside = None
    for number, line in enumerate(lines):
        if start := re.match(r"define .*@([\w.$]+)\(", line):
            inside = start[1] if re.search(kernels, start[1]) else None
        elif line.startswith("}"):
            inside = None
        elif not inside:
            continue
        elif BARRIER.search(line):
            yield "barrier gone", inside, number, []
        elif found := ATOMIC.match(line):
            indent, result, pointer, address, kind, value = found.groups()
            value = value.rstrip(",")
            plain = [
                f"{indent}%mutant.old = load {kind}, {pointer} {address}",
                f"{indent}%mutant.new = fadd {kind} %mutant.old, {value}",
                f"{indent}store {kind} %mutant.new, {pointer} {address}",
            ]
            if result:
                plain.append(f"{indent}{result} = fadd {kind} %mutant.old, -0.0")
            yield "atomic gone", inside, number, [f"{indent}{result} = fadd {kind} 0.0, 0.0"] if result else []
            yield "atomic made plain", inside, number, plain
        elif re.match(r"\s*store ", line):
            yield "store gone", inside, number, []
        elif found := LOAD.match(line):
            indent, result, kind = found.groups()
            yield "load made zero", inside, number, [f"{indent}{result} = fadd {kind} 0.0, 0.0"]


class Program:
    """One source, compiled for the device and for the host."""

    flags, kernels, timeout = [], "radient|^__retro_", 60

    def __init__(self, args: argparse.Namespace, source: Path, vendor: str, folder: Path) -> None:
        self.args, self.folder = args, folder
        common = [
            args.clangxx,
            *language(vendor, ARCH[vendor], ROOT / "engine" / "include"),
            "-O2",
            "-fPIC",
            "-std=c++20",
            *self.flags,
        ]
        self.ir, self.host, stub = folder / "device.ll", folder / "host.o", folder / "stub"
        # No debug locations and no names of values: a line of the text is an instruction.
        must(*common, f"-fpass-plugin={args.plugin}", "--cuda-device-only", "-emit-llvm", "-S", source, "-o", self.ir)
        stub.write_text("no code for a GPU\n")
        must(
            *common,
            "--cuda-host-only",
            "-Xclang",
            "-fcuda-include-gpubinary",
            "-Xclang",
            stub,
            "-c",
            source,
            "-o",
            self.host,
        )
        self.lines = self.ir.read_text().splitlines()

    def verdict(self, lines: list[str]) -> str | None:
        """How the program with this device code ends: '' where no run notices anything."""
        ir, host_ir, device, program = (self.folder / name for name in ("mutant.ll", "mutant.bc", "mutant.o", "mutant"))
        ir.write_text("\n".join(lines) + "\n")
        if run(
            self.args.opt, f"-load-pass-plugin={self.args.pass_plugin}", "-passes=retro-gpu-on-cpu", ir, "-o", host_ir
        ).returncode:
            return None
        must(self.args.clangxx, "-O1", "-fPIC", "-Wno-override-module", "-c", host_ir, "-o", device)
        self.link(device, program)
        return self.outcome(program)

    def link(self, device: Path, program: Path) -> None:
        must(self.args.clangxx, self.host, device, self.args.library, "-lpthread", "-lm", "-o", program)

    def outcome(self, program: Path) -> str:
        return next(filter(None, (self.one_run(program, order) for order in ORDERS)), "")

    def one_run(self, program: Path, order: str, *arguments: str) -> str:
        environment = {**os.environ, "RETRO_GPU_ORDER": order, "RETRO_GPU_RACES": "1"}
        try:
            done = run(program, *arguments, timeout=self.timeout, env=environment)
        except subprocess.TimeoutExpired:
            return f"{order}: does not end"
        if not done.returncode:
            return ""
        said = re.search(r"gpu on cpu: ([\w -]+)", done.stdout + done.stderr)
        return f"{order}: {said[1].strip() if said else 'wrong values'}"


class SuiteProgram(Program):
    """A suite's test of its kernels, with one vendor's object made anew."""

    flags, kernels, timeout = ["-ffp-contract=off", f"-I{ROOT / 'suites'}"], OF_SUITES, 120

    def __init__(self, args: argparse.Namespace, name: str, vendor: str, folder: Path) -> None:
        inner = "neurips20" if name == "brusselator" else name
        built = args.build / "suites" / inner
        of_kernels = {
            v: built / f"{name}_gpu_test.gpu" / f"{v}_gradient.{'cu' if v == 'cuda' else 'hip'}.o" for v in ARCH
        }
        self.others = [
            *(built / "CMakeFiles" / f"{name}_gpu_test.dir").rglob("*.o"),
            *(o for o in (built / f"{name}_gpu_test.gpu").glob("*.o") if o != of_kernels[vendor]),
        ]
        if not self.others:
            sys.exit(f"{name}_gpu_test is not built: run ./retro build --all")
        source = (
            ROOT / "suites" / ("neurips20/brusselator" if name == "brusselator" else name) / of_kernels[vendor].stem
        )
        super().__init__(args, source, vendor, folder)

    def link(self, device: Path, program: Path) -> None:
        must(
            self.args.clangxx,
            *self.others,
            self.host,
            device,
            self.args.library,
            "-lgtest_main",
            "-lgtest",
            "-lpthread",
            "-lm",
            "-o",
            program,
        )

    def outcome(self, program: Path) -> str:
        # The test itself goes through the orders, and checks races.
        return self.one_run(program, "forward", "--gtest_filter=*Gradient*", "--gtest_brief=1", "--gtest_fail_fast")


def sample(args: argparse.Namespace, found: Iterable[Mutation]) -> list[Mutation]:
    """Of each kind at most as many as asked for, the same ones for the same seed."""
    by_kind = {}
    for mutation in found:
        by_kind.setdefault(mutation[0], []).append(mutation)
    chosen = []
    for kind, all_of in by_kind.items():
        if any(kind.startswith(k) for k in args.kind or [kind]):
            few = args.limit and len(all_of) > args.limit
            chosen += random.Random(f"{args.seed} {kind}").sample(all_of, args.limit) if few else all_of
    return chosen


def mutate(args: argparse.Namespace, source: Path, vendor: str, folder: Path) -> list[dict[str, str]]:
    """A row for each mutant."""
    program = (SuiteProgram if args.suite else Program)(args, source, vendor, folder)
    if (verdict := program.verdict(program.lines)) != "":
        sys.exit(f"{source} {vendor}: fails as it is: {verdict}")
    rows = []
    source = Path(source)
    for kind, kernel, number, instead in sample(args, mutations(program.lines, args.kernels or program.kernels)):
        verdict = program.verdict(program.lines[:number] + instead + program.lines[number + 1 :])
        if verdict is None:
            sys.exit(f"{source.name} {vendor}: {kind}: no IR: {program.lines[number]}")
        rows.append(
            {
                "program": source.stem,
                "vendor": vendor,
                "kernel": kernel,
                "kind": kind,
                "instruction": program.lines[number].strip(),
                "caught": verdict,
            }
        )
        if args.verbose or not verdict:
            print(
                f"{source.stem} {vendor} {kernel}: {kind}: {verdict or 'NOT CAUGHT'}: {program.lines[number].strip()}",
                flush=True,
            )
    return rows


def table(rows: list[dict[str, str]]) -> str:
    """By program and kind: mutants and how many were caught."""
    lines = [
        "| program | vendor | mutation | mutants | caught | by a race, a barrier or bounds |",
        "|---|---|---|---|---|---|",
    ]
    for (program, vendor, kind), count in sorted(Counter((r["program"], r["vendor"], r["kind"]) for r in rows).items()):
        of = [r for r in rows if (r["program"], r["vendor"], r["kind"]) == (program, vendor, kind)]
        caught = [r for r in of if r["caught"]]
        checks = sum("wrong values" not in r["caught"] for r in caught)
        lines.append(f"| {program} | {vendor} | {kind} | {count} | {len(caught)} | {checks} |")
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="retro gpu-mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", nargs="*", help="names of programs; default: all")
    parser.add_argument("--vendor", action="append", default=[], choices=ARCH, help="repeatable; default: both")
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        choices=["barrier", "atomic", "store", "load"],
        help="repeatable; default: all",
    )
    parser.add_argument(
        "--kernels",
        help="functions to change: a regular expression of the mangled name; default: those with derivatives",
    )
    parser.add_argument("--suite", action="append", default=[], choices=SUITES, help="repeatable")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N mutants of each kind, program and vendor")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument(
        "--build", type=Path, metavar="FOLDER", help="where the suites are built; default: beside the library"
    )
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--pass-plugin", required=True, help="retrograde_gpu.so")
    parser.add_argument("--library", required=True, help="libretro_gpu.a")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--must-catch", action="store_true", help="fail where a mutant is not caught")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args(argv)
    args.build = args.build or Path(args.library).resolve().parents[3]
    rows = []
    for source in args.suite or sorted(PROGRAMS.glob("*.cu")):
        if not args.suite and source.stem not in (args.program or [source.stem]):
            continue
        for vendor in args.vendor or list(ARCH):
            with tempfile.TemporaryDirectory() as folder:
                rows += mutate(args, source, vendor, Path(folder))
            if args.json:
                args.json.write_text(json.dumps(rows, indent=1) + "\n")
    print(table(rows))
    return args.must_catch and not all(r["caught"] for r in rows)


if __name__ == "__main__":
    sys.exit(main())
