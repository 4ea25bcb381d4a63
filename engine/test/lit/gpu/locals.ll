; amdgcn: what is emitted has its local variables in the private address space,
; and the module its layout.
; RUN: %retro-opt %s | FileCheck %s

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

; CHECK: target datalayout = "{{.*}}-A5-G1-
declare double @__enzyme_autodiff(...)
declare double @__ocml_exp_f64(double)

; CHECK-LABEL: define internal {{.*}}@gradient_f(
; CHECK-NOT: alloca {{[^(]*$}}
; CHECK: alloca {{.*}}addrspace(5)
; CHECK: call ptr @__retro_tape_grow(
; CHECK: call double @__ocml_exp_f64(
; CHECK-LABEL: define internal {{.*}}@__retro_tape_grow(
; CHECK: call void @llvm.trap()
; CHECK-NEXT: unreachable
define void @f(ptr %x, ptr %y, i64 %n) {
entry:
  %a = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %a, %entry ], [ %w, %loop ]
  %e = call double @__ocml_exp_f64(double %v)
  %w = fmul double %e, %v
  %next = add nuw i64 %i, 1
  %go = icmp ult i64 %next, %n
  br i1 %go, label %loop, label %done
done:
  store double %w, ptr %y
  ret void
}

define amdgpu_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
