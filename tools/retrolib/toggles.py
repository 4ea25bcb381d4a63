"""The optimization switches, read from engine/base/toggles.def, the one place where they are declared."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from . import ROOT, Failure

DEFINITIONS = ROOT / "engine" / "base" / "toggles.def"
ROW = re.compile(
    r'^\s*TOGGLE\(\s*(\w+)\s*,\s*"([\w-]+)"\s*,\s*(true|false)\s*,\s*"([^"]*)"\s*,\s*' r'((?:"(?:[^"\\]|\\.)*"\s*)+)\)',
    re.M,
)


@dataclass(frozen=True)
class Toggle:
    """One row of toggles.def: the plugin option is `-mllvm -retro-<name>=0|1`."""

    identifier: str
    name: str
    default: bool
    heading: str
    description: str

    def flags(self, on: bool) -> list[str]:
        return ["-mllvm", f"-retro-{self.name}={int(on)}"]


def parse(text: str) -> list[Toggle]:
    """All rows of a toggles.def text. ValueError when a row cannot be read or a name stands twice."""
    code = "\n".join(re.sub(r"^\s*//.*", "", line) for line in text.splitlines())
    rows = []
    for identifier, name, default, heading, description in ROW.findall(code):
        words = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', description)).replace('\\"', '"')
        rows.append(Toggle(identifier, name, default == "true", heading, words))
    started = len(re.findall(r"^\s*TOGGLE\(", code, re.M))
    if started != len(rows):
        raise ValueError(f"{started} TOGGLE rows, but only {len(rows)} could be read")
    names = [t.name for t in rows]
    if len(set(names)) != len(names):
        raise ValueError("a toggle is declared twice")
    return rows


def read(path: Path = DEFINITIONS) -> list[Toggle]:
    if not path.exists():
        raise Failure(f"{path} does not exist")
    return parse(path.read_text())


def to_json(toggles: list[Toggle]) -> str:
    return json.dumps([asdict(t) for t in toggles], indent=1)


def to_markdown(toggles: list[Toggle]) -> str:
    """docs/toggles.md."""
    lines = [
        "# Toggles",
        "",
        "Generated from `engine/base/toggles.def` by `./retro toggles --markdown`; do not edit.",
        "",
        "Each is given to the compiler as `-mllvm -retro-<name>=0` or `=1`. The plugin writes the values that applied",
        "into the module, and every measured row carries them.",
        "",
        "| name | default | what it does |",
        "|---|---|---|",
    ]
    lines += [f"| `{t.name}` | {'on' if t.default else 'off'} | {t.description} |" for t in toggles]
    return "\n".join(lines) + "\n"
