"""Builds the unit of adapter.py as shared objects: the primal without the plugin, the derivatives with it.

The user's file may hold requests of its own, and a main that makes them. What the function under test does not reach is left out by the
linker, so that it need not be defined: each object exports its entry points and nothing else, and everything stands in a section of its own."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from . import adapter
from .arguments import Layout
from .signature import Problem

# What a request may name. A definition of the user's own goes before ours, which stand in a library.
MARKERS = (
    "const dup dupnoneed dupv dupnoneedv out width vector batch scalar buffer allocated tape nofree primal_return const_return "
    "runtime_activity todense pool poolsize shared_bytes"
).split()


class Failed(Problem):
    """A compilation or a link failed."""


def compile_shared(
    compiler: str, opt: str, sources: list[Path | str], output: Path, flags: list[str], exported: Sequence[str] = ()
) -> None:
    command = [compiler, f"-{opt}", "-w", "-fPIC", "-shared", "-Wl,-z,defs"]
    if exported:
        script = output.with_suffix(".map")
        script.write_text(f"{{ global: {'; '.join(exported)}; local: *; }};\n")
        # So the primal's and the gradient's copies of the user's code and globals do not meet either.
        command += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", f"-Wl,--version-script={script}"]
    command += [*flags, *map(str, sources), "-lm", "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        if len(lines) > 30:
            lines[30:] = [f"… and {len(lines) - 30} more lines"]
        raise Failed("\n".join([" ".join(command), *lines]))


def inputs_of(layout: Layout) -> list[dict[str, float]]:
    """What x holds, for the programs that read a plan."""
    return [
        {"at": a.x, "length": a.length, "low": a.low, "high": a.high, "active": a.kind != "const", "single": a.single}
        for a in layout.arguments
        if a.x >= 0
    ]


def engine_flags(options: argparse.Namespace) -> list[str]:
    """What makes clang differentiate."""
    if options.plugin == "none":
        return []
    return [
        f"-fpass-plugin={Path(options.plugin).resolve()}",
        *(flag for option in options.option for flag in ("-mllvm", option)),
    ]


def build(
    options: argparse.Namespace,
    folder: Path,
    compiler: str,
    flags: list[str],
    layout: Layout,
    source: Path,
    modes: list[str],
) -> None:
    """folder/primal.so and folder/gradient.so."""
    cxx = compiler == options.clangxx
    suffix = ".cpp" if cxx else ".c"
    units = {"primal": ["primal"], "gradient": modes}
    for unit, parts in units.items():
        (folder / (unit + suffix)).write_text(adapter.write(layout, source, cxx, parts))
    (folder / "markers.c").write_text("".join(f"int enzyme_{name};\n" for name in MARKERS))
    compile_shared(options.clang, "O1", [folder / "markers.c"], folder / "markers.so", [])
    plugin, rpath = engine_flags(options), f"-Wl,-rpath,{folder}"
    build_primal(compiler, folder, folder / ("primal" + suffix), plugin, [rpath, *flags], options.extra)
    compile_shared(
        compiler,
        options.opt,
        [folder / ("gradient" + suffix), *options.extra, folder / "markers.so"],
        folder / "gradient.so",
        [*plugin, rpath, *flags],
        [f"retro_verify_{mode}" for mode in modes],
    )


def build_primal(
    compiler: str, folder: Path, source: Path, plugin: list[str], flags: list[str], extra: list[str]
) -> None:
    """The primal is built without the plugin and plainly: it is what the derivatives are held against. Only a function that calls a derivative
    itself needs the plugin for its value, too."""
    out, exported = folder / "primal.so", ["retro_verify_primal"]
    try:
        compile_shared(compiler, "O1", [source], out, flags, exported)
    except Failed as failure:
        if not plugin or "undefined" not in str(failure) or "enzyme" not in str(failure):
            raise
        compile_shared(compiler, "O1", [source, *extra, folder / "markers.so"], out, [*plugin, *flags], exported)
        print(
            "note: the function calls a derivative itself, so that its values, too, are computed with the plugin",
            file=sys.stderr,
        )
