; The last block of a launch that comes adds up what the others have left: the
; order of blocks is nowhere recorded. A fence within a block is a barrier's.
; RUN: not %retro-opt %s 2>&1 | FileCheck %s
; RUN: sed '/^declare/!s/membar.gl/membar.cta/' %s | %retro-opt - | FileCheck --check-prefix=WITHIN %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__enzyme_autodiff(...)
@enzyme_const = external global i32
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.membar.cta()

define void @f(ptr %x, ptr %y, ptr %count, i32 %n) {
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %y
  call void @llvm.nvvm.membar.gl()
  %before = atomicrmw add ptr %count, i32 1 seq_cst
  %last = icmp eq i32 %before, %n
  br i1 %last, label %sum, label %end
sum:
  %q = getelementptr double, ptr %y, i64 1
  %w = load double, ptr %q
  store double %w, ptr %x
  br label %end
end:
  ret void
}

define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %count, i32 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr @enzyme_const, ptr %count, i32 %n)
  ret void
}

; CHECK: error: {{.*}}threads may wait for each other here by memory alone{{.*}}[retro-thread-order]
; WITHIN: define internal void @gradient_f
