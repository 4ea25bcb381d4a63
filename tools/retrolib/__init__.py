"""The pieces behind `./retro`. Standard library only: it must run before anything is installed."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LLVM_MAJOR = 22
JOBS = len(os.sched_getaffinity(0))


class Failure(Exception):
    """A step failed; the text says what to do. `./retro` prints it and exits 1."""
