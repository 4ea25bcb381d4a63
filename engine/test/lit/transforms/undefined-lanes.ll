; A lane that the primal leaves undefined, for nobody reads it, is multiplied
; with an adjoint of 0: it is defined, or the sum would be poison.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 | FileCheck %s
declare void @__enzyme_autodiff(...)

; CHECK-LABEL: define internal {} @gradient_product(ptr %0, ptr %1)
; CHECK: %v = load
; CHECK: shufflevector <2 x double> %v, <2 x double> zeroinitializer, <2 x i32> <i32 1, i32 0>
; CHECK: ret {}
define double @product(ptr %a) {
  %v = load <2 x double>, ptr %a, align 8
  %s = shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
  %m = fmul <2 x double> %v, %s
  %x = extractelement <2 x double> %m, i64 0
  ret double %x
}

; CHECK-LABEL: define internal {} @gradient_inserted(ptr %0, ptr %1)
; CHECK: insertelement <2 x double> zeroinitializer, double %x, i64 0
; CHECK: fmul <2 x double> %v, <double 3.000000e+00, double 0.000000e+00>
; CHECK: ret {}
define double @inserted(ptr %a) {
  %x = load double, ptr %a, align 8
  %v = insertelement <2 x double> poison, double %x, i64 0
  %w = fmul <2 x double> %v, <double 3.0, double poison>
  %m = fmul <2 x double> %v, %w
  %y = extractelement <2 x double> %m, i64 0
  ret double %y
}

define void @g(ptr %a, ptr %da) {
  call void (...) @__enzyme_autodiff(ptr @product, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @inserted, ptr %a, ptr %da)
  ret void
}
