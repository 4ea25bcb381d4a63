"""Files that are whole or absent, whatever happens while they are written, and a little space kept for the moment when the disk
is full."""

from __future__ import annotations

import errno
import os
from pathlib import Path

RESERVED = 128 * 1024
FULL = (errno.ENOSPC, errno.EDQUOT)


def is_full(error: OSError) -> bool:
    return isinstance(error, OSError) and error.errno in FULL


def write(path: Path, text: str) -> None:
    """Replace `path` by `text` in one step; on an error `path` is what it was."""
    path = Path(path)
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        with open(half, "w") as f:
            f.write(text)
            f.flush()
            os.fsync(f.fileno())
        os.replace(half, path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise


def sweep(folder: Path) -> None:
    """Remove what writers left that were killed."""
    for half in folder.glob(".*.half"):
        half.unlink(missing_ok=True)


class Reserve:
    """Space of a folder's disk that is given back when there is no other left: for the row that says so."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ".reserve"
        with open(self.path, "wb") as f:
            os.posix_fallocate(f.fileno(), 0, RESERVED)

    def release(self) -> None:
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Reserve:
        return self

    def __exit__(self, *_: None) -> None:
        self.release()
