"""The programs that are there, and what becomes of one that is compiled in one way.

Programs of four kinds: those written as users write them (../shared/users), the conformance programs, the engine's own, and the suites' gradients, which are
only compiled. Each says in its first lines how it is built, in the way of its folder. The verdicts:

  right       it checks itself, and found nothing; of what is only compiled: it is compiled
  refused     the engine stopped the compilation with a message; its identifier is the detail
  accepted    the program wants to be refused, and compiles
  skipped     something is not installed, or the compiler alone does not take the program with these flags
  leak        it is right, and LeakSanitizer found memory that was not freed
  WRONG       it found a wrong number (status 1)
  CRASH       it ended in another way
  INTERNAL    the engine says that what it made is wrong
  COMPILER    the compiler crashed, or failed without a message of the engine's
  HANG        compiling or running took too long"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import judge

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "engine" / "test" / "programs"
INCLUDE = ROOT / "engine" / "include"
LEVELS = {"O0": ["-O0"], "O1": ["-O1"], "O2": ["-O2"], "O3": ["-O3"], "fast": ["-O3", "-march=native", "-ffast-math"]}
DEFECTS = ("WRONG", "CRASH", "INTERNAL", "COMPILER", "HANG")
SUFFIXES = (".c", ".cpp", ".f90", ".f", ".ll")
# Memory that libraries keep until the end.
KEPT = "leak:libmpi\nleak:libmpich\nleak:libopen-\nleak:libpmix\nleak:libhwloc\nleak:libevent\nleak:mca_\nleak:libomp\nleak:libflang_rt\nleak:libucs\nleak:libfabric\n"


@dataclass
class Verdict:
    name: str
    detail: str = ""
    command: str = ""

    @property
    def defect(self) -> bool:
        return self.name in DEFECTS


@dataclass
class Toolchain:
    """What programs are compiled with."""

    plugin: str
    clang: str = "clang-22"
    clangxx: str = "clang++-22"
    flang: str = "flang-22"
    compile_seconds: float = 300  # of processor time
    run_seconds: float = 60
    found: dict = field(default_factory=dict)

    def compiler(self, path: Path) -> str:
        return {".c": self.clang, ".ll": self.clang, ".cpp": self.clangxx}.get(path.suffix, self.flang)

    def mpi(self, what: str, kind: str = "") -> list[str] | None:
        """What the MPI compiler adds; None without one."""
        key = ("mpi", what, kind)
        if key not in self.found:
            tool, names = f"mpicc{kind}", {"compile": ["--showme:compile"], "link": ["--showme:link"]}
            if not shutil.which(tool) or not shutil.which(f"mpirun{kind}"):
                self.found[key] = None
            else:
                done = subprocess.run([tool, *names[what]], capture_output=True, text=True)
                self.found[key] = done.stdout.split() if done.returncode == 0 else None
        return self.found[key]

    def takes(self, suffix: str, text: str, flags: list[str]) -> bool:
        """Whether a small program can be built with these flags: a header, a library, an option is there."""
        key = (suffix, text, *flags)
        if key not in self.found:
            compiler = self.compiler(Path(f"x{suffix}"))
            done = (
                subprocess.run(
                    [
                        compiler,
                        *(["-x", "c++"] if suffix == ".cpp" else ["-x", "c"] if suffix == ".c" else []),
                        "-",
                        "-o",
                        "/dev/null",
                        *flags,
                    ],
                    input=text,
                    capture_output=True,
                    text=True,
                )
                if suffix in (".c", ".cpp")
                else None
            )
            self.found[key] = done is None or done.returncode == 0
        return self.found[key]


class Case:
    """A program. A part of `said` is what its first lines say of how it is built."""

    kind = ""
    levels: list[str] | None = None
    error = False

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, f"{self.kind}/{path.name}"
        self.text = (
            path.read_text(errors="replace")
            if path.is_file()
            else "".join(sorted(f.read_text(errors="replace") for f in path.iterdir() if f.is_file()))
        )

    def missing(self, tools: Toolchain, flags: list[str]) -> str:
        """What it needs that is not there, or an empty string."""
        return ""

    def command(self, tools: Toolchain, level: str, flags: list[str], folder: Path) -> tuple[list[str], list[str]]:
        """(what compiles it, what is linked with it)"""
        raise NotImplementedError

    def judge(self, tools: Toolchain, level: str, flags: list[str], folder: Path) -> Verdict:
        """The verdict of one compilation."""
        if self.levels is not None and level not in self.levels:
            return Verdict("skipped", f"not at {level}")
        if why := self.missing(tools, flags):
            return Verdict("skipped", why)
        program = folder / "a.out"
        command, link = self.command(tools, level, flags, folder)
        whole = [*command, f"-fpass-plugin={tools.plugin}", *link, "-o", str(program)]
        said_as = shlex.join(whole)
        status, said = judge.run(whole, tools.compile_seconds, cwd=folder)
        if status != 0:
            verdict = failed(status, said)
            if verdict.name == "COMPILER" and not judge.CRASH.search(said):
                if absent := re.search(r"fatal error: '(\S+)' file not found", said):
                    verdict = Verdict("skipped", f"no <{absent[1]}>")
                elif flags and not self.alone(tools, command, folder):
                    verdict = Verdict("skipped", f"the compiler alone: {verdict.detail}")
            # What wants to be refused is right when the engine does, or the compiler.
            if self.error and (
                verdict.name == "refused"
                or verdict.name == "COMPILER"
                and not judge.CRASH.search(said)
                and "undefined reference" not in said
            ):
                verdict = Verdict("right", f"refused: {verdict.detail}"[:80])
            verdict.command = said_as
            return verdict
        if self.error:
            return Verdict("accepted", "", said_as)
        return self.run(program, folder, said_as)

    def alone(self, tools: Toolchain, command: list[str], folder: Path) -> bool:
        """Whether the compiler takes it without the engine."""
        without = [
            f
            for i, f in enumerate(command)
            if not f.startswith("-retro-") and not (f == "-mllvm" and command[i + 1].startswith("-retro-"))
        ]
        return (
            judge.run(
                [*without, "-c", "-o", str(folder / "alone.o")] if self.one_source else [*without, "-fsyntax-only"],
                tools.compile_seconds,
                cwd=folder,
            )[0]
            == 0
        )

    one_source = True

    def run(self, program: Path, folder: Path, said_as: str) -> Verdict:
        for start, environment in self.runs():
            status, said = judge.run(
                [*start, str(program)],
                self.run_seconds,
                cwd=folder,
                environment={
                    "OMP_NUM_THREADS": "4",
                    "OPENBLAS_NUM_THREADS": "1",
                    "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE": "1",
                    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
                    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1"
                    + (":fast_unwind_on_malloc=0" if start else ""),
                    "LSAN_OPTIONS": f"suppressions={folder / 'kept'}:print_suppressions=0",
                    **environment,
                },
            )
            verdict = ended(status, said)
            if verdict.name != "right":
                verdict.command = f"{said_as} && {shlex.join([*start, str(program)])}"
                return verdict
        return Verdict("right", "", said_as)

    run_seconds = 60

    def runs(self) -> list[tuple[list[str], dict[str, str]]]:
        """(what starts the program, environment) of each time that it is run."""
        return [([], {})]


def failed(status: int | None, said: str) -> Verdict:
    """Of a compilation."""
    errors = "; ".join(
        [line for line in said.splitlines() if "error:" in line and "linker command failed" not in line][:2]
    )[:400] or judge.first_line(said, "undefined|error|fatal")
    if status is None:
        return Verdict("HANG", "while compiling")
    if judge.CRASH.search(said) or status < 0 or status > 125:
        return Verdict("COMPILER", judge.first_line(said, judge.CRASH.pattern))
    if "retro-internal" in said:
        return Verdict("INTERNAL", errors)
    if known := re.findall(r"error: .*\[retro-([a-z-]+)\]", said):
        return Verdict("refused", known[0])
    return Verdict("COMPILER", errors)


def ended(status: int | None, said: str) -> Verdict:
    """Of a program that was run."""
    if status is None:
        return Verdict("HANG", "while running")
    if "LeakSanitizer: detected memory leaks" in said:
        where = re.search(r"#1 \S+ in (\S+)", said)
        return Verdict("leak", where[1] if where else "")
    if status == 0 or status == 77:
        return Verdict("right" if status == 0 else "skipped", "" if status == 0 else said.strip()[-100:])
    tail = " | ".join(said.strip().splitlines()[-3:])[-300:]
    if status == 1 and not re.search(r"Sanitizer|terminate called|runtime error", said):
        return Verdict("WRONG", tail)
    return Verdict(
        "CRASH",
        f"status {status}: {judge.first_line(said, 'ERROR: |runtime error|terminate called|what') if 'Sanitizer' in said or 'terminate' in said else tail}",
    )


# ---- programs as users write them


class User(Case):
    """NAME.c, .cpp, .f90, .f, .ll; or a folder with run.sh OUTPUT PLUGIN FLAGS..., which compiles and runs: status 2 if it does not compile."""

    kind = "users"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.name = f"{path.parent.name}/{path.name}"
        if levels := self.said("levels"):
            self.levels = levels.split()

    def said(self, key: str) -> str:
        found = re.search(rf"(?://|!|;|^[*c]) *{key}:(.*)", self.text, re.M) if self.path.is_file() else None
        return found[1].strip() if found else ""

    def missing(self, tools: Toolchain, flags: list[str]) -> str:
        if self.said("ranks") and tools.mpi("compile") is None:
            return "no MPI"
        compiler = "bash" if self.path.is_dir() else tools.compiler(self.path)
        return "" if shutil.which(compiler) else compiler

    def command(self, tools: Toolchain, level: str, flags: list[str], folder: Path) -> tuple[list[str], list[str]]:
        own = shlex.split(self.said("flags").replace("@include@", str(INCLUDE)))
        link = shlex.split(self.said("libs"))
        if self.path.suffix in (".f90", ".f"):
            own += [f"-I{INCLUDE}", "-module-dir", str(folder)]
        else:
            link.append("-lm")
        if self.said("ranks"):
            own, link = [*own, *(tools.mpi("compile") or [])], [*link, *(tools.mpi("link") or [])]
        return [tools.compiler(self.path), *LEVELS[level], *own, *flags, "-w", str(self.path)], link

    def runs(self) -> list[tuple[list[str], dict[str, str]]]:
        start = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]
        return [([*start, n], {}) for n in self.said("ranks").split()] or [([], {})]

    def judge(self, tools: Toolchain, level: str, flags: list[str], folder: Path) -> Verdict:
        if self.path.is_file():
            return super().judge(tools, level, flags, folder)
        command = ["bash", str(self.path / "run.sh"), str(folder / "a.out"), tools.plugin, *LEVELS[level], *flags]
        said_as = (
            shlex.join([f"RETRO={ROOT / 'retro'}", *command]).replace("'", "", 2)
            if " " in str(ROOT)
            else f"RETRO={ROOT / 'retro'} {shlex.join(command)}"
        )
        status, said = judge.run(
            command,
            tools.compile_seconds,
            cwd=folder,
            environment={
                "OMP_NUM_THREADS": "4",
                "RETRO": str(ROOT / "retro"),
                "TMPDIR": str(folder),
                "ASAN_OPTIONS": "detect_leaks=1",
                "LSAN_OPTIONS": f"suppressions={folder / 'kept'}:print_suppressions=0",
            },
        )
        if status == 2 and re.search(r"retro: there is no emulator|no such command", said):
            verdict = Verdict("skipped", judge.first_line(said))
        else:
            verdict = (
                failed(status, said)
                if status == 2 or re.search(r"\[retro-[a-z-]+\]", said) and status != 0
                else ended(status, said)
            )
        verdict.command = said_as
        return verdict


# ---- conformance programs


class Conformance(Case):
    kind = "conformance"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.name = f"conformance/{path.parent.name}/{path.name}"
        head = "\n".join(self.text.splitlines()[:20])
        self.said = dict.fromkeys(("MODE", "LEVELS", "FLAGS", "SOURCES", "REQUIRES", "NPROC", "ENV"), "")
        for key, value in re.findall(r"^\s*(?://|/?\*+)\s*(\w+):\s*(.*?)\s*(?:\*/)?\s*$", head, re.M):
            if key in self.said:
                self.said[key] = f"{self.said[key]} {value}".strip()
        self.requires = re.split(r"[,\s]+", self.said["REQUIRES"]) if self.said["REQUIRES"] else []
        self.error = self.said["MODE"].startswith("error")
        self.one_source = not self.said["SOURCES"]
        if self.said["LEVELS"]:
            self.levels = [level.strip() for level in self.said["LEVELS"].split(",")]

    def parts(self, tools: Toolchain) -> tuple[str, list[str], list[str]]:
        """(what is missing, flags to compile, flags to link)"""
        compile_flags, link = [], []
        for need in self.requires:
            what, _, name = need.partition(":")
            if need == "openmp":
                compile_flags.append("-fopenmp")
            elif need == "mpi":
                if tools.mpi("compile") is None:
                    return "no MPI", [], []
                compile_flags += tools.mpi("compile") or []
                link += tools.mpi("link") or []
            elif need == "clang-plugin":
                compile_flags += ["-Xclang", "-load", "-Xclang", tools.plugin]
            elif what == "header":
                flags = ["-I/usr/include/eigen3"] if name.startswith("Eigen") else []
                if not tools.takes(".cpp", f"#include <{name}>\nint main() {{}}\n", flags):
                    return f"no <{name}>", [], []
                compile_flags += flags
            elif what == "lib":
                if not tools.takes(".cpp", "int main() {}\n", [f"-l{name}"]):
                    return f"no lib{name}", [], []
                link.append(f"-l{name}")
        return "", compile_flags, link

    def missing(self, tools: Toolchain, flags: list[str]) -> str:
        return self.parts(tools)[0]

    def command(self, tools: Toolchain, level: str, flags: list[str], folder: Path) -> tuple[list[str], list[str]]:
        _, own, link = self.parts(tools)
        compiler = [tools.clang] if self.path.suffix == ".c" else [tools.clangxx, "-std=c++17"]
        sources = [str(self.path), *(str(self.path.parent / s) for s in self.said["SOURCES"].split())]
        return [
            *compiler,
            *LEVELS[level],
            f"-I{self.path.parents[1]}",
            "-w",
            *own,
            *shlex.split(self.said["FLAGS"]),
            *flags,
            *sources,
        ], [*link, "-lm"]

    def runs(self) -> list[tuple[list[str], dict[str, str]]]:
        environment = dict(word.split("=", 1) for word in shlex.split(self.said["ENV"]))
        start = (
            ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", self.said["NPROC"] or "2"]
            if "mpi" in self.requires
            else []
        )
        return [(start, environment)]


# ---- the engine's own


class Own(Case):
    kind = "programs"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.name = f"programs/{path.relative_to(PROGRAMS)}" if PROGRAMS in path.parents else f"languages/{path.name}"
        self.head = self.text.splitlines()[:4]
        self.one_source = not self.wants("SOURCES")
        if levels := self.wants("LEVELS"):
            self.levels = [level for word in levels for level in word.split(",")]
        self.mpich = ".mpich" if self.wants("LIBRARY") == ["mpich"] else ""

    def wants(self, what: str) -> list[str]:
        found = [re.match(rf"(?://|!) {what}:(.*)", line) for line in self.head]
        return [name for line in found if line for name in line[1].split()]

    def missing(self, tools: Toolchain, flags: list[str]) -> str:
        if not shutil.which(tools.compiler(self.path)):
            return tools.compiler(self.path)
        if self.mpich or self.wants("MPI") and tools.mpi("compile") is None:
            return "MPI"
        if any(f.startswith("-fsanitize") for f in flags) and (why := self.wants("NOT-SANITIZED")):
            return " ".join(why)
        for header in self.wants("HEADER"):
            if not tools.takes(".cpp", f"#include <{header}>\n int main() {{}}\n", []):
                return f"no <{header}>"
        needs = [*self.wants("FLAGS"), *(f"-l{name}" for name in self.wants("LINK"))]
        return "" if tools.takes(".cpp", "int main() {}\n", needs) else " ".join(needs)

    def command(self, tools: Toolchain, level: str, flags: list[str], folder: Path) -> tuple[list[str], list[str]]:
        own = {".cpp": ["-std=c++20"], ".f90": ["-J", str(folder)]}.get(self.path.suffix, [])
        mpi = (tools.mpi("compile") or []) if self.wants("MPI") else []
        link = [*(f"-l{name}" for name in self.wants("LINK")), *((tools.mpi("link") or []) if mpi else []), "-lm"]
        return [
            tools.compiler(self.path),
            *LEVELS[level],
            *own,
            f"-I{INCLUDE}",
            "-w",
            *self.wants("FLAGS"),
            *self.wants("OPTIONS"),
            *flags,
            *mpi,
            str(self.path),
            *(str(self.path.parent / name) for name in self.wants("SOURCES")),
        ], link

    def runs(self) -> list[tuple[list[str], dict[str, str]]]:
        processes = self.wants("MPI")
        return [(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", *processes] if processes else [], {})]


# ---- the suites' gradients


class Suite(Case):
    """Compiled as the build has it, but for the level; not linked."""

    kind = "suites"

    def __init__(self, path: Path, line: str) -> None:
        super().__init__(path)
        self.line = [word for word in shlex.split(line) if not re.match(r"-O\w*$|-fpass-plugin=|-MD$", word)]
        for word in ("-o", "-MF", "-MT", "-MQ"):
            while word in self.line:
                del self.line[self.line.index(word) : self.line.index(word) + 2]
        words = sorted(
            {word[2:] for word in self.line if word.startswith("-D") and "RETRO" not in word or word == "-fopenmp"}
        )
        self.name = f"suites/{path.relative_to(ROOT / 'suites')}" + (f"[{','.join(words)}]" if words else "")

    def command(self, tools: Toolchain, level: str, flags: list[str], folder: Path) -> tuple[list[str], list[str]]:
        return [*self.line, *LEVELS[level], *flags, "-w"], []

    def run(self, program: Path, folder: Path, said_as: str) -> Verdict:
        return Verdict("right", "", said_as)


def suites(build: Path) -> list[Case]:
    """The gradients as the build folder compiles them, each once."""
    file, found = build / "build.ninja", {}
    if not file.is_file():
        return []
    for line in file.read_text().splitlines():
        if (
            "-fpass-plugin=" not in line
            or "suites/" not in line
            or "VARIANT_RESTRICT=0" in line
            or "gpu_on_cpu" in line
        ):
            continue
        command = next((part for part in line.split(" && ") if "-fpass-plugin=" in part), "")
        source = re.search(rf"-c (\S+/suites/\S+\.cpp)", command) or re.search(
            rf"({re.escape(str(ROOT))}/suites/\S+\.cpp)", command
        )
        if source:
            case = Suite(Path(source[1]), command.split("COMMAND = ")[-1])
            found.setdefault(case.name, case)
    return list(found.values())


# ---- all of them


def shared(name: str, variable: str) -> Path:
    return Path(os.environ.get(variable) or ROOT.parent / "shared" / name)


def users(folder: Path) -> list[Case]:
    """The programs of the folder, and of the two in it."""
    found: list[Case] = []
    for where in (folder, folder / "reduced", folder / "convention"):
        if where.is_dir():
            found += [
                User(p)
                for p in sorted(where.iterdir())
                if p.is_file() and p.suffix in SUFFIXES or (p / "run.sh").exists()
            ]
    return found


def cases(kinds: Sequence[str], build: Path) -> tuple[dict[str, list[Case]], list[str]]:
    """({kind: [Case]}, [why one has none])"""
    made: dict[str, list[Case]] = {}
    absent = []
    for kind in kinds:
        if kind == "users":
            made[kind] = users(shared("users", "RETRO_USERS_DIR"))
        elif kind == "conformance":
            folder = shared("conformance", "RETRO_CONFORMANCE_DIR")
            made[kind] = [
                Conformance(f)
                for f in sorted(folder.glob("*/*"))
                if f.suffix in (".c", ".cpp") and ".aux." not in f.name
            ]
        elif kind == "programs":
            parts = ("counters.c",)
            files = [f for f in PROGRAMS.rglob("*.c*") if f.parent.name not in ("failures", "faulty")]
            own = [Own(f) for f in sorted(files) if f.suffix in (".c", ".cpp") and f.name not in parts]
            # What other programs are linked with is none by itself.
            linked = {(case.path.parent / name).resolve() for case in own for name in case.wants("SOURCES")}
            made[kind] = [case for case in own if case.path.resolve() not in linked]
            made[kind] += [Own(f) for f in sorted((ROOT / "engine" / "test" / "languages" / "programs").glob("*.f90"))]
        else:
            made[kind] = suites(build)
        if not made[kind]:
            where = {
                "users": shared("users", "RETRO_USERS_DIR"),
                "conformance": shared("conformance", "RETRO_CONFORMANCE_DIR"),
                "suites": build / "build.ninja",
            }
            absent.append(f"no {kind}: there is nothing in {where.get(kind, PROGRAMS)}")
    return made, absent


def one(case: Case, tools: Toolchain, level: str, flags: list[str], folder: Path) -> Verdict:
    (folder / "kept").write_text(KEPT)
    return case.judge(tools, level, flags, folder)
