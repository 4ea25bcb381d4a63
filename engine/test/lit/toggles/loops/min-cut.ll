; min-cut: one number that is overwritten is the source of all that the
; reverse pass reads; without the cut each of them is kept.
; RUN: %retro-plain %s -disable-output -retro-print-plan -retro-print-counters -retro-min-cut=1 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -disable-output -retro-print-plan -retro-print-counters -retro-min-cut=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON: plan for f (root)
; ON-NEXT: cache value %x : double in indexed of loop %loop
; ON-NEXT: cache base %loop : ptr in slot
; ON-NEXT: reverse
; ON: retro-counter min-cut {{[1-9]}}

; OFF: plan for f (root)
; OFF-DAG: cache value %x : double in indexed of loop %loop
; OFF-DAG: cache value %y : double in indexed of loop %loop
; OFF-DAG: cache value %z : double in indexed of loop %loop
; OFF-DAG: cache value %u : double in indexed of loop %loop
; OFF: retro-counter min-cut 0
declare void @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)

define double @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  store double 0.0, ptr %p
  %y = fmul double %x, %x
  %z = fadd double %y, 3.0
  %u = fmul double %y, %z
  %v = call double @llvm.sin.f64(double %u)
  %t = fadd double %s, %v
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define void @g(ptr %a, ptr %da, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, i64 %n)
  ret void
}
