; Markers that speak of the result.
; RUN: %retro-opt %s | FileCheck %s
declare double @__enzyme_autodiff(...)
declare { double, double } @__enzyme_autodiff_pair(...)
declare { double, double } @__enzyme_fwddiff_pair(...)
@enzyme_primal_return = external global i32
@enzyme_const_return = external global i32
@enzyme_active_return = external global i32
@enzyme_noret = external global i32

define double @f(double %x) {
  %p = fmul double %x, %x
  ret double %p
}

; CHECK-LABEL: define { double, double } @with_primal(
; CHECK: [[R:%.+]] = call { double, double } @[[BOTH:[a-z_.0-9]+]](double %x)
; CHECK: ret { double, double } [[R]]
define { double, double } @with_primal(double %x) {
  %r = call { double, double } (...) @__enzyme_autodiff_pair(ptr @f, ptr @enzyme_primal_return, double %x)
  ret { double, double } %r
}

; CHECK-LABEL: define { double, double } @with_primal_forward(
; CHECK: call { double, double } @[[TANGENT:[a-z_.0-9]+]](double %x, double %dx)
define { double, double } @with_primal_forward(double %x, double %dx) {
  %r = call { double, double } (...) @__enzyme_fwddiff_pair(ptr @f, ptr @enzyme_primal_return, double %x, double %dx)
  ret { double, double } %r
}

; CHECK-LABEL: define double @inactive_result(
; CHECK: call { double } @[[CONST:[a-z_.0-9]+]](double %x)
define double @inactive_result(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_const_return, double %x)
  ret double %r
}

; These two say what is so without them.
; CHECK-LABEL: define double @plain(
; CHECK: call { double } @[[PLAIN:[a-z_.0-9]+]](double %x)
; CHECK: call { double } @[[PLAIN]](double %x)
; CHECK: call { double } @[[PLAIN]](double %x)
define double @plain(double %x) {
  %a = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  %b = call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_active_return, double %x)
  %c = call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_noret, double %x)
  %ab = fadd double %a, %b
  %abc = fadd double %ab, %c
  ret double %abc
}

; The primal first, then the derivative.
; CHECK: define internal { double, double } @[[BOTH]](double %0)
; CHECK-DAG: [[P:%.+]] = fmul double %0, %0
; CHECK-DAG: [[D:%.+]] = fmul reassoc nsz double %0, 2.000000e+00
; CHECK: insertvalue { double, double } poison, double [[P]], 0
; CHECK: insertvalue { double, double } {{.*}}, double [[D]], 1
; CHECK: define internal { double, double } @[[TANGENT]](double %0, double %1)
; CHECK: [[PF:%.+]] = fmul double %0, %0
; CHECK: insertvalue { double, double } poison, double [[PF]], 0
; CHECK: define internal { double } @[[CONST]](double %0)
; CHECK-NEXT: rev.:
; CHECK-NEXT: ret { double } zeroinitializer
; CHECK: define internal { double } @[[PLAIN]](double %0)
; CHECK: [[E:%.+]] = fmul reassoc nsz double %0, 2.000000e+00
; CHECK: insertvalue { double } poison, double [[E]], 0
