"""Runs the commands of a page of the documentation, so that they stay true.

A command is an indented line that begins with "$ "; it may go on over lines that end with a backslash. What follows it in the same block
is what it prints, character for character, but that "..." stands for anything. Commands run in a folder that looks like the source
tree after ./retro build: examples/, python/ and the engine's headers are copies, and build/release/engine/retrograde.so is the
plugin. `cd` and `export` hold for the commands that follow.

A block of code that begins with ```c FILE, ```cpp FILE, ```fortran FILE or ```python FILE shows a part of that file of the source tree, as it stands there.

Exit status 77, with the reason, where a program that the page needs is missing."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2]
COPIED = ["examples", "python", "engine/include"]
SKIPPED = 77


def commands(text: str) -> list[Any]:
    """(line number, command, expected output) of each command of a page."""
    found: list[Any] = []
    lines, block = text.splitlines(), False
    for number, line in enumerate(lines, 1):
        inside = line.startswith("    ")
        if inside and line.startswith("    $ "):
            found.append([number, line[6:], []])
            block = True
        elif inside and block and found[-1][1].endswith("\\") and not found[-1][2]:
            found[-1][1] = found[-1][1][:-1] + line.strip()
        elif inside and block:
            found[-1][2].append(line[4:])
        else:
            block = False
    return found


def misquoted(text: str) -> list[str]:
    """Files of which the page shows something else than they hold."""
    quotes = re.findall(r"^```(?:c|cpp|fortran|python) (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [name for name, shown in quotes if shown not in (SOURCE / name).read_text()]


def matches(expected: list[str], got: str) -> bool:
    pattern = re.escape("\n".join(expected)).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, got.rstrip("\n"), re.DOTALL) is not None


def tree(folder: Path, plugin: Path) -> None:
    """What the commands see of the source tree."""
    for name in COPIED:
        if (SOURCE / name).exists():
            shutil.copytree(SOURCE / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    engine = folder / "build/release/engine"
    engine.mkdir(parents=True)
    (engine / "retrograde.so").symlink_to(plugin)


def run_page(page: Path, plugin: Path, timeout: float, verbose: bool) -> int | bool:
    """The number of commands that failed."""
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        tree(folder, plugin)
        state, where = {**os.environ, "PATH": path(), "PYTHONDONTWRITEBYTECODE": "1"}, folder
        state["RETRO_CACHE"] = str(folder / "cache")
        text = page.read_text()
        for name in misquoted(text):
            bad += 1
            print(f"{page.name}: what it shows is not in {name}")
        found = commands(text)
        for number, command, expected in found:
            if command.startswith("cd "):
                where = (where / command[3:]).resolve()
                continue
            if command.startswith("export "):
                name, value = command[7:].split("=", 1)
                state[name] = os.path.expandvars(value)
                continue
            ran = subprocess.run(
                ["bash", "-c", command],
                cwd=where,
                env=state,
                text=True,
                timeout=timeout,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            fails = command.startswith("! ")
            wrong = ran.returncode != 0 or not matches(expected, ran.stdout)
            if verbose or wrong:
                print(f"{page.name}:{number}: {command}\n{ran.stdout}", end="")
            if wrong:
                bad += 1
                wanted = "\n".join(expected)
                print(f"{page.name}:{number}: status {ran.returncode}{' (of !)' if fails else ''}; expected:\n{wanted}")
        print(f"{page.name}: {len(found)} commands, {bad} failed")
        return bad or not found


def path() -> str:
    """Rust's compiler may be where rustup puts it."""
    return os.pathsep.join([os.environ["PATH"], str(Path.home() / ".cargo/bin"), "/usr/lib/llvm-22/bin"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("--plugin", required=True, type=Path)
    parser.add_argument(
        "--needs", action="append", default=[], metavar="PROGRAM", help="skip if this program is missing (repeatable)"
    )
    parser.add_argument(
        "--needs-python", action="append", default=[], metavar="MODULE", help="the same for a module of python3"
    )
    parser.add_argument("--timeout", type=int, default=240, help="seconds a command may take")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    for program in args.needs:
        if not shutil.which(program, path=path()):
            print(f"skipped: {program} is not installed")
            return SKIPPED
    for module in args.needs_python:
        if subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], capture_output=True).returncode:
            print(f"skipped: /usr/bin/python3 has no module {module}")
            return SKIPPED
    return 1 if run_page(args.page, args.plugin.resolve(), args.timeout, args.verbose) else 0


if __name__ == "__main__":
    sys.exit(main())
