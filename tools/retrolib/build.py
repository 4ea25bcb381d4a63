"""Configure and build one CMake preset."""

import os
import re
import shutil
import subprocess
import sys

from . import JOBS, ROOT, Failure
from .progress import Meter


def build_dir(preset="release"):
    return ROOT / "build" / preset


def plugin_path(preset="release"):
    return build_dir(preset) / "engine" / "retrograde.so"


def configure(preset="release", defines=(), fresh=False):
    """cmake --preset; nothing is done when the cache exists and no definition is given."""
    if (build_dir(preset) / "build.ninja").exists() and not defines and not fresh:
        return
    cmd = ["cmake", "--preset", preset, *(f"-D{d}" for d in defines)]
    if shutil.which("ccache"):
        cmd += [f"-DCMAKE_{lang}_COMPILER_LAUNCHER=ccache" for lang in ("C", "CXX")]
    if subprocess.run(cmd, cwd=ROOT, stdout=sys.stderr).returncode:
        raise Failure("configuration failed: " + " ".join(cmd))


def build(preset="release", targets=(), jobs=JOBS):
    """Build, showing ninja's own counts with an estimate; what compilers say is passed on to stderr."""
    cmd = ["cmake", "--build", str(build_dir(preset)), "-j", str(jobs)]
    if targets:
        cmd += ["--target", *targets]
    env = dict(os.environ, NINJA_STATUS="[%f/%t] ")
    process = subprocess.Popen(
        cmd, cwd=ROOT, env=env, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    meter = None
    for line in process.stdout:
        m = re.match(r"\[(\d+)/(\d+)\] (.*)", line)
        if not m:
            sys.stderr.write(line)
            continue
        if meter is None:
            meter = Meter(int(m[2]), "build")
        meter.total = int(m[2])
        meter.to(int(m[1]), m[3][:60])
    if meter:
        meter.close()
    if process.wait():
        raise Failure("the build failed: " + " ".join(cmd))
