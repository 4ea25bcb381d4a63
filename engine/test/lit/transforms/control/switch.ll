; A merge of more than two ways: the number of the way is kept.
; RUN: %retro-opt %s -retro-post-opt=0 -retro-print-plan 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)
declare double @llvm.exp.f64(double)

define double @f(ptr %p, i32 %k) {
entry:
  %x = load double, ptr %p
  switch i32 %k, label %other [ i32 0, label %zero
                                i32 7, label %seven ]
zero:
  store double 1.0, ptr %p
  %a = fmul double %x, 3.0
  br label %end
seven:
  store double 2.0, ptr %p
  %b = call double @llvm.sin.f64(double %x)
  br label %end
other:
  store double 3.0, ptr %p
  %c = call double @llvm.exp.f64(double %x)
  br label %end
end:
  %r = phi double [ %a, %zero ], [ %b, %seven ], [ %c, %other ]
  ret double %r
}
; The sine's derivative reads its operand, the exponential's its result.
; CHECK-LABEL: plan for f (root)
; CHECK-DAG: cache branch %end : i16 in slot
; CHECK-DAG: cache value %x : double in slot
; CHECK-DAG: cache value %c : double in slot
; CHECK: reverse %end: choose %other %seven %zero

; CHECK-LABEL: @gradient_f(
; CHECK: %from = phi i16 [ 0, %other ], [ 1, %seven ], [ 2, %zero ]
; CHECK: store i16 %from, ptr [[KEPT:%.+]],
; CHECK: rev.end:
; CHECK: [[WAY:%.+]] = load i16, ptr [[KEPT]]
; CHECK: switch i16 [[WAY]], label %rev.zero.edge [
; CHECK-NEXT: i16 0, label %rev.other.edge
; CHECK-NEXT: i16 1, label %rev.seven.edge
; CHECK-NEXT: ]
; CHECK: rev.seven:
; CHECK: call double @llvm.cos.f64(
; The adjoint of what was overwritten by a constant ends.
; CHECK: store double 0.000000e+00, ptr %2,
define void @g(ptr %p, ptr %dp, i32 %k) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, i32 %k)
  ret void
}
