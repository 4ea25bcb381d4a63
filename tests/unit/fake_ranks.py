#!/usr/bin/env python3
"""Stands in for mpirun and for a suite's program in the scaling tests (TEST ONLY). As `mpirun` it runs the program once, with
the number of ranks in the environment; as a program it writes one invented row. FAKE_FOLDER: every run leaves a line in
`log` there; the file `slow` makes timed runs last, `wrong` makes checks fail."""

import json
import os
import sys
import time
from pathlib import Path


def program(arguments: list[str]) -> int:
    folder = Path(os.environ["FAKE_FOLDER"])
    checks, ranks = "--verify" in arguments, int(os.environ.get("FAKE_RANKS", 1))
    threads = int(os.environ["OMP_NUM_THREADS"])
    repetitions = int(arguments[arguments.index("--repetitions") + 1]) if "--repetitions" in arguments else 1
    with (folder / "log").open("a") as log:
        log.write(json.dumps([ranks, threads, arguments, os.getpid()]) + "\n")
    if not checks and repetitions > 1 and (folder / "slow").exists():
        time.sleep(600)
    seconds = 8.0 / (ranks * threads)
    columns = {
        "primal": {
            "runs": [seconds] * repetitions,
            "messages": 6 * ranks,
            "message_bytes": 480,
            "tape_bytes": None,
        },
        "gradient": {
            "runs": [3 * seconds] * repetitions,
            "messages": 12 * ranks,
            "message_bytes": 960,
            "tape_bytes": 4096,
        },
    }
    right = not (folder / "wrong").exists()
    verdict = {"check": "invented", "outcome": "passed" if right else "failed", "error": 1}
    row = {
        "columns": {} if checks else columns,
        "verified": {"gradient": right} if checks else {},
        "verdicts": [verdict] if checks else [],
        "toggles": "TEST DATA",
        "compiler": "TEST DATA",
    }
    Path(arguments[arguments.index("--json") + 1]).write_text(json.dumps({"rows": [row]}))
    return 0 if right or not checks else 1


def main() -> int:
    if sys.argv[1:2] == ["-n"]:
        os.environ["FAKE_RANKS"] = sys.argv[2]
        os.execv(sys.argv[3], sys.argv[3:])
    return program(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
