"""All Python of the project is as pyproject.toml says: formatted by black. Exit status 1 shows what is not, 77 that a tool is missing."""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EVERYTHING = [".", "retro"]  # a folder stands for its *.py; ./retro has no such name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix", action="store_true", help="format the files in place")
    args = parser.parse_args()
    if missing := [tool for tool in ("black",) if not shutil.which(tool)]:
        print(f"skipped: {' and '.join(missing)} are not installed")
        return 77
    how = [] if args.fix else ["--check", "--diff"]
    return subprocess.run(["black", "--quiet", *how, *EVERYTHING], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
