; tape-merge: the two numbers kept in each iteration share one allocation;
; without it each has its own, and a table holds their addresses.
; RUN: %retro-opt %s -retro-print-counters -retro-post-opt=0 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-counters -retro-post-opt=0 -retro-tape-merge=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON: retro-counter tape-merge 1
; ON-LABEL: define internal {} @gradient_f(
; ON: call ptr @__retro_tape_grow(
; ON-NOT: call ptr @__retro_tape_grow(
; ON: loop:
; ON-NOT: call ptr @__retro_tape_grow(
; ON: ret {}

; OFF: retro-counter tape-merge 0
; OFF-LABEL: define internal {} @gradient_f(
; OFF: [[TABLE:%.+]] = call ptr @__retro_tape_grow(ptr %tape, i64 16, ptr
; OFF: [[FIRST:%.+]] = call ptr @__retro_tape_grow(
; OFF: store ptr [[FIRST]], ptr
; OFF: [[SECOND:%.+]] = call ptr @__retro_tape_grow(
; OFF: store ptr [[SECOND]], ptr
; OFF: loop:
; OFF: ret {}
declare void @__enzyme_autodiff(...)

define double @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  store double 0.0, ptr %p
  %t = fmul double %s, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define void @g(ptr %a, ptr %da, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, i64 %n)
  ret void
}
