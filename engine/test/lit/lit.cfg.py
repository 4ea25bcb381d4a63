# How lit runs the tests below: emitted IR, plans and messages are compared
# with FileCheck, and programs are built, run and compared with exact values.
import os
import re
import shutil

import lit.formats

config.name = "retrograde"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["out"]

plugin = os.path.abspath(lit_config.params["plugin"])
tools = lit_config.params.get("tools", "/usr/lib/llvm-22/bin")
config.environment["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])
# What every stage of the engine leaves is verified.
config.environment["RETRO_VERIFY_EACH"] = "1"
inputs = os.path.join(config.test_source_root, "Inputs")
include = os.path.join(config.test_source_root, "..", "..", "include")
if shutil.which("ld.lld", path=config.environment["PATH"]):
    config.available_features.add("lld")
for feature, compiler in (("mpi", "mpicc"), ("mpich", "mpicc.mpich")):
    if shutil.which(compiler):
        config.available_features.add(feature)

# What __retro_applied_toggles says where nothing is switched off.
table = os.path.join(config.test_source_root, "..", "..", "base", "toggles.def")
with open(table) as file:
    all_toggles = " ".join(f"{name}=1" for name in re.findall(r'^TOGGLE\(\w+, "([a-z-]+)"', file.read(), re.M))

# Longer names first: the first that matches is replaced.
load = f"-fpass-plugin={plugin}"
config.substitutions += [
    # The pass alone, on IR as it stands.
    # For a test of one optimization, switched on by name: no other is to change it.
    (r"%retro-plain\b", f"opt -load-pass-plugin={plugin} -passes=retrograde -retro-plain -S"),
    (r"%retro-opt\b", f"opt -load-pass-plugin={plugin} -passes=retrograde -S"),
    # clang with the engine; programs that use it include request.h.
    (r"%retro-clang\+\+", f"clang++ -std=c++20 {load} -I{inputs}"),
    (r"%retro-clang\b", f"clang {load} -I{inputs}"),
    (r"%plugin\b", plugin),
    (r"%all-toggles\b", all_toggles),
    (r"%inputs\b", inputs),
    # The headers that are installed.
    (r"%include\b", include),
]
