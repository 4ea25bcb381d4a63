"""Every C and C++ source is formatted as .clang-format says. Exit status 1 names the files that are not."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = {".c", ".cpp", ".h", ".hpp", ".cu", ".hip"}
SKIP = {"build", ".git", "Inputs", "lit"}  # lit: wrapping a line would break RUN and CHECK

WRONG = r"^(.+?):\d+:\d+: \w+: code should be clang-formatted"
BATCH = 100


def sources(root: Path) -> list[Path]:
    """Sources below `root`: git's own list where there is one, otherwise every file outside the build
    folders."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True
    )
    if listed.returncode == 0:
        files = [root / name for name in listed.stdout.splitlines()]
    else:
        files = sorted(root.rglob("*"))
    return [f for f in files if f.suffix in SUFFIXES and f.is_file() and not SKIP & set(f.relative_to(root).parts)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang-format", default="clang-format-22")
    parser.add_argument("--fix", action="store_true", help="format the files in place")
    args = parser.parse_args()
    files = sources(ROOT)
    if not files:
        sys.exit("no source was found")
    wrong: list[str] = []
    if args.fix:
        subprocess.run([args.clang_format, "-i", *map(str, files)], check=True)
    # One process looks at many files: most of its time is that of its start.
    for first in range(0, len(files), BATCH):
        batch = [str(f) for f in files[first : first + BATCH]]
        out = subprocess.run([args.clang_format, "--dry-run", *batch], capture_output=True, text=True, check=True)
        wrong += sorted({found[1] for found in re.finditer(WRONG, out.stderr, re.M)})
    for name in wrong:
        print(f"not formatted: {Path(name).relative_to(ROOT)}")
    print(f"{len(files) - len(wrong)} of {len(files)} files are formatted")
    if wrong:
        print("`python3 tests/format.py --fix` formats the rest")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
