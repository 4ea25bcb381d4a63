; The adjoint of a select goes to the arm that was taken; the factor of the
; other arm may be infinite, so that 0 times it is guarded.
; RUN: %retro-opt %s | FileCheck %s
declare { double, double } @__enzyme_autodiff(...)

define double @f(double %x, double %y) {
  %c = fcmp ogt double %x, 1.0
  %p = fmul double %x, %y
  %s = select i1 %c, double %p, double %y
  ret double %s
}
; CHECK-LABEL: define internal { double, double } @gradient_f(double %0, double %1)
; CHECK: [[C:%.+]] = fcmp ogt double %0, 1.000000e+00
; CHECK-DAG: [[P:%.+]] = select i1 [[C]], double 1.000000e+00, double 0.000000e+00
; CHECK-DAG: [[Y:%.+]] = select i1 [[C]], double 0.000000e+00, double 1.000000e+00
; CHECK: [[DX:%.+]] = fmul double %1, [[P]]
; CHECK: fcmp uno double [[DX]], 0.000000e+00
; CHECK: select i1 {{.*}}, double 0.000000e+00, double [[DX]]
define { double, double } @g(double %x, double %y) {
  %r = call { double, double } (...) @__enzyme_autodiff(ptr @f, double %x, double %y)
  ret { double, double } %r
}
