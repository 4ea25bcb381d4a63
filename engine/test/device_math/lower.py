#!/usr/bin/env python3
"""Lower the device IR of IN to this machine: OUT. Intrinsics of NVPTX and its simple assembly become calls of what shims.py prints;
anything else of assembly ends the program when it runs."""
import re
import sys

text = open(sys.argv[1]).read()
text = re.sub(r"^target (datalayout|triple) = .*\n", "", text, flags=re.M)
text = text.replace("ptx_kernel ", "")
text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
SINGLE = [("rcp.approx.ftz.f32", "float @asm_rcp_f"), ("rsqrt.approx.ftz.f64", "double @asm_rsqrt_d")]
for mode in ("rn", "rz", "rm", "rp"):
    SINGLE += [
        (f"sub.{mode}.ftz.f32", "float @asm_sub_f"),
        (f"sub.{mode}.f32", "float @asm_sub_f"),
        (f"sub.{mode}.f64", "double @asm_sub_d"),
    ]
for code, name in SINGLE:
    text = re.sub(r'(float|double) asm (sideeffect )?"' + re.escape(code) + r'[^"]*", "[^"]*"', name, text)
    if name in text:
        text += (
            f"declare {name}({', '.join([name.split()[0]] * (1 + ('sub' in name)))})\n"
            if f"declare {name}" not in text
            else ""
        )
text, n = re.subn(r'double asm (sideeffect )?"[^"]*setp\.equ\.f64[^"]*", "[^"]*"', "double @asm_select", text)
if n:
    text += "declare double @asm_select(double, double, double, double)\n"
mad = r'"\{\\0A\\09mad\.lo\.cc\.u32 +\$0, \$2, \$3, \$4;\\0A\\09madc\.hi\.u32 +\$1, \$2, \$3, +0;[^"]*", "[^"]*"'
text, n = re.subn(r"asm (sideeffect )?" + mad, "@asm_mad", text)
if n:
    text += """define internal { i32, i32 } @asm_mad(i32 %a, i32 %b, i32 %c) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %z = zext i32 %c to i64
  %m = mul i64 %x, %y
  %s = add i64 %m, %z
  %lo = trunc i64 %s to i32
  %h = lshr i64 %s, 32
  %hi = trunc i64 %h to i32
  %r = insertvalue { i32, i32 } poison, i32 %lo, 0
  %q = insertvalue { i32, i32 } %r, i32 %hi, 1
  ret { i32, i32 } %q
}
"""
text = re.sub(
    r'(?m)(call )([^\n]*?) asm (sideeffect )?"[^"]*", "[^"]*"\(.*\)(?=( #|, !|$))',
    lambda m: f"{m[1]}{m[2]} @asm_unknown()",
    text,
)
if "@asm_unknown" in text:
    types = sorted(set(re.findall(r"call ([^\n]*?) @asm_unknown", text)))
    for i, t in enumerate(types):
        text = text.replace(f"call {t} @asm_unknown()", f"call {t} @asm_unknown{i}()")
        text += f"define {t} @asm_unknown{i}() {{\n  call void @abort()\n  unreachable\n}}\n"
    text += "declare void @abort()\n"
text = re.sub(r"@llvm\.nvvm\.([\w.]+)", lambda m: "@nv_" + m[1].replace(".", "_"), text)
open(sys.argv[2], "w").write(text)
