"""What `./retro build` includes comes from the packages that `./retro build` installs: build_packages.py BUILD

A developer's machine has more packages than those of [build] in tools/packages.txt, so that a missing one is seen by new users only. The headers that
the build has read (ninja's log of dependencies) are looked up in Debian's database; each has to belong to a package of [build], or to one that these depend on.
Exit status: 0 if all do, 1 if not, 77 where there is no such database."""

import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[1] / "tools" / "packages.txt"
# The build, or libstdc++ of itself, asks whether it is there, and does without it.
OPTIONAL = {"libz3-dev", "libtbb-dev"}


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout


def section(name: str) -> list[str]:
    text = PACKAGES.read_text().split(f"[{name}]")[-1].split("[")[0]
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def included(build: Path) -> set[str]:
    """The system's headers that the targets of `./retro build` have read."""
    inputs = {line for line in output("ninja", "-C", str(build), "-t", "inputs", "user").splitlines()}
    read, names = False, set()
    for line in output("ninja", "-C", str(build), "-t", "deps").splitlines():
        if line and not line.startswith(" "):
            read = line.split(":")[0] in inputs
        elif read and line.startswith("    /usr/"):
            names.add(line.strip())
    # The runtime is compiled to bitcode by commands of their own, which leave their dependencies in files.
    for file in build.glob("engine/runtime/*.bc.d"):
        names |= {word for word in file.read_text().split() if word.startswith("/usr/")}
    return {str(Path(name).resolve()) for name in names if not name.startswith("/usr/local/")}


def main() -> int:
    if not shutil.which("dpkg") or not shutil.which("apt-cache"):
        print("SKIP: there is no database of Debian's packages")
        return 77
    headers = included(Path(sys.argv[1]))
    if len(headers) < 100:
        print(f"FAIL: only {len(headers)} headers are in ninja's log: was anything built?")
        return 1
    said = output(
        "apt-cache", "depends", "--recurse", "--installed", "--no-recommends", "--no-suggests", *section("build")
    )
    installed = {line.split(":")[0] for line in said.splitlines() if not line.startswith(" ")}
    wrong = 0
    for line in output("dpkg", "-S", *sorted(headers)).splitlines():
        owners, _, header = line.rpartition(": ")
        names = {owner.split(":")[0].strip() for owner in owners.split(",")}
        if not names & installed and not names & OPTIONAL:
            print(
                f"FAIL: {header} comes with {', '.join(sorted(names))}, which is not in [build] of tools/packages.txt"
            )
            wrong += 1
    print(f"{len(headers)} headers, {len(installed)} packages, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
