; tape-inline: a kernel finds its place in a pool by itself, or calls what does.
; RUN: %retro-opt %s -retro-print-counters -o %t.on.ll 2>&1 | FileCheck --check-prefix=COUNT %s
; RUN: FileCheck --check-prefix=ON %s < %t.on.ll
; RUN: %retro-opt %s -retro-tape-inline=0 -o - | FileCheck --check-prefix=OFF %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__enzyme_autodiff(...)
declare double @__nv_exp(double)
@enzyme_pool = external global i32
@enzyme_const = external global i32

; COUNT: retro-counter tape-inline 2
; ON-LABEL: define ptx_kernel void @kernel(
; ON-NOT: call {{.*}} @__retro_thread
; ON: ret void
; OFF-LABEL: define ptx_kernel void @kernel(
; OFF: call {{.*}} @__retro_thread_of_launch()
; OFF: call {{.*}} @__retro_threads_of_launch()
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  %t = call double @__nv_exp(double %s)
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}

define ptx_kernel void @kernel(double %x, i64 %n, ptr %memory, i64 %bytes, ptr %out) {
  %pool = load i32, ptr @enzyme_pool
  %d = call double (...) @__enzyme_autodiff(ptr @f, i32 %pool, ptr %memory, i64 %bytes, double %x, i64 %n)
  store double %d, ptr %out
  ret void
}
