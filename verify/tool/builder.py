"""Builds the unit of adapter.py as shared objects: the primal without the plugin, the derivatives with it."""

import subprocess
from pathlib import Path

import adapter
from signature import Problem


def compile_shared(compiler, opt, sources, output, flags):
    # -Bsymbolic: the primal's and the gradient's copies of the user's code and globals must not meet.
    command = [compiler, f"-{opt}", "-w", "-fPIC", "-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", *flags,
               *map(str, sources), "-lm", "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        if len(lines) > 30:
            lines[30:] = [f"… and {len(lines) - 30} more lines"]
        raise Problem("\n".join([" ".join(command), *lines]))


def inputs_of(layout):
    """What x holds, for the programs that read a plan."""
    return [{"at": a.x, "length": a.length, "low": a.low, "high": a.high, "active": a.kind != "const",
             "single": a.single} for a in layout.arguments if a.x >= 0]


def engine_flags(options):
    """What makes clang differentiate."""
    if options.plugin == "none":
        return []
    return [f"-fpass-plugin={Path(options.plugin).resolve()}",
            *(flag for option in options.option for flag in ("-mllvm", option))]


def build(options, folder, compiler, flags, layout, source, modes):
    """folder/primal.so and folder/gradient.so."""
    cxx = compiler == options.clangxx
    suffix = ".cpp" if cxx else ".c"
    units = {"primal": ["primal"], "gradient": modes}
    for unit, parts in units.items():
        (folder / (unit + suffix)).write_text(adapter.write(layout, source, cxx, parts))
    # The primal is built without the plugin and plainly: it is what the derivatives are held against.
    compile_shared(compiler, "O1", [folder / ("primal" + suffix)], folder / "primal.so", flags)
    (folder / "markers.c").write_text("int enzyme_dup, enzyme_const, enzyme_out;\n")
    compile_shared(options.clang, "O1", [folder / "markers.c"], folder / "markers.so", [])
    plugin = engine_flags(options)
    compile_shared(compiler, options.opt, [folder / ("gradient" + suffix), *options.extra, folder / "markers.so"],
                   folder / "gradient.so", [*plugin, f"-Wl,-rpath,{folder}", *flags])
