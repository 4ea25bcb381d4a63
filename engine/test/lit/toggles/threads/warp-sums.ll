; warp-sums: what all threads add to one place a warp adds up; off: each thread
; adds atomically. What depends on the thread is not summed.
; RUN: %retro-opt %s -retro-print-plan -retro-print-counters -pass-remarks=retro -o %t.ll 2>&1 | FileCheck --check-prefix=ON %s
; RUN: FileCheck --check-prefix=IR %s < %t.ll
; RUN: %retro-opt %s -retro-print-plan -retro-warp-sums=0 -o %t.off.ll 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: FileCheck --check-prefix=OFFIR %s < %t.off.ll

; ON: remark: {{.*}}the adjoint of what 'f' reads here is added as the sum of a warp: it is the same place in all threads
; ON: add to shadow of %s: reduced
; ON: add to shadow of %xp: atomic
; ON: retro-counter warp-sums 1
; OFF: add to shadow of %s: atomic
; OFF: add to shadow of %xp: atomic
; IR-LABEL: define internal {{.*}}@gradient_f(
; IR-DAG: call void @__retro_warp_add_f64(ptr {{.*}}, double
; IR-DAG: atomicrmw fadd
; IR: ret
; IR-LABEL: define {{.*}}void @__retro_warp_add_f64(
; IR: call i32 @llvm.nvvm.activemask()
; IR: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; IR: atomicrmw fadd
; OFFIR-NOT: __retro_warp_add

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @f(ptr %s, ptr %x, ptr %y, i64 %i, i64 %j) {
  %a = load double, ptr %s
  %xp = getelementptr double, ptr %x, i64 %j
  %v = load double, ptr %xp
  %r = fmul double %a, %v
  %yp = getelementptr double, ptr %y, i64 %i
  store double %r, ptr %yp
  ret void
}

define ptx_kernel void @k(ptr %s, ptr %ds, ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %j = lshr i64 %i, 1
  call void (...) @__enzyme_autodiff(ptr @f, ptr %s, ptr %ds, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %i, i64 %j)
  ret void
}
