; Equal requests share one derivative; another activity or mode has its own.
; RUN: %retro-opt %s | FileCheck %s
; RUN: %retro-opt %s | FileCheck --check-prefix=COUNT %s
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
@enzyme_const = external global i32

define double @f(double %x, double %y) {
  %p = fmul double %x, %y
  ret double %p
}
define double @g(double %x) {
  %p = call double @f(double %x, double %x)
  ret double %p
}

; COUNT-COUNT-3: define internal { double } @{{(gradient|tangent).*}}(
; COUNT-NOT: define internal

; CHECK-LABEL: define double @first(
; CHECK: call { double } @[[BY_X:[a-z_.0-9]+]](double %x, double %y)
; CHECK-LABEL: define double @second(
; CHECK: call { double } @[[BY_X]](double %y, double %x)
; CHECK: call { double } @[[OF_G:gradient_g]](double %x)
; CHECK: call { double } @[[FORWARD:tangent_of_f]](double %x, double %y, double 1.000000e+00, double 0.000000e+00)
define double @first(double %x, double %y) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_const, double %y)
  ret double %r
}
define double @second(double %x, double %y) {
  %a = call double (...) @__enzyme_autodiff(ptr @f, double %y, ptr @enzyme_const, double %x)
  %b = call double (...) @__enzyme_autodiff(ptr @g, double %x)
  %c = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, double %y, double 0.0)
  %ab = fadd double %a, %b
  %abc = fadd double %ab, %c
  ret double %abc
}
