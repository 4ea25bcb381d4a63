; cache-licm: %k is the same in every iteration, though a condition keeps its
; load inside the loop: it is kept once. (The minimum cut, on, keeps nothing
; here, so that it is off on both sides.)
; RUN: %retro-opt %s -disable-output -retro-print-plan -retro-print-counters -retro-min-cut=0 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -disable-output -retro-print-plan -retro-print-counters -retro-min-cut=0 -retro-cache-licm=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON: plan for f (root)
; ON-DAG: cache value %x : double in indexed of loop %loop
; ON-DAG: cache value %k : double in slot
; ON: retro-counter cache-licm {{[1-9]}}

; OFF: plan for f (root)
; OFF-DAG: cache value %x : double in indexed of loop %loop
; OFF-DAG: cache value %k : double in indexed of loop %loop
; OFF: retro-counter cache-licm 0
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
