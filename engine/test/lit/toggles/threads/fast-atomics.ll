; fast-atomics: on amdgcn, additions that the hardware does; off: those that are
; right in any memory.
; RUN: %retro-opt %s | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-fast-atomics=0 | FileCheck --check-prefix=OFF %s
; ON: atomicrmw fadd ptr {{.*}} syncscope("agent") monotonic, align 8, {{.*}}!amdgpu.no.fine.grained.memory
; OFF: atomicrmw fadd ptr {{.*}} double {{[^ ]*}} monotonic, align 8
; OFF-NOT: amdgpu.no

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

declare void @__enzyme_autodiff(...)

define void @f(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %s = fmul double %v, %v
  %old = atomicrmw fadd ptr %y, double %s monotonic
  ret void
}

define amdgpu_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
