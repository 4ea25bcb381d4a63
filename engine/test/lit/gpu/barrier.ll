; A store, a barrier and a load: in the reverse pass the load's adjoint is added
; atomically, since other threads may add too, then comes a barrier, and then
; the store takes its adjoint. The shadow of shared memory is one object a
; block, which the threads clear together. To the shadow of x each thread adds
; plainly: it alone stores y[t].
; RUN: %retro-opt %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@S = internal addrspace(3) global [32 x double] undef, align 8

declare double @__enzyme_autodiff(...)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare double @__nv_sin(double)

define void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %xp = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %s = call double @__nv_sin(double %v)
  %sp = getelementptr double, ptr addrspacecast (ptr addrspace(3) @S to ptr), i64 %i
  store double %s, ptr %sp
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = xor i64 %i, 1
  %sq = getelementptr double, ptr addrspacecast (ptr addrspace(3) @S to ptr), i64 %j
  %w = load double, ptr %sq
  %yp = getelementptr double, ptr %y, i64 %i
  store double %w, ptr %yp
  ret void
}

define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK: @__retro_shadow_S = internal {{.*}}addrspace(3) global [32 x double] {{poison|undef}}
; CHECK-LABEL: define internal void @gradient_f(
; CHECK: call void @__retro_clear_in_block(ptr addrspace(3) @__retro_shadow_S, i32 128)
; CHECK: call double @__nv_sin(
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: atomicrmw fadd ptr {{.*}}, double {{.*}} monotonic
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: [[G:%.*]] = load double, ptr
; CHECK: store double 0.000000e+00
; CHECK: call double @__nv_cos(
; CHECK: fmul {{.*}}double
; CHECK-NOT: atomicrmw
; CHECK: store double
; CHECK: ret

; CHECK-LABEL: define internal void @__retro_clear_in_block(
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: store i16 0
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
