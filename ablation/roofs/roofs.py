"""The roofs of the roofline: what one core of this machine can do at most, measured."""

import json
from pathlib import Path
from typing import Any

from tools.retrolib import LLVM_MAJOR

from .. import machine, runner, storage

FLAGS = ["-O3", "-fno-math-errno"]
SOURCE = Path(__file__).with_name("roofs.c")


def write(folder: Path, scratch: Path) -> dict[str, Any]:
    """folder/roofs.json. Failed when it cannot be compiled or run."""
    scratch.mkdir(parents=True, exist_ok=True)
    program = scratch / "roofs"
    runner.must([f"clang-{LLVM_MAJOR}", *FLAGS, SOURCE, "-o", program], 60, runner.failures.COMPILE)
    status, _, output = runner.execute([program], 60)
    if status:
        raise runner.Failed(f"roofs: exit status {status}: {runner.first_error(output)}")
    found = {**json.loads(output), "flags": FLAGS, "machine": machine.describe(), "date": machine.today()}
    folder.mkdir(parents=True, exist_ok=True)
    storage.write(folder / "roofs.json", json.dumps(found, indent=1) + "\n")
    return found
