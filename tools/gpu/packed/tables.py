"""The page of what a pack's programs gave: rows of JSON -> markdown."""

import re
from collections.abc import Sequence
from typing import Any

ALL_ON = "all-on"
# Gradient / primal of the published study of 2021, and what the others are to stay below.
BARS = {"xsbench": 3.2, "rsbench": 4.2, "lbm": 6.3, "lulesh": 5, "dg": 5}


def short(mangled: str) -> str:
    """The name of a kernel without its namespaces and parameters."""
    names, at = [], 0
    for m in re.finditer(r"\d+", mangled):
        if m.start() < at:
            continue
        name = mangled[m.end() : m.end() + int(m[0])]
        if re.fullmatch(r"[A-Za-z_]\w*", name):
            names.append(name)
            at = m.end() + int(m[0])
    return next((name for name in names if name.endswith("kernel")), names[-1] if names else mangled)


def longest(column: dict[str, Any]) -> dict[str, Any]:
    """The kernel of a column that takes most of its time."""
    return max(column.get("kernels") or [{}], key=lambda k: k.get("seconds", 0))


def number(value: float | None, form: str = "{:.4g}") -> str:
    return "not measured" if value is None else form.format(value)


def overhead(row: dict[str, Any]) -> float | None:
    gradient, primal = (row["columns"].get(name) for name in ("gradient", "primal"))
    return gradient["median"] / primal["median"] if gradient and primal and primal["median"] else None


def table(header: list[str], lines: Sequence[Sequence[object]]) -> str:
    return (
        "\n".join(
            "| " + " | ".join(str(cell) for cell in line) + " |" for line in [header, ["---"] * len(header), *lines]
        )
        + "\n"
    )


def results_table(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        primal, gradient = (row["columns"].get(name, {}) for name in ("primal", "gradient"))
        ratio, bar = (
            overhead(row),
            BARS.get(row["benchmark"].replace("-cuda", "")) if row["is_default_kernel"] else None,
        )
        times = [number(c["median"] * 1e3) if c else "not measured" for c in (primal, gradient)]
        of = [longest(c) for c in (primal, gradient)]
        lines.append(
            [
                row["benchmark"].replace("-cuda", ""),
                row["kernel"],
                row["size"],
                *times,
                number(ratio, "{:.2f}"),
                bar or "",
                "/".join(str(k.get("registers", "–")) for k in of),
                "/".join(str(k.get("local_bytes", "–")) for k in of),
                number(gradient.get("tape_bytes_of_thread"), "{}"),
                row["reason"] or "verified",
            ]
        )
    return table(
        [
            "benchmark",
            "kernel",
            "size",
            "primal, ms",
            "gradient, ms",
            "gradient / primal",
            "published, or goal",
            "registers",
            "local memory, bytes",
            "tape of a thread, bytes",
            "",
        ],
        lines,
    )


def ablation_table(rows: list[dict[str, Any]], settings: list[str], same: dict[str, list[str]]) -> str:
    """How many times slower a gradient is without an optimization; `same` where the device code is the same without it."""
    base = {(r["benchmark"], r["kernel"], r["size"]): overhead(r) for r in rows if r["setting"] == ALL_ON}
    kinds = list(dict.fromkeys((r["benchmark"], r["kernel"], r["size"]) for r in rows if r["setting"] != ALL_ON))
    lines = []
    for setting in settings:
        cells = []
        for kind in kinds:
            row = next(
                (r for r in rows if (r["benchmark"], r["kernel"], r["size"]) == kind and r["setting"] == setting), None
            )
            ratio = row and overhead(row)
            usual = base.get(kind)
            if setting in same.get(kind[0].replace("-cuda", ""), ()):
                cells.append("same")
            else:
                cells.append(number(ratio / usual if ratio and usual else None, "{:.2f}"))
        lines.append([setting, *cells])
    return table(["slower by", *(kind[0].replace("-cuda", "") for kind in kinds)], lines) if kinds else ""


def kernels_table(rows: list[dict[str, Any]]) -> str:
    lines = [
        [
            row["benchmark"].replace("-cuda", ""),
            row["size"],
            column,
            short(k["name"]),
            k["launches"],
            number(1e3 * k["seconds"] / k["launches"]),
            "x".join(map(str, k["grid"])),
            "x".join(map(str, k["block"])),
            k["registers"],
            k["local_bytes"],
            k["shared_bytes"],
        ]
        for row in rows
        for column in ("primal", "gradient")
        for k in row["columns"].get(column, {}).get("kernels", ())
    ]
    return table(
        [
            "benchmark",
            "size",
            "column",
            "kernel",
            "launches",
            "ms each",
            "grid",
            "block",
            "registers",
            "local",
            "shared",
        ],
        lines,
    )


def pairs_table(rows: list[dict[str, Any]]) -> str:
    """A kernel and the kernel that is its gradient: forward and reverse pass in one."""
    lines = []
    for row in rows:
        primal, gradient = (
            {short(k["name"]): k for k in row["columns"].get(c, {}).get("kernels", ())} for c in ("primal", "gradient")
        )
        for name, derived in gradient.items():
            of = primal.get(name.replace("_gradient_kernel", "_kernel"))
            if of and "_gradient_kernel" in name:
                each = [1e3 * k["seconds"] / k["launches"] for k in (of, derived)]
                lines.append(
                    [
                        row["benchmark"].replace("-cuda", ""),
                        row["size"],
                        name.replace("_gradient_kernel", ""),
                        *map(number, each),
                        number(each[1] / each[0] if each[0] else None, "{:.2f}"),
                        f"{of['registers']}/{derived['registers']}",
                    ]
                )
    return table(
        ["benchmark", "size", "kernel", "primal, ms each", "gradient, ms each", "gradient / primal", "registers"], lines
    )


def page(
    rows: list[dict[str, Any]],
    sanitized: list[dict[str, Any]],
    tests: list[dict[str, Any]],
    about: dict[str, Any],
    pack: dict[str, Any],
) -> str:
    on = [r for r in rows if r["setting"] == ALL_ON]
    checks = table(
        ["benchmark", "kernel", "size", "tool", "", ""],
        [
            [s["program"].replace("-cuda", ""), s["kernel"], s["size"], s["tool"], s["outcome"], s["reason"]]
            for s in sanitized
        ],
    )
    where = ", ".join(
        f"{key} {about[key]}" for key in ("gpu", "driver", "driver_cuda", "cpu", "system") if about.get(key)
    )
    timed = "Time is that of the kernels of one call, between events; medians. Each gradient was verified first."
    return "\n".join(
        [
            "# On a GPU",
            "",
            f"{where}. Commit {(pack['commit'] or '')[:12]}. `./retro bench --device cuda`.",
            "",
            timed,
            "",
            results_table(on),
            "## One optimization off at a time",
            "",
            "`same`: the device code is the same without it.",
            "",
            ablation_table(rows, [s for s in pack["settings"] if s != "counted"], pack.get("same_code", {})),
            "## A kernel and its gradient",
            "",
            pairs_table([r for r in on if r["is_default_kernel"] and r["is_default_size"]]),
            "## Kernels",
            "",
            kernels_table([r for r in on if r["is_default_kernel"] and r["is_default_size"]]),
            "## compute-sanitizer",
            "",
            checks if sanitized else "not measured\n",
            "## The engine's programs",
            "",
            table(["program", "", ""], [[t["program"], t["outcome"], t["reason"]] for t in tests])
            if tests
            else "not measured\n",
        ]
    )
