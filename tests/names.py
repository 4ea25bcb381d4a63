#!/usr/bin/env python3
"""Names of functions stand in tables. Exit status 1, and a line for each of:

- a name of our own (__retro_...) in a string outside of engine/front/names/runtime.def;
- a name of the convention of requests (__enzyme_...) in a string outside of engine/front/known/entry_points.def;
- a name of a library's function in a string outside of engine/front/**/*.def;
- a row of runtime.def, or of known_mpi.def, whose function the runtime does not define, or defines with another type;
- a function that the runtime gives to all, though no row and no other function of it names it.

The last two look at the runtime's bitcode in the folder of --build."""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1] / "engine"
# What users compile, what is linked to derivatives, what stands for functions of libraries, and what tests all of it.
OTHERS = {"test", "include", "runtime", "models"}

OWN = re.compile(r'"__retro_')
# Where the prefix itself is given, and names that are made of a vendor's.
OWN_ALLOWED = {"front/names/runtime.h", "front/known/known_gpu.def"}

CONVENTION = re.compile(r'"__enzyme_')

# How names of libraries begin, and some whole ones.
FOREIGN = re.compile(
    r'"(_Z|_R[A-Z]|__cxa|__gxx|__kmpc|__tgt|omp_|GOMP|pthread_|thrd_|cuda[A-Z]|__cuda|hip[A-Z]|__hip|__nv_|__ocml_|__ockl|_Fortran|_gfortran|__rust|cblas|MPI_'
    r"|__asan|___asan|__ubsan|__assert|v?s?n?printf|v?f?s?scanf|mem(cpy|set|move)|std(out|err)|str(to|cpy|len)|aligned_alloc|posix_memalign"
    r'|((m|c|re)alloc|free|fread|fwrite|malloc_usable_size)")'
)
# What is no name of a library's, and why.
FOREIGN_ALLOWED = {
    "base/call_chain.cpp": "our own header's C++ names",
    "plugin/clang_plugin.cpp": "a symbol by which clang knows itself",
    "facts/activity/mpi_calls.cpp": "a sentence for the user",
    "front/names/rust_names.cpp": "how each mangled name begins",
    "front/known/known_functions.cpp": "how each mangled name begins",
    "front/known/exceptions.cpp": "how rows of operator new begin",
    "front/known/mpi.cpp": "how all of MPI's begin",
    "front/known/stand_in_links.cpp": "words of links",
}

RETURNED = r"(?:void|ptr|i32|i64|float|double|\{[^}]*\})"
DEFINED = re.compile(rf"^define .*?({RETURNED}) @(__retro_\w+)\((.*)\)[^()]*\{{$", re.M)


def strings() -> Iterator[str]:
    """A line for each name that is not where it belongs."""
    for path in sorted(p for p in ENGINE.rglob("*") if p.suffix in (".h", ".cpp", ".def")):
        name = str(path.relative_to(ENGINE))
        if name.split("/")[0] in OTHERS:
            continue
        table = path.suffix == ".def" and name.startswith("front/")
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if OWN.search(line) and name not in OWN_ALLOWED and not line.startswith("#include"):
                yield f"{name}:{number}: a name of our own, which front/names/runtime.def gives: {line.strip()}"
            if CONVENTION.search(line) and name != "front/known/entry_points.def":
                yield f"{name}:{number}: a name of the convention, which front/known/entry_points.def gives: {line.strip()}"
            if not table and FOREIGN.search(line) and name not in FOREIGN_ALLOWED:
                yield f"{name}:{number}: a name of a library, which a table of front/ gives: {line.strip()}"


def rows(clang: str) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """Of runtime.def: the types of each function, and the functions that have those of their calls."""
    text = (
        "#define RUNTIME(...) ROW(__VA_ARGS__)\n#define RUNTIME_AS_CALLED(Id) CALLED(Id)\n"
        f'#include "{ENGINE}/front/names/runtime.def"\n'
    )
    done = subprocess.run(
        [clang, "-E", "-P", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True
    ).stdout
    typed = [re.split(r",\s*", row) for row in re.findall(r"ROW\(([^)]*)\)", done)]
    return {f"__retro_{name}": (result.split()[-1], *of) for name, result, *of in typed}, {
        f"__retro_{name}" for name in re.findall(r"CALLED\((\w+)\)", done)
    }


def mpi_rows() -> set[str]:
    text = (ENGINE / "front" / "known" / "known_mpi.def").read_text()
    return {body for body in re.findall(r'^\s*MPI_CALL\("\w+",\s*"([^"]+)"', text, re.M) if body != "-"} | {"reverse"}


def types_of(parameters: str) -> tuple[str, ...]:
    """Without attributes, some of which have commas in brackets."""
    while "(" in parameters:
        parameters = re.sub(r"\([^()]*\)", "", parameters)
    return tuple(word.split()[0] for word in parameters.split(", ") if word)


def uses_within() -> set[str]:
    """What functions of the runtime call: what they define begins a line."""
    sources = [p for p in (ENGINE / "runtime").rglob("*") if p.suffix in (".c", ".h")]
    return {
        n
        for p in sources
        for line in re.findall(r"^\s.*", p.read_text(), re.M)
        for n in re.findall(r"__retro_\w+", line)
    }


# What pool.c has in the place of OpenMP's library: the compiler calls it.
OF_OPENMP = re.compile(r"__retro_pool_(kmpc_\w+|number|size|level)$")


def compared(build: Path, clang: str, opt: str) -> Iterator[str]:
    typed, called = rows(clang)
    found: set[str] = set()
    uses = uses_within()
    files = sorted((build / "engine" / "runtime").glob("*.bc"))
    if not files:
        yield f"no bitcode of the runtime in {build}"
    for path in files:
        text = subprocess.run([opt, "-S", str(path), "-o", "-"], capture_output=True, text=True, check=True).stdout
        defined = {name: (result, *types_of(of)) for result, name, of in DEFINED.findall(text)}
        wanted = {*typed, *called}
        if path.stem in ("mpich", "openmpi"):
            wanted = {f"__retro_{path.stem}_{body}" for body in mpi_rows()}
            yield from (f"{path.name} has no {name}, which known_mpi.def wants" for name in sorted(wanted - {*defined}))
        for name, types in sorted(defined.items()):
            if name in typed and types != typed[name]:
                yield f"{path.name}: {name} is {types}, runtime.def says {typed[name]}"
            used = name.replace(f"_{path.stem}_", "_mpi_") in uses
            hidden = re.search(rf"^define (internal|private) .*@{name}\(", text, re.M)
            if name not in wanted and not used and not hidden and not OF_OPENMP.match(name):
                yield f"{path.name}: {name} has no row, and the runtime itself does not use it"
        found |= {*defined}
    yield from (f"runtime.def: the runtime has no {name}" for name in sorted({*typed, *called} - found))


def main() -> bool:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--opt", default="opt-22")
    args = parser.parse_args()
    wrong = [*strings(), *(compared(args.build, args.clang, args.opt) if args.build else ())]
    print("\n".join(wrong) or "all names stand in their tables")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
