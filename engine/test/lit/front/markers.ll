; Every marker before an argument, given as the front ends give it: loaded, as
; an address, through a cast.
; RUN: %retro-opt %s | FileCheck %s
declare void @__enzyme_autodiff_void(...)
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
@enzyme_dupnoneed = external global i32
@enzyme_out = external global i32

define double @f(ptr %a, double %x, double %y) {
  %v = load double, ptr %a
  %p = fmul double %v, %x
  %q = fmul double %p, %y
  ret double %q
}

; CHECK-LABEL: define void @dup(
; CHECK: call {} @[[DUP:[a-z_.0-9]+]](ptr %a, double %x, double %y, ptr %da)
define void @dup(ptr %a, ptr %da, double %x, double %y) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff_void(ptr @f, i32 %dup, ptr %a, ptr %da, i32 %const, double %x, ptr @enzyme_const, double %y)
  ret void
}

; CHECK-LABEL: define void @dupnoneed(
; CHECK: call {} @[[NONEED:[a-z_.0-9]+]](ptr %a, double %x, double %y, ptr %da)
define void @dupnoneed(ptr %a, ptr %da, double %x, double %y) {
  %const = load i32, ptr @enzyme_const
  %wide = sext i32 %const to i64
  call void (...) @__enzyme_autodiff_void(ptr @f, ptr @enzyme_dupnoneed, ptr %a, ptr %da, i64 %wide, double %x, ptr @enzyme_const, double %y)
  ret void
}

; CHECK-LABEL: define double @const_out(
; CHECK: call { double } @[[OUT:[a-z_.0-9]+]](ptr %a, double %x, double %y){{$}}
define double @const_out(ptr %a, double %x, double %y) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_const, ptr %a, ptr @enzyme_out, double %x, ptr @enzyme_const, double %y)
  ret double %r
}

; CHECK-LABEL: define double @forward(
; CHECK: call { double } @[[FORWARD:[a-z_.0-9]+]](ptr %a, double %x, double %y, double %dx){{$}}
define double @forward(ptr %a, double %x, double %dx, double %y) {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_const, ptr %a, ptr @enzyme_dup, double %x, double %dx, ptr @enzyme_const, double %y)
  ret double %r
}

; Only the shadow is written; nothing is returned.
; CHECK: define internal {} @[[DUP]](ptr %0, double %1, double %2, ptr %3)
; CHECK-NOT: load double, ptr %0
; CHECK: fmul double %1, %2
; CHECK: store double {{.*}}, ptr %3
; CHECK: ret {} poison
; CHECK: define internal {} @[[NONEED]](ptr %0, double %1, double %2, ptr %3)
; CHECK: store double {{.*}}, ptr %3
; CHECK: define internal { double } @[[OUT]](ptr %0, double %1, double %2)
; CHECK-NOT: store
; CHECK: define internal { double } @[[FORWARD]](ptr %0, double %1, double %2, double %3)
; CHECK: fmul double %3,
