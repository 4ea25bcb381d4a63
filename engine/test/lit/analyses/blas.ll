; Which arrays of a BLAS call are copied for the reverse pass, and which are
; read where they are.
; RUN: %retro-opt %s -retro-late-stores=0 -retro-print-plan -disable-output 2>&1 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare void @cblas_dgemv(i32, i32, i32, i32, double, ptr, i32, ptr, i32, double, ptr, i32)
declare void @cblas_dtrsv(i32, i32, i32, i32, i32, ptr, i32, ptr, i32)
declare double @cblas_ddot(i32, ptr, i32, ptr, i32)

; Nothing that is read changes before the reverse pass.
; CHECK-LABEL: plan for stays
; CHECK-NOT: copy arrays
define void @stays(ptr noalias %a, ptr noalias %x, ptr noalias %y) {
  call void @cblas_dgemv(i32 101, i32 111, i32 3, i32 3, double 2.0, ptr %a, i32 3, ptr %x, i32 1, double 0.0, ptr %y, i32 1)
  ret void
}

; x changes, and is read for the matrix.
; CHECK-LABEL: plan for changes
; CHECK: copy arrays of @retro.lib.cblas_dgemv before 1{{$}}
; CHECK: cache tape
define void @changes(ptr noalias %a, ptr noalias %x, ptr noalias %y) {
  call void @cblas_dgemv(i32 101, i32 111, i32 3, i32 3, double 2.0, ptr %a, i32 3, ptr %x, i32 1, double 0.0, ptr %y, i32 1)
  store double 0.0, ptr %x
  ret void
}

; The old y is read for the factor of y only where that is active.
; CHECK-LABEL: plan for factor
; CHECK: copy arrays of @retro.lib.cblas_dgemv before 2{{$}}
define void @factor(ptr noalias %a, ptr noalias %x, double %b, ptr noalias %y) {
  call void @cblas_dgemv(i32 101, i32 111, i32 3, i32 3, double 2.0, ptr %a, i32 3, ptr %x, i32 1, double %b, ptr %y, i32 1)
  ret void
}

; The solution is read as it is after the call: it changes.
; CHECK-LABEL: plan for solves
; CHECK: copy arrays of @retro.lib.cblas_dtrsv after 1{{$}}
define void @solves(ptr noalias %a, ptr noalias %x) {
  call void @cblas_dtrsv(i32 101, i32 122, i32 111, i32 131, i32 3, ptr %a, i32 3, ptr %x, i32 1)
  store double 0.0, ptr %x
  ret void
}

; Only the other vector is read for an active one.
; CHECK-LABEL: plan for product
; CHECK: copy arrays of @retro.lib.cblas_ddot before 1{{$}}
define double @product(ptr noalias %x, ptr noalias %y) {
  %r = call double @cblas_ddot(i32 3, ptr %x, i32 1, ptr %y, i32 1)
  store double 0.0, ptr %x
  store double 0.0, ptr %y
  ret double %r
}

@enzyme_const = external global i32
define void @g(ptr %a, ptr %da, ptr %x, ptr %dx, ptr %y, ptr %dy, double %b) {
  call void (...) @__enzyme_autodiff(ptr @stays, ptr %a, ptr %da, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @changes, ptr %a, ptr %da, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @factor, ptr %a, ptr %da, ptr %x, ptr %dx, double %b, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @solves, ptr %a, ptr %da, ptr %x, ptr %dx)
  call void (...) @__enzyme_autodiff(ptr @product, ptr %x, ptr %dx, ptr @enzyme_const, ptr %y)
  ret void
}
