"""The programs that `./retro pack` makes: a benchmark's driver with the kernels of its CUDA form.

Columns and checks are those of the benchmark (suites/README.md). The variant 'restrict' is the device's, 'plain' the serial program's."""

from dataclasses import dataclass, field

from tools.retrolib import toggles


@dataclass
class Program:
    name: str  # of the benchmark
    folder: str  # below suites/
    kernels: list  # of the benchmark that the device has; the first is the usual one
    symbols: dict  # what the CUDA source defines -> what the driver links
    sizes: list  # "name values", small to large
    check: str  # a size that takes a moment: all checks, and the sanitizer
    usual: str  # the size that is timed
    full: list = field(default_factory=list)  # sizes timed with --full: threads, and work of a thread

    @property
    def program(self) -> str:
        return f"{self.name}-cuda"


PROGRAMS = [
    Program(
        "xsbench",
        "xsbench",
        ["unionized", "hash", "nuclide"],
        {"xsbench": "primal_restrict_xsbench", "xsbench_gradient": "gradient_restrict_xsbench"},
        [
            "tiny nuclides=68,points=64,lookups=1000",
            "small-50k nuclides=68,points=11303,lookups=50000",
            "small-200k nuclides=68,points=11303,lookups=200000",
            "small-1m nuclides=68,points=11303,lookups=1000000",
            "small-4m nuclides=68,points=11303,lookups=4000000",
            "large-1m nuclides=355,points=11303,lookups=1000000",
        ],
        "tiny",
        "small-1m",
        ["small-50k", "small-200k", "small-4m", "large-1m"],
    ),
    Program(
        "rsbench",
        "rsbench",
        ["doppler", "cold"],
        {"rsbench": "primal_restrict_rsbench", "rsbench_gradient": "gradient_restrict_rsbench"},
        [
            "tiny nuclides=68,poles=20,windows=4,lookups=1000",
            "small-20k nuclides=68,poles=1000,windows=100,lookups=20000",
            "small-200k nuclides=68,poles=1000,windows=100,lookups=200000",
            "small-1m nuclides=68,poles=1000,windows=100,lookups=1000000",
            "large-200k nuclides=355,poles=1000,windows=100,lookups=200000",
        ],
        "tiny",
        "small-200k",
        ["small-20k", "small-1m", "large-200k"],
    ),
    Program(
        "lbm",
        "lbm",
        ["grid"],
        {
            "lbm": "primal_restrict_lbm",
            "lbm_float": "primal_restrict_lbm_float",
            "lbm_gradient": "gradient_restrict_lbm",
        },
        [
            "sum2 nx=12,ny=10,nz=14,steps=2",
            "cube4 nx=16,ny=16,nz=16,steps=4,probe=1",
            "t20 nx=40,ny=40,nz=50,steps=20,ellipsoid=1",
            "short10 nx=120,ny=120,nz=150,steps=10,ellipsoid=1",
            "short nx=120,ny=120,nz=150,steps=20,ellipsoid=1",
        ],
        "sum2",
        "short10",
        ["t20", "short"],
    ),
    Program(
        "dg",
        "dg",
        ["double", "float"],
        {
            "dg": "primal_restrict_dg",
            "dg_float": "primal_restrict_dg_float",
            "dg_gradient": "gradient_restrict_dg",
            "dg_gradient_float": "gradient_restrict_dg_float",
        },
        [
            "probe elements=4,probe=1",
            "e64 elements=64",
            "e1k elements=1000",
            "e5k elements=5000",
            "e20k elements=20000",
            "e80k elements=80000",
        ],
        "probe",
        "e20k",
        ["e1k", "e5k", "e80k"],
    ),
    Program(
        "lulesh",
        "lulesh",
        ["recorded", "recorded-origin"],
        {"lulesh": "primal_restrict_lulesh", "lulesh_gradient": "gradient_restrict_lulesh"},
        [
            "s5c2 s=5,start=5,cycles=2",
            "s10c5 s=10,start=20,cycles=5",
            "s30c1 s=30,start=9,cycles=1",
            "s45c1 s=45,start=9,cycles=1",
            "s60c1 s=60,start=9,cycles=1",
            "s90c1 s=90,start=9,cycles=1",
        ],
        "s5c2",
        "s60c1",
        ["s30c1", "s45c1", "s90c1"],
    ),
    Program(
        "brusselator",
        "neurips20/brusselator",
        ["dup"],
        {
            "brusselator": "primal_restrict_brusselator",
            "brusselator_gradient_dup": "gradient_restrict_brusselator_gradient_dup",
        },
        ["smoke N=8", "n32 N=32", "n512 N=512", "n2048 N=2048"],
        "smoke",
        "n2048",
        ["n512"],
    ),
    Program(
        "minibude",
        "minibude",
        ["protein", "pose", "protein-double", "pose-double"],
        {
            f"{name}_{real}": f"{role}_restrict_{name}_{real}"
            for real in ("float", "double")
            for role, name in (("primal", "minibude"), ("gradient", "protein"), ("gradient", "pose"))
        },
        ["g1 poses=512,group=1", "g4 poses=512,group=4", "p8192 poses=8192,group=4", "p65536 poses=65536,group=4"],
        "g4",
        "p65536",
        ["p8192"],
    ),
]

# The ablation: all optimizations on; each of these off alone; all of them off. What only works on a CPU is not among them.
ABLATED = [t.name for t in toggles.read() if "Gpu" not in t.not_with and "Sparse" not in t.needs]


def settings() -> dict[str, list[str]]:
    """{name: compiler options}: the device code that is packed beside the embedded. `counted` counts tapes and is not timed."""

    def off(toggle: str) -> list[str]:
        return ["-mllvm", f"-retro-{toggle}=0"]

    found = {f"no-{toggle}": off(toggle) for toggle in ABLATED}
    found["all-off"] = [word for toggle in ABLATED for word in off(toggle)]
    found["counted"] = ["-mllvm", "-retro-tape-stats=1"]
    return found
