; cache-licm: %k is the same in every iteration, though a condition keeps its
; load inside the loop: it is kept once. (The minimum cut, on, keeps nothing
; here, and a sum has no tape, so that both are off on both sides.)
; RUN: %retro-opt %s -disable-output -retro-print-plan -retro-print-counters -retro-fusion=0 -retro-min-cut=0 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -disable-output -retro-print-plan -retro-print-counters -retro-fusion=0 -retro-min-cut=0 -retro-cache-licm=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON: plan for f (root)
; ON-DAG: cache value %x : double in indexed of loop %loop
; ON-DAG: cache value %k : double in slot

; OFF: plan for f (root)
; OFF-DAG: cache value %x : double in indexed of loop %loop
; OFF-DAG: cache value %k : double in indexed of loop %loop
declare void @__enzyme_autodiff(...)

define double @f(ptr %a, ptr %c, i64 %n, i1 %odd) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %t, %latch ]
  br i1 %odd, label %then, label %latch
then:
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %k = load double, ptr %c
  %y = fmul double %x, %k
  br label %latch
latch:
  %v = phi double [ 0.0, %loop ], [ %y, %then ]
  %t = fadd double %s, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define void @g(ptr %a, ptr %da, ptr %c, ptr %dc, i64 %n, i1 %odd) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, ptr %c, ptr %dc, i64 %n, i1 %odd)
  ret void
}

; %x does not change while %middle runs, whatever %inner reads of it: the tape
; has no dimension for %middle. Off, each of its iterations has a copy.
; ON: plan for nest (root)
; ON: cache value %v : double in indexed of loop %outer by %outer %inner{{$}}
; OFF: plan for nest (root)
; OFF: cache value %v : double in indexed of loop %outer by %outer %middle %inner{{$}}
define void @nest(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  %x = alloca [8 x double]
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %outer.latch ]
  br label %fill
fill:
  %f = phi i64 [ 0, %outer ], [ %f1, %fill ]
  %in = mul nuw nsw i64 %i, 8
  %at = add nuw nsw i64 %in, %f
  %pa = getelementptr inbounds double, ptr %a, i64 %at
  %va = load double, ptr %pa
  %sq = fmul double %va, 2.0
  %px = getelementptr inbounds double, ptr %x, i64 %f
  store double %sq, ptr %px
  %f1 = add nuw nsw i64 %f, 1
  %f2 = icmp eq i64 %f1, %n
  br i1 %f2, label %middle, label %fill
middle:
  %j = phi i64 [ 0, %fill ], [ %j1, %middle.latch ]
  br label %inner
inner:
  %k = phi i64 [ 0, %middle ], [ %k1, %inner ]
  %qx = getelementptr inbounds double, ptr %x, i64 %k
  %v = load double, ptr %qx
  %w = fmul double %v, %v
  %pb = getelementptr inbounds double, ptr %b, i64 %k
  %old = load double, ptr %pb
  %new = fadd double %old, %w
  store double %new, ptr %pb
  %k1 = add nuw nsw i64 %k, 1
  %k2 = icmp eq i64 %k1, %n
  br i1 %k2, label %middle.latch, label %inner
middle.latch:
  %j1 = add nuw nsw i64 %j, 1
  %j2 = icmp eq i64 %j1, %n
  br i1 %j2, label %outer.latch, label %middle
outer.latch:
  %i1 = add nuw nsw i64 %i, 1
  %i2 = icmp eq i64 %i1, %n
  br i1 %i2, label %end, label %outer
end:
  ret void
}
define void @g2(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @nest, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  ret void
}
; %e is the same in every iteration of %rows, for exp() gives the same for the
; same number: though it is expensive, and kept, the tape has no dimension for
; %rows.
; ON: plan for powers{{.*}}(root)
; ON: cache value %e{{.*}} : double in indexed of loop %rows{{.*}} by %columns{{[^ ]*$}}
; OFF: plan for powers{{.*}}(root)
; OFF: cache value %e{{.*}} : double in indexed of loop %rows{{.*}} by %rows{{.*}} %columns{{[^ ]*$}}
declare double @exp(double)

define double @powers(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i1, %rows.latch ]
  %s = phi double [ 0.0, %entry ], [ %u, %rows.latch ]
  br label %columns
columns:
  %k = phi i64 [ 0, %rows ], [ %k1, %columns ]
  %t = phi double [ %s, %rows ], [ %u, %columns ]
  %pa = getelementptr inbounds double, ptr %a, i64 %k
  %va = load double, ptr %pa
  %e = call double @exp(double %va)
  %pb = getelementptr inbounds double, ptr %b, i64 %i
  %vb = load double, ptr %pb
  %w = fmul double %e, %vb
  %u = fadd double %t, %w
  %k1 = add nuw nsw i64 %k, 1
  %k2 = icmp eq i64 %k1, %n
  br i1 %k2, label %rows.latch, label %columns
rows.latch:
  %i1 = add nuw nsw i64 %i, 1
  %i2 = icmp eq i64 %i1, %n
  br i1 %i2, label %end, label %rows
end:
  ret double %u
}
define void @g3(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @powers, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  ret void
}
; ON: retro-counter cache-licm {{[1-9]}}
; OFF: retro-counter cache-licm 0
