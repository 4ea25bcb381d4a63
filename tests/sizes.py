#!/usr/bin/env python3
"""A folder can be read at a glance, and a file in one sitting: at most 25 sources in a folder, at most 600 lines in a file, in the whole tree, tests included.
A file of the engine begins with two sentences at least: what it makes of what, and what would break without it.

Tables (.def) may be longer: nobody reads them from end to end. Of a folder of tests that is divided by subject, engine/test/README.md says what each part is
about. Exit status 1, and a line for each folder or file that is too large, and for each file and part of which nothing is said."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "engine" / "test"
FILES, LINES = 25, 600
SOURCES = set(".c .cc .cpp .cu .cuh .def .f90 .h .hip .hpp .js .ll .py .rs .sh .test".split())
TABLES = {".def"}
DIVIDED = ("lit", "programs")  # folders of engine/test


def sources(root: Path) -> list[Path]:
    """What git knows, and does not ignore; in a tree without git, all but what is built."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, text=True
    )
    if listed.returncode == 0:
        files = [root / name for name in listed.stdout.splitlines()]
    else:
        files = [p for p in root.rglob("*") if "build" not in p.relative_to(root).parts]
    return sorted(p for p in files if p.suffix in SOURCES and p.is_file())


def too_large(root: Path) -> Iterator[str]:
    found = sources(root)
    for folder, count in sorted(Counter(p.parent for p in found if p.name != "__init__.py").items()):
        if count > FILES:
            yield f"{folder.relative_to(root)}: {count} sources; a folder has at most {FILES}: divide it by subject"
    for path in found:
        lines = path.read_bytes().count(b"\n")
        if lines > LINES and path.suffix not in TABLES:
            yield f"{path.relative_to(root)}: {lines} lines; a file has at most {LINES}"


def without_opening(engine: Path) -> Iterator[str]:
    for path in sorted(engine.rglob("*.cpp")):
        if "test" in path.relative_to(engine).parts:
            continue
        comment = re.match(r"(//.*\n)*", path.read_text())
        if comment and len(re.findall(r"[.?!](?=\s)", comment[0])) < 2:
            yield f"{path.relative_to(ROOT)} does not begin with two sentences on what it is for"


def without_charter(tests: Path) -> Iterator[str]:
    page = tests / "README.md"
    said = set(re.findall(r"^\| `([\w/]+)/` \|", page.read_text() if page.exists() else "", re.M))
    for part in DIVIDED:
        for folder in sorted(p for p in (tests / part).rglob("*") if p.is_dir()):
            name = str(folder.relative_to(tests))
            if folder.name not in ("Inputs", "__pycache__") and name not in said and any(folder.iterdir()):
                yield f"engine/test/README.md has no line for {name}/"


def main() -> bool:
    found = [*too_large(ROOT), *without_opening(ROOT / "engine"), *without_charter(TESTS)]
    print("\n".join(found) or f"no folder of more than {FILES} sources, and no file of more than {LINES} lines")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
