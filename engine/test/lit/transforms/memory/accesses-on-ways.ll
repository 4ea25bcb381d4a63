; A number is loaded from an element of one object or a field of another, on two
; ways out of one loop that end in one block: each way loads for itself.
; RUN: %retro-opt %s -retro-preopt=0 -retro-print-after=control-flow -disable-output 2>&1 | FileCheck %s
declare double @__enzyme_autodiff(...)
@enzyme_const = external global i32

; CHECK: [[ELEMENT:%.+]] = load double, ptr %element
; CHECK: [[FIELD:%.+]] = load double, ptr %field
; CHECK: phi double [ [[ELEMENT]], %{{.*}} ], [ [[FIELD]], %
define double @f(ptr noalias %a, ptr noalias %b, ptr noalias %which) {
entry:
  %field = getelementptr i8, ptr %b, i64 24
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %element = getelementptr double, ptr %a, i64 %i
  %place = getelementptr i32, ptr %which, i64 %i
  %w = load i32, ptr %place
  %here = icmp eq i32 %w, 7
  br i1 %here, label %end, label %more

more:
  %next = add nuw nsw i64 %i, 1
  %none = icmp slt i32 %w, 0
  br i1 %none, label %end, label %loop

end:
  %p = phi ptr [ %element, %loop ], [ %field, %more ]
  %x = load double, ptr %p
  %y = fmul double %x, %x
  ret double %y
}

define double @caller(ptr %a, ptr %da, ptr %b, ptr %db, ptr %which) {
  %c = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, ptr %b, ptr %db, i32 %c, ptr %which)
  ret double %r
}
