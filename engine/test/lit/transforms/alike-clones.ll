; Two entries into a recursive function have clones of their own. Where nothing
; tells these apart (two pointers of one table), a large unit has one of them,
; with one derivative; what leads to other memory, or has no derivative, stays
; apart. Debug information, of which each clone has its own, tells nothing.
; RUN: %retro-opt %s -retro-print-plan -retro-share-above=0 -disable-output 2>&1 | FileCheck %s
; RUN: %retro-opt %s -retro-print-plan -disable-output 2>&1 | FileCheck --check-prefix=SMALL %s
; CHECK: plan for table (root)
; CHECK: plan for halves
; CHECK-NOT: plan for halves
; CHECK: plan for others (root)
; CHECK: plan for halves
; CHECK: plan for halves
; CHECK-NOT: plan for halves
; CHECK: plan for fixed (root)
; CHECK: plan for power
; CHECK: plan for power
; CHECK-NOT: plan for power
; SMALL: plan for table (root)
; SMALL: plan for halves
; SMALL: plan for halves
; SMALL: plan for others (root)
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
  store double %w, ptr %p, !DIAssignID !1
  call void @halves(ptr %p, i64 %h)
  br label %done
done:
  ret void
}

define void @table(ptr %t, i64 %m, i64 %n) {
  %a = getelementptr ptr, ptr %t, i64 %m
  %b = getelementptr ptr, ptr %t, i64 %n
  %x = load ptr, ptr %a
  %y = load ptr, ptr %b
  call void @halves(ptr %x, i64 %n)
  call void @halves(ptr %y, i64 %n)
  ret void
}

define void @others(ptr %x, ptr %y, i64 %n) {
  call void @halves(ptr %x, i64 %n)
  call void @halves(ptr %y, i64 %n)
  ret void
}

define double @power(double %x, i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %one, label %more
one:
  ret double 1.0
more:
  %m = sub i32 %n, 1
  %p = call double @power(double %x, i32 %m)
  %q = fmul double %p, %x
  ret double %q
}

define double @fixed(double %x, double %c, i32 %n) {
  %p = call double @power(double %x, i32 %n)
  %q = call double @power(double %c, i32 %n)
  %r = fmul double %p, %q
  ret double %r
}

@enzyme_const = external global i32

define void @g(ptr %x, ptr %dx, ptr %y, ptr %dy, double %c, i64 %n) {
  %const = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @table, ptr %x, ptr %dx, i64 %n, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @others, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @fixed, double %c, i32 %const, double %c, i32 7)
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DIAssignID()
