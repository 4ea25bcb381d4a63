; A load is repeated in the reverse pass unless its memory may have changed.
; RUN: %retro-opt %s -retro-inline=0 -retro-late-stores=0 -retro-print-plan -disable-output 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)

; Something else is written.
; CHECK-LABEL: plan for apart (root)
; CHECK-NEXT: reverse
define double @apart(ptr noalias %a, ptr noalias %b) {
  %x = load double, ptr %a
  %y = call double @llvm.sin.f64(double %x)
  store double 1.0, ptr %b
  ret double %y
}
; The same memory is written afterwards.
; CHECK-LABEL: plan for after (root)
; CHECK-NEXT: cache value %x : double in slot
define double @after(ptr %a) {
  %x = load double, ptr %a
  %y = call double @llvm.sin.f64(double %x)
  store double 1.0, ptr %a
  ret double %y
}
; It is written before: the load sees the last value.
; CHECK-LABEL: plan for before (root)
; CHECK-NEXT: reverse
define double @before(ptr %a, i64 %n) {
  %p = getelementptr double, ptr %a, i64 %n
  store double 1.0, ptr %p
  %x = load double, ptr %a
  %y = call double @llvm.sin.f64(double %x)
  ret double %y
}
; The elements are perhaps the same.
; CHECK-LABEL: plan for element (root)
; CHECK-NEXT: cache value %x : double in slot
define double @element(ptr %a, i64 %n, i64 %m) {
  %p = getelementptr double, ptr %a, i64 %n
  %x = load double, ptr %p
  %y = call double @llvm.sin.f64(double %x)
  %q = getelementptr double, ptr %a, i64 %m
  store double 1.0, ptr %q
  ret double %y
}
; Another field is written.
; CHECK-LABEL: plan for field (root)
; CHECK-NEXT: reverse
define double @field(ptr %a) {
  %x = load double, ptr %a
  %y = call double @llvm.sin.f64(double %x)
  %q = getelementptr i8, ptr %a, i64 8
  store double 0.0, ptr %q
  ret double %y
}
; Two places in memory from outside, of unknown distance: a number is read, and
; a pointer is written.
; CHECK-LABEL: plan for nodes (root)
; CHECK-NEXT: reverse
define double @nodes(ptr %a, ptr %b, i1 %c, i1 %d) {
  %p = select i1 %c, ptr %a, ptr %b
  %x = load double, ptr %p
  %y = call double @llvm.sin.f64(double %x)
  %q = select i1 %d, ptr %a, ptr %b
  %w = getelementptr i8, ptr %q, i64 8
  store ptr null, ptr %w
  ret double %y
}
; A called function writes one of the two.
; CHECK-LABEL: plan for called (root)
; CHECK-NEXT: cache value %x : double in slot
; CHECK-NEXT: reverse
define double @called(ptr noalias %a, ptr noalias %b) {
  %x = load double, ptr %a
  %y = call double @llvm.sin.f64(double %x)
  %z = load double, ptr %b
  %w = call double @llvm.sin.f64(double %z)
  call void @clear(ptr %a)
  %s = fadd double %y, %w
  ret double %s
}
define void @clear(ptr %a) {
  store double 0.0, ptr %a
  ret void
}
; What a called function reads, its caller may overwrite when it is back.
; CHECK-LABEL: plan for caller (root)
; CHECK-LABEL: plan for reader
; CHECK-NEXT: cache value %x : double in frame
define double @caller(ptr %a) {
  %y = call double @reader(ptr %a)
  store double 0.0, ptr %a
  ret double %y
}
define double @reader(ptr %a) {
  %x = load double, ptr %a
  %y = call double @llvm.sin.f64(double %x)
  ret double %y
}
; In a loop: a[i] is overwritten in its iteration, b[i] never.
; CHECK-LABEL: plan for looping (root)
; CHECK-NEXT: cache value %x : double in indexed of loop %loop
; CHECK-NEXT: cache base %loop : ptr in slot
; CHECK-NEXT: reverse
define double @looping(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %q = getelementptr inbounds double, ptr %b, i64 %i
  %y = load double, ptr %q
  %xx = fmul double %x, %x
  %v = fmul double %xx, %y
  store double %v, ptr %p
  %t = fadd double %s, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}

define void @g(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @apart, ptr %a, ptr %da, ptr %b, ptr %db)
  call void (...) @__enzyme_autodiff(ptr @after, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @before, ptr %a, ptr %da, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @element, ptr %a, ptr %da, i64 %n, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @field, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @nodes, ptr %a, ptr %da, ptr %b, ptr %db, i1 true, i1 true)
  call void (...) @__enzyme_autodiff(ptr @called, ptr %a, ptr %da, ptr %b, ptr %db)
  call void (...) @__enzyme_autodiff(ptr @caller, ptr %a, ptr %da)
  call void (...) @__enzyme_autodiff(ptr @looping, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  ret void
}
