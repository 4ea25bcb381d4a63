"""Verifies and times the programs of a pack on the machine's NVIDIA device, and writes a row of JSON for each cell.

A cell is a benchmark, a kernel, a size and a setting of the toggles. First all checks at a size that takes a moment; then the size asked for, against the
serial program, and its time: of the kernels alone, between events. A cell that was measured before is not measured again (--again). The engine's own
programs of GPUs run before that, and what the serial program gives is found for several cells at a time (--jobs): while times are taken, nothing else
runs. Where there is compute-sanitizer, small sizes run under memcheck and racecheck.

Exit status: 0; 1 something failed; 3 a gradient is wrong; 77 there is no NVIDIA driver."""

import argparse
import datetime
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .tables import ALL_ON, number, overhead, page

HERE = Path(__file__).resolve().parents[1]  # the pack
# Baselines that take a thousand times as long: after all else.
SLOW = ("no-preopt", "all-off")
TOOLS = ("memcheck", "racecheck")
ERRORS_FOUND = 86


def run(command: list[object], timeout: float | None, **environment: str) -> tuple[int | None, str]:
    """(exit status, output); the status is None where it took too long."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout,
            env={**os.environ, **environment},
        )
    except subprocess.TimeoutExpired as late:
        return None, late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
    return done.returncode, done.stdout


class Cell:
    def __init__(self, program: dict[str, Any], kernel: str, size: str, setting: str) -> None:
        self.program, self.kernel, self.size, self.setting = program, kernel, size, setting

    @property
    def key(self) -> str:
        return f"{self.program['program']}.{self.kernel}.{self.size}.restrict.{self.setting}"

    @property
    def binary(self) -> Path:
        return HERE / "bin" / self.program["program"]

    @property
    def code(self) -> Path | None:
        """Device code in place of the embedded, or None."""
        return None if self.setting == ALL_ON else HERE / "code" / f"{self.program['name']}.{self.setting}.fatbin"

    @property
    def environment(self) -> dict[str, str]:
        return {"RETRO_CUDA_CODE": str(self.code)} if self.code else {}

    def identity(self) -> str:
        files = [self.binary, *([self.code] if self.code else [])]
        return hashlib.sha256(b"".join(hashlib.sha256(f.read_bytes()).digest() for f in files)).hexdigest()


def cells_of(pack: dict[str, Any], args: argparse.Namespace) -> list[Cell]:
    """What is measured, what matters most first."""
    programs = [p for p in pack["programs"] if not args.suite or p["name"] in args.suite]
    same = pack.get("same_code", {})

    def size(p: dict[str, Any]) -> str:
        return p["check"] if args.check else p["usual"]

    first = [Cell(p, p["kernels"][0], size(p), ALL_ON) for p in programs]
    others = [Cell(p, kernel, size(p), ALL_ON) for p in programs for kernel in p["kernels"][1:]]
    ablation = [
        Cell(p, p["kernels"][0], size(p), setting)
        for setting in sorted(pack["settings"], key=lambda name: name in SLOW)
        if setting != "counted"
        for p in programs
        if setting not in same.get(p["name"], ())
    ]
    more = [Cell(p, p["kernels"][0], name, ALL_ON) for p in programs for name in p["full"]]
    wanted = [*first, *others, *([] if args.no_ablation else ablation), *(more if args.full else [])]
    return [cell for cell in wanted if cell.code is None or cell.code.exists()]


def machine(device: dict[str, Any]) -> dict[str, Any]:
    def first(path: str, pattern: str) -> str | None:
        try:
            found = re.search(pattern, Path(path).read_text())
        except OSError:
            return None
        return found[1].strip() if found else None

    memory = first("/proc/meminfo", r"MemTotal:\s+(\d+)")
    version = device["driver_version"]
    return {
        "gpu": device["name"],
        "compute_capability": device["compute_capability"],
        "gpu_memory_bytes": device["memory_bytes"],
        "driver": first("/proc/driver/nvidia/version", r"Kernel Module\D*([\d.]+)"),
        "driver_cuda": f"{version // 1000}.{version % 1000 // 10}",
        "cpu": first("/proc/cpuinfo", r"model name\s*:\s*(.*)"),
        "cores": os.cpu_count(),
        "memory_bytes": int(memory) * 1024 if memory else None,
        "kernel": platform.release(),
        "system": first("/etc/os-release", r'PRETTY_NAME="(.*)"'),
    }


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def asked_for(pack: dict[str, Any], setting: str) -> dict[str, bool]:
    """{toggle: on} of a setting."""
    words = (re.fullmatch(r"-retro-([\w-]+)=(\d)", word) for word in pack["settings"].get(setting, []))
    return {**pack["toggles"], **{m[1]: m[2] == "1" for m in words if m and m[1] in pack["toggles"]}}


def judged(row: dict[str, Any], asked: dict[str, bool]) -> tuple[str, str] | None:
    """(kind, reason) why a measured row does not count, or None."""
    wrong = [v for v in row["verdicts"] if v["column"] in ("gradient", "primal") and v["outcome"] == "failed"]
    if wrong:
        v = wrong[0]
        return (
            "wrong",
            f"{v['column']} is wrong at {v['size']}: {v['check']}: error {v['error']}, tolerance {v['tolerance']}",
        )
    if not row["verified"].get("gradient"):
        return "wrong", "the gradient was not verified"
    if row["toggles"] != " ".join(f"{name}={int(on)}" for name, on in asked.items()):
        return "toggles", f"the device code was made with other toggles than asked for: {row['toggles']}"
    if "gradient" not in row["columns"]:
        return "run", "the gradient was not timed"
    return None


def measure(cell: Cell, pack: dict[str, Any], args: argparse.Namespace) -> dict[str, Any]:
    """The cell's row, whatever happens."""
    names = [s["name"] for s in cell.program["sizes"]]
    row = {
        "benchmark": cell.program["program"],
        "suite": cell.program["suite"],
        "kernel": cell.kernel,
        "size": cell.size,
        "size_values": {},
        "size_index": names.index(cell.size),
        "is_default_size": cell.size == cell.program["usual"],
        "is_default_kernel": cell.kernel == cell.program["kernels"][0],
        "variant": "restrict",
        "columns": {},
        "verified": {},
        "verdicts": [],
        "toggles": None,
    }
    asked = asked_for(pack, cell.setting)
    out = args.work / "row.json"
    out.unlink(missing_ok=True)
    small = cell.size == cell.program["check"]
    command = [
        cell.binary,
        "--kernel",
        cell.kernel,
        "--size",
        cell.size,
        *([] if small else ["--serial-only", "--keep-serial", args.work]),
        "--require",
        "gradient",
        "--repetitions",
        args.repetitions if cell.setting == ALL_ON else min(args.repetitions, 5),
        "--json",
        out,
    ]
    start = time.monotonic()
    status, said = run(command, args.timeout, **cell.environment)
    failure = None
    if out.exists():
        row.update(json.loads(out.read_text())["rows"][0])
        failure = judged(row, asked)
    elif status is None:
        failure = "timeout", f"no result within {args.timeout:g} s"
    else:
        lines = [line for line in said.splitlines() if line.strip()]
        failure = "run", f"exit status {status}: {lines[-1] if lines else 'no word'}"
    if failure:
        row["columns"].pop("gradient", None)  # a time without a verified gradient is no result
    elif (
        not args.no_tape
        and (HERE / "code" / f"{cell.program['name']}.counted.fatbin").exists()
        and cell.setting == ALL_ON
    ):
        row["columns"]["gradient"]["tape_bytes_of_thread"] = tape_of_thread(cell, args)
    row.update(
        cell=cell.key,
        setting=cell.setting,
        toggles_asked=asked,
        status="failed" if failure else "ok",
        failure=failure[0] if failure else None,
        reason=failure[1] if failure else None,
        digest=None if failure else row.get("results", {}).get("gradient", {}).get("digest"),
        counters=None,
        compile=None,
        tape_failure=None,
        commands=[" ".join(["device code:", ", ".join(pack["device_code"]), *pack["settings"].get(cell.setting, [])])],
        run=" ".join(str(word.name if isinstance(word, Path) else word) for word in command),
        study="./retro bench --device cuda",
        identity=cell.identity(),
        commit=pack["commit"],
        ptxas=pack["ptxas"],
        date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - start, 1),
    )
    return row


def tape_of_thread(cell: Cell, args: argparse.Namespace) -> int | None:
    """Bytes of the largest tape of a thread, by device code that counts them; None where that fails, 0 where there is no tape."""
    out = args.work / "tape.json"
    out.unlink(missing_ok=True)
    counted = Cell(cell.program, cell.kernel, cell.size, "counted")
    run(
        [
            cell.binary,
            "--kernel",
            cell.kernel,
            "--size",
            cell.size,
            "--serial-only",
            "--keep-serial",
            args.work,
            "--repetitions",
            1,
            "--column",
            "gradient",
            "--json",
            out,
        ],
        args.timeout,
        **counted.environment,
    )
    if not out.exists():
        return None
    found = json.loads(out.read_text())["rows"][0]["columns"].get("gradient")
    return found and (found["tape_bytes_of_thread"] or 0)


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n")
    new.replace(path)


def run_tests(pack: dict[str, Any], args: argparse.Namespace) -> list[dict[str, Any]]:
    """[{program, outcome, reason}]: the engine's programs of GPUs, each of which compares its derivatives with closed forms or differences."""

    def one(name: str) -> dict[str, Any]:
        status, said = run([HERE / "tests" / name], args.timeout)
        outcome = "passed" if status == 0 else "not measured" if status == 77 else "failed"
        last = (said.strip().splitlines() or ["no word"])[-1]
        return {
            "program": name,
            "outcome": outcome,
            "reason": "" if outcome == "passed" else f"exit status {status}: {last}",
        }

    with ThreadPoolExecutor(args.jobs) as pool:
        found = list(pool.map(one, pack.get("tests", [])))
    for test in found:
        if test["outcome"] != "passed":
            print(f"{test['program']}: {test['outcome']}: {test['reason']}", flush=True)
    if found:
        print(f"{sum(t['outcome'] == 'passed' for t in found)} of {len(found)} programs of the engine's tests passed")
    return found


def keep_serial_results(cells: list[Cell], args: argparse.Namespace) -> None:
    """The serial program's results of the sizes that are timed, which one core needs seconds to minutes for, of several cells at a time."""

    def one(cell: Cell) -> None:
        command = [cell.binary, "--kernel", cell.kernel, "--size", cell.size]
        run([*command, "--serial-only", "--keep-serial", args.work, "--verify"], args.timeout)

    wanted = [cell for cell in cells if cell.setting == ALL_ON and cell.size != cell.program["check"]]
    with ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, wanted))


def sanitize_one(tool: str | None, args: argparse.Namespace, record: dict[str, Any]) -> dict[str, Any]:
    if not tool or time.monotonic() > args.deadline:
        reason = "the budget was spent" if tool else "compute-sanitizer is not here"
        return {**record, "outcome": "not measured", "reason": reason}
    command = [tool, "--tool", record["tool"], "--error-exitcode", ERRORS_FOUND, HERE / "bin" / record["program"]]
    status, said = run(
        [
            *command,
            *("--kernel", record["kernel"], "--size", record["size"]),
            *("--serial-only", "--verify", "--column", "gradient"),
        ],
        args.timeout,
    )
    summaries = [line for line in said.splitlines() if "ERROR SUMMARY" in line or "RACECHECK SUMMARY" in line]
    last = summaries[-1] if summaries else ""
    outcome = "passed" if status == 0 and last else "failed" if status == ERRORS_FOUND else "not measured"
    reason = last.strip("= ") or f"exit status {status}: " + (said.strip().splitlines() or [""])[-1]
    return {**record, "outcome": outcome, "reason": reason}


def sanitize(programs: list[dict[str, Any]], args: argparse.Namespace) -> list[dict[str, Any]]:
    """[{program, kernel, tool, outcome, reason}]: small sizes under compute-sanitizer."""
    tool = shutil.which("compute-sanitizer") or shutil.which("/usr/local/cuda/bin/compute-sanitizer")
    records = [
        {"program": program["program"], "kernel": kernel, "size": program["check"], "tool": name}
        for program in programs
        for kernel in program["kernels"]
        for name in TOOLS
    ]
    with ThreadPoolExecutor(args.jobs) as pool:
        found = list(pool.map(lambda record: sanitize_one(tool, args, record), records))
    for record in found:
        print(f"{record['program']} {record['kernel']} {record['tool']}: {record['outcome']}", flush=True)
    return found


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(
        rows,
        key=lambda r: (
            r["benchmark"],
            not r["is_default_kernel"],
            r["kernel"],
            r["size_index"],
            r["setting"] != ALL_ON,
            r["setting"],
        ),
    )


def pack_results(args: argparse.Namespace, folder: Path) -> None:
    """What there is until now, for who takes the machine away."""
    if args.archive:
        with tarfile.open(args.archive, "w:gz") as archive:
            archive.add(folder, folder.name)


def measure_all(
    cells: list[Cell], pack: dict[str, Any], args: argparse.Namespace, folder: Path, about: dict[str, Any]
) -> list[str]:
    """Rows on disk for all cells that time allows for; how each went."""
    outcomes: list[Any] = []
    for number_, cell in enumerate(cells, 1):
        path = folder / "rows" / f"{cell.key}.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        if not args.again and known.get("status") == "ok" and known.get("identity") == cell.identity():
            continue
        if time.monotonic() > args.deadline:
            print(
                f"{len(cells) - number_ + 1} cells are not measured: the budget of {args.budget:g} minutes is spent",
                flush=True,
            )
            outcomes.append("late")
            break
        row = {**measure(cell, pack, args), "machine": about}
        write(path, row)
        pack_results(args, folder)
        outcomes.append(row["failure"])
        ratio = overhead(row)
        print(
            f"[{number_}/{len(cells)}] {cell.key}: {row['reason'] or number(ratio, 'gradient / primal {:.2f}')}  ({row['seconds']} s)",
            flush=True,
        )
    return outcomes


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="bench.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=HERE / "results",
        metavar="FOLDER",
        help="rows go to FOLDER/<device>/rows (default: results)",
    )
    parser.add_argument("--suite", action="append", default=[], metavar="NAME", help="only this benchmark (repeatable)")
    parser.add_argument("--check", action="store_true", help="sizes that take a moment, instead of the usual ones")
    parser.add_argument(
        "--full", action="store_true", help="also the sizes that show scaling, in threads and in the work of a thread"
    )
    parser.add_argument("--no-ablation", action="store_true")
    parser.add_argument("--no-sanitizer", action="store_true")
    parser.add_argument("--no-tests", action="store_true", help="do not run the engine's own programs")
    parser.add_argument(
        "--jobs",
        "-j",
        type=int,
        default=max(1, (os.cpu_count() or 1) // 2),
        help="processes at a time, but one while times are taken (half of the cores)",
    )
    parser.add_argument("--no-tape", action="store_true", help="do not count tapes")
    parser.add_argument("--again", action="store_true", help="measure every cell again")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--timeout", type=float, default=240, metavar="S", help="of one cell (240)")
    parser.add_argument(
        "--budget", type=float, default=60, metavar="MIN", help="begin no cell after that; the next run goes on (60)"
    )
    parser.add_argument(
        "--archive", type=Path, metavar="FILE", help="also put the results into one .tar.gz, after each cell"
    )
    args = parser.parse_args(argv)
    args.deadline = time.monotonic() + 60 * args.budget
    pack = json.loads((HERE / "pack.json").read_text())
    unknown = set(args.suite) - {p["name"] for p in pack["programs"]}
    if unknown:
        parser.error(f"the pack has no {', '.join(sorted(unknown))}")
    cells = cells_of(pack, args)
    # What the device is, a program says, if there is one.
    status, said = run([cells[0].binary, "--device"], args.timeout)
    if status:
        print(said.strip().splitlines()[-1] if said.strip() else f"{cells[0].binary.name}: exit status {status}")
        return 77 if status == 77 else 1
    about = machine(json.loads(said))
    folder = args.out / slug(about["gpu"])
    (folder / "rows").mkdir(parents=True, exist_ok=True)
    args.work = Path(tempfile.mkdtemp())
    print(f"{about['gpu']}, {len(cells)} cells", flush=True)
    tests = [] if args.no_tests else run_tests(pack, args)
    if tests:
        write(folder / "tests.json", tests)
    elif (folder / "tests.json").exists():
        tests = json.loads((folder / "tests.json").read_text())
    keep_serial_results(cells, args)
    outcomes = measure_all(cells, pack, args, folder, about)
    programs = [p for p in pack["programs"] if not args.suite or p["name"] in args.suite]
    sanitized = [] if args.no_sanitizer or "late" in outcomes else sanitize(programs, args)
    if sanitized:
        write(folder / "sanitizer.json", sanitized)
    elif (folder / "sanitizer.json").exists():
        sanitized = json.loads((folder / "sanitizer.json").read_text())
    shutil.rmtree(args.work)
    rows = in_order([json.loads(path.read_text()) for path in (folder / "rows").glob("*.json")])
    text = page(rows, sanitized, tests, about, pack)
    (folder / "gpu.md").write_text(text)
    print(text)
    pack_results(args, folder)
    failed = [s for s in [*sanitized, *tests] if s["outcome"] == "failed"]
    return 3 if "wrong" in outcomes else int(bool([o for o in outcomes if o] or failed))
