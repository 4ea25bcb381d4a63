; post-opt: adjoints are variables when they are emitted, and values after the
; simplification.
; RUN: %retro-opt %s -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-counters -retro-post-opt=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON: retro-counter post-opt 1
; ON-LABEL: define internal { double } @gradient_f(
; ON-NEXT: rev.:
; ON-NEXT: [[TWICE:%.+]] = fmul reassoc nsz double %0, 2.000000e+00
; ON-NEXT: insertvalue { double } poison, double [[TWICE]], 0
; ON: ret { double }

; OFF: retro-counter post-opt 0
; OFF-LABEL: define internal { double } @gradient_f(
; OFF: %x.adj = alloca double
; OFF: ret { double }
declare void @__enzyme_autodiff(...)

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define void @g(double %x) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x)
  ret void
}
