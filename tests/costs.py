"""What each test costs in processor time: it is what a machine of two cores has to give, whatever else runs on it.

    costs.py BUILD [--only REGEX] [--every N] [--jobs N] [--log FILE]

Runs the tests that ctest knows in BUILD, or each N-th of them, and prints what each group took: its tests, and what it took by the tests that were run,
for as many as there are. A group is a name's first two words. --log keeps a line a test. What a test leaves running when it ends is not counted."""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from typing import Any


def tests_of(build: str) -> list[dict[str, Any]]:
    """The tests that are not disabled, as ctest describes them."""
    said = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True
    )
    return [t for t in json.loads(said.stdout)["tests"] if "command" in t and not properties(t).get("DISABLED")]


def properties(test: dict[str, Any]) -> dict[str, Any]:
    return {p["name"]: p["value"] for p in test.get("properties", [])}


def group(name: str) -> str:
    words = name.split(".")
    return ".".join(words[:2]) if "." in name else name


def run(test: dict[str, Any]) -> tuple[str, float, bool]:
    """Name, processor seconds, and whether it passed or was skipped."""
    has = properties(test)
    environment = {**os.environ, **dict(e.split("=", 1) for e in has.get("ENVIRONMENT", []))}
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            test["command"],
            cwd=has.get("WORKING_DIRECTORY"),
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        expected = has.get("PASS_REGULAR_EXPRESSION")
        passed = (
            any(re.search(e, output.read()) for e in expected)
            if expected
            else process.returncode in (0, has.get("SKIP_RETURN_CODE", 0))
        )
    return test["name"], used.ru_utime + used.ru_stime, passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--only", default="", help="tests whose names this is found in")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--log")
    args = parser.parse_args()
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for test in tests_of(args.build):
        if re.search(args.only, test["name"]):
            groups[group(test["name"])].append(test)
    chosen = [t for tests in groups.values() for t in tests[:: args.every]]
    took: dict[str, list[float]] = defaultdict(list)
    failed = []
    log = open(args.log, "a") if args.log else None
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, seconds, passed in pool.map(run, chosen):
            took[group(name)].append(seconds)
            failed += [] if passed else [name]
            if log:
                print(f"{seconds:.2f} {'ok' if passed else 'FAILED'} {name}", file=log, flush=True)
    estimates = {g: sum(s) * len(groups[g]) / len(s) for g, s in took.items()}
    for name, seconds in sorted(estimates.items(), key=lambda item: -item[1]):
        print(f"{seconds:8.1f}  {name}  ({len(took[name])} of {len(groups[name])})")
    print(f"{sum(estimates.values()):8.1f}  in all")
    for name in failed:
        print(f"failed: {name}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
