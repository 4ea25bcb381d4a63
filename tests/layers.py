#!/usr/bin/env python3
"""The engine's folders in their order: a file includes headers of its own folder and of those before it. So there is no circle of folders.

The order is that of engine/CMakeLists.txt, where docs/tour.md says what each folder is for. Exit status 1, and a line for each include that goes against
it, or for a folder that the order does not name."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1] / "engine"
# Of which any folder may include: it includes none of the engine's.
FIRST = ["rules"]
OTHERS = {"test", "include", "runtime", "models"}


def order() -> list[str]:
    """The folders as CMake lists them."""
    text = (ENGINE / "CMakeLists.txt").read_text()
    listed = re.search(r"set\(folders ([^)]*)\)", text)
    return FIRST + (listed[1].split() if listed else [])


def wrong(folders: list[str]) -> Iterator[str]:
    """A line for each include against the order."""
    at = {folder: number for number, folder in enumerate(folders)}
    for path in sorted(p for p in ENGINE.rglob("*") if p.suffix in (".h", ".cpp", ".def")):
        folder = str(path.parent.relative_to(ENGINE))
        if folder.split("/")[0] in OTHERS:
            continue
        if folder not in at:
            yield f"{path.relative_to(ENGINE)}: no folder of engine/CMakeLists.txt"
            continue
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            other = str(Path(name).parent)
            if other in at and at[other] > at[folder]:
                yield f"{path.relative_to(ENGINE)} includes {name}, of a later folder"


def main() -> bool:
    found = list(wrong(order()))
    print("\n".join(found) or f"{len(order())} folders, no include against their order")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
