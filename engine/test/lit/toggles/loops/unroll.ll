; unroll: a short loop of the primal becomes straight code, which needs no tape.
; RUN: %retro-opt %s -retro-print-plan 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-plan -retro-unroll=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON: plan for f (root)
; ON-NOT: cache value
; ON-NOT: header
; ON: define internal {} @gradient_f(
; ON-NOT: phi
; ON: ret

; OFF: plan for f (root)
; OFF: cache value %s : double in indexed of loop %loop
; OFF: reverse %loop: header
; OFF: define internal {} @gradient_f(
; OFF: %iv = phi i64
declare void @__enzyme_autodiff(...)

define double @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 4
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define void @g(ptr %a, ptr %da) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da)
  ret void
}
