; A marker that is loaded on each way to the request is the marker: a check of a
; sanitizer may stand between. Two markers of which one is chosen are none.
; RUN: split-file %s %t
; RUN: %retro-opt %t/same.ll | FileCheck %s
; RUN: not %retro-opt %t/other.ll -disable-output 2>&1 | FileCheck %s --check-prefix=OTHER
; CHECK-LABEL: define double @request(
; CHECK: call {{.*}}@gradient_f(
; OTHER: error: {{.*}}[retro-bad-argument

;--- same.ll
target triple = "x86_64-pc-linux-gnu"
@enzyme_const = external global i32
@enzyme_out = external global i32
declare double @__enzyme_autodiff(...)
declare void @checked()
define double @f(double %x, double %y) noinline {
  %r = fmul double %x, %y
  ret double %r
}
define double @request(double %x, double %y, i1 %bad) {
  %first = load i32, ptr @enzyme_const
  br i1 %bad, label %check, label %go
check:
  call void @checked()
  %again = load i32, ptr @enzyme_const
  br label %go
go:
  %m = phi i32 [ %first, %0 ], [ %again, %check ]
  %o = load i32, ptr @enzyme_out
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x, i32 %m, double %y)
  ret double %r
}

;--- other.ll
target triple = "x86_64-pc-linux-gnu"
@enzyme_const = external global i32
@enzyme_out = external global i32
declare double @__enzyme_autodiff(...)
define double @f(double %x, double %y) noinline {
  %r = fmul double %x, %y
  ret double %r
}
define double @request(double %x, double %y, i1 %bad) {
  %first = load i32, ptr @enzyme_const
  br i1 %bad, label %check, label %go
check:
  %again = load i32, ptr @enzyme_out
  br label %go
go:
  %m = phi i32 [ %first, %0 ], [ %again, %check ]
  %o = load i32, ptr @enzyme_out
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x, i32 %m, double %y)
  ret double %r
}
