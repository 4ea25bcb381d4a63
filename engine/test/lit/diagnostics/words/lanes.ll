; Operations that move bits between lanes and have no derivative are refused
; where the bits are those of a number, and so is half a number.
; RUN: split-file %s %t
; RUN: not %retro-opt %t/dpp.ll 2>&1 | FileCheck %s --check-prefix=DPP
; RUN: not %retro-opt %t/half.ll 2>&1 | FileCheck %s --check-prefix=HALF
; RUN: %retro-opt %t/integer.ll | FileCheck %s --check-prefix=INTEGER

;--- dpp.ll
target triple = "amdgcn-amd-amdhsa"
declare double @__enzyme_autodiff(...)
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)
define void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext i32 %t to i64
  %xp = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %xp
  %m = fmul float %v, %v
  %b = bitcast float %m to i32
  %p = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %b, i32 177, i32 15, i32 15, i1 false)
  %w = bitcast i32 %p to float
  %yp = getelementptr float, ptr %y, i64 %i
  %r = fmul float %w, %v
  store float %r, ptr %yp
  ret void
}
define amdgpu_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
; DPP: error: {{.*}}'llvm.amdgcn.update.dpp.i32'{{.*}}[retro-no-derivative]

;--- half.ll
target triple = "nvptx64-nvidia-cuda"
declare double @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
define void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %xp = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %m = fmul double %v, %v
  %b = bitcast double %m to i64
  %lo = trunc i64 %b to i32
  %s = lshr i64 %b, 32
  %hi = trunc i64 %s to i32
  %h = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %hi, i32 4, i32 31)
  %zl = zext i32 %lo to i64
  %zh = zext i32 %h to i64
  %sh = shl i64 %zh, 32
  %w = or i64 %sh, %zl
  %d = bitcast i64 %w to double
  %yp = getelementptr double, ptr %y, i64 %i
  %r = fmul double %d, %v
  store double %r, ptr %yp
  ret void
}
define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
; HALF: error: {{.*}}[retro-bit-arithmetic]

;--- integer.ll
; An index that moves is no number.
target triple = "nvptx64-nvidia-cuda"
declare double @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
define void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 1, i32 31)
  %i = zext i32 %u to i64
  %xp = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %m = fmul double %v, %v
  %j = zext i32 %t to i64
  %yp = getelementptr double, ptr %y, i64 %j
  store double %m, ptr %yp
  ret void
}
define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
; INTEGER-LABEL: define internal void @gradient_f(
; INTEGER: tail call i32 @llvm.nvvm.shfl.sync.down.i32(
; INTEGER-NOT: shfl
; INTEGER: atomicrmw fadd
; INTEGER: ret
