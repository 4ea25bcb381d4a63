; Rules of math functions: libm calls and intrinsics; results are reused.
; RUN: %retro-opt %s | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @tanh(double)
declare float @llvm.sqrt.f32(float)
declare double @floor(double)

; tanh' = 1 - y^2: one call.
; CHECK-LABEL: define internal { double } @gradient_f_tanh(double %0)
; CHECK: [[Y:%.+]] = tail call double @tanh(double %0)
; CHECK-NOT: @tanh
; CHECK: fmul double [[Y]], [[Y]]
; CHECK: fsub double 1.000000e+00,
; CHECK: ret
define double @f_tanh(double %x) {
  %y = call double @tanh(double %x)
  ret double %y
}
; CHECK-LABEL: define internal { float } @gradient_f_sqrt(float %0)
; CHECK: [[Y:%.+]] = tail call float @llvm.sqrt.f32(float %0)
; CHECK: [[TWICE:%.+]] = fadd float [[Y]], [[Y]]
; CHECK: fdiv float {{.*}}, [[TWICE]]
define float @f_sqrt(float %x) {
  %y = call float @llvm.sqrt.f32(float %x)
  ret float %y
}
; floor is flat: nothing is left of it.
; CHECK-LABEL: define internal { double } @gradient_f_floor(double %0)
; CHECK-NEXT: rev.:
; CHECK-NEXT: ret { double } { double 1.000000e+00 }
define double @f_floor(double %x) {
  %y = call double @floor(double %x)
  %z = fadd double %y, %x
  ret double %z
}
define void @g(double %x, float %y) {
  call void (...) @__enzyme_autodiff(ptr @f_tanh, double %x)
  call void (...) @__enzyme_autodiff(ptr @f_sqrt, float %y)
  call void (...) @__enzyme_autodiff(ptr @f_floor, double %x)
  ret void
}
