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
define void @g(double %x, i1 %c, ptr %a, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @passed, double %x, i1 %c, ptr @enzyme_const, ptr %a)
  call void (...) @__enzyme_autodiff(ptr @decided, double %x, i1 %c)
  call void (...) @__enzyme_autodiff(ptr @changing, double %x, ptr @enzyme_const, ptr %a, i64 %n)
  ret void
}
