; Calls of a recursive function with the same objects share its clones; with
; others they have clones of their own.
; RUN: %retro-opt %s -retro-print-plan -disable-output 2>&1 | FileCheck %s
; CHECK: plan for same (root)
; CHECK: plan for halves
; CHECK-NOT: plan for halves
; CHECK: plan for others (root)
; CHECK: plan for halves
; CHECK: plan for halves
; CHECK-NOT: plan for halves
declare void @__enzyme_autodiff(...)

define void @halves(ptr %x, i64 %n) {
  %some = icmp ugt i64 %n, 1
  br i1 %some, label %more, label %done
more:
  %h = lshr i64 %n, 1
  call void @halves(ptr %x, i64 %h)
  %p = getelementptr double, ptr %x, i64 %h
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %p
  call void @halves(ptr %p, i64 %h)
  br label %done
done:
  ret void
}

define void @same(ptr %x, i64 %n) {
  call void @halves(ptr %x, i64 %n)
  %p = getelementptr double, ptr %x, i64 %n
  call void @halves(ptr %p, i64 %n)
  ret void
}

define void @others(ptr %x, ptr %y, i64 %n) {
  call void @halves(ptr %x, i64 %n)
  call void @halves(ptr %y, i64 %n)
  ret void
}

define void @g(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @same, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @others, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
