; amdgcn: an array of a kernel lies on the tape of its launch, which is not
; where the device keeps local variables: no private address of it is made. What
; passes such an address on is refused.
; RUN: split-file %s %t
; RUN: %retro-opt -retro-kernels=all -retro-post-opt=0 %t/array.ll | FileCheck %s
; RUN: not %retro-opt -retro-kernels=all -retro-inline=0 %t/passed.ll 2>&1 | FileCheck %s --check-prefix=PASSED

; CHECK-LABEL: define internal {{.*}}@augmented___retro_kernel_k(
; CHECK-NOT: addrspacecast ptr %{{.*}} to ptr addrspace(5)
; CHECK: call void @llvm.memset.p0.i64(
; CHECK-NOT: addrspacecast ptr %{{.*}} to ptr addrspace(5)
; CHECK-LABEL: define internal {{.*}}@reverse___retro_kernel_k(

; PASSED: error: {{.*}}a local variable whose private address is passed on {{.*}}[retro-unsupported-mode]
;--- array.ll
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %x, i32 %i, i32 %j) {
entry:
  %a = alloca [4 x double], align 16, addrspace(5)
  call void @llvm.memset.p5.i64(ptr addrspace(5) align 16 %a, i8 0, i64 32, i1 false)
  %v = load double, ptr addrspace(1) %x
  %p = getelementptr double, ptr addrspace(5) %a, i32 %i
  store double %v, ptr addrspace(5) %p
  %q = getelementptr double, ptr addrspace(5) %a, i32 %j
  %w = load double, ptr addrspace(5) %q
  %s = fmul double %w, %v
  store double %s, ptr addrspace(1) %x
  ret void
}
;--- passed.ll
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
define internal double @read(ptr addrspace(5) %a, i32 %j) noinline {
  %q = getelementptr double, ptr addrspace(5) %a, i32 %j
  %w = load double, ptr addrspace(5) %q
  %s = fmul double %w, %w
  ret double %s
}
define amdgpu_kernel void @k(ptr addrspace(1) %x, i32 %i, i32 %j) {
entry:
  %a = alloca [4 x double], align 16, addrspace(5)
  %v = load double, ptr addrspace(1) %x
  %p = getelementptr double, ptr addrspace(5) %a, i32 %i
  store double %v, ptr addrspace(5) %p
  %s = call double @read(ptr addrspace(5) %a, i32 %j)
  store double %s, ptr addrspace(1) %x
  ret void
}
