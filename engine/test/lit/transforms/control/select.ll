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

; A factor that is one of two finite numbers needs no guard, whichever it is.
define double @of_two(double %x, double %y) {
  %c = fcmp ogt double %x, 1.0
  %k = select i1 %c, double 7.600000e+01, double 5.000000e-01
  %p = fmul double %y, %k
  %s = select i1 %c, double %p, double %x
  ret double %s
}
; CHECK-LABEL: define internal { double, double } @gradient_of_two(
; CHECK-NOT: fcmp {{une|uno|oeq}}
; CHECK: ret { double, double }

; Flags promise that a factor is finite: in an arm that is not taken the promise
; may be broken.
define double @promised(double %x, double %y) {
  %c = fcmp ogt double %x, 1.0
  %k = fadd nnan ninf double %x, 1.0
  %p = fmul double %y, %k
  %s = select i1 %c, double %p, double %x
  ret double %s
}
; CHECK-LABEL: define internal { double, double } @gradient_promised(
; CHECK: fcmp uno
; CHECK: ret { double, double }
define void @more(double %x, double %y) {
  %a = call { double, double } (...) @__enzyme_autodiff(ptr @of_two, double %x, double %y)
  %b = call { double, double } (...) @__enzyme_autodiff(ptr @promised, double %x, double %y)
  ret void
}
