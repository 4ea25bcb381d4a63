; What the engine links into device code is for the code objects of the program.
; RUN: opt -load-pass-plugin=%plugin -passes='default<O2>' -S %s | FileCheck %s
; CHECK: define {{.*}}@__retro_
; CHECK: !{i32 1, !"amdhsa_code_object_version", i32 500}
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
define float @f(ptr %x) {
  %v = load float, ptr %x
  %w = bitcast float %v to i32
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = mul i32 %lane, 12
  %got = call i32 @llvm.amdgcn.ds.bpermute(i32 %from, i32 %w)
  %g = bitcast i32 %got to float
  %y = fmul float %g, %g
  ret float %y
}
define amdgpu_kernel void @k(ptr %x, ptr %dx) {
  %d = call float (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}
declare float @__enzyme_autodiff(...)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.workitem.id.x()
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
