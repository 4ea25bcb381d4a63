"""Configure and build one CMake preset."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from . import JOBS, ROOT, Failure
from .progress import Meter

# What a command needs decides what is configured and installed: the options of CMake, the sections of tools/packages.txt.
USER, SUITES, TESTS = "user", "suites", "tests"
OPTIONS = {USER: (), SUITES: ("RETRO_BUILD_SUITES",), TESTS: ("RETRO_BUILD_SUITES", "RETRO_BUILD_TESTS")}
SECTIONS = {USER: ("build",), SUITES: ("build", "suites"), TESTS: ("build", "suites", "tests")}


def build_dir(preset: str = "release") -> Path:
    return ROOT / "build" / preset


def plugin_path(preset: str = "release") -> Path:
    return build_dir(preset) / "engine" / "retrograde.so"


def options(preset: str, needs: str, cache: str) -> dict[str, str]:
    """{option: ON or OFF}: what is needed, and what the text of a CMakeCache.txt has already."""
    on = set(re.findall(r"^(RETRO_BUILD_\w+):\w+=ON$", cache, re.M)) | set(OPTIONS[needs])
    if preset == "asan":
        on.discard("RETRO_BUILD_SUITES")  # times under a sanitizer would mean nothing
    return {name: "ON" if name in on else "OFF" for name in OPTIONS[TESTS]}


def configure(preset: str = "release", defines: tuple[()] = (), needs: str = USER, again: bool = False) -> None:
    """cmake --preset; nothing is done when what is needed is configured and no definition is given, unless `again`."""
    folder = build_dir(preset)
    there = (folder / "build.ninja").exists() and (folder / "CMakeCache.txt").exists()
    cache = (folder / "CMakeCache.txt").read_text() if there else ""
    wanted = options(preset, needs, cache)
    if there and not defines and not again and all(f"{name}:BOOL={value}" in cache for name, value in wanted.items()):
        return
    cmd = [
        "cmake",
        "--preset",
        preset,
        *(f"-D{name}={value}" for name, value in wanted.items()),
        *(f"-D{d}" for d in defines),
    ]
    if shutil.which("ccache"):
        cmd += [f"-DCMAKE_{lang}_COMPILER_LAUNCHER=ccache" for lang in ("C", "CXX")]
    if subprocess.run(cmd, cwd=ROOT, stdout=sys.stderr).returncode:
        raise Failure("configuration failed: " + " ".join(cmd))


def build(
    preset: str = "release", targets: Sequence[str] = (), jobs: int | None = JOBS, expected: float | None = None
) -> None:
    """Build, showing ninja's own counts with an estimate; what compilers say is passed on to stderr.

    expected: seconds that a build of everything took.
    """
    cmd = ["cmake", "--build", str(build_dir(preset)), "-j", str(jobs)]
    if targets:
        cmd += ["--target", *targets]
    env = dict(os.environ, NINJA_STATUS="[%f/%t] ")
    process = subprocess.Popen(
        cmd, cwd=ROOT, env=env, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    meter = None
    for line in process.stdout or ():
        m = re.match(r"\[(\d+)/(\d+)\] (.*)", line)
        if not m:
            sys.stderr.write(line)
            continue
        if meter is None:
            meter = Meter(int(m[2]), "build", expected=expected)
        meter.total = int(m[2])
        meter.to(int(m[1]), m[3][:60])
    if meter:
        meter.close()
    if process.wait():
        raise Failure("the build failed: " + " ".join(cmd))
