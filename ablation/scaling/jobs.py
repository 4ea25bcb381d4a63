"""Jobs of a batch system: one a point, so that primal and gradient of a point share an allocation. A job runs
`./retro scale --inside`, which adds rows as a local run does."""

import math
import re
import shlex
import subprocess
from pathlib import Path

from .points import Point

SCRIPT = """\
#!/bin/bash
{directives}
{setup}cd {root}
exec {command}
"""


def nodes_for(point: Point, cores_per_node: int) -> tuple[int, int]:
    """Ranks are not split over nodes: as many on each as fit."""
    per_node = max(1, cores_per_node // point.threads)
    return math.ceil(point.ranks / per_node), min(per_node, point.ranks)


def directives(
    kind: str, point: Point, cores_per_node: int, hours: float, log: Path | str, options: list[str]
) -> list[str]:
    nodes, per_node = nodes_for(point, cores_per_node)
    minutes = max(1, round(60 * hours))
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}:00"
    name = re.sub(r"[^A-Za-z0-9]+", "-", point.key)
    if kind == "slurm":
        words = [
            f"--job-name={name}",
            f"--nodes={nodes}",
            f"--ntasks={point.ranks}",
            f"--ntasks-per-node={per_node}",
            f"--cpus-per-task={point.threads}",
            "--exclusive",
            "--hint=nomultithread",
            f"--time={clock}",
            f"--output={log}",
        ]
        return [f"#SBATCH {word}" for word in [*words, *options]]
    select = f"select={nodes}:ncpus={cores_per_node}:mpiprocs={per_node}:ompthreads={point.threads}"
    words = [
        f"-N {name[:15]}",
        f"-l {select}",
        "-l place=scatter:excl",
        f"-l walltime={clock}",
        "-j oe",
        f"-o {log}",
    ]
    return [f"#PBS {word}" for word in [*words, *options]]


def script(
    kind: str,
    point: Point,
    root: Path | str,
    command: list[str],
    cores_per_node: int,
    hours: float,
    log: Path | str,
    options: list[str],
    setup: list[str],
) -> str:
    return SCRIPT.format(
        directives="\n".join(directives(kind, point, cores_per_node, hours, log, options)),
        setup="".join(f"{line}\n" for line in setup),
        root=shlex.quote(str(root)),
        command=shlex.join(map(str, command)),
    )


def is_waiting(kind: str, job: str) -> bool:
    """Whether the batch system still has the job."""
    command = ["squeue", "-h", "-j", job] if kind == "slurm" else ["qstat", job]
    found = subprocess.run(command, capture_output=True, text=True)
    return found.returncode == 0 and bool(found.stdout.strip())


def submit(kind: str, path: Path) -> tuple[str, bool]:
    """Hand a script over unless its job is still waiting or running. (the job's number, whether it is new)"""
    note = path.with_suffix(".job")
    if note.exists() and is_waiting(kind, note.read_text().strip()):
        return note.read_text().strip(), False
    command = ["sbatch", "--parsable", str(path)] if kind == "slurm" else ["qsub", str(path)]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        raise RuntimeError(f"{shlex.join(command)}: {found.stderr.strip() or found.stdout.strip()}")
    job = found.stdout.strip().split(";")[0]
    note.write_text(job + "\n")
    return job, True
