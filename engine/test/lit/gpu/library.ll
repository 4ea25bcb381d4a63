; Functions of the vendor's library have bodies, which clang has linked: they are
; differentiated as what they are called, and come back after. What is defined
; under such a name by the program, and what has no row, is the program's code.
; RUN: %retro-opt %s | FileCheck %s
; Without a request nothing is touched.
; RUN: sed -e 's/(...) @__enzyme_autodiff(ptr @f, /@f(/' -e '/@__enzyme/d' %s > %t.none.ll
; RUN: opt -load-pass-plugin=%plugin -passes=retrograde -S %t.none.ll | FileCheck --check-prefix=NONE %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; exp is its own derivative: the body, which a differentiation of it would see
; as a square, is called or inlined.
; CHECK-NOT: @__nv_exp
; CHECK-NOT: @retro.device
; CHECK-LABEL: define {{.*}} @gradient_f(
; CHECK: fmul double %0, %0
; CHECK-NOT: fmul
; CHECK: ret { double }
; CHECK-NOT: @__nv_exp
; CHECK-NOT: @retro.device
; NONE: define internal double @__nv_exp(
define internal double @__nv_exp(double %x) alwaysinline {
  %y = fmul double %x, %x
  ret double %y
}
define double @f(double %x) {
  %y = call double @__nv_exp(double %x)
  ret double %y
}
define double @gradient(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
declare double @__enzyme_autodiff(...)
