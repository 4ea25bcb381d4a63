"""All Python of the project is as pyproject.toml says: formatted by black, with types on every public function, which mypy checks. And no module
changes where modules are looked for: each has one name, from the project's root. Exit status 1 shows what is not so, 77 that a tool is missing."""

import argparse
import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EVERYTHING = [".", "retro"]  # a folder stands for its *.py; ./retro has no such name
OTHER_PATH = re.compile(r"\bsys\.path\b|\bsite\.addsitedir\b")


def sources() -> list[Path]:
    found = [path for path in ROOT.rglob("*.py") if "build" not in path.relative_to(ROOT).parts]
    return [ROOT / "retro", *sorted(found)]


def other_paths(text: str) -> Iterator[tuple[int, str]]:
    """Where the search path is changed."""
    for number, line in enumerate(text.splitlines(), 1):
        if OTHER_PATH.search(line):
            yield number, "the module search path is changed; run it as a module instead (cmake/RetroPython.cmake)"


def is_typed(function: ast.FunctionDef | ast.AsyncFunctionDef, in_class: bool) -> bool:
    given = function.args
    several = [argument for argument in (given.vararg, given.kwarg) if argument]
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, *several]
    if in_class and not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list):
        arguments = arguments[1:]
    return function.returns is not None and all(argument.annotation for argument in arguments)


def untyped(body: list[ast.stmt], in_class: bool = False) -> Iterator[tuple[int, str]]:
    """Public functions and methods that lack a type; what is inside a function is nobody else's."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from untyped(node.body, True)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            private = node.name.startswith("_") and not node.name.endswith("__")
            if not private and not is_typed(node, in_class):
                yield node.lineno, f"{node.name}() lacks types"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix", action="store_true", help="format the files in place")
    args = parser.parse_args()
    if missing := [tool for tool in ("black", "mypy") if not shutil.which(tool)]:
        print(f"skipped: not installed: {', '.join(missing)}")
        return 77
    how = [] if args.fix else ["--check", "--diff"]
    wrong = subprocess.run(["black", "--quiet", *how, *EVERYTHING], cwd=ROOT).returncode
    files = sources()
    for path in files:
        text = path.read_text()
        paths = other_paths(text) if path != Path(__file__).resolve() else ()
        for number, what in [*paths, *untyped(ast.parse(text).body)]:
            print(f"{path.relative_to(ROOT)}:{number}: {what}")
            wrong = 1
    wrong |= subprocess.run(["mypy", *EVERYTHING], cwd=ROOT).returncode
    print(f"{len(files)} files looked at")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
