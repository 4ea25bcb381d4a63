; A function that a derivative alone calls comes from the library that is named,
; with what it needs; if it is not there, that is an error.
; RUN: split-file %s %t
; RUN: llvm-as %t/library.ll -o %t/library.bc
; RUN: %retro-opt -retro-device-library=%t/library.bc %t/kernel.ll | FileCheck %s
; RUN: not %retro-opt -retro-device-library=%t/nothing.bc %t/kernel.ll 2>&1 | FileCheck --check-prefix=CHECK-MISSING %s

; The body of cos here is 3 x - y, with y from a function of the library.
; CHECK-LABEL: define double @gradient(
; CHECK: fmul double %x, 3.000000e+00
; CHECK-NOT: @__nv_
; CHECK-NOT: define {{.*}}@part
; CHECK-MISSING: error: {{.*}}a derivative calls '__nv_cos', and the device's library was not found [retro-device-library]

;--- kernel.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define internal double @__nv_sin(double %x) alwaysinline {
  ret double %x
}
define double @f(double %x) {
  %y = call double @__nv_sin(double %x)
  ret double %y
}
define double @gradient(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
declare double @__enzyme_autodiff(...)
;--- library.ll
target datalayout = "e-i64:64"
target triple = "nvptx64-nvidia-gpulibs"
define double @__nv_cos(double %x) alwaysinline {
  %y = call double @part(double %x)
  ret double %y
}
define internal double @part(double %x) alwaysinline {
  %y = fmul double %x, 3.000000e+00
  ret double %y
}
define double @unneeded(double %x) {
  ret double %x
}
