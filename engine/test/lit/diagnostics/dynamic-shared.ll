; Of an array whose size the launch gives there is no shadow.
; RUN: not %retro-opt %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@Dyn = external addrspace(3) global [0 x double], align 8

declare double @__enzyme_autodiff(...)

define double @f(ptr %x, i64 %i, i64 %j) {
  %v = load double, ptr %x
  %p = getelementptr double, ptr addrspacecast (ptr addrspace(3) @Dyn to ptr), i64 %i
  store double %v, ptr %p
  %q = getelementptr double, ptr addrspacecast (ptr addrspace(3) @Dyn to ptr), i64 %j
  %w = load double, ptr %q
  %r = fmul double %w, %v
  ret double %r
}

define ptx_kernel void @k(ptr %x, ptr %dx, i64 %i, i64 %j) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %i, i64 %j)
  ret void
}

; CHECK: error: {{.*}}the size of the shared array 'Dyn' is known only to the launch{{.*}}[retro-dynamic-shared]
