; What is computed the same way on both ways to a block is computed in it again,
; so that no tape has to tell which was taken: here where a loop stores. It
; stays a choice if the ways differ in an operation, or in what it is made of.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 -retro-print-plan 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
@enzyme_const = external global i32

; CHECK-LABEL: plan for equal (root)
; CHECK-NOT: cache shadow
; CHECK-LABEL: plan for operation (root)
; CHECK: cache shadow %q : ptr in indexed of loop %loop
; CHECK-LABEL: plan for operand (root)
; CHECK: cache shadow %q : ptr in indexed of loop %loop

; The operations promise no more than both do.
; CHECK-LABEL: define internal {{.*}}@gradient_equal(
; CHECK: join:
; CHECK: [[A:%.*]] = mul i64 %{{.*}}, %{{.*}}
; CHECK: [[B:%.*]] = add nsw i64 [[A]], 1
; CHECK: getelementptr double, ptr %{{.*}}, i64 [[B]]

define void @equal(ptr %p, ptr %c, i64 %n, i64 %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %x = load double, ptr %p, align 8
  %less = fcmp olt double %x, 1.0
  br i1 %less, label %then, label %else
then:
  %a = mul nsw i64 %i, %s
  %a1 = add nuw nsw i64 %a, 1
  %pa = getelementptr double, ptr %p, i64 %a
  store double 3.0, ptr %pa, align 8
  br label %join
else:
  %b = mul i64 %i, %s
  %b1 = add nsw i64 %b, 1
  br label %join
join:
  %at = phi i64 [ %a1, %then ], [ %b1, %else ]
  %q = getelementptr double, ptr %p, i64 %at
  store double 0.5, ptr %q, align 8
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}
define void @d_equal(ptr %p, ptr %dp, ptr %c, i64 %n, i64 %s) {
  call void (...) @__enzyme_autodiff(ptr @equal, ptr %p, ptr %dp, ptr @enzyme_const, ptr %c, i64 %n, i64 %s)
  ret void
}

define void @operation(ptr %p, ptr %c, i64 %n, i64 %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %x = load double, ptr %p, align 8
  %less = fcmp olt double %x, 1.0
  br i1 %less, label %then, label %else
then:
  %a = mul nsw i64 %i, %s
  %a1 = add nuw nsw i64 %a, 1
  %pa = getelementptr double, ptr %p, i64 %a
  store double 3.0, ptr %pa, align 8
  br label %join
else:
  %b = mul i64 %i, %s
  %b1 = add nsw i64 %b, 2
  br label %join
join:
  %at = phi i64 [ %a1, %then ], [ %b1, %else ]
  %q = getelementptr double, ptr %p, i64 %at
  store double 0.5, ptr %q, align 8
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}
define void @d_operation(ptr %p, ptr %dp, ptr %c, i64 %n, i64 %s) {
  call void (...) @__enzyme_autodiff(ptr @operation, ptr %p, ptr %dp, ptr @enzyme_const, ptr %c, i64 %n, i64 %s)
  ret void
}

define void @operand(ptr %p, ptr %c, i64 %n, i64 %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %x = load double, ptr %p, align 8
  %less = fcmp olt double %x, 1.0
  br i1 %less, label %then, label %else
then:
  %a = mul nsw i64 %i, %s
  %a1 = add nuw nsw i64 %a, 1
  %pa = getelementptr double, ptr %p, i64 %a
  store double 3.0, ptr %pa, align 8
  br label %join
else:
  %b = mul i64 %i, %n
  %b1 = add nsw i64 %b, 1
  br label %join
join:
  %at = phi i64 [ %a1, %then ], [ %b1, %else ]
  %q = getelementptr double, ptr %p, i64 %at
  store double 0.5, ptr %q, align 8
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret void
}
define void @d_operand(ptr %p, ptr %dp, ptr %c, i64 %n, i64 %s) {
  call void (...) @__enzyme_autodiff(ptr @operand, ptr %p, ptr %dp, ptr @enzyme_const, ptr %c, i64 %n, i64 %s)
  ret void
}
