; loop-order: a loop of independent iterations is reversed in the primal's
; order, which computes its recurrence again; without it the recurrence is on
; the tape. Iterations that meet are never reversed in order.
; RUN: %retro-opt %s -disable-output -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -disable-output -retro-print-plan -retro-print-counters -retro-loop-order=0 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: %retro-opt %s -S -retro-post-opt=0 2>&1 | FileCheck --check-prefix=CODE %s
; ON-LABEL: plan for independent (root)
; ON-NOT: cache
; ON: in order: loop %loop, again %w
; ON-LABEL: plan for prefix (root)
; ON: cache value %w : double in indexed of loop %loop
; ON-NOT: in order
; Only the program knows whether the halves meet: the loop is there twice.
; ON-LABEL: plan for halves (root)
; ON: cache value %w.meets : double in indexed of loop %loop.meets
; ON-NOT: cache value
; ON: in order: loop %loop, again %w
; ON: retro-counter loop-order 2

; OFF-LABEL: plan for independent (root)
; OFF: cache value %w : double in indexed of loop %loop
; OFF-NOT: in order
; OFF-LABEL: plan for halves (root)
; OFF: cache value %w : double in indexed of loop %loop
; OFF-NOT: meets
; OFF: retro-counter loop-order 0

; CODE-LABEL: define internal {} @gradient_independent(
; CODE-NOT: __retro_tape
; CODE: rev.loop:
; CODE: [[NEXT:%.+]] = add nuw nsw i64 [[IV:%.+]], 1
; CODE: icmp eq i64 [[NEXT]], %{{[0-9]+}}
; CODE: ret {}
declare void @__enzyme_autodiff(...)

define void @independent(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %w = phi double [ 1.0, %entry ], [ %v, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p
  %b = fmul double %a, %w
  store double %b, ptr %p
  %v = fmul double %w, 0.9
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @prefix(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %w = phi double [ 1.0, %entry ], [ %v, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p
  %b = fmul double %a, %w
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr inbounds double, ptr %x, i64 %next
  store double %b, ptr %q
  %v = fmul double %w, 0.9
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @halves(ptr %x, i32 %length) {
entry:
  %n = sext i32 %length to i64
  %upper = getelementptr inbounds double, ptr %x, i64 %n
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %w = phi double [ 1.0, %entry ], [ %v, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p
  %b = fmul double %a, %w
  %q = getelementptr inbounds double, ptr %upper, i64 %i
  store double %b, ptr %q
  %v = fmul double %w, 0.9
  %next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @g(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @independent, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @prefix, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @halves, ptr %x, ptr %dx, i32 9)
  ret void
}
