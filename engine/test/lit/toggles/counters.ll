; Every toggle has a counter: above zero where it changed something, zero where
; it is off.
; RUN: %retro-opt %s -disable-output -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -disable-output -retro-print-counters -retro-preopt=0 -retro-unroll=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON-DAG: retro-counter preopt {{[1-9]}}
; ON-DAG: retro-counter unroll {{[1-9]}}
; OFF-DAG: retro-counter preopt 0
; OFF-DAG: retro-counter unroll 0
declare void @__enzyme_autodiff(...)

define double @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %t = fmul double %s, %x
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 4
  br i1 %done, label %end, label %loop
end:
  ret double %t
}
define void @g(ptr %a, ptr %da) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da)
  ret void
}
