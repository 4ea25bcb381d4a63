; On a device, what changes a number's bits atomically and is neither a sum nor
; a choice that the reverse pass can see is refused; it is never taken for
; counting.
; RUN: sed 's/@request/@product/' %s | not %retro-opt -disable-output 2>&1 | FileCheck -DIN=product %s
; RUN: sed 's/@request/@added/' %s | not %retro-opt -disable-output 2>&1 | FileCheck -DIN=added %s
; RUN: sed 's/@request/@masked/' %s | not %retro-opt -disable-output 2>&1 | FileCheck -DIN=masked %s
; RUN: sed 's/@request/@overwritten/' %s | not %retro-opt -disable-output 2>&1 | FileCheck -DIN=overwritten %s
; RUN: sed 's/@request/@looked/' %s | not %retro-opt -disable-output 2>&1 | FileCheck -DIN=looked %s
; CHECK: error: in function '[[IN]]': atomic operations of this kind on active values are not supported [retro-atomic]

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__enzyme_autodiff(...)

define void @product(ptr %x, ptr %y) {
entry:
  %v = load float, ptr %x
  %first = load i32, ptr %y
  br label %again
again:
  %old = phi i32 [ %first, %entry ], [ %seen, %again ]
  %f = bitcast i32 %old to float
  %p = fmul float %f, %v
  %w = bitcast float %p to i32
  %r = cmpxchg ptr %y, i32 %old, i32 %w monotonic monotonic
  %seen = extractvalue { i32, i1 } %r, 0
  %done = icmp eq i32 %seen, %old
  br i1 %done, label %exit, label %again
exit:
  ret void
}

define void @added(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %w = bitcast float %v to i32
  atomicrmw add ptr %y, i32 %w monotonic
  ret void
}

define void @masked(ptr %x, ptr %y) {
  %v = load float, ptr %x
  store float %v, ptr %y
  atomicrmw and ptr %y, i32 2147483647 monotonic
  ret void
}

define void @overwritten(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %w = bitcast float %v to i32
  atomicrmw max ptr %y, i32 %w monotonic
  %m = load float, ptr %y
  %s = fmul float %m, %m
  store float %s, ptr %y
  ret void
}

define void @looked(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %s = fmul float %v, %v
  %w = bitcast float %s to i32
  %old = atomicrmw max ptr %y, i32 %w monotonic
  %f = bitcast i32 %old to float
  %d = fadd float %f, %v
  %at = getelementptr float, ptr %y, i64 1
  store float %d, ptr %at
  ret void
}

define void @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @request, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
