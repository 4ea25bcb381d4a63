; All threads of a launch would clear the shadow of a variable of the device.
; RUN: not %retro-opt %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@Total = internal addrspace(1) global [4 x double] zeroinitializer, align 8

declare double @__enzyme_autodiff(...)

define double @f(ptr %x, i64 %i, i64 %j) {
  %v = load double, ptr %x
  %p = getelementptr double, ptr addrspacecast (ptr addrspace(1) @Total to ptr), i64 %i
  store double %v, ptr %p
  %q = getelementptr double, ptr addrspacecast (ptr addrspace(1) @Total to ptr), i64 %j
  %w = load double, ptr %q
  %r = fmul double %w, %v
  ret double %r
}

define ptx_kernel void @k(ptr %x, ptr %dx, i64 %i, i64 %j) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %i, i64 %j)
  ret void
}

; CHECK: error: {{.*}}the variable 'Total' of the device is active{{.*}}[retro-device-global]
