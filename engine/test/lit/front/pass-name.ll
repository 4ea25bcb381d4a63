; The pass has the project's name and the field's.
; RUN: opt -load-pass-plugin=%plugin -passes=retrograde -S %s -o %t.retrograde.ll
; RUN: opt -load-pass-plugin=%plugin -passes=enzyme -S %s -o %t.enzyme.ll
; RUN: diff %t.retrograde.ll %t.enzyme.ll
; RUN: FileCheck %s < %t.enzyme.ll
; RUN: not opt -load-pass-plugin=%plugin -passes=retrogade -S %s 2>&1 | FileCheck --check-prefix=WRONG %s
; WRONG: unknown pass name 'retrogade'
declare double @__enzyme_autodiff(...)

define double @f(double %x) {
  %p = fmul double %x, %x
  ret double %p
}
; CHECK-LABEL: define double @g(
; CHECK: call { double } @gradient_f(
define double @g(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
