"""The code of ours that follows the user's: one function that a library exports, which does one thing for every item of a batch.

Everything but integers is passed in memory, so a request is the same for every signature: pointers and their shadows. The exported function gets a
pointer for each stream of each argument, in the order of `streams`."""

from .roles import Argument

LANES = 8
C_TYPES = {
    "float64": "double",
    "float32": "float",
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "uint16": "unsigned short",
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "long",
    "uint64": "unsigned long",
    "bool": "_Bool",
}

# What a duplicated argument has besides its value, in order: the name of the stream, and whether there is one for each lane.
STREAMS = {
    "value": (),
    "vjp": (("adjoint", True),),
    "jvp": (("tangent", True),),
    "hvp": (("tangent", True), ("adjoint", False), ("adjoint tangent", True)),
    "third": tuple(
        (name, False)
        for name in (
            "tangent",
            "adjoint",
            "adjoint tangent",
            "move",
            "tangent's move",
            "adjoint's move",
            "adjoint tangent's move",
        )
    ),
}


def in_memory(argument: Argument) -> bool:
    """Whether it is passed as a pointer: the rest are integers."""
    return argument.array or argument.type.startswith("float")


def streams(kind: str, lanes: int) -> list[tuple[str, int]]:
    """(stream, lane) of what a duplicated argument has besides its value."""
    return [(name, lane) for name, wide in STREAMS[kind] for lane in range(lanes if wide else 1)]


def code(
    name: str,
    arguments: tuple[Argument, ...],
    duplicated: frozenset[str],
    kind: str,
    lanes: int,
    keep_value: bool,
    cxx: bool,
    exceptions: bool,
) -> str:
    """`duplicated` are the names of the arguments with shadows; `keep_value` is whether what the function writes is wanted as well."""
    return "\n".join(
        [
            PRELUDE[cxx],
            call(name, arguments, cxx),
            inner(arguments, duplicated) if kind in ("hvp", "third") else "",
            product(arguments, duplicated) if kind == "third" else "",
            entry(arguments, duplicated, kind, lanes, keep_value, cxx, exceptions),
        ]
    )


PRELUDE = {
    False: """extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_width;
void __enzyme_autodiff_retro_python(void *, ...);
void __enzyme_fwddiff_retro_python(void *, ...);""",
    True: """extern "C" {
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_width;
void __enzyme_autodiff_retro_python(void *, ...);
void __enzyme_fwddiff_retro_python(void *, ...);
}
struct retro_python_pointer {
  void *to;
  template <class T> operator T *() const { return (T *)to; }
};""",
}


def parameter(argument: Argument, name: str, cxx: bool) -> str:
    type_ = C_TYPES[argument.type].replace("_Bool", "bool" if cxx else "_Bool")
    return f"{type_} *{name}" if in_memory(argument) else f"long long {name}"


def call(name: str, arguments: tuple[Argument, ...], cxx: bool) -> str:
    """The function, with everything but integers in memory."""
    each = ", ".join(parameter(a, f"a{k}", cxx) for k, a in enumerate(arguments))
    passed, result = [], ""
    for k, a in enumerate(arguments):
        if not in_memory(a):
            passed.append(f"a{k}")
        elif a.array and not a.reference:
            passed.append(f"retro_python_pointer{{a{k}}}" if cxx else f"(void *)a{k}")
        elif k == len(arguments) - 1 and a.role == "output" and not a.array:
            result = f"*a{k} = "
        else:
            passed.append(f"*a{k}")
    function = f"::{name}" if cxx else name
    return f"static void retro_python_call({each}) {{ {result}{function}({', '.join(passed)}); }}"


def inner(arguments: tuple[Argument, ...], duplicated: frozenset[str]) -> str:
    """The reverse pass, as a function to be differentiated once more."""
    parameters, passed = [], []
    for k, a in enumerate(arguments):
        parameters.append(parameter(a, f"a{k}", False))
        passed.append(f"enzyme_dup, a{k}, d{k}" if a.name in duplicated else f"enzyme_const, a{k}")
        if a.name in duplicated:
            parameters.append(parameter(a, f"d{k}", False))
    return (
        f"static void retro_python_reverse({', '.join(parameters)}) {{\n"
        f"  __enzyme_autodiff_retro_python((void *)retro_python_call, {', '.join(passed)});\n}}"
    )


def product(arguments: tuple[Argument, ...], duplicated: frozenset[str]) -> str:
    """The derivative of the reverse pass along tangents, as a function to be differentiated once more."""
    parameters, passed = [], []
    for k, a in enumerate(arguments):
        names = [f"a{k}", *(f"{shadow}{k}" for shadow in ("t", "d", "s") if a.name in duplicated)]
        parameters += [parameter(a, name, False) for name in names]
        passed.append(
            f"enzyme_dup, a{k}, t{k}, enzyme_dup, d{k}, s{k}" if a.name in duplicated else f"enzyme_const, a{k}"
        )
    return (
        f"static void retro_python_product({', '.join(parameters)}) {{\n"
        f"  __enzyme_fwddiff_retro_python((void *)retro_python_reverse, {', '.join(passed)});\n}}"
    )


def entry(
    arguments: tuple[Argument, ...],
    duplicated: frozenset[str],
    kind: str,
    lanes: int,
    keep_value: bool,
    cxx: bool,
    exceptions: bool,
) -> str:
    slot, integer, passed = 0, 0, []

    def at(argument: Argument) -> str:
        nonlocal slot
        slot += 1
        return f"({C_TYPES[argument.type].replace('_Bool', 'bool' if cxx else '_Bool')} *)(at[{slot - 1}] + i * step[{slot - 1}])"

    for a in arguments:
        if not in_memory(a):
            passed.append((["enzyme_const"] if kind != "value" else []) + [f"integer[{integer}]"])
            integer += 1
            continue
        value = at(a)
        if kind == "value":
            passed.append([value])
        elif a.name not in duplicated:
            passed.append(["enzyme_const", value])
        else:
            shadows = {name: [] for name, _ in STREAMS[kind]}
            for name, _ in streams(kind, lanes):
                shadows[name].append(at(a))
            if kind == "third":
                first = [value, *(shadows[name][0] for name in ("tangent", "adjoint", "adjoint tangent"))]
                moves = [shadows[name][0] for name in shadows if "move" in name]
                passed += [["enzyme_dup", of, move] for of, move in zip(first, moves)]
                continue
            unneeded = a.role in ("output", "scratch") and not keep_value
            passed.append(
                [
                    "enzyme_dupnoneed" if unneeded else "enzyme_dup",
                    value,
                    *shadows["tangent" if "tangent" in shadows else "adjoint"],
                ]
            )
            if kind == "hvp":
                passed.append(["enzyme_dup", *shadows["adjoint"], *shadows["adjoint tangent"]])
    words = ", ".join(word for words in passed for word in words)
    wide = f"enzyme_width, {lanes}, " if lanes > 1 else ""
    request = {
        "value": f"retro_python_call({words})",
        "vjp": f"__enzyme_autodiff_retro_python((void *)retro_python_call, {wide}{words})",
        "jvp": f"__enzyme_fwddiff_retro_python((void *)retro_python_call, {wide}{words})",
        "hvp": f"__enzyme_fwddiff_retro_python((void *)retro_python_reverse, {wide}{words})",
        "third": f"__enzyme_fwddiff_retro_python((void *)retro_python_product, {words})",
    }[kind]
    before, after = ("try {", CATCH) if cxx and exceptions else ("", "")
    return f"""{'extern "C" ' if cxx else ''}__attribute__((visibility("default"))) int
retro_python_entry(long count, char *const *at, const long *step, const long long *integer, char *error) {{
  {before}
  for (long i = 0; i < count; ++i)
    {request};
  {after}
  (void)step, (void)integer, (void)error;
  return 0;
}}
"""


CATCH = """} catch (const std::exception &e) {
    const char *said = e.what();
    for (int i = 0; i < 499 && said[i]; ++i)
      error[i] = said[i];
    return 1;
  } catch (...) {
    return 1;
  }"""
