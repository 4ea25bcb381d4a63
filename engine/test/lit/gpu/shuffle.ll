; A double moves between lanes as two words. The engine sees one value: its
; adjoint moves the other way, as two words again, and lanes that were left
; their own value keep theirs. The adjoint of a float that all lanes read from
; one is the sum of them all. Tangents move like the values.
; RUN: %retro-opt %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)

define void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %xp = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %m = fmul double %v, %v
  %b = bitcast double %m to i64
  %lo = trunc i64 %b to i32
  %l = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %lo, i32 4, i32 31)
  %s = lshr i64 %b, 32
  %hi = trunc i64 %s to i32
  %h = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %hi, i32 4, i32 31)
  %zl = zext i32 %l to i64
  %zh = zext i32 %h to i64
  %sh = shl i64 %zh, 32
  %w = or i64 %sh, %zl
  %d = bitcast i64 %w to double
  %r = fmul double %d, %v
  %yp = getelementptr double, ptr %y, i64 %i
  store double %r, ptr %yp
  ret void
}

define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK-LABEL: define internal void @gradient_f(
; CHECK: tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 {{.*}}, i32 4, i32 31)
; CHECK: tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 {{.*}}, i32 4, i32 31)
; CHECK: tail call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 {{.*}} 4, i32 {{.*}} 0)
; CHECK: tail call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 {{.*}} 4, i32 {{.*}} 0)
; CHECK-NOT: shfl
; CHECK: ret void

define void @g(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %xp = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %xp
  %b = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %v, i32 7, i32 31)
  %r = fmul float %b, %v
  %yp = getelementptr float, ptr %y, i64 %i
  store float %r, ptr %yp
  ret void
}

define ptx_kernel void @kg(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @g, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

define ptx_kernel void @kf(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__enzyme_fwddiff(ptr @g, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK-LABEL: define internal void @gradient_g(
; CHECK: tail call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float {{.*}}, i32 7, i32 31)
; CHECK: tail call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
; CHECK: tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(

; CHECK-LABEL: define internal {{.*}} @tangent_of_g(
; CHECK: tail call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float {{.*}}, i32 7, i32 31)
; CHECK: tail call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float {{.*}}, i32 7, i32 31)
; CHECK-NOT: shfl
; CHECK: ret
