"""Which cells the study has: {all on; each toggle off, one at a time; all off} x benchmarks x kernels x
sizes x variants."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.retrolib.toggles import Toggle

from .manifest import Benchmark

ALL_ON, ALL_OFF = "all-on", "all-off"


@dataclass(frozen=True)
class Setting:
    """A value for every toggle, and a name for the combination."""

    name: str
    toggles: tuple = field(repr=False)  # of (toggle name, bool), in the order of toggles.def

    def flags(self) -> list[str]:
        return [f for name, on in self.toggles for f in ("-mllvm", f"-retro-{name}={int(on)}")]

    def applied(self) -> str:
        """The record that the plugin leaves in an object compiled with this setting."""
        return " ".join(f"{name}={int(on)}" for name, on in self.toggles)


@dataclass(frozen=True)
class Cell:
    benchmark: Benchmark
    kernel: str
    size: str
    variant: str
    setting: Setting

    @property
    def key(self) -> str:
        """The name of the cell's row, unique in a study."""
        return ".".join([self.benchmark.name, self.kernel, self.size, self.variant, self.setting.name])


def settings(toggles: list[Toggle], only: Sequence[str] = (), only_on: bool = False) -> list[Setting]:
    """All on, then each toggle of `only` (default: every one that a CPU's gradient can tell) off, then all off.

    KeyError for a name in `only` that is not a toggle.
    """
    names = [t.name for t in toggles]
    each = [t.name for t in toggles if t.name in only or not only and not t.of_gpus]
    for name in only:
        if name not in names:
            raise KeyError(f"no toggle '{name}'; there are: {', '.join(names)}")
    result = [Setting(ALL_ON, tuple((n, True) for n in names))]
    if only_on:
        return result
    result += [Setting(f"no-{off}", tuple((n, n != off) for n in names)) for off in each]
    if not only:
        result.append(Setting(ALL_OFF, tuple((n, False) for n in names)))
    return result


def cells(
    benchmarks: list[Benchmark],
    toggles: list[Toggle],
    sizes: Sequence[str],
    variants: list[str],
    only: Sequence[str] = (),
    only_on: bool = False,
    all_kernels: bool = False,
) -> list[Cell]:
    """Cells ordered so that one executable (benchmark x setting) serves neighbouring cells.

    sizes: names, or 'default', 'scaling', 'test', 'all'. A benchmark that lacks a named size is left out for it.
    all_kernels: every kernel of a benchmark, not its first alone.
    """
    result = []
    for benchmark in benchmarks:
        wanted = benchmark.choose_sizes(sizes)
        kernels = benchmark.kernels if all_kernels else benchmark.kernels[:1]
        for setting in settings(toggles, only, only_on):
            result += [
                Cell(benchmark, kernel, size, variant, setting)
                for kernel in kernels
                for size in wanted
                for variant in variants
            ]
    return result
