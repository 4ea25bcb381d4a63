"""All Python of the project is as pyproject.toml says: formatted by black. And no module changes where modules are looked for: each has one
name, from the project's root. Exit status 1 shows what is not so, 77 that a tool is missing."""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EVERYTHING = [".", "retro"]  # a folder stands for its *.py; ./retro has no such name


def sources() -> list[Path]:
    found = [path for path in ROOT.rglob("*.py") if "build" not in path.relative_to(ROOT).parts]
    return [ROOT / "retro", *sorted(found)]


def other_paths() -> list[str]:
    """The places at which the search path is changed."""
    change = re.compile(r"\bsys\.path\b|\bsite\.addsitedir\b")
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if change.search(line) and path != Path(__file__).resolve()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix", action="store_true", help="format the files in place")
    args = parser.parse_args()
    if missing := [tool for tool in ("black",) if not shutil.which(tool)]:
        print(f"skipped: {' and '.join(missing)} are not installed")
        return 77
    how = [] if args.fix else ["--check", "--diff"]
    wrong = subprocess.run(["black", "--quiet", *how, *EVERYTHING], cwd=ROOT).returncode
    for place in (places := other_paths()):
        print(f"{place}: run it as a module instead (cmake/RetroPython.cmake)")
    return 1 if wrong or places else 0


if __name__ == "__main__":
    sys.exit(main())
