; nvptx: a thread whose tape the device's heap has no memory for says so, as a
; failed assert() does. (locals.ll: amdgcn has nothing to say it with.)
; RUN: %retro-opt %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__enzyme_autodiff(...)
declare double @__nv_exp(double)

; CHECK-DAG: [[TEXT:@.*]] = {{.*}}c"the device's heap has no memory for more tape: raise its limit (cudaLimitMallocHeapSize)\00"
; CHECK-LABEL: define internal {{.*}}@__retro_tape_grow(
; CHECK: [[MEMORY:%.*]] = call {{.*}}ptr @malloc(
; CHECK: icmp eq ptr [[MEMORY]], null
; CHECK: call void @__assertfail(ptr {{.*}}[[TEXT]]{{[ ,)]}}
; CHECK-NEXT: unreachable
define void @f(ptr %x, ptr %y, i64 %n) {
entry:
  %a = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %a, %entry ], [ %w, %loop ]
  %e = call double @__nv_exp(double %v)
  %w = fmul double %e, %v
  %next = add nuw i64 %i, 1
  %go = icmp ult i64 %next, %n
  br i1 %go, label %loop, label %done
done:
  store double %w, ptr %y
  ret void
}

define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
