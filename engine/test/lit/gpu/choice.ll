; A maximum of words that are numbers, which threads of a device find together:
; in the reverse pass the one thread whose value replaced another and is still
; there takes the adjoint. All have to have come by before, and of one block. A
; loop that compares and swaps is the operation that it is.
; RUN: %retro-opt %s -retro-post-opt=0 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)

define void @largest(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %w = bitcast float %v to i32
  atomicrmw max ptr %y, i32 %w monotonic
  ret void
}

define void @sum(ptr %x, ptr %y) {
entry:
  %v = load float, ptr %x
  %first = load i32, ptr %y
  br label %again
again:
  %old = phi i32 [ %first, %entry ], [ %seen, %again ]
  %f = bitcast i32 %old to float
  %p = fadd float %f, %v
  %w = bitcast float %p to i32
  %r = cmpxchg ptr %y, i32 %old, i32 %w monotonic monotonic
  %seen = extractvalue { i32, i1 } %r, 0
  %done = icmp eq i32 %seen, %old
  br i1 %done, label %exit, label %again
exit:
  ret void
}

define void @gradients(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @largest, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call double (...) @__enzyme_autodiff(ptr @sum, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_fwddiff(ptr @largest, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK-LABEL: define internal {{.*}}@gradient_largest
; CHECK: [[OLD:%.*]] = atomicrmw max ptr %{{.*}}, i32 [[W:%.*]] monotonic
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: call void @__retro_one_block()
; CHECK: load atomic i32
; CHECK: [[AT:%.*]] = select i1 %{{.*}}, ptr %{{.*}}, ptr %lost
; CHECK: load atomic float, ptr [[AT]] monotonic
; CHECK: store atomic float 0.000000e+00, ptr [[AT]] monotonic

; CHECK-LABEL: define internal {{.*}}@gradient_sum
; CHECK-NOT: cmpxchg
; CHECK: atomicrmw fadd ptr %{{.*}}, float %{{.*}} monotonic
; CHECK-NOT: barrier
; CHECK: ret

; CHECK-LABEL: define internal {{.*}}@tangent_of_largest
; CHECK: [[OLD:%.*]] = atomicrmw max
; CHECK: call void @__retro_take.4.32.0.0(i1
