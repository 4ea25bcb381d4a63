"""Compiles and runs a mutant, and says what became of it."""

import argparse
import math
import os
import re
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CRASH = re.compile(
    r"PLEASE submit a bug report|Stack dump:|Assertion .* failed|LLVM ERROR|UNREACHABLE executed|terminate called"
    r"|Segmentation fault|clang frontend command failed|core dumped|Broken module found|Instruction does not dominate"
)
# No answer, though it looks like one: the engine itself says that what it made is wrong.
INTERNAL = re.compile(r"error: .*\[retro-internal\]")
DIAGNOSTIC = re.compile(r"error: (.*) \[retro-(?!internal)([a-z-]+)\]")
UNDEFINED = [
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-g",
]
UNSET = ["-fsanitize=memory", "-fno-sanitize-recover=all", "-g"]

# Outcomes that end a mutant as they should, and those that are no evidence.
GOOD = ("right", "diagnostic", "compiler")
DISCARDED = ("undefined", "not smooth", "domain", "endless", "no target", "unmutated", "unmutated fails")


@dataclass
class Outcome:
    name: str  # one of GOOD, DISCARDED, or a defect: "crash", "hang", "internal", "wrong", "stopped", "link"
    detail: str = ""

    @property
    def defect(self) -> bool:
        return self.name not in GOOD + DISCARDED


def run(
    command: list[str], seconds: float, cwd: Path | None = None, environment: dict[str, str] | None = None
) -> tuple[int | None, str]:
    """(status, output); status None after so many seconds of processor time, or five times that on the clock. Both, because a busy machine is
    no hang. The whole process group is ended."""
    limited = ["/bin/sh", "-c", f'ulimit -t {math.ceil(seconds)}; exec "$@"', "sh", *map(str, command)]
    process = subprocess.Popen(
        limited,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        start_new_session=True,
        text=True,
        errors="replace",
        env={
            **os.environ,
            "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0",
            # A team may be larger than the machine.
            "OMP_WAIT_POLICY": "passive",
            **(environment or {}),
        },
    )
    try:
        output, _ = process.communicate(timeout=5 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]
    # Of a compiler, the part that is stopped is a child of the driver.
    stopped = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or "CPU time limit exceeded" in output
    return None if stopped else process.returncode, output


def first_line(output: str, pattern: str = r"error|warning: unknown|Assert|signal") -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    return next((line for line in lines if re.search(pattern, line)), lines[0] if lines else "")[:300]


class Judge:
    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder

    @staticmethod
    def without_toggles(flags: list[str]) -> list[str]:
        """For the compiler alone, which does not know the engine's options."""
        return [
            f
            for i, f in enumerate(flags)
            if not f.startswith("-retro-") and not (f == "-mllvm" and flags[i + 1].startswith("-retro-"))
        ]

    def compiler(self, path: Path) -> list[str]:
        return self.options.clang if path.suffix == ".c" else self.options.clangxx

    def compile(
        self, path: Path, level: str, flags: list[str], extra: Sequence[str], output: Path, plugin: bool = True
    ) -> tuple[list[str], int | None, str]:
        load = [f"-fpass-plugin={self.options.plugin}"] if plugin and self.options.plugin else []
        flags = flags if plugin else self.without_toggles(flags)
        command = [*self.compiler(path), f"-{level}", "-w", *load, *flags, str(path), *extra, "-o", str(output), "-lm"]
        status, said = run(command, self.options.hang)
        return command, status, said

    def compile_passes(
        self, path: Path, passes: str, level: str, flags: list[str], extra: Sequence[str], output: Path
    ) -> tuple[list[str], int | None, str]:
        """The same with passes of LLVM's choice before the engine's."""
        unoptimized, derived = path.with_suffix(".0.bc"), path.with_suffix(".1.bc")
        commands = [
            [
                *self.compiler(path),
                f"-{level}",
                "-w",
                "-Xclang",
                "-disable-llvm-passes",
                "-emit-llvm",
                "-c",
                *flags,
                str(path),
                "-o",
                str(unoptimized),
            ],
            [
                self.options.opt,
                f"-load-pass-plugin={self.options.plugin}",
                f"-passes={passes},retrograde",
                str(unoptimized),
                "-o",
                str(derived),
            ],
            [
                *self.compiler(path),
                f"-{level}",
                "-w",
                str(derived),
                *extra,
                *[f for f in flags if f.startswith("-l")],
                "-o",
                str(output),
                "-lm",
            ],
        ]
        for command in commands:
            status, said = run(command, self.options.hang)
            if status != 0:
                return command, status, said
        return commands[1], 0, said

    def after_compile(self, path: Path, status: int | None, said: str, flags: list[str]) -> Outcome | None:
        """The outcome if compiling was all, or None."""
        if status is None:
            return Outcome("hang", f"compiling took more than {self.options.hang} s")
        if INTERNAL.search(said):
            return Outcome("internal", first_line(said, r"retro-internal"))
        if status < 0 or status > 125 or CRASH.search(said):
            return Outcome("crash", first_line(said, CRASH.pattern))
        if status == 0:
            return None
        if found := DIAGNOSTIC.search(said):
            return Outcome("diagnostic", found[2])
        if re.search(r"undefined (reference|symbol).*(enzyme|retro)", said) or "error" not in said:
            return Outcome("link", first_line(said, "undefined"))
        # An error that the compiler has without the plugin too is its own.
        plain, out = run(
            [
                *self.compiler(path),
                "-O0",
                "-w",
                "-c",
                *self.without_toggles(flags),
                str(path),
                "-o",
                str(self.folder / "plain.o"),
            ],
            self.options.hang,
        )
        return Outcome("compiler", first_line(said)) if plain else Outcome("crash", first_line(said))

    # ---- programs that check themselves

    def program(
        self, path: Path, level: str, flags: list[str], extra: Sequence[str], passes: str | None = None
    ) -> tuple[list[str], Outcome]:
        output = self.folder / "a.out"
        if passes is None:
            command, status, said = self.compile(path, level, flags, extra, output)
        else:
            command, status, said = self.compile_passes(path, passes, level, flags, extra, output)
        outcome = self.after_compile(path, status, said, flags)
        if outcome:
            return command, outcome
        status, said = run([str(output)], self.options.run_seconds, self.folder)
        if status == 0:
            return command, Outcome("right")
        if status is None:
            return command, Outcome("hang", f"the program ran more than {self.options.run_seconds} s")
        if status < 0:
            return command, Outcome("stopped", f"signal {-status}")
        return command, Outcome("wrong", first_line(said, "check failed|is "))

    # ---- functions whose derivative is compared with differences

    def function(self, path: Path, level: str, flags: list[str]) -> tuple[list[str], Outcome]:
        output = self.folder / "a.out"
        command, status, said = self.compile(path, level, flags, [], output)
        outcome = self.after_compile(path, status, said, flags)
        if outcome:
            return command, outcome
        status, said = run([str(output)], self.options.run_seconds, self.folder)
        if status is None:
            outcome = Outcome("hang", "the derivative does not end")
        elif status != 0:
            outcome = Outcome("stopped", f"status {status}: {first_line(said)}")
        else:
            outcome = self.compare(said, path.read_text())
        if outcome.defect and (why := self.excused(path, flags)):
            outcome = why
        return command, outcome

    def compare(self, said: str, text: str) -> Outcome:
        single = re.search(r"\bfloat\b|_Float16|\w+f\(", text.split("FZ_END_PRELUDE")[-1]) is not None
        wrong, doubtful, right, worst = 0, 0, 0, ""
        for line in said.splitlines():
            if not line.startswith("COMPARE"):
                continue
            words = line.split()
            v = {words[i]: float(words[i + 1]) for i in range(3, len(words), 2)}
            scale = max(v["scale"], abs(v["differences"]), 1e-30)
            small = 3e-2 if single else 1e-6
            # The finest differences are taken over 2^-19 of a direction; those of numbers of 24 bits say something far above.
            steep = v["scale"] > (2**9 if single else 2**19) * (v["size"] + 1)
            if (
                steep
                or not math.isfinite(v["error"])
                or v["error"] > 1e-2 * scale
                or v["kink"] > 1e-2 * scale + 10 * v["error"] + 1e-8 * v["size"] * 2**18
            ):
                doubtful += 1
                continue
            bound = small * scale + 20 * v["error"] + 1e-11 * v["size"]
            off = [abs(v[mode] - v["differences"]) for mode in ("reverse", "forward")]
            # A function that moves in steps has the derivative of a step.
            near = 1e-3 * abs(v["fine"]) + 1e-6 * v["size"]
            steps = abs(v["differences"] - v["fine"]) > 2 * near
            if all(o <= bound for o in off):
                right += 1
            elif steps and all(abs(v[mode] - v["fine"]) <= near for mode in ("reverse", "forward")):
                doubtful += 1
            else:
                wrong, worst = wrong + 1, line
        if wrong:
            return Outcome("wrong", worst)
        if right:
            return Outcome("right")
        return Outcome("not smooth") if doubtful else Outcome("domain")

    def excused(self, path: Path, flags: list[str]) -> Outcome | None:
        """What was wrong with the mutant itself, if anything: it is built and run without the engine."""
        output, said_by = self.folder / "plain.out", []

        def plain(level: str, *more: str, environment: dict[str, str] | None = None) -> Outcome | None:
            _, status, said = self.compile(path, level, [*flags, "-DFZ_PRIMAL", *more], [], output, plugin=False)
            if status == 0:
                status, said = run([str(output)], 2 * self.options.run_seconds, self.folder, environment)
            said_by.append(said)
            if status is None:
                return Outcome("endless")
            return Outcome("undefined", first_line(said, "runtime error|ERROR|WARNING|error")) if status else None

        if found := plain("O1") or plain("O1", *UNDEFINED):
            return found
        # What was never written. The C++ library is not built for MemorySanitizer.
        if path.suffix == ".c":
            return plain("O0", *UNSET)
        found = plain("O0", "-ftrivial-auto-var-init=zero", environment={"MALLOC_PERTURB_": "255"})
        found = found or plain("O0", "-ftrivial-auto-var-init=pattern", environment={"MALLOC_PERTURB_": "90"})
        differ = said_by[-1] != said_by[-2]
        return found or (Outcome("undefined", "reads what was never written") if differ else None)
