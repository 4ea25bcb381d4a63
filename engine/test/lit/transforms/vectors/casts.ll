; Conversions between floating-point types, and sign masks on the bits.
; RUN: %retro-opt %s -retro-preopt=0 | FileCheck %s
declare float @__enzyme_autodiff_f(...)
declare double @__enzyme_autodiff_d(...)
declare double @__enzyme_fwddiff_d(...)

; CHECK-LABEL: define internal { float } @gradient_widened(float %0)
; CHECK: [[W:%.+]] = fpext float %0 to double
; CHECK: [[E:%.+]] = tail call double @llvm.exp.f64(double [[W]])
; CHECK: [[N:%.+]] = fptrunc double [[E]] to float
; CHECK: insertvalue { float } poison, float [[N]], 0
define float @widened(float %x) {
  %w = fpext float %x to double
  %p = call double @llvm.exp.f64(double %w)
  %n = fptrunc double %p to float
  ret float %n
}

; x times -x by flipping the sign bit: the derivative is -2x.
; CHECK-LABEL: define internal { double } @gradient_flipped(double %0)
; CHECK: [[X:%.+]] = freeze double %0
; CHECK-NEXT: [[D:%.+]] = fmul reassoc nsz double [[X]], -2.000000e+00
; CHECK-NEXT: insertvalue { double } poison, double [[D]], 0
define double @flipped(double %x) {
  %bits = bitcast double %x to i64
  %neg = xor i64 %bits, -9223372036854775808
  %m = bitcast i64 %neg to double
  %fr = freeze double %m
  %p = fmul double %fr, %x
  ret double %p
}

; Clearing the sign bit is the absolute value: the sign of x is the factor.
; CHECK-LABEL: define internal { double } @tangent_of_absolute(double %0, double %1)
; CHECK-DAG: [[MINUS:%.+]] = fneg double %1
; CHECK-DAG: [[BELOW:%.+]] = fcmp olt double %0, 0.000000e+00
; CHECK: select i1 [[BELOW]], double [[MINUS]], double %1
define double @absolute(double %x) {
  %bits = bitcast double %x to i64
  %abs = and i64 %bits, 9223372036854775807
  %m = bitcast i64 %abs to double
  ret double %m
}
define void @g(double %x, float %y) {
  %a = call float (...) @__enzyme_autodiff_f(ptr @widened, float %y)
  %b = call double (...) @__enzyme_autodiff_d(ptr @flipped, double %x)
  %c = call double (...) @__enzyme_fwddiff_d(ptr @absolute, double %x, double 1.0)
  ret void
}
declare double @llvm.exp.f64(double)
