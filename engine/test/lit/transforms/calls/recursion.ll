; Recursion, with a tape: each activation has its own record, which lies behind that
; of the activation that it called and holds where that is. A second entry has clones of its own.
; RUN: %retro-opt %s -retro-combine=0 -retro-print-plan -disable-output 2>&1 | FileCheck --check-prefix=PLAN %s
; RUN: %retro-opt %s -retro-combine=0 | FileCheck %s
declare void @__enzyme_autodiff(...)

; PLAN-LABEL: plan for power
; PLAN-NEXT: cache value %p : double in frame
; PLAN-NEXT: cache tape %p : ptr in frame
; PLAN-NEXT: frame made after %p
; PLAN: reverse %common.ret: choose

; CHECK-LABEL: define internal { double, ptr } @augmented_power(double %0, i32 %1, ptr %2)
; CHECK: [[R:%.+]] = tail call { double, ptr } @augmented_power(double %0, i32 %m, ptr{{.*}} %2)
; CHECK: [[P:%.+]] = extractvalue { double, ptr } [[R]], 0
; CHECK: [[TAPE:%.+]] = extractvalue { double, ptr } [[R]], 1
; CHECK: %tape.mem = phi
; CHECK: store double [[P]], ptr %tape.mem
; CHECK: [[FIELD:%.+]] = getelementptr inbounds nuw i8, ptr %tape.mem, i64 8
; CHECK: store ptr [[TAPE]], ptr [[FIELD]]

; CHECK-LABEL: define internal { double } @reverse_power(double %0, i32 %1, double %2, ptr %3)
; CHECK: [[ZERO:%.+]] = icmp eq i32 %1, 0
; CHECK: br i1 [[ZERO]]
; CHECK: load double, ptr %3
; CHECK: [[SEED:%.+]] = fmul double %0, %2
; CHECK: [[M:%.+]] = add i32 %1, -1
; CHECK: [[FIELD:%.+]] = getelementptr inbounds nuw i8, ptr %3, i64 8
; CHECK: [[TAPE:%.+]] = load ptr, ptr [[FIELD]]
; CHECK: call { double } @reverse_power(double %0, i32 [[M]], double [[SEED]], ptr [[TAPE]])
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

define double @r(double %x, i32 %n) {
  %p = call double @power(double %x, i32 %n)
  ret double %p
}
define void @g(double %x, i32 %n) {
  call void (...) @__enzyme_autodiff(ptr @r, double %x, i32 %n)
  ret void
}
