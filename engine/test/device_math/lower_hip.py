#!/usr/bin/env python3
"""Lower the device IR of IN to this machine: OUT. All memory is in one address space, and AMD's intrinsics are functions of shims_hip.c."""
import re
import sys

text = open(sys.argv[1]).read()
text = re.sub(r"^target (datalayout|triple) = .*\n", "", text, flags=re.M)
text = re.sub(r'"(target-(cpu|features)|amdgpu-[a-z-]*|denormal[a-z0-9-]*)"(="[^"]*")?', "", text)
text = re.sub(r",? addrspace\(\d\)", "", text)
text = re.sub(r"addrspacecast \((ptr [^)]*) to ptr\)", r"bitcast (\1 to ptr)", text).replace("addrspacecast", "bitcast")
text = re.sub(r"\.p5\b", ".p0", text)
text = re.sub(r"@llvm\.amdgcn\.([\w.]+)", lambda m: "@gcn_" + m[1].replace(".", "_"), text)
text = re.sub(r"(?m)^define (internal|hidden|protected) (.*@(primal|reverse|forward|both)_\w+\()", r"define \2", text)
open(sys.argv[2], "w").write(text)
