#!/usr/bin/python3
"""Stands in for clang in the runner's tests (TEST ONLY). `-c` stores its command line; a link makes a
program that writes one invented row with the toggles of that command line. Macros steer it: -DBREAK fails
to compile, -DWRONG gives a wrong gradient, -DHANG hangs, -DNO_TAPE has no tape to count, -DFULL finds no space on the disk, -DMEMORY
finds no memory, -DCRASH crashes, -DSLOW takes its time,
-DTUNE is faster without the second toggle, -DDRIFT takes twice as long in a launch that verifies nothing, -DLATER crashes there."""
import re
import sys
from pathlib import Path

arguments = sys.argv[1:]
out = Path(arguments[arguments.index("-o") + 1])
if "-c" in arguments:
    if "-DBREAK" in arguments:
        sys.exit("cube.cpp:1:2: error: cannot differentiate this [retro-test]")
    if "-DFULL" in arguments:
        sys.exit("fatal error: error in backend: IO failure on output stream: No space left on device")
    out.write_text("\n".join(arguments))
    if "-retro-print-counters" in arguments:
        print("retro-counter first 3\nretro-counter second 0", file=sys.stderr)
    sys.exit(0)

compiled = Path(arguments[0]).read_text()
toggles = " ".join(
    t for t in re.findall(r"^-retro-(.*)$", compiled, re.M) if not t.startswith(("tape-stats", "print-counters"))
)
out.write_text(
    f"""#!/usr/bin/python3
import json, sys, time
if {"-DHANG" in compiled}: time.sleep(60)
if {"-DSLOW" in compiled}: time.sleep(0.3)
if {"-DMEMORY" in compiled}: sys.exit("terminate called after throwing an instance of 'std::bad_alloc'")
if {"-DCRASH" in compiled}: __import__("os").abort()
wrong = {"-DWRONG" in compiled}
again = "--time-only" in sys.argv
if again and {"-DLATER" in compiled}: __import__("os").abort()
argument = lambda name: sys.argv[sys.argv.index(name) + 1]
seconds = 0.5 if {"-DTUNE" in compiled and "second=0" in toggles} else 2.0 if again and {"-DDRIFT" in compiled} else 1.0
timing = dict(median=1.0, q1=1.0, q3=1.0, runs=[1.0] * int(argument("--repetitions")))
gradient = dict(median=seconds, q1=seconds, q3=seconds, runs=[seconds] * int(argument("--repetitions")),
              tape_bytes={1536 if "tape-stats" in compiled and "-DNO_TAPE" not in compiled else None})
row = dict(suite="TEST DATA", benchmark="cube", compiler="TEST DATA", kernel=argument("--kernel"),
           size=argument("--size"), size_values=dict(n=3), variant=argument("--variant"), toggles={toggles!r},
           verified=dict() if again else dict(primal=True, gradient=not wrong), overhead=dict(gradient=seconds),
           columns=dict(primal=timing, **(dict() if wrong else dict(gradient=gradient))),
           results=dict(gradient=dict(entries=3, norm=1.0, sum=1.0, digest="00000000deadbeef")),
           verdicts=[dict(column="gradient", size="tiny", check="entries", error=0.5, tolerance=1e-10,
                          outcome="failed" if wrong else "passed")])
open(argument("--json"), "w").write(json.dumps(dict(rows=[row])))
sys.exit(1 if wrong else 0)
"""
)
out.chmod(0o755)
