; A vector that begins with lanes of which some are poison and some undefined is
; a vector of zeros, of as many lanes.
; RUN: %retro-opt %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)

define void @f(ptr %x) noinline {
  %a = load float, ptr %x
  %v = insertelement <2 x float> <float poison, float undef>, float %a, i64 0
  %w = insertelement <2 x float> <float undef, float poison>, float %a, i64 1
  %s = fmul <2 x float> %v, %w
  store <2 x float> %s, ptr %x
  ret void
}
define void @request(ptr %x, ptr %dx) {
  call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}
; CHECK-LABEL: define internal {{.*}} @gradient_f(
; CHECK: ret
