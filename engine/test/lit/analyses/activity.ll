; What is not varied, or not useful, is not differentiated and not kept.
; RUN: %retro-opt %s -retro-inline=0 -retro-print-plan -disable-output 2>&1 | FileCheck --check-prefix=PLAN %s
; RUN: %retro-opt %s -retro-inline=0 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)
@enzyme_const = external global i32
@sink = global double 0.0

; The factor is constant: neither its sine nor its operands have adjoints. The
; sine of x, which is active, goes nowhere.
; PLAN-LABEL: plan for factor (root)
; PLAN-NEXT: cache value %kc : double in slot
; PLAN-NEXT: reverse
; CHECK-LABEL: define internal { double } @gradient_factor(
; CHECK-NOT: @llvm.cos
; CHECK: insertvalue { double } poison, double %kc, 0
define double @factor(double %x, double %k, ptr %a, i64 %n) {
  %kk = call double @llvm.sin.f64(double %k)
  %p = getelementptr double, ptr %a, i64 %n
  %c = load double, ptr %p
  store double 0.0, ptr %p
  %kc = fmul double %kk, %c
  %y = fmul double %x, %kc
  %unused = call double @llvm.sin.f64(double %x)
  store volatile double %unused, ptr @sink
  ret double %y
}

; Activity is a matter of fields: the integer beside the number has none, and
; what only touches integers is called as it is.
; PLAN-LABEL: plan for fields (root)
; PLAN-NOT: cache
; PLAN-LABEL: plan for touch
; PLAN-NEXT: no reverse pass
; CHECK-LABEL: define internal { double } @gradient_fields(
; CHECK: %t.shadow = alloca { i64, double }
; CHECK-NOT: call {{.*}} @reverse_touch
; CHECK: sitofp i64 %i to double
; CHECK: ret { double }
define double @fields(double %x) {
  %t = alloca { i64, double }
  %s = getelementptr { i64, double }, ptr %t, i64 0, i32 1
  store i64 3, ptr %t
  store double %x, ptr %s
  call void @touch(ptr %t)
  %i = load i64, ptr %t
  %v = load double, ptr %s
  %d = sitofp i64 %i to double
  %r = fmul double %v, %d
  ret double %r
}
define void @touch(ptr %t) {
  %i = load i64, ptr %t
  %j = mul i64 %i, %i
  store i64 %j, ptr %t
  ret void
}

; Integers made of active numbers carry nothing on.
; PLAN-LABEL: plan for rounded (root)
; CHECK-LABEL: define internal { double } @gradient_rounded(
; CHECK: [[I:%.+]] = fptosi double
; CHECK: [[D:%.+]] = sitofp i64 [[I]] to double
; CHECK: insertvalue { double } poison, double [[D]], 0
define double @rounded(double %x) {
  %y = fmul double %x, %x
  %i = fptosi double %y to i64
  %d = sitofp i64 %i to double
  %r = fmul double %d, %x
  ret double %r
}

; A loop that computes nothing active is not reversed.
; PLAN-LABEL: plan for idle (root)
; PLAN: reverse %end: skip %entry
; PLAN-NOT: header
; CHECK-LABEL: define internal { double } @gradient_idle(
; CHECK-NOT: iv.rev
; CHECK: ret
define double @idle(double %x, ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  %r = fmul double %t, %x
  ret double %r
}

define void @g(double %x, ptr %a, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @factor, double %x, ptr @enzyme_const, double %x, ptr @enzyme_const, ptr %a, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @fields, double %x)
  call void (...) @__enzyme_autodiff(ptr @rounded, double %x)
  call void (...) @__enzyme_autodiff(ptr @idle, double %x, ptr @enzyme_const, ptr %a, i64 %n)
  ret void
}
