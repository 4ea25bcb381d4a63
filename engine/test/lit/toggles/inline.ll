; inline: calls are inlined into the primal before it is differentiated.
; RUN: %retro-opt %s -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-plan -retro-print-counters -retro-inline=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON-LABEL: plan for f (root)
; ON-NOT: plan for square
; ON: retro-counter inline 2
; ON-NOT: @augmented_square
; ON: define internal { double } @gradient_f(
; ON-NOT: call
; ON: ret

; OFF: plan for f (root)
; OFF-COUNT-2: plan for square
; OFF: retro-counter inline 0
; OFF: define internal { double, ptr } @augmented_square(
; OFF: define internal { double } @reverse_square(
; OFF: define internal { double } @gradient_f(
; OFF: call {{.*}} @reverse_square
declare void @__enzyme_autodiff(...)

define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @f(double %x) {
  %a = call double @square(double %x)
  %b = call double @square(double %a)
  ret double %b
}
define void @g(double %x) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x)
  ret void
}
