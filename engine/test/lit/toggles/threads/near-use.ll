; near-use: where registers do not suffice, products of inputs are made again
; near their use: their inputs are loaded again, and a block may have all
; registers. Memory that is written is not loaded from again.
; RUN: split-file %s %t
; RUN: %retro-opt -retro-gpu-registers=1 -retro-gpu-near=2 %t/nv.ll | FileCheck %s --check-prefixes=CHECK,NV
; RUN: %retro-opt -retro-gpu-registers=1 -retro-gpu-near=2 %t/amd.ll | FileCheck %s --check-prefixes=CHECK,AMD
; RUN: %retro-opt -retro-print-plan -retro-gpu-registers=1 -retro-gpu-near=2 -disable-output %t/nv.ll 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %retro-opt %t/nv.ll | FileCheck %s --check-prefix=KEPT
; RUN: %retro-opt -retro-near-use=0 -retro-gpu-registers=1 -retro-gpu-near=2 %t/nv.ll | FileCheck %s --check-prefix=KEPT

; PLAN: plan for f (root)
; PLAN: input %x
; PLAN-NOT: input %y
; NV: define ptx_kernel void @k({{.*}}) #[[K:[0-9]+]]
; NV: define ptx_kernel void @said({{.*}}) #[[SAID:[0-9]+]]
; CHECK: define internal void @gradient_f(ptr noalias %0, ptr noalias %1, ptr %2, ptr noalias %3)
; CHECK: load double, ptr %0
; NV: [[X:%.*]] = load atomic double, ptr %0 syncscope("block") monotonic, align 8
; AMD: [[X:%.*]] = load atomic double, ptr %0 syncscope("workgroup") monotonic, align 8
; CHECK-NEXT: fmul double [[X]], [[X]]
; CHECK-NOT: load atomic double, ptr %1
; CHECK: ret void
; NV-DAG: attributes #[[K]] = {{.*}}"nvvm.minctasm"="1"
; NV-DAG: attributes #[[SAID]] = {{.*}}"nvvm.minctasm"="4"

; KEPT: @gradient_f(
; KEPT-NOT: load atomic
; KEPT-NOT: "nvvm.minctasm"="1"
; KEPT: "nvvm.minctasm"="4"

;--- nv.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__enzyme_autodiff(...)
declare double @__nv_sin(double)
define void @f(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x
  %v = load double, ptr %y
  %p = fmul double %a, %a
  %q = fmul double %p, %v
  %s = call double @__nv_sin(double %q)
  %r = fmul double %s, %p
  %t = fmul double %r, %r
  store double %t, ptr %y
  ret void
}
define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) #0 {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
define ptx_kernel void @said(ptr %x, ptr %dx, ptr %y, ptr %dy) #1 {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
attributes #0 = { "nvvm.maxntid"="64" }
attributes #1 = { "nvvm.maxntid"="64" "nvvm.minctasm"="4" }

;--- amd.ll
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
declare void @__enzyme_autodiff(...)
declare double @__ocml_sin_f64(double)
define void @f(ptr noalias %x, ptr noalias %y) {
  %a = load double, ptr %x
  %v = load double, ptr %y
  %p = fmul double %a, %a
  %q = fmul double %p, %v
  %s = call double @__ocml_sin_f64(double %q)
  %r = fmul double %s, %p
  %t = fmul double %r, %r
  store double %t, ptr %y
  ret void
}
define amdgpu_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
