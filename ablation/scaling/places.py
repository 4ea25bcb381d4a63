"""Where points run, and the command that starts one there: this machine, the hosts of a file, an allocation of SLURM or PBS."""

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.retrolib import JOBS

from .points import Point


@dataclass(frozen=True)
class Place:
    """kind: local, hostfile, slurm or pbs; cores: that may be used; nodes: how many; hostfile: for mpirun, or None.

    starter: template of the command that starts ranks, with {ranks}, {threads} and {hostfile}; None: what fits the kind.
    pin: bind ranks and threads to cores.
    """

    kind: str
    cores: int
    nodes: int = 1
    hostfile: str | None = None
    starter: str | None = None
    pin: bool = True

    def oversubscribed(self, point: Point) -> bool:
        return point.units > self.cores

    def command(self, point: Point) -> list[str]:
        """What stands before the program's own command."""
        if not point.uses_mpi:
            return []
        if self.starter:
            text = self.starter.format(ranks=point.ranks, threads=point.threads, hostfile=self.hostfile or "none")
            return shlex.split(text)
        pin = self.pin and not self.oversubscribed(point)
        if self.kind == "slurm":
            bind = ["--cpu-bind=cores"] if pin else ["--cpu-bind=none"]
            return ["srun", f"--ntasks={point.ranks}", f"--cpus-per-task={point.threads}", *bind]
        hosts = [] if not self.hostfile else [("-f" if is_hydra() else "--hostfile"), self.hostfile]
        start = ["mpirun", "-n", str(point.ranks), *hosts]
        if is_hydra():
            return [*start, *(["-bind-to", f"core:{point.threads}"] if pin else [])]
        if pin:
            return [*start, "--map-by", f"slot:PE={point.threads}", "--bind-to", "core"]
        return [*start, "--oversubscribe", "--bind-to", "none"]

    def environment(self, point: Point) -> dict[str, str]:
        env = {"OMP_NUM_THREADS": str(point.threads), "OMP_DYNAMIC": "false"}
        if self.pin and not self.oversubscribed(point):
            env |= {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}
        else:
            env |= {"OMP_PROC_BIND": "false", "OMP_WAIT_POLICY": "passive", "OMPI_MCA_mpi_yield_when_idle": "1"}
        if os.geteuid() == 0:  # in a container
            env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return env

    def describe(self) -> dict[str, int | str]:
        return {"kind": self.kind, "cores": self.cores, "nodes": self.nodes, "pinned": self.pin}


def is_hydra() -> bool:
    """Whether mpirun is MPICH's (or Intel's), not OpenMPI's."""
    try:
        text = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    except OSError:
        return False
    return "HYDRA" in text.upper() or "Intel(R) MPI" in text


def read_hostfile(path: Path | str) -> tuple[int, int]:
    """(cores, nodes) of a host file of OpenMPI (`name slots=4`) or MPICH (`name:4`); a name alone is one core."""
    slots = {}
    for line in Path(path).read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name = re.split(r"[\s:]", line)[0]
        count = re.search(r"slots\s*=\s*(\d+)", line) or re.match(r"[^\s:]+:(\d+)", line)
        slots[name] = slots.get(name, 0) + (int(count[1]) if count else 1)
    return sum(slots.values()), len(slots)


def local(**how: Any) -> Place:
    return Place("local", JOBS, **how)


def hosts(path: Path, **how: Any) -> Place:
    cores, nodes = read_hostfile(path)
    return Place("hostfile", cores, nodes, str(Path(path).resolve()), **how)


def slurm_cores(text: str) -> int:
    """SLURM_JOB_CPUS_PER_NODE: '16(x2),8' -> 40."""
    total = 0
    for word in filter(None, text.split(",")):
        m = re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", word)
        if not m:
            raise ValueError(f"SLURM_JOB_CPUS_PER_NODE is '{text}'")
        total += int(m[1]) * int(m[2] or 1)
    return total


def allocation(kind: str, env: Mapping[str, str] = os.environ, **how: Any) -> Place:
    """The allocation that this process runs in."""
    if kind == "slurm":
        cores = slurm_cores(env.get("SLURM_JOB_CPUS_PER_NODE", ""))
        # Hardware threads count as CPUs; a rank's thread gets a core of its own.
        cores //= int(env.get("SLURM_THREADS_PER_CORE", 1))
        return Place("slurm", cores, int(env.get("SLURM_JOB_NUM_NODES", 1)), **how)
    if "PBS_NODEFILE" not in env:
        raise ValueError("PBS_NODEFILE is not set: this is no PBS job")
    _, nodes = read_hostfile(env["PBS_NODEFILE"])
    return Place("pbs", nodes * int(env.get("NCPUS", JOBS)), nodes, env["PBS_NODEFILE"], **how)
