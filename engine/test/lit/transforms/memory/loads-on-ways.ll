; A pointer that is loaded here or there is loaded on each way: the list's first
; node and what follows a node are not the same field, of one kind of memory.
; Not where something may be written before it is.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 -retro-print-shape 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
@enzyme_const = external global i32

; CHECK: class 0
; CHECK-NEXT: +8 pointer of 8 declared pointer -> 1+0
; CHECK-NEXT: +16 pointer of 8 declared pointer -> 2+0
; CHECK-NEXT: class 1
; CHECK-NEXT: +8 number of 8
; CHECK-NEXT: +0 pointer of 8 declared pointer -> 1+0
; CHECK: %entry of total
; CHECK: [[HEAD:%.*]] = load ptr, ptr %first
; CHECK: %loop of total
; CHECK: %node = phi ptr [ [[HEAD]], %entry ], [ [[NEXT:%.*]], %[[EDGE:.*]] ]
; CHECK: %[[EDGE]] of total
; CHECK: [[NEXT]] = load ptr, ptr %node

; CHECK: %loop of written
; CHECK: %place = phi ptr [ %first, %entry ], [ %node, %loop ]
; CHECK: store i64
; CHECK: %node = load ptr, ptr %place

define double @total(ptr %l, i64 %n) {
entry:
  %first = getelementptr i8, ptr %l, i64 8
  %at = getelementptr i8, ptr %l, i64 16
  br label %loop
loop:
  %place = phi ptr [ %first, %entry ], [ %node, %loop ]
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %next, %loop ]
  %node = load ptr, ptr %place, align 8
  %value = getelementptr i8, ptr %node, i64 8
  %v = load double, ptr %value, align 8
  %scale = load ptr, ptr %at, align 8
  %s = load double, ptr %scale, align 8
  %square = fmul double %v, %v
  %scaled = fmul double %square, %s
  %next = fadd double %sum, %scaled
  %more = add i64 %i, 1
  %again = icmp slt i64 %more, %n
  br i1 %again, label %loop, label %exit
exit:
  ret double %next
}

define double @written(ptr %l, i64 %n) {
entry:
  %first = getelementptr i8, ptr %l, i64 8
  br label %loop
loop:
  %place = phi ptr [ %first, %entry ], [ %node, %loop ]
  %i = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %next, %loop ]
  store i64 %i, ptr %l
  %node = load ptr, ptr %place, align 8
  %value = getelementptr i8, ptr %node, i64 8
  %v = load double, ptr %value, align 8
  %square = fmul double %v, %v
  %next = fadd double %sum, %square
  %more = add i64 %i, 1
  %again = icmp slt i64 %more, %n
  br i1 %again, label %loop, label %exit
exit:
  ret double %next
}

define void @caller(ptr %l, ptr %dl, i64 %n) {
  %c = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @total, ptr %l, ptr %dl, i32 %c, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @written, ptr %l, ptr %dl, i32 %c, i64 %n)
  ret void
}
