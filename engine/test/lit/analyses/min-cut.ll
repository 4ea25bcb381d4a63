; The cut goes where the fewest bytes are, counted by how often they are kept.
; RUN: %retro-opt %s -retro-print-plan -disable-output 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)
declare double @llvm.exp.f64(double)

; Two floats are as large as the double that both were made of: but one float
; is smaller.
; CHECK-LABEL: plan for narrow
; CHECK-NEXT: cache value %f : float in indexed of loop
; CHECK-NEXT: cache base
; CHECK-NEXT: reverse
define void @narrow(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %f = fptrunc double %x to float
  %s = call float @llvm.sin.f32(float %f)
  %d = fpext float %s to double
  store double %d, ptr %p
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
declare float @llvm.sin.f32(float)

; Three sines of one sum of two numbers: the sum is one value, its operands two.
; CHECK-LABEL: plan for funnel
; CHECK-NEXT: cache value %s : double in indexed of loop
; CHECK-NEXT: cache base
; CHECK-NEXT: reverse
define void @funnel(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds double, ptr %b, i64 %i
  %x = load double, ptr %p
  %y = load double, ptr %q
  %s = fadd double %x, %y
  %s2 = fmul double %s, 2.0
  %s3 = fmul double %s, 3.0
  %f1 = call double @llvm.sin.f64(double %s)
  %f2 = call double @llvm.sin.f64(double %s2)
  %f3 = call double @llvm.sin.f64(double %s3)
  %f12 = fadd double %f1, %f2
  %f = fadd double %f12, %f3
  store double %f, ptr %p
  store double %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; A value of the outer loop, once a row, instead of what the inner loop makes
; of it.
; CHECK-LABEL: plan for outer
; CHECK: cache value %row : double in indexed of loop %outer
; CHECK-NOT: cache value %scaled
; CHECK: reverse
define void @outer(ptr noalias %a, ptr noalias %b, i64 %n, i64 %m) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %row = load double, ptr %p
  store double 0.0, ptr %p
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %jd = sitofp i64 %j to double
  %scaled = fmul double %row, %jd
  %v = call double @llvm.sin.f64(double %scaled)
  %q = getelementptr inbounds double, ptr %b, i64 %j
  %old = load double, ptr %q
  %new = fadd double %old, %v
  store double %new, ptr %q
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %m
  br i1 %j.done, label %latch, label %inner
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %end, label %outer
end:
  ret void
}

; A transcendental function is kept rather than computed again.
; CHECK-LABEL: plan for costly
; CHECK-NEXT: cache value %e : double in slot
; CHECK-NEXT: reverse
define double @costly(double %x) {
  %e = call double @llvm.exp.f64(double %x)
  %e2 = fmul double %e, %e
  %r = fmul double %e2, %e
  ret double %r
}

define void @g(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @narrow, ptr %a, ptr %da, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @funnel, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @outer, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @costly, double 1.0)
  ret void
}
