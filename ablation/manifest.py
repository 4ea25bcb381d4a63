"""What the suites' build says about each benchmark (build/<preset>/suites/<name>.json, written by
cmake/RetroSuite.cmake)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEYS = (
    "name",
    "suite",
    "executable",
    "compiler",
    "plugin",
    "sources",
    "include_dirs",
    "flags",
    "definitions",
    "variants",
    "kernels",
    "sizes",
    "default_size",
    "scaling_sizes",
    "test_sizes",
    "link",
)


@dataclass(frozen=True)
class Benchmark:
    """One benchmark: where its executable is, what sizes it has, and how its gradient is compiled and
    linked."""

    path: Path
    data: dict[str, Any]

    # Cells refer to the benchmark; two are the same when they come from one manifest.
    def __hash__(self) -> int:
        return hash(self.path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Benchmark) and self.path == other.path

    @property
    def name(self) -> str:
        return self.data["name"]

    @property
    def suite(self) -> str:
        return self.data["suite"]

    @property
    def executable(self) -> str:
        return self.data["executable"]

    @property
    def launcher(self) -> list[str]:
        """What stands before an executable that ranks run together; [] for a program without."""
        return self.data["launcher"]

    @property
    def plugin(self) -> str:
        """Path of the plugin; '' when the suites were built without one."""
        return self.data["plugin"]

    @property
    def kernels(self) -> list[str]:
        return self.data["kernels"]

    @property
    def variants(self) -> list[str]:
        return [v["name"] for v in self.data["variants"]]

    @property
    def sizes(self) -> list[str]:
        return [s["name"] for s in self.data["sizes"]]

    @property
    def default_size(self) -> str:
        return self.data["default_size"]

    def choose_sizes(self, wanted: Sequence[str]) -> list[str]:
        """The benchmark's sizes that `wanted` (names, 'default', 'scaling', 'test', 'all') asks for, in
        declared order."""
        groups = {
            "default": [self.default_size],
            "scaling": self.data["scaling_sizes"],
            "test": self.data["test_sizes"],
            "all": self.sizes,
        }
        chosen = {name for w in wanted for name in groups.get(w, [w])}
        return [s for s in self.sizes if s in chosen]

    def compile_commands(
        self, variant: str, folder: Path, flags: list[str], with_plugin: bool = True
    ) -> list[tuple[list[str], Path]]:
        """[(command, object)] that compile the gradient's sources into `folder`.

        flags: further flags, for instance a setting's toggles; left out when the plugin is.
        """
        variants = {v["name"]: v for v in self.data["variants"]}
        commands = []
        for source in (Path(s["path"]) for s in self.data["sources"] if s["role"] == "gradient"):
            out = folder / f"{source.stem}.{variant}{'' if with_plugin else '.bare'}.o"
            commands.append(
                (
                    [
                        self.data["compiler"],
                        *self.data["flags"],
                        *(f"-I{d}" for d in self.data["include_dirs"]),
                        *(f"-D{d}" for d in self.data["definitions"]),
                        *variants[variant]["definitions"],
                        *([f"-fpass-plugin={self.plugin}", *flags] if with_plugin else []),
                        "-c",
                        str(source),
                        "-o",
                        str(out),
                    ],
                    out,
                )
            )
        return commands

    def link_command(self, objects: list[Path], executable: Path) -> list[str]:
        link = self.data["link"]
        return [
            self.data["compiler"],
            *map(str, objects),
            *link["driver_objects"],
            *link["kernel_objects"],
            *link["libraries"],
            *link["flags"],
            "-o",
            str(executable),
        ]


def read_all(build_dir: Path) -> list[Benchmark]:
    """Every benchmark of a build, sorted by name. A file that is no manifest is an error that names it."""
    found = []
    for path in sorted((build_dir / "suites").glob("*.json")):
        try:
            data = json.loads(path.read_text())
            found.append(
                Benchmark(
                    path,
                    {"launcher": data.get("launcher", []), **{key: data[key] for key in KEYS}},
                )
            )
        except (ValueError, KeyError) as error:
            raise ValueError(f"{path}: not a manifest of a benchmark ({error})") from error
    return found


def quoted(command: Iterable[object]) -> str:
    return shlex.join(map(str, command))
