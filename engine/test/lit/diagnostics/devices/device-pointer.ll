; What a variable of the device points to has no shadow if the variable has none.
; RUN: not %retro-opt %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@Table = addrspace(1) externally_initialized global ptr null, align 8

declare double @__enzyme_autodiff(...)

define double @g(ptr %x, i64 %i, i64 %j) {
  %v = load double, ptr %x
  %t = load ptr, ptr addrspacecast (ptr addrspace(1) @Table to ptr)
  %p = getelementptr double, ptr %t, i64 %i
  store double %v, ptr %p
  %q = getelementptr double, ptr %t, i64 %j
  %w = load double, ptr %q
  %r = fmul double %w, %v
  ret double %r
}

define ptx_kernel void @l(ptr %x, ptr %dx, i64 %i, i64 %j) {
  call double (...) @__enzyme_autodiff(ptr @g, ptr %x, ptr %dx, i64 %i, i64 %j)
  ret void
}

; CHECK: error: {{.*}}the variable 'Table' of the device is active{{.*}}[retro-device-global]
