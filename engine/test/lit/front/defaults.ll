; Without markers pointers are duplicated, numbers are active, integers are
; constant; shadows follow the primal arguments of the derivative.
; RUN: %retro-opt %s | FileCheck %s
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)

define double @f(ptr %a, double %x, i32 %n) {
  %v = load double, ptr %a
  %p = fmul double %v, %x
  %m = sitofp i32 %n to double
  %q = fmul double %p, %m
  ret double %q
}

; CHECK-LABEL: define double @reverse(
; CHECK: call { double } @gradient_f(ptr %a, double %x, i32 %n, ptr %da)
; CHECK-NOT: @__enzyme
define double @reverse(ptr %a, ptr %da, double %x, i32 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, double %x, i32 %n)
  ret double %r
}

; Forward mode: a number has a tangent.
; CHECK-LABEL: define double @forward(
; CHECK: call { double } @tangent_of_f(ptr %a, double %x, i32 %n, ptr %da, double %dx)
; CHECK-NOT: @__enzyme
define double @forward(ptr %a, ptr %da, double %x, double %dx, i32 %n) {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, ptr %a, ptr %da, double %x, double %dx, i32 %n)
  ret double %r
}

; d/dx = a n is returned, d/da = x n is added to the shadow.
; CHECK-LABEL: define internal { double } @gradient_f(ptr %0, double %1, i32 %2, ptr %3)
; CHECK: [[A:%.+]] = load double, ptr %0
; CHECK: [[N:%.+]] = sitofp i32 %2 to double
; CHECK-DAG: [[DX:%.+]] = fmul double [[A]], [[N]]
; CHECK-DAG: [[G:%.+]] = fmul double %1, [[N]]
; CHECK: [[OLD:%.+]] = load double, ptr %3
; CHECK: [[NEW:%.+]] = fadd double [[G]], [[OLD]]
; CHECK: store double [[NEW]], ptr %3
; CHECK: insertvalue { double } poison, double [[DX]], 0

; CHECK-LABEL: define internal { double } @tangent_of_f(ptr %0, double %1, i32 %2, ptr %3, double %4)
; CHECK: load double, ptr %3
; CHECK: fmul double %4,
