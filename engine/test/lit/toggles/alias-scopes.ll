; alias-scopes: tape and shadow accesses carry scopes, which primal accesses do
; not alias.
; RUN: %retro-opt %s -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
; RUN: %retro-opt %s -retro-print-counters -retro-alias-scopes=0 2>&1 | FileCheck --check-prefix=OFF %s
; ON: retro-counter alias-scopes {{[1-9]}}
; ON-LABEL: define internal {} @gradient_f(
; ON: loop:
; ON: [[CELL:%.+]] = getelementptr inbounds nuw double, ptr %tape.mem
; ON: store double %s, ptr [[CELL]], align 8, !alias.scope [[SCOPE:![0-9]+]]
; ON: %x = load double, ptr %p, align 8, !noalias [[BOTH:![0-9]+]]
; ON: rev.loop
; ON-DAG: load double, {{.*}}, !alias.scope [[SCOPE]]
; ON-DAG: store double {{.*}}, !alias.scope [[SHADOW:![0-9]+]], !noalias [[SCOPE]]
; ON-DAG: [[SCOPE]] = !{[[TAPE:![0-9]+]]}
; ON-DAG: [[SHADOW]] = !{[[SHADOWS:![0-9]+]]}
; ON-DAG: [[BOTH]] = !{[[TAPE]], [[SHADOWS]]}
; ON-DAG: [[TAPE]] = distinct !{[[TAPE]], [[DOMAIN:![0-9]+]], !"tape"}

; OFF: retro-counter alias-scopes 0
; OFF-NOT: !alias.scope
; OFF-NOT: !noalias
declare void @__enzyme_autodiff(...)

define double @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %t = fmul double %s, %x
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
