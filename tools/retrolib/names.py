"""Names that are known without a build, and what to say of one that is not known."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from . import ROOT, Failure

if TYPE_CHECKING:
    from ablation.manifest import Benchmark


def unknown(what: str, name: str, known: list[str]) -> str:
    """The sentence about a name that is none of `known`: the nearest one first."""
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return f"no {what} '{name}'{f': did you mean {near[0]!r}? There' if near else '; there'} are: {', '.join(known)}"


def check(what: str, names: list[str], known: Iterable[str] | dict[str, Benchmark | str]) -> None:
    """Failure for the first of the names that is none."""
    for name in names:
        if name not in known:
            raise Failure(unknown(what, name, sorted(known)))


def benchmarks(suites: Path = ROOT / "suites") -> dict[str, str]:
    """{benchmark: suite} of all that suites/*/CMakeLists.txt declare. What needs a library that is missing is not built."""
    found = {}
    for path in sorted(suites.glob("*/CMakeLists.txt")):
        text = path.read_text()
        named = re.search(r"^retro_add_suite\((\S+)\)", text, re.M)
        suite = named[1] if named else path.parent.name
        for kind, name in re.findall(r"^\s*(retro_add_benchmark|\w+_parallel)\(\s*([\w-]+)", text, re.M):
            found[name if kind == "retro_add_benchmark" else f"{kind.removesuffix('_parallel')}-{name}"] = suite
    return found
