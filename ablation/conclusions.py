"""What the rows say about each bar of the study: met, not met, or not measured. Computed from rows, never
assumed."""

from dataclasses import dataclass

from . import rows as of
from . import tables

MARKS = {True: "met", False: "NOT MET", None: "not measured"}


@dataclass(frozen=True)
class Conclusion:
    """met: True, False, or None where the rows cannot say."""

    met: bool | None
    text: str

    def __str__(self) -> str:
        return f"{MARKS[self.met]:<13}{self.text}"


def verified(rows: list[of.Row]) -> Conclusion:
    good = sum(row["status"] == "ok" for row in rows)
    return Conclusion(good == len(rows), f"{good} of {len(rows)} cells verified before they were timed")


def overheads(rows: list[of.Row]) -> Conclusion:
    """Every row of the eight benchmarks that has a published figure is at or below it."""
    bars = of.read_bars()
    measured, above = set(), []
    for key, row in of.all_on(rows):
        bar = of.bar_of(row, bars).get("enzyme")
        value = of.overhead(row)
        if row["benchmark"] not in bars["eight"] or bar is None or not row["is_default_size"]:
            continue
        if value is None:
            above.append(f"{tables.title(key)} failed")
            continue
        measured.add(row["benchmark"])
        if value > bar:
            above.append(f"{tables.title(key)} {tables.number(value)} > {bar:g}")
    missing = [b for b in bars["eight"] if b not in measured]
    good = len(measured - {text.split()[0] for text in above})
    text = f"gradient/primal at or below the bar: {good} of {len(bars['eight'])} benchmarks"
    text += f"; above: {', '.join(above)}" if above else ""
    text += f"; not measured: {', '.join(missing)}" if missing and not above else ""
    return Conclusion(False if above else None if missing else True, text)


def after_over_before(rows: list[of.Row]) -> Conclusion:
    """AD after optimization against AD before, geometric mean over the study's benchmarks."""
    bars = of.read_bars()
    limit, study = bars["limits"]["ad_after_over_before"], set(bars["study"])
    mean, count = of.geometric_means(rows, ["no-preopt"], study)["no-preopt"]
    if count < len(study):
        return Conclusion(None, f"AD after / before optimization: {count} of the study's {len(study)} measured")
    text = (
        f"AD after optimization is {tables.number(mean)} times faster than before, geometric mean over the study's "
        f"{count} (bar: at least {limit:g})"
    )
    return Conclusion(mean >= limit, text)


def compile_time(rows: list[of.Row]) -> Conclusion:
    limit = of.read_bars()["limits"]["compile_ratio"]
    factors = {row["benchmark"]: of.compile_ratio(row) for _, row in of.all_on(rows)}
    factors = {name: f for name, f in factors.items() if f is not None}
    if not factors:
        return Conclusion(None, "compile time with the plugin over without")
    above = [f"{name} {tables.number(f)}×" for name, f in factors.items() if f > limit]
    worst = max(factors, key=factors.get)
    text = (
        f"compile time at most {limit:g}× that without the plugin: {len(factors) - len(above)} of {len(factors)} "
        f"benchmarks"
    )
    text += f"; above: {', '.join(above)}" if above else f"; most: {worst} {tables.number(factors[worst])}×"
    return Conclusion(not above, text)


def tapes(rows: list[of.Row]) -> Conclusion:
    """The tape of GMM, LSTM and RSBench at their usual size."""
    found = {
        row["benchmark"]: (row["columns"].get("gradient") or {}).get("tape_bytes")
        for _, row in of.all_on(rows)
        if of.is_usual(row)
    }
    wanted = ("gmm", "lstm", "rsbench")
    missing = [name for name in wanted if found.get(name) is None]
    text = ", ".join(f"{name} {tables.byte_count(found.get(name))}" for name in wanted)
    return Conclusion(None if missing else True, f"tape per call is known: {text}")


def without_restrict(rows: list[of.Row]) -> Conclusion:
    """Gradients of code whose pointers may be aliases, against those of the same code with no-alias pointers."""
    limit = of.read_bars()["limits"]["plain_over_restrict"]
    found = {key: of.plain_over_restrict(pair) for key, pair in of.variant_pairs(rows).items()}
    failed = [key for key, value in found.items() if value is None]
    above = [key for key, value in found.items() if value is not None and value > limit]
    if not found:
        return Conclusion(None, "gradients without no-alias pointers over those with")

    def name(key: tuple[str, str, str]) -> str:
        return tables.title((*key, "restrict"))

    text = f"without no-alias pointers at most {limit:g} times as long: {len(found) - len(above) - len(failed)} of {len(found)} kernels"
    if above or failed:
        text += "; above: " + ", ".join(f"{name(key)} {tables.number(found[key])}×" for key in above) if above else ""
        text += "; failed: " + ", ".join(map(name, failed)) if failed else ""
    else:
        most = max(found, key=found.get)
        text += f"; most: {name(most)} {tables.number(found[most])}×"
    return Conclusion(not above and not failed, text)


def conclude(rows: list[of.Row]) -> list[Conclusion]:
    primary = of.primary(rows)
    return [
        verified(rows),
        *(f(primary) for f in (overheads, after_over_before)),
        without_restrict(rows),
        *(f(primary) for f in (compile_time, tapes)),
    ]


def as_markdown(rows: list[of.Row]) -> str:
    table = [[MARKS[c.met] if c.met is not False else "**NOT MET**", c.text] for c in conclude(rows)]
    return tables.markdown(["", "bar"], table, left=2)
