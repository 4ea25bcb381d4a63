; The adjoint of an access is of the same type, for C's tags of types. Those of
; Fortran tell arguments apart, of which two that are only read may be one: then
; so may their shadows. Shadows of constant memory change.
; RUN: %retro-opt -retro-post-opt=0 %s | FileCheck %s
declare double @__enzyme_autodiff(...)

; CHECK-LABEL: define internal {} @gradient_product(
; CHECK: rev.entry:
; CHECK: load double, ptr %7, align 8, !alias.scope
; CHECK: store double %{{.+}}, ptr %7, align 8, !alias.scope
; CHECK: load double, ptr %6, align 8, !tbaa [[FIELD:![0-9]+]], !alias.scope
; CHECK: store double %{{.+}}, ptr %6, align 8, !tbaa [[FIELD]], !alias.scope
; CHECK: load double, ptr %5, align 8, !tbaa [[DOUBLE:![0-9]+]], !alias.scope
; CHECK: store double %{{.+}}, ptr %5, align 8, !tbaa [[DOUBLE]], !alias.scope
; CHECK: load double, ptr %4, align 8, !alias.scope
; CHECK: store double %{{.+}}, ptr %4, align 8, !alias.scope
; CHECK: ret
; CHECK-DAG: [[FIELD]] = !{[[S:![0-9]+]], [[NAME:![0-9]+]], i64 8}
; CHECK-DAG: [[DOUBLE]] = !{[[NAME]], [[NAME]], i64 0}
define double @product(ptr %x, ptr %y, ptr %z, ptr %w) {
entry:
  %a = load double, ptr %x, align 8, !tbaa !10
  %b = load double, ptr %y, align 8, !tbaa !0
  %c = load double, ptr %z, align 8, !tbaa !7
  %d = load double, ptr %w, align 8, !tbaa !4
  %ab = fmul double %a, %b
  %abc = fmul double %ab, %c
  %abcd = fmul double %abc, %d
  ret double %abcd
}

define void @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz, ptr %w, ptr %dw) {
  %r = call double (...) @__enzyme_autodiff(ptr @product, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz, ptr %w, ptr %dw)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!1, !1, i64 0, i64 1}
!7 = !{!8, !1, i64 8}
!8 = !{!"S", !9, i64 0, !1, i64 8}
!9 = !{!"int", !2, i64 0}
!10 = !{!11, !11, i64 0}
!11 = !{!"dummy arg data/_QFproductEx", !12, i64 0}
!12 = !{!"dummy arg data", !13, i64 0}
!13 = !{!"any data access", !14, i64 0}
!14 = !{!"any access", !15, i64 0}
!15 = !{!"Flang function root _QPproduct"}
