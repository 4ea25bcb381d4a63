"""Runs a libFuzzer target for some seconds, from a fixed seed and a corpus of our own. Exit status 0 if nothing was found, 77 if the target is not there."""

import argparse
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from ..generator import batch
from ..generator.program import Program

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
LIT = ROOT / "engine" / "test" / "lit"

WORDS = [
    "--size\nd=3,K=4\n--kernel\nall\n--verify",
    "--list",
    "--help",
    "--seed\n7\n--repetitions\n3\n--min-time\n0.5\n--variant\nplain",
    "--json\nrows.json\n--column\nprimal\n--heap\ndefault",
    "--size\nlarge\n--size\nsmall\n--ftz\n--no-memory\n--require\ngradient",
]


def options_corpus(folder: Path, args: argparse.Namespace) -> None:
    for k, words in enumerate(WORDS):
        (folder / str(k)).write_text(words)


def readers_corpus(folder: Path, args: argparse.Namespace) -> None:
    atom, parameters = struct.pack("<fffi", 1, 2, 3, 0), struct.pack("<ifff", 45, 1.4, -0.4, 0.1)
    (folder / "deck").write_bytes(
        b"d" + b"\n%\n".join([atom * 3, atom, parameters * 2, struct.pack("<12f", *range(12)), b"1.5 2.5\n"])
    )
    bones = "".join(f"bone{b}:{b - 1}:" + ":".join(["1.0"] * 32) + "\n" for b in range(22))
    vertices = "".join("0.1:0.2:0.3:0:0:0:0:0:1:0:1.0\n" for _ in range(2))
    for kind, more in (("c", " 0.1 0.2"), ("s", "")):
        instance = "1 26\n0 0.1 0.2 0.3" + more + " 0.5" * 26
        (folder / f"hand-{kind}").write_text(kind + "\n%\n".join([instance, bones, vertices, "0:1:1\n"]))


def ir_corpus(folder: Path, args: argparse.Namespace) -> None:
    for source in sorted([*(LIT / "transforms").rglob("*.ll"), *(LIT / "analyses").glob("*.ll")]):
        made = folder / f"{source.stem}.bc"
        done = subprocess.run([args.opt, str(source), "-o", str(made)], capture_output=True)
        if done.returncode or made.stat().st_size > args.largest:
            made.unlink(missing_ok=True)
    for number in range(args.programs):
        program = Program(args.seed, number, False)
        text, made = folder / "program.c", folder / f"program{number}.bc"
        text.write_text(batch.source([program], ("forward",) if number % 2 else ("reverse",)))
        subprocess.run(
            [
                args.clang,
                "-w",
                f"-O{number % 3}",
                "-Xclang",
                "-disable-O0-optnone",
                "-emit-llvm",
                "-c",
                f"-I{HERE.parent}",
                str(text),
                "-o",
                str(made),
            ],
            check=True,
        )
        text.unlink()


CORPORA = {"options": options_corpus, "readers": readers_corpus, "ir": ir_corpus}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=CORPORA)
    parser.add_argument("target", type=Path)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plugin")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument(
        "--programs", type=int, default=12, help="generated programs among the inputs (default %(default)s)"
    )
    parser.add_argument("--largest", type=int, default=32768, help="bytes of an input")
    parser.add_argument("--keep", type=Path, help="where what was found goes (default: the working folder)")
    args = parser.parse_args()
    if not args.target.is_file():
        print(f"skipped: {args.target} is not built; libFuzzer is in the package libclang-rt-22-dev")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        CORPORA[args.name](Path(folder), args)
        seeds = len(list(Path(folder).iterdir()))
        environment = {**os.environ, "RETRO_FUZZ_PLUGIN": args.plugin or ""}
        command = [
            str(args.target.resolve()),
            f"-seed={args.seed}",
            f"-max_total_time={args.seconds}",
            f"-max_len={args.largest}",
            "-timeout=60",
            "-rss_limit_mb=4096",
            "-malloc_limit_mb=2048",
            "-print_final_stats=1",
            *([f"-artifact_prefix={args.keep}/"] if args.keep else []),
            folder,
        ]
        print(f"seed {args.seed}, {seeds} inputs to begin with: {' '.join(command)}", flush=True)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    said = done.stdout + done.stderr
    print("\n".join(line for line in said.splitlines() if "stat::" in line) if done.returncode == 0 else said[-6000:])
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
