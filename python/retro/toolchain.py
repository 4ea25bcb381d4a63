"""Finds the compiler and the plugin, runs them, and keeps what they make.

Everything that is made from a source file is made from one snapshot of it, the output of the preprocessor. So a value and its gradient
are of the same text even if the file is edited between them, and the cache knows a changed header."""

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import ToolError, compile_error

CXX_SUFFIXES = {".cc", ".cp", ".cpp", ".cxx", ".c++", ".C"}
BUILDS = ("release", "debug")
INSTALLED = (Path.home() / ".local", Path("/usr/local"), Path("/usr"))


def plugin() -> Path:
    """The file of the engine: $RETRO_PLUGIN, that of the wheel, the installation or the source tree which this package is part of, or that of an
    installation in the usual places."""
    said = os.environ.get("RETRO_PLUGIN")
    if said:
        if not Path(said).is_file():
            raise ToolError(f"RETRO_PLUGIN names {said}, which does not exist")
        return Path(said).resolve()
    root = Path(__file__).resolve().parents[2]
    here = [Path(__file__).with_name("retrograde.so"), root / "retrograde.so"]
    installed = [Path(prefix) / "lib" / "retrograde" / "retrograde.so" for prefix in INSTALLED]
    places = [*here, *(root / "build" / name / "engine/retrograde.so" for name in BUILDS), *installed]
    for place in places:
        if place.is_file():
            return place
    raise ToolError("no plugin: build it (./retro build), or set RETRO_PLUGIN to retrograde.so")


def compiler(cxx: bool) -> str:
    variable, usual = ("RETRO_CLANGXX", "clang++-22") if cxx else ("RETRO_CLANG", "clang-22")
    name = os.environ.get(variable, usual)
    found = shutil.which(name)
    if not found:
        raise ToolError(f"no compiler {name}: install clang-22, or set {variable}")
    return found


def cache_folder() -> Path:
    said = os.environ.get("RETRO_CACHE")
    if said:
        return Path(said)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "retrograde"


@functools.lru_cache
def _file_hash(path: str, _size: int, _time: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def identity(path: Path | str) -> str:
    """Stands for the contents of a file that is seldom written."""
    stat = os.stat(path)
    return _file_hash(str(path), stat.st_size, stat.st_mtime_ns)


def run(command: list[Path | str], text: bytes | None = None) -> bytes:
    """What a compiler prints on its standard output, in bytes."""
    ran = subprocess.run([str(word) for word in command], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ran.returncode:
        raise compile_error(ran.stderr.decode(errors="replace").strip())
    return ran.stdout


def room_for(target: Path) -> tempfile.TemporaryDirectory[str]:
    """A temporary folder beside a file of the cache. What is renamed into place is there whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(dir=target.parent)


def store(target: Path, contents: bytes) -> None:
    with room_for(target) as folder:
        (Path(folder) / "file").write_bytes(contents)
        os.replace(Path(folder) / "file", target)


@dataclass(frozen=True)
class Snapshot:
    """A source file after preprocessing, and how it is to be compiled."""

    file: Path
    text: bytes
    cxx: bool
    flags: tuple

    def command(self, *options: Path | str) -> list[Path | str]:
        """The compiler, with the flags that say what the source means, on text that it is given."""
        language = "c++-cpp-output" if self.cxx else "cpp-output"
        return [
            compiler(self.cxx),
            "-O2",
            *_for_the_compiler(self.flags),
            "-Wno-everything",
            *options,
            "-x",
            language,
            "-",
        ]

    def with_code(self, code: str) -> bytes:
        """The text, and code of ours after it. A message about that code names no line of the user's."""
        return self.text + b'\n# 1 "<code of retro>"\n' + code.encode()

    def key(self, *parts: str) -> str:
        """A name for what is made from this text."""
        said = hashlib.sha256(self.text)
        for part in (
            str(self.cxx),
            "\0".join(self.flags),
            compiler(self.cxx),
            identity(os.path.realpath(compiler(self.cxx))),
            *parts,
        ):
            said.update(b"\0" + part.encode())
        return said.hexdigest()[:40]

    def tree(self, filter_: str, code: str = "") -> bytes:
        """The declarations of the text and our code whose names contain a text, as JSON, one after another."""
        command = self.command("-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang", f"-ast-dump-filter={filter_}")
        return run(command, self.with_code(code))

    def library(self, code: str) -> Path:
        """The shared library of the text and our code, differentiated. Compiled once, whoever asks."""
        engine = plugin()
        target = cache_folder() / f"{self.key(identity(engine), code)}.so"
        if target.exists():
            return target
        linked = [flag for flag in self.flags if _is_for_the_linker(flag)]
        with room_for(target) as folder:
            made, library = Path(folder) / "code.o", Path(folder) / "code.so"
            run(
                self.command(
                    "-gline-tables-only", "-fPIC", "-fvisibility=hidden", f"-fpass-plugin={engine}", "-c", "-o", made
                ),
                self.with_code(code),
            )
            run([compiler(self.cxx), "-shared", "-Wl,--no-undefined", made, *linked, "-lm", "-o", library])
            os.replace(library, target)
        return target


def _is_for_the_linker(flag: str) -> bool:
    return flag.startswith(("-l", "-L", "-Wl,")) or Path(flag).suffix in {".o", ".a", ".so"}


def _for_the_compiler(flags: Sequence[str]) -> list[str]:
    return [flag for flag in flags if not _is_for_the_linker(flag)]


def snapshot(file: Path | str, flags: str | Sequence[str]) -> Snapshot:
    """Reads a source file."""
    path = Path(file).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"no source file {file}")
    if path.suffix != ".c" and path.suffix not in CXX_SUFFIXES:
        raise ValueError(f"{file}: a source file of C or C++ ends with .c or {', '.join(sorted(CXX_SUFFIXES))}")
    if isinstance(flags, str):
        raise TypeError('flags is a list of options: flags=["-DN=3", "-lblas"]')
    flags, cxx = tuple(str(flag) for flag in flags), path.suffix in CXX_SUFFIXES
    before = ["-include", "exception"] if cxx else []  # its code may throw
    text = run([compiler(cxx), *_for_the_compiler(flags), "-E", *before, path])
    return Snapshot(path, text, cxx, flags)
