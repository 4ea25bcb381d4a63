"""Where and from which sources a row was measured."""

import datetime
import hashlib
import platform
import re
import subprocess
from pathlib import Path

from tools.retrolib import JOBS, ROOT
from tools.retrolib.system import cpu_name


def slug() -> str:
    """Name of the folder for this machine's rows, for instance amd-epyc-9654-2-cores."""
    name = re.sub(r"\(.*?\)|@.*|\b(CPU|Processor)\b", " ", cpu_name())
    return re.sub(r"[^a-z0-9]+", "-", f"{name} {JOBS} cores".lower()).strip("-")


def describe() -> dict[str, int | str | None]:
    memory = None
    try:
        memory = int(re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())[1]) * 1024
    except (OSError, TypeError):
        pass
    return {
        "cpu": cpu_name(),
        "cores": JOBS,
        "memory_bytes": memory,
        "kernel": platform.release(),
        "system": _system(),
    }


def _system() -> str:
    try:
        return re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())[1]
    except (OSError, TypeError):
        return platform.system()


def commit() -> str | None:
    """The commit of the tree, with `+changes` when it differs; None outside git."""

    def git(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", "-C", str(ROOT), *args], capture_output=True, text=True)

    head = git("rev-parse", "HEAD")
    if head.returncode:
        return None
    # Rows themselves are no change of what was measured.
    dirty = git("status", "--porcelain", "--", ".", ":!results", ":!docs", ":!README.md").stdout.strip()
    return head.stdout.strip() + ("+changes" if dirty else "")


def today() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def digest(*files_or_texts: Path | str) -> str:
    """One SHA-256 over the contents of files (Path) and texts (str)."""
    h = hashlib.sha256()
    for item in files_or_texts:
        h.update(item.read_bytes() if isinstance(item, Path) else item.encode())
        h.update(b"\0")
    return h.hexdigest()
