; race-smt: what the affine test does not prove of threads, the solver may. Here
; that rows of n are apart, of which threads below n read elements.
; RUN: %retro-opt %s -retro-print-counters 2>%t && FileCheck --check-prefix=COUNT %s < %t && %retro-opt %s | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-counters -retro-race-smt=0 2>&1 | FileCheck --check-prefix=OFF %s
; COUNT: retro-counter race-smt 1
; ON: define internal void @gradient_rows(
; ON-NOT: atomicrmw fadd
; OFF: retro-counter race-smt 0
; OFF: atomicrmw fadd

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @rows(ptr %x, ptr %y, i64 %i, i64 %n) {
  %ap = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %ap
  %j = add nsw i64 %i, %n
  %bp = getelementptr inbounds double, ptr %x, i64 %j
  %b = load double, ptr %bp
  %s = fmul double %a, %b
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  store double %s, ptr %yp
  ret void
}

define ptx_kernel void @all(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %in = icmp slt i64 %i, %n
  br i1 %in, label %yes, label %no
yes:
  call void (...) @__enzyme_autodiff(ptr @rows, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %i, i64 %n)
  br label %no
no:
  ret void
}
