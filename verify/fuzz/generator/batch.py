"""Many generated programs in one file: compiled, run, and sorted. What fails is looked at alone."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import judge
from . import device
from .linked import Linked
from .program import Program
from .requests import Requests

# What a program that lost a part may do wrong.
WARNINGS = ["-Wno-everything", "-Wno-c++11-narrowing", "-Werror=return-type", "-Werror=uninitialized"]
PLAIN = ["-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g"]
SANITIZE = ["-fsanitize=address,undefined", *PLAIN]
MODES = ("forward", "reverse", "vector", "second")


@dataclass
class Setting:
    """How a file is compiled."""

    level: str
    toggles: list = field(default_factory=list)  # options of the engine
    debug: bool = False
    sanitize: bool = False
    modes: tuple = MODES
    lto: str = ""  # full or thin: the linker loads the plugin

    def flags(self) -> list[str]:
        if self.lto:
            return [f"-{self.level}", f"-flto={self.lto}", *["-g"] * self.debug]
        return [
            f"-{self.level}",
            *(["-g"] if self.debug else []),
            *(SANITIZE if self.sanitize else []),
            *(w for t in self.toggles for w in ("-mllvm", t)),
        ]

    def __str__(self) -> str:
        return " ".join(
            [
                f"-{self.level}",
                *[f"-flto={self.lto}"] * bool(self.lto),
                *self.toggles,
                *["-g"] * self.debug,
                *["sanitized"] * self.sanitize,
            ]
        )


@dataclass
class Result:
    """What became of one program."""

    name: str  # right, refused, or a defect: crash, hang, internal, wrong, stopped, compiler, differs
    detail: str = ""
    values: list = field(default_factory=list)
    decided: int = 0
    doubtful: int = 0
    partly: str = ""  # why the second derivatives were refused

    @property
    def defect(self) -> bool:
        return self.name not in ("right", "refused")

    def like(self, other: Result) -> bool:
        """The same defect, as far as one can tell: the same kind, and for wrong numbers the same comparison."""
        if self.name != other.name:
            return False
        if self.name == "wrong":
            return self.kind == other.kind
        if self.name == "refused":
            return self.detail == other.detail
        return True

    @property
    def kind(self) -> str:
        found = re.match(r"([a-z ]+)\[", self.detail)
        return found[1] if found else self.detail


def source(programs: Sequence[Program], modes: Sequence[str]) -> str:
    """The file that has the programs and asks, or, of programs that are linked, only asks."""
    on_device = programs[0].device
    outside = 'extern "C" ' if programs[0].cxx or on_device else ""
    parts = [device.HEADER if on_device else '#include "generated.h"\n']
    for p in programs:
        parts.append(f"/* program {p.number} */\n")
        parts.append(p.request_text(f"p{p.number}_") if isinstance(p, Linked) else p.text(f"p{p.number}_"))
        asked = Requests(p, f"p{p.number}_")
        text = asked.text(tuple(modes)).replace("@", f"p{p.number}_")
        parts.append(p.kernels(text, asked, f"p{p.number}_") if isinstance(p, device.Device) else text)
    entries = ", ".join(f"&p{p.number}_entry" for p in programs)
    return "".join(
        [
            *parts,
            f"{outside}const struct fz_program *const fz_programs[] = {{{entries}}};\n{outside}const int fz_count = {len(programs)};\n",
        ]
    )


class Bench:
    """Compiles and runs files in a folder."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder, self.compilations = options, folder, 0
        self.harness: Path | None = None

    def compiler(self, cxx: bool) -> list[str]:
        return [*self.options.clangxx, "-std=c++20", "-x", "c++"] if cxx else list(self.options.clang)

    def built_harness(self) -> Path:
        if not self.harness:
            made = self.folder / "judge.o"
            status, said = judge.run(
                [*self.options.clang, "-O1", "-c", str(self.options.here / "generated.c"), "-o", str(made)], 120
            )
            if status:
                raise RuntimeError(said)
            self.harness = made
        return self.harness

    def compile(
        self, programs: Sequence[Program], setting: Setting, plugin: bool = True, extra: Sequence[str] = ()
    ) -> tuple[int | None, str, Path]:
        """(status, said, executable)"""
        self.compilations += 1
        if programs[0].device:
            return self.emulate(programs, setting, plugin, extra)
        if programs[0].linked:
            return self.link(programs, setting, plugin, extra)
        cxx, omp = programs[0].cxx, ["-fopenmp"] * programs[0].parallel
        path = self.folder / f"b{self.compilations}{'.cpp' if cxx else '.c'}"
        path.write_text(source(programs, setting.modes if plugin else ()))
        output = path.with_suffix(".out")
        plugged = [f"-fpass-plugin={self.options.plugin}"] if plugin else []
        flags = setting.flags() if plugin else [f"-{setting.level}"]
        # The judge is an object file, whatever the language of the program.
        command = [
            *self.compiler(cxx),
            *WARNINGS,
            *plugged,
            *omp,
            *flags,
            *extra,
            "-I",
            str(self.options.here),
            str(path),
            "-x",
            "none",
            str(self.built_harness()),
            "-o",
            str(output),
            "-lm",
        ]
        status, said = judge.run(command, self.options.hang)
        self.command = command
        path.unlink()
        return status, said, output

    def link(
        self, programs: Sequence[Program], setting: Setting, plugin: bool, extra: Sequence[str]
    ) -> tuple[int | None, str, Path]:
        """Two files, compiled without the plugin and linked with it."""
        cxx = programs[0].cxx
        suffix, objects = ".cpp" if cxx else ".c", []
        flags = [*setting.flags(), *extra] if plugin else [f"-{setting.level}", *extra]
        texts = {
            "model": '#include "generated.h"\n' + "".join(p.text(f"p{p.number}_") for p in programs),
            "asks": source(programs, setting.modes if plugin else ()),
        }
        for name, text in texts.items():
            path = self.folder / f"b{self.compilations}{name}{suffix}"
            path.write_text(text)
            objects.append(path.with_suffix(".o"))
            status, said = judge.run(
                [
                    *self.compiler(cxx),
                    *WARNINGS,
                    *flags,
                    "-I",
                    str(self.options.here),
                    "-c",
                    str(path),
                    "-o",
                    str(objects[-1]),
                ],
                self.options.hang,
            )
            if status:
                return status, said, objects[-1]
        output = self.folder / f"b{self.compilations}.out"
        linker = ["-fuse-ld=lld", f"-Wl,--load-pass-plugin={self.options.plugin}"] if plugin else []
        self.command = [
            *(self.options.clangxx if cxx else self.options.clang),
            *flags,
            *linker,
            *map(str, objects),
            str(self.built_harness()),
            "-o",
            str(output),
            "-lm",
        ]
        status, said = judge.run(self.command, self.options.hang)
        for path in objects:
            path.unlink()
        return status, said, output

    def emulate(
        self, programs: Sequence[Program], setting: Setting, plugin: bool, extra: Sequence[str]
    ) -> tuple[int | None, str, Path]:
        """Device code, compiled so that its kernels run on this machine."""
        path = self.folder / f"b{self.compilations}.cu"
        path.write_text(source(programs, setting.modes if plugin else ()))
        output = path.with_suffix(".out")
        flags = setting.flags() if plugin else [f"-{setting.level}"]
        plugged = ["--plugin", str(self.options.plugin)] if plugin else []
        self.command = [
            *self.options.emulator,
            str(path),
            str(self.built_harness()),
            "-w",
            *plugged,
            *flags,
            *extra,
            "-std=c++20",
            f"-I{self.options.here}",
            "-o",
            str(output),
        ]
        status, said = judge.run(self.command, 3 * self.options.hang)
        path.unlink()
        return status, said, output

    # ---- outcomes

    def run(self, programs: Sequence[Program], setting: Setting) -> dict[int, Result]:
        """{number: Result}"""
        results, left = {}, list(programs)
        while left:
            status, said, output = self.compile(left, setting)
            if status == 0:
                results.update(self.execute(left, output))
                output.unlink(missing_ok=True)
                break
            found = self.refused(said, {p.number for p in left})
            if found and not judge.CRASH.search(said) and not judge.INTERNAL.search(said):
                results.update(found)
                left = [p for p in left if p.number not in found]
                continue
            if len(left) == 1:
                results[left[0].number] = self.failed(status, said)
                break
            half = len(left) // 2
            results.update(self.run(left[:half], setting))
            results.update(self.run(left[half:], setting))
            break
        return results

    def failed(self, status: int | None, said: str) -> Result:
        if status is None:
            return Result("hang", f"compiling took more than {self.options.hang} s")
        if judge.INTERNAL.search(said):
            return Result("internal", judge.first_line(said, "retro-internal"))
        if status < 0 or status > 125 or judge.CRASH.search(said):
            return Result("crash", judge.first_line(said, judge.CRASH.pattern))
        return Result("compiler", judge.first_line(said))

    @staticmethod
    def refused(said: str, numbers: set[int]) -> dict[int, Result]:
        """The programs that an error with an identifier of the engine speaks of."""
        found, open_error = {}, None
        for line in said.splitlines():
            if re.search(r": (fatal )?error: |^error: ", line):
                known = re.search(r"\[retro-(?!internal)([a-z-]+)\]", line)
                open_error = known[1] if known else None
            if open_error:
                for number in re.findall(r"\bp(\d+)_", line) or re.findall(r"p(\d+)_", line):
                    if int(number) in numbers:
                        found.setdefault(int(number), Result("refused", open_error))
        return found

    def execute(self, programs: Sequence[Program], output: Path) -> dict[int, Result]:
        results, first = {}, 0
        while first < len(programs):
            status, said = judge.run([str(output), str(first)], self.options.run_seconds)
            last = self.read(said, results)
            done = last is not None and f"END {programs[last].number}\n" in said
            if done and last == len(programs) - 1:
                if status not in (0, 1):
                    results[programs[last].number] = Result(
                        "stopped", f"status {status} at the end: {judge.first_line(said, 'ERROR|SUMMARY|error')}"
                    )
                break
            at = first if last is None else last
            why = (
                "the program does not end"
                if status is None
                else f"status {status}: {judge.first_line(said, 'ERROR|runtime error|SUMMARY|error')}"
            )
            results[programs[at].number] = Result("hang" if status is None else "stopped", why)
            first = at + 1
        return results

    @staticmethod
    def read(said: str, results: dict[int, Result]) -> int | None:
        last, number = None, None
        for line in said.splitlines():
            words = line.split(" ", 2)
            if words[0] == "BEGIN":
                number, last = int(words[1]), int(words[2])
                results[number] = Result("right")
            elif number is None or len(words) < 3 and words[0] != "END":
                continue
            elif words[0] == "WRONG":
                if results[number].name == "right":
                    results[number].name, results[number].detail = "wrong", words[2]
            elif words[0] == "VALUE":
                results[number].values.append([float(v) for v in words[2].split()[1:]])
            elif words[0] == "DIFFERENCES":
                results[number].decided, results[number].doubtful = map(int, words[2].split())
        return last

    # ---- one alone

    def alone(self, program: Program, setting: Setting) -> Result:
        return self.run([program], setting)[program.number]

    def values(self, program: Program, level: str = "O1") -> list[list[float]] | None:
        """What the program computes without the engine."""
        status, said, output = self.compile([program], Setting(level), plugin=False)
        if status:
            raise RuntimeError(said)
        results = {}
        self.read(judge.run([str(output)], self.options.run_seconds)[1], results)
        output.unlink()
        return results[program.number].values

    def sound(self, program: Program, level: str = "O1") -> str:
        """Whether the program has itself to thank: an empty string, or what a sanitizer says of it without the engine."""
        setting = Setting(level)
        if program.device:
            return self.sound_on_device(program, setting)
        for extra in (SANITIZE, *([["-fsanitize=memory", *PLAIN]] if not program.cxx and not program.parallel else [])):
            status, said, output = self.compile([program], setting, plugin=False, extra=extra)
            if status:
                return judge.first_line(said)
            status, said = judge.run(
                [str(output)], 2 * self.options.run_seconds, environment={"ASAN_OPTIONS": "detect_leaks=1"}
            )
            output.unlink(missing_ok=True)
            if status != 0:
                return "does not end" if status is None else judge.first_line(said, "ERROR|WARNING|runtime error|WRONG")
        return ""

    def sound_on_device(self, program: Program, setting: Setting) -> str:
        """There the emulator checks bounds; the program alone must run."""
        status, said, output = self.compile([program], setting, plugin=False)
        if status:
            return judge.first_line(said)
        status, said = judge.run([str(output)], 2 * self.options.run_seconds)
        output.unlink(missing_ok=True)
        return "" if status == 0 else "does not end" if status is None else judge.first_line(said, "error|WRONG")


def far(single: bool, a: list[list[float]], b: list[list[float]]) -> bool:
    """Whether two builds give different numbers."""
    for one, other in zip(a, b):
        for x, y in zip(one[:2], other[:2]):
            scale = 1 + max(abs(x), abs(y))
            if not abs(x - y) <= (5e-3 if single else 1e-7) * scale and not scale >= (2**7 if single else 2**14):
                return True
    return False
