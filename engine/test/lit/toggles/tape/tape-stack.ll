; tape-stack: a tape of 100 numbers is a stack array, and a larger one begins
; on the stack; without it both are on the heap.
; RUN: %retro-opt %s -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-counters -retro-tape-stack=0 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: %retro-opt %s -retro-print-plan 2>&1 | FileCheck --check-prefix=PLAN %s
; PLAN: plan for short
; PLAN: cache value {{.*}} in indexed of loop %loop on the stack
; PLAN: plan for long
; PLAN: cache value {{.*}} in indexed of loop %loop{{$}}
; ON: retro-counter tape-stack {{[1-9]}}
; ON-LABEL: define internal {} @gradient_short(
; ON: %tape.array = alloca [800 x i8], align 16
; ON-NOT: @__retro_tape_grow
; ON-LABEL: define internal {} @gradient_long(
; ON: %tape.first = alloca [{{[0-9]+}} x i8], align 16
; ON: phi ptr [ %tape.first, %tape.fits ]

; OFF: retro-counter tape-stack 0
; OFF-LABEL: define internal {} @gradient_short(
; OFF-NOT: alloca [
; OFF: call ptr @__retro_tape_grow(ptr nonnull %tape, i64 800, ptr
; OFF-LABEL: define internal {} @gradient_long(
; OFF-NOT: alloca [
; OFF: call ptr @__retro_tape_grow(
; OFF: ret
declare void @__enzyme_autodiff(...)

define double @short(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define double @long(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define void @g(ptr %a, ptr %da, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @short, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @long, ptr %a, ptr %da, i64 %n)
  ret void
}
