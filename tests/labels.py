"""Every test of a build has one of the labels by which tests are chosen. Exit status 1 names those that have none."""

import json
import subprocess
import sys
from typing import Any

LABELS = {"unit", "lit", "conformance", "users", "suite", "slow"}


def labels(test: dict[str, Any]) -> set[str]:
    return {label for p in test.get("properties", []) if p["name"] == "LABELS" for label in p["value"]}


def main(build: str) -> int:
    listed = subprocess.run(
        ["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True
    )
    tests = json.loads(listed.stdout)["tests"]
    wrong = [t["name"] for t in tests if not labels(t) or labels(t) - LABELS]
    print(*(f"no label, or one that is unknown: {name}" for name in wrong), sep="\n")
    print(f"{len(tests) - len(wrong)} of {len(tests)} tests have their labels")
    return 1 if wrong or not tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
