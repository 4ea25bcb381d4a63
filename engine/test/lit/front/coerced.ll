; A float passed through '...' arrives as a double, a short as an int.
; RUN: %retro-opt %s | FileCheck %s
declare double @__enzyme_autodiff(...)

define float @f(float %x, i16 %n) {
  %m = sitofp i16 %n to float
  %p = fmul float %x, %m
  ret float %p
}
; CHECK-LABEL: define double @g(
; CHECK: [[X:%.+]] = fptrunc double %x to float
; CHECK: [[N:%.+]] = trunc i32 %n to i16
; CHECK: [[R:%.+]] = call { float } @gradient_f(float [[X]], i16 [[N]])
; CHECK: [[D:%.+]] = extractvalue { float } [[R]], 0
; CHECK: fpext float [[D]] to double
define double @g(double %x, i32 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %n)
  ret double %r
}
