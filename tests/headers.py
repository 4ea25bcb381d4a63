#!/usr/bin/env python3
"""Who opens a .cpp of the engine finds where it is declared, and who opens a header finds where that is written.

A .cpp has a header of its own name. One without it names, in its opening comment, the class whose members it has or the header that declares its
functions, and that header's opening comment names the .cpp; where other programs look for the functions by name, it says that "no header declares" them.
A class whose members stand in several files has all of these in its header's opening comment, except the one of the header's name. Each .cpp has an opening
comment of at least two lines.

Exit status 1, and a line for each file of which that is not so."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1] / "engine"
OTHERS = {"test", "include"}


def opening(path: Path) -> str:
    """The comment that a file begins with, as one line."""
    lines = re.match(r"(//.*\n)*", path.read_text())
    return " ".join(line.lstrip("/").strip() for line in lines[0].splitlines()) if lines else ""


def names(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def sources(root: Path, suffix: str) -> list[Path]:
    return sorted(p for p in root.rglob(f"*{suffix}") if p.relative_to(root).parts[0] not in OTHERS)


def classes(headers: list[Path]) -> dict[str, list[Path]]:
    """The headers that define a class of this name: two programs may have one each."""
    found: dict[str, list[Path]] = {}
    for header in headers:
        for name in re.findall(r"^(?:class|struct) (\w+)(?: final)?(?:\s*:[^{;]*)?\s*\{", header.read_text(), re.M):
            found.setdefault(name, []).append(header)
    return found


def wrong(root: Path) -> Iterator[str]:
    """A line for each file that does not show where it belongs."""
    headers = sources(root, ".h")
    said = {header: opening(header) for header in headers}
    defined = classes(headers)
    for path in sources(root, ".cpp"):
        name, comment = path.relative_to(root), opening(path)
        own = path.with_suffix(".h")
        if not re.match(r"(//.*\n){2}", path.read_text()):
            yield f"{name}: its opening comment has less than two lines"
        members = set(re.findall(r"^[A-Za-z][^;\n]*?\b(\w+)::~?\w+\(", path.read_text(), re.M))
        for member in sorted(members & defined.keys()):
            if own in defined[member]:
                continue
            if not any(names(said[header], path.name) for header in defined[member]):
                yield f"{name}: has members of {member}, and the opening comment of {member}'s header does not say so"
            if not own.exists() and not names(comment, member):
                yield f"{name}: its opening comment does not say that it has members of {member}"
        if own.exists() or members & defined.keys() or "no header declares" in comment:
            continue
        if not any(names(comment, header.name) and names(said[header], path.name) for header in headers):
            yield f"{name}: no header of its name, and none that it names and that names it"


def main() -> bool:
    found = list(wrong(ENGINE))
    print("\n".join(found) or f"{len(sources(ENGINE, '.cpp'))} files show where they are declared")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
