; Fortran's tags tell the variables of a procedure apart while it runs. Those of
; a procedure that was inlined into a loop go: what it reads as one argument it
; writes as the other one in the next iteration. The function's own stay.
; RUN: %retro-opt -retro-print-after=tags-of-inlined %s 2>&1 | FileCheck %s
declare double @__enzyme_autodiff(...)

; CHECK-LABEL: after tags-of-inlined
; CHECK: load double, ptr %h, align 8, !tbaa
; CHECK: load double, ptr %from, align 8{{$}}
; CHECK: store double %{{.+}}, ptr %to, align 8{{$}}
; CHECK: load double, ptr %{{.*}}, align 8, !tbaa
; CHECK: ret
define double @cost_(ptr %h, i64 %n) {
entry:
  %a = alloca double, align 8
  %b = alloca double, align 8
  %first = load double, ptr %h, align 8, !tbaa !0
  store double %first, ptr %a, align 8, !tbaa !2
  br label %steps

steps:
  %i = phi i64 [ 0, %entry ], [ %next, %steps ]
  %from = phi ptr [ %a, %entry ], [ %to, %steps ]
  %to = phi ptr [ %b, %entry ], [ %from, %steps ]
  %x = load double, ptr %from, align 8, !tbaa !10
  %y = fmul double %x, %x
  store double %y, ptr %to, align 8, !tbaa !12
  %next = add nuw i64 %i, 1
  %done = icmp uge i64 %next, %n
  br i1 %done, label %end, label %steps

end:
  %last = load double, ptr %to, align 8, !tbaa !2
  ret double %last
}

define void @gradient(ptr %h, ptr %d, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @cost_, ptr %h, ptr %d, i64 %n)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"dummy arg data/_QFcostEh", !4, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"target data", !5, i64 0}
!4 = !{!"dummy arg data", !5, i64 0}
!5 = !{!"any data access", !6, i64 0}
!6 = !{!"any access", !7, i64 0}
!7 = !{!"Flang function root _QPcost"}
!10 = !{!11, !11, i64 0}
!11 = !{!"dummy arg data/_QMmFstepEx", !14, i64 0}
!12 = !{!13, !13, i64 0}
!13 = !{!"dummy arg data/_QMmFstepEy", !14, i64 0}
!14 = !{!"dummy arg data", !15, i64 0}
!15 = !{!"any data access", !16, i64 0}
!16 = !{!"any access", !17, i64 0}
!17 = !{!"Flang function root _QMmPstep"}
