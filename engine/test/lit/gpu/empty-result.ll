; A derivative that gives no number is a function of PTX that returns nothing;
; one that gives a number returns it.
; RUN: %retro-opt %s | llc | FileCheck %s
; CHECK: {{^}}.func gradient_f{{$}}
; CHECK: .func (.param .align {{[0-9]+}} .b8 func_retval0[8]) gradient_g{{$}}
; CHECK: .entry k(
; CHECK: call.uni gradient_f,
; CHECK: call.uni (retval0), gradient_g,
target triple = "nvptx64-nvidia-cuda"

declare double @__enzyme_autodiff(ptr, ...)
declare void @__enzyme_autodiff_void(ptr, ...)

define internal void @f(ptr %x, ptr %y) {
  %v = load double, ptr %x, !tbaa !1
  %w = fmul double %v, %v
  store double %w, ptr %y, !tbaa !1
  ret void
}

define internal double @g(double %x) {
  %w = fmul double %x, %x
  ret double %w
}

define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff_void(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  %v = load double, ptr %x, !tbaa !1
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double %v)
  store double %d, ptr %y, !tbaa !1
  ret void
}

!0 = !{!"root"}
!2 = !{!"double", !0}
!1 = !{!2, !2, i64 0}
