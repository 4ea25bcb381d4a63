; A rule says which operands, or that the result, of a call the reverse pass
; reads: x is overwritten, so that what is read of it must be kept.
; RUN: %retro-opt %s -retro-late-stores=0 -retro-print-plan -disable-output 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @llvm.exp.f64(double)
declare double @llvm.sin.f64(double)
declare double @llvm.pow.f64(double, double)
declare double @tanh(double)

; The result.
; CHECK-LABEL: plan for exponential (root)
; CHECK-NEXT: cache value %y : double in slot
; CHECK-NEXT: reverse
define double @exponential(ptr %a) {
  %x = load double, ptr %a
  store double 0.0, ptr %a
  %y = call double @llvm.exp.f64(double %x)
  ret double %y
}
; CHECK-LABEL: plan for hyperbolic (root)
; CHECK-NEXT: cache value %y : double in slot
; CHECK-NEXT: reverse
define double @hyperbolic(ptr %a) {
  %x = load double, ptr %a
  store double 0.0, ptr %a
  %y = call double @tanh(double %x)
  ret double %y
}
; The operand.
; CHECK-LABEL: plan for sine (root)
; CHECK-NEXT: cache value %x : double in slot
; CHECK-NEXT: reverse
define double @sine(ptr %a) {
  %x = load double, ptr %a
  store double 0.0, ptr %a
  %y = call double @llvm.sin.f64(double %x)
  ret double %y
}
; Nothing.
; CHECK-LABEL: plan for linear (root)
; CHECK-NEXT: reverse
define double @linear(ptr %a) {
  %x = load double, ptr %a
  store double 0.0, ptr %a
  %z = fadd double %x, 3.0
  %y = fmul double %z, 2.0
  ret double %y
}
; Of a product with a constant the constant only.
; CHECK-LABEL: plan for product (root)
; CHECK-NEXT: cache value %k : double in slot
; CHECK-NEXT: reverse
define double @product(ptr %a, ptr %b) {
  %x = load double, ptr %a
  store double 0.0, ptr %a
  %k = load double, ptr %b
  store double 0.0, ptr %b
  %y = fmul double %x, %k
  ret double %y
}

define void @g(ptr %a, ptr %da) {
  call void (...) @__enzyme_autodiff(ptr @exponential, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @hyperbolic, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @sine, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @linear, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @product, ptr %a, ptr %da, ptr @enzyme_const, ptr %a)
  ret void
}
@enzyme_const = external global i32
