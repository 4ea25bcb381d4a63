"""The optimization switches, read from engine/base/toggles.def, the one place where they are declared."""

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from . import ROOT, Failure

DEFINITIONS = ROOT / "engine" / "base" / "toggles.def"
PHASES = ("Request", "Prepare", "Plan", "Emit", "Polish", "Runtime")
STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
CONDITIONS = r"(\w+)\s*,\s*NEEDS\(([^)]*)\)\s*,\s*NOT_WITH\(([^)]*)\)\s*,\s*"
ROW = re.compile(
    r"^TOGGLE\(\s*(\w+)\s*,\s*\"([\w-]+)\"\s*,\s*(true|false)\s*,\s*\"([^\"]*)\"\s*,\s*" + CONDITIONS + STRINGS + r"\)"
    r"|^PART\(\s*(\w+)\s*,\s*(\w+)\s*,\s*" + CONDITIONS + STRINGS + r"\)",
    re.M,
)
TRAIT = re.compile(r"^TRAIT\((\w+),\s*" + STRINGS + r"\)", re.M)


@dataclass(frozen=True)
class Part:
    """What a switch turns on elsewhere, under conditions of its own."""

    identifier: str
    phase: str
    needs: tuple[str, ...]
    not_with: tuple[str, ...]
    description: str


@dataclass(frozen=True)
class Toggle:
    """One row of toggles.def: the plugin option is `-mllvm -retro-<name>=0|1`."""

    identifier: str
    name: str
    default: bool
    heading: str
    description: str
    phase: str = "Plan"
    needs: tuple[str, ...] = ()
    not_with: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

    def flags(self, on: bool) -> list[str]:
        return ["-mllvm", f"-retro-{self.name}={int(on)}"]

    def rows(self) -> "list[Toggle | Part]":
        """It and its parts."""
        return [self, *self.parts]

    @property
    def of_gpus(self) -> bool:
        """Does it do nothing for a CPU?"""
        return "Gpu" in self.needs


def words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text))


def said(text: str) -> str:
    """String literals side by side, as the compiler reads them."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')


def without_comments(text: str) -> str:
    return "\n".join(re.sub(r"^\s*//.*", "", line) for line in text.splitlines())


def traits(text: str) -> dict[str, str]:
    """What is said of a derivative: {name: what it says}, in the table's order."""
    return {name: said(description) for name, description in TRAIT.findall(without_comments(text))}


def parse(text: str) -> list[Toggle]:
    """All rows of a toggles.def text. ValueError when a row cannot be read, a name stands twice or names nothing."""
    code = without_comments(text)
    rows: list[Toggle] = []
    started = len(re.findall(r"^(?:TOGGLE|PART)\(", code, re.M))
    for m in ROW.finditer(code):
        if m[1]:
            rows.append(
                Toggle(m[1], m[2], m[3] == "true", m[4], said(m[8]), m[5], words(m[6]), words(m[7])),
            )
            continue
        if not rows or rows[-1].identifier != m[10]:
            raise ValueError(f"{m[9]} does not stand behind the toggle that it is a part of, {m[10]}")
        part = Part(m[9], m[11], words(m[12]), words(m[13]), said(m[14]))
        rows[-1] = replace(rows[-1], parts=(*rows[-1].parts, part))
    if started != len(rows) + sum(len(t.parts) for t in rows):
        raise ValueError(f"{started} rows, not all of which could be read")
    names = [t.name for t in rows]
    if len(set(names)) != len(names):
        raise ValueError("a toggle is declared twice")
    known = {*traits(text), *(t.identifier for t in rows)}
    for row in (x for t in rows for x in t.rows()):
        if wrong := [n for n in (*row.needs, *row.not_with) if n not in known]:
            raise ValueError(f"{row.identifier} names {wrong[0]}, which is neither a toggle nor a trait")
        if row.phase not in PHASES:
            raise ValueError(f"{row.identifier} is of no phase: {row.phase}")
    return rows


def read(path: Path = DEFINITIONS) -> list[Toggle]:
    if not path.exists():
        raise Failure(f"{path} does not exist")
    return parse(path.read_text())


def names(gpu: bool = True) -> list[str]:
    """Of all toggles, in the table's order; without those that do nothing for a CPU."""
    return [t.name for t in read() if gpu or not t.of_gpus]


def to_json(toggles: list[Toggle]) -> str:
    return json.dumps([asdict(t) for t in toggles], indent=1)


def to_markdown(toggles: list[Toggle], said_of: dict[str, str] | None = None) -> str:
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
    return "\n".join(lines + matrix(toggles, said_of or {})) + "\n"


def matrix(toggles: list[Toggle], said_of: dict[str, str]) -> list[str]:
    """Which optimization lives with which trait of a derivative."""
    columns = list(said_of)
    option = {t.identifier: t.name for t in toggles}
    lines = [
        "",
        "## Which apply to what",
        "",
        "`–`: not to a derivative of this trait. `only`: to no other. What a derivative does not say of itself, but its code does, is asked where",
        "the optimization stands. In italics: what the same switch turns on elsewhere, under conditions of its own.",
        "",
        *(f"- **{name}**: {text}" for name, text in said_of.items()),
        "",
        f"| name | when | needs | {' | '.join(columns)} |",
        "|---" * (3 + len(columns)) + "|",
    ]
    for t in toggles:
        for row in t.rows():
            name = f"`{t.name}`" if row is t else f"_{row.identifier.replace('_', ' ')}_"
            needs = " ".join(f"`{option[n]}`" for n in row.needs if n in option)
            cells = ["only" if c in row.needs else "–" if c in row.not_with else "" for c in columns]
            lines.append(f"| {name} | {row.phase.lower()} | {needs} | {' | '.join(cells)} |")
    return lines
