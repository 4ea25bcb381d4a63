; The adjoints of a variable of the device are added to the shadow that is
; registered, which nothing clears: in one place of all threads as a warp, else
; atomically. It may be of the device's address space or seen through a cast.
; RUN: %retro-opt %s | FileCheck %s
; RUN: %retro-opt -retro-warp-sums=0 %s | FileCheck --check-prefix=PLAIN %s

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@W = addrspace(1) externally_initialized global [4 x double] zeroinitializer
@DW = addrspace(1) externally_initialized global [4 x double] zeroinitializer
@V = addrspace(1) externally_initialized global double 0.0, !enzyme_shadow !{ptr addrspace(1) @DV}
@DV = addrspace(1) externally_initialized global double 0.0
@__enzyme_register_shadow_W = addrspace(1) constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @W to ptr), ptr addrspacecast (ptr addrspace(1) @DW to ptr)]

declare double @__enzyme_autodiff(...)

define double @f(double %x, i64 %i) {
  %p = getelementptr double, ptr addrspace(1) @W, i64 %i
  %w = load double, ptr addrspace(1) %p
  %v = load double, ptr addrspacecast (ptr addrspace(1) @V to ptr)
  %wv = fmul double %w, %v
  %r = fmul double %wv, %x
  ret double %r
}

define amdgpu_kernel void @k(double %x, i64 %n) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext i32 %t to i64
  %j = and i64 %i, 3
  call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %j)
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-NOT: __retro_shadow
; CHECK-LABEL: define {{.*}} @gradient_f(
; CHECK-NOT: call void @llvm.memset
; CHECK: call void @__retro_warp_add_f64(ptr {{.*}}@DV{{.*}}, double
; CHECK: [[P:%.+]] = getelementptr double, ptr addrspace(1) @DW, i64 %1
; CHECK: atomicrmw fadd ptr addrspace(1) [[P]], double {{.*}} syncscope("agent") monotonic
; CHECK-LABEL: define {{.*}}@__retro_warp_add_f64

; PLAIN-LABEL: define {{.*}} @gradient_f(
; PLAIN: atomicrmw fadd ptr {{.*}}@DV
; PLAIN: atomicrmw fadd ptr addrspace(1) {{%.+}}, double
