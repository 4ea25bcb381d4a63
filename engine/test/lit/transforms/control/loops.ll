; The reverse pass runs the iterations backwards; a value that changes from
; one to the next is read from the tape.
; RUN: %retro-opt %s -retro-preaccumulate=0 -retro-loop-checkpoints=0 | FileCheck %s
declare void @__enzyme_autodiff(...)

; Trips known on entry: an array of n numbers, allocated before the loop.
; CHECK-LABEL: define internal {} @gradient_known(ptr %0, i64 %1, ptr %2)
; CHECK: [[BYTES:%.+]] = shl i64 %1, 3
; CHECK: call ptr @__retro_tape_grow(
; CHECK: loop:
; CHECK: %iv = phi i64 [ 0,
; CHECK: [[CELL:%.+]] = getelementptr inbounds nuw double, ptr %tape.mem, i64 %iv
; CHECK: store double %s, ptr [[CELL]], align 8, !alias.scope
; CHECK-NOT: __retro_tape_grow
; CHECK: br i1 %done, label %rev.loop.preheader, label %loop
; CHECK: rev.loop.preheader:
; CHECK: add i64 %1, -1
; CHECK: rev.entry:
; CHECK: rev.loop.edge
; CHECK: [[I:%.+]] = add i64 {{%.+}}, -1
; CHECK: getelementptr inbounds double, ptr %tape.mem, i64 [[I]]
; CHECK: icmp eq i64 [[I]], 0
; CHECK: call void @__retro_tape_release(
define double @known(ptr %a, i64 %n) {
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

; Trips not known: a record an iteration, each with a link to the one before.
; CHECK-LABEL: define internal { double } @gradient_unknown(double %0)
; CHECK: loop:
; CHECK: %record.0 = phi ptr [ null, %entry ], [ %tape.mem, %tape.got ]
; CHECK: [[S:%.+]] = phi double [ %0, %entry ], [ %t, %tape.got ]
; CHECK: call ptr @__retro_tape_grow(
; CHECK: store ptr %record.0, ptr %tape.mem
; CHECK: [[FIELD:%.+]] = getelementptr inbounds nuw i8, ptr %tape.mem, i64 8
; CHECK: store double [[S]], ptr [[FIELD]]
; CHECK: rev.loop.edge
; CHECK: [[LINK:%.+]] = load ptr, ptr %record.rev
; CHECK: [[FIELD:%.+]] = getelementptr inbounds nuw i8, ptr [[LINK]], i64 8
; CHECK: load double, ptr [[FIELD]]
define double @unknown(double %x) {
entry:
  br label %loop
loop:
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  %t = fmul double %s, %s
  %more = fcmp olt double %t, 100.0
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; A sum keeps nothing: its terms' operands are still in memory.
; CHECK-LABEL: define internal {} @gradient_sum(ptr %0, i64 %1, ptr %2)
; CHECK-NOT: tape
; CHECK: rev.loop:
; CHECK: [[X:%.+]] = load double, ptr
; CHECK: fadd reassoc nsz double [[X]], [[X]]
; CHECK-NOT: tape
define double @sum(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %y = fmul double %x, %x
  %t = fadd double %s, %y
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}

; A nest of known trips is one array with an element for each pair (i, j).
; CHECK-LABEL: define internal {} @gradient_nest(
; CHECK: [[ROWS:%.+]] = shl i64 %1, 3
; CHECK: [[BYTES:%.+]] = mul i64 [[ROWS]], %2
; CHECK: inner:
; CHECK: store double %s, ptr {{.*}}, !alias.scope
define double @nest(ptr %a, i64 %n, i64 %m) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s.outer = phi double [ 1.0, %entry ], [ %t, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi double [ %s.outer, %outer ], [ %t, %inner ]
  %p = getelementptr inbounds double, ptr %a, i64 %j
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %m
  br i1 %j.done, label %outer.latch, label %inner
outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %end, label %outer
end:
  ret double %t
}

define void @g(ptr %a, ptr %da, double %x, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @known, ptr %a, ptr %da, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @unknown, double %x)
  call void (...) @__enzyme_autodiff(ptr @sum, ptr %a, ptr %da, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @nest, ptr %a, ptr %da, i64 %n, i64 %n)
  ret void
}
