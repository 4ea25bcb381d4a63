"""Why a cell has no time: the kinds of failure, as tables and exit codes name them."""

import re
from collections.abc import Iterable

from .rows import Row

COMPILE, LINK, RUN = "compilation", "link", "run"

NOT_COMPILED = "did not compile"
NOT_LINKED = "did not link"
NO_COMPILER = "missing compiler"
MEMORY = "out of memory"
WRONG = "wrong gradient"
TIMEOUT = "timed out"
DISK = "disk full"
CRASHED = "crashed"
TOGGLES = "other toggles applied"
OTHER = "failed"

KINDS = (NOT_COMPILED, NOT_LINKED, NO_COMPILER, MEMORY, WRONG, TIMEOUT, DISK, CRASHED, TOGGLES, OTHER)

_DISK = re.compile(r"No space left on device|Disk quota exceeded")
_MEMORY = re.compile(
    r"bad_alloc|out of memory|Cannot allocate memory|memory exhausted|unable to execute command: Killed", re.I
)


class Failed(Exception):
    """The cell failed; the text is the reason that its row states, `kind` is one of KINDS."""

    def __init__(self, reason: str, kind: str = OTHER) -> None:
        super().__init__(reason)
        self.kind = kind


def classify(step: str, status: int, output: str) -> str:
    """The kind of failure of a compilation, a link or a run that ended with `status` (negative: by a signal)."""
    if _DISK.search(output):
        return DISK
    if _MEMORY.search(output) or status in (-9, 137):  # nobody but the kernel kills a cell that has time left
        return MEMORY
    if step == COMPILE:
        return NOT_COMPILED
    if step == LINK:
        return NOT_LINKED
    return CRASHED if status < 0 or status > 128 else OTHER


def kind_of(row: Row) -> str | None:
    """The kind of a failed row, also of one that was written before there were kinds; None of one that did not fail."""
    return None if row["status"] == "ok" else row.get("failure") or OTHER


# Of several, the first says most.
EXIT_STATUS = {WRONG: 3, DISK: 4, NO_COMPILER: 5}


def exit_status(rows: Iterable[Row]) -> int:
    """0: every row is good; 3: a gradient is wrong; 4: the disk was full; 5: there is no compiler; 1: any other failure."""
    kinds = {kind_of(row) for row in rows} - {None}
    return next((status for kind, status in EXIT_STATUS.items() if kind in kinds), 1 if kinds else 0)
