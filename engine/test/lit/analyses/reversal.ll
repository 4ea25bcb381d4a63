; How the reverse pass goes through the blocks.
; RUN: %retro-opt %s -retro-preopt=0 -retro-print-plan -disable-output 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare i32 @puts(ptr)
@enzyme_const = external global i32

; A region without active work is passed over.
; CHECK-LABEL: plan for passed (root)
; CHECK: reverse %end: skip %entry
; CHECK-NOT: reverse %then
define double @passed(double %x, i1 %c, ptr %text) {
entry:
  br i1 %c, label %then, label %end
then:
  %r = call i32 @puts(ptr %text)
  br label %end
end:
  %y = fmul double %x, %x
  ret double %y
}
; One that has work: the condition tells the ways apart, nothing is kept.
; CHECK-LABEL: plan for decided (root)
; CHECK-NOT: cache branch
; CHECK: reverse %end: choose
; CHECK: reverse %then: single %entry
define double @decided(double %x, i1 %c) {
entry:
  br i1 %c, label %then, label %end
then:
  %t = fmul double %x, %x
  br label %end
end:
  %y = phi double [ %x, %entry ], [ %t, %then ]
  ret double %y
}
; In a loop, by a condition on memory that is overwritten: the condition is
; kept, an iteration each.
; CHECK-LABEL: plan for changing (root)
; CHECK: cache {{branch %latch : i16|value %c : i1}} in indexed of loop %loop
define double @changing(double %x, ptr %flags, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %t, %latch ]
  %p = getelementptr inbounds i8, ptr %flags, i64 %i
  %f = load i8, ptr %p
  store i8 0, ptr %p
  %c = icmp eq i8 %f, 0
  br i1 %c, label %then, label %latch
then:
  %v = fmul double %x, 3.0
  br label %latch
latch:
  %u = phi double [ 0.0, %loop ], [ %v, %then ]
  %t = fadd double %s, %u
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
; Three ways: two conditions tell them apart, the second one computed again
; though it is not always decided by.
; CHECK-LABEL: plan for ladder (root)
; CHECK-NOT: cache branch
; CHECK: reverse %end: choose
define double @ladder(double %x, i64 %n) {
entry:
  %c = icmp eq i64 %n, 0
  br i1 %c, label %end, label %more
more:
  %half = lshr i64 %n, 1
  %d = icmp ugt i64 %half, 7
  br i1 %d, label %then, label %end
then:
  %t = fmul double %x, %x
  br label %end
end:
  %y = phi double [ %x, %entry ], [ 3.0, %more ], [ %t, %then ]
  ret double %y
}
; The same in each iteration.
; CHECK-LABEL: plan for steps (root)
; CHECK-NOT: cache branch
; CHECK: reverse %latch: choose
define double @steps(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %t, %latch ]
  %c = icmp ult i64 %i, 3
  br i1 %c, label %latch, label %more
more:
  %d = icmp ult i64 %i, 7
  br i1 %d, label %then, label %latch
then:
  %v = fmul double %x, 3.0
  br label %latch
latch:
  %u = phi double [ 0.0, %loop ], [ %x, %more ], [ %v, %then ]
  %t = fadd double %s, %u
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
; The second one reads memory that may only be there where it is decided by.
; CHECK-LABEL: plan for guarded (root)
; CHECK: cache branch %end : i16
define double @guarded(double %x, ptr %p) {
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %end, label %more
more:
  %n = load i64, ptr %p
  %d = icmp ugt i64 %n, 7
  br i1 %d, label %then, label %end
then:
  %t = fmul double %x, %x
  br label %end
end:
  %y = phi double [ %x, %entry ], [ 3.0, %more ], [ %t, %then ]
  ret double %y
}
; Two decisions in a row: the first one matters no more at the second merge.
; CHECK-LABEL: plan for twice (root)
; CHECK-NOT: cache branch
; CHECK: reverse %end: choose
define double @twice(double %x, i1 %c, i1 %d) {
entry:
  br i1 %c, label %one, label %middle
one:
  %t = fmul double %x, %x
  br label %middle
middle:
  %u = phi double [ %x, %entry ], [ %t, %one ]
  br i1 %d, label %two, label %end
two:
  %v = fmul double %u, 3.0
  br label %end
end:
  %y = phi double [ %u, %middle ], [ %v, %two ]
  ret double %y
}
; Both ways lead to the same two predecessors: it is decided behind them.
; CHECK-LABEL: plan for joined (root)
; CHECK-NOT: cache branch
; CHECK: reverse %end: choose
define double @joined(double %x, i1 %c, i1 %d) {
entry:
  br i1 %c, label %end, label %left
left:
  br i1 %d, label %one, label %two
one:
  %s = call i32 @puts(ptr null)
  br label %late
two:
  %t = call i32 @puts(ptr null)
  br label %late
late:
  %n = icmp eq i32 0, 0
  br i1 %n, label %end, label %last
last:
  %v = fmul double %x, 3.0
  br label %end
end:
  %y = phi double [ %x, %entry ], [ 1.0, %late ], [ %v, %last ]
  ret double %y
}
define void @g(double %x, i1 %c, ptr %a, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @passed, double %x, i1 %c, ptr @enzyme_const, ptr %a)
  call void (...) @__enzyme_autodiff(ptr @decided, double %x, i1 %c)
  call void (...) @__enzyme_autodiff(ptr @changing, double %x, ptr @enzyme_const, ptr %a, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @ladder, double %x, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @steps, double %x, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @guarded, double %x, ptr @enzyme_const, ptr %a)
  call void (...) @__enzyme_autodiff(ptr @twice, double %x, i1 %c, i1 %c)
  call void (...) @__enzyme_autodiff(ptr @joined, double %x, i1 %c, i1 %c)
  ret void
}
