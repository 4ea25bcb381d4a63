; BLAS calls are differentiated by BLAS calls of the same interface.
; RUN: %retro-opt %s | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @ddot_64_(ptr, ptr, ptr, ptr, ptr)
declare void @dgemm_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64)
declare void @cblas_sgemv_64(i32, i32, i64, i64, float, ptr, i64, ptr, i64, float, ptr, i64)
@N = constant i8 78
@ten = constant i64 10
@one = constant i64 1
@n = constant i32 5
@alpha = constant double 2.0
@zero = constant double 0.0

; Integers of 64 bits where the name says so. The product itself is not needed.
; CHECK-LABEL: define internal {} @gradient_wide(
; CHECK-NOT: @ddot_64_
; CHECK: store i64 10, ptr [[N:%.+]], align
; CHECK: call void @daxpy_64_(ptr nonnull [[N]], ptr {{.*}}, ptr %1, ptr {{.*}}, ptr %2,
; CHECK: call void @daxpy_64_(ptr {{.*}}, ptr {{.*}}, ptr %0, ptr {{.*}}, ptr %3,
; CHECK: ret
define double @wide(ptr noalias %x, ptr noalias %y) {
  %r = call double @ddot_64_(ptr @ten, ptr %x, ptr @one, ptr %y, ptr @one)
  ret double %r
}

; Transposition by letters, and their lengths behind the other operands.
; CHECK-LABEL: define internal {} @gradient_matrix(
; CHECK: call void @dgemm_(ptr {{.*}}, i64 1, i64 1)
; CHECK: store i8 84,
; CHECK: call void @dgemm_(ptr {{.*}}, i64 1, i64 1)
; CHECK: call void @dgemm_(ptr {{.*}}, i64 1, i64 1)
define void @matrix(ptr noalias %a, ptr noalias %b, ptr noalias %c) {
  call void @dgemm_(ptr @N, ptr @N, ptr @n, ptr @n, ptr @n, ptr @alpha, ptr %a, ptr @n, ptr %b, ptr @n, ptr @zero, ptr %c, ptr @n, i64 1, i64 1)
  ret void
}

; CHECK-LABEL: define internal {} @gradient_c(
; CHECK: call void @cblas_sgemv_64(i32 102, i32 111, i64 7, i64 3, float 2.000000e+00, ptr %0, i64 7, ptr %1, i64 1, float 0.000000e+00, ptr %2, i64 1)
; CHECK: call void @cblas_sger_64(i32 102, i64 7, i64 3, float 2.000000e+00, ptr {{.*}}%5, i64 1, ptr {{.*}}%1, i64 1, ptr {{.*}}%3, i64 7)
; CHECK: call void @cblas_sgemv_64(i32 102, i32 112, i64 7, i64 3, float 2.000000e+00, ptr {{.*}}%0, i64 7, ptr {{.*}}%5, i64 1, float 1.000000e+00, ptr {{.*}}%4, i64 1)
define void @c(ptr noalias %a, ptr noalias %x, ptr noalias %y) {
  call void @cblas_sgemv_64(i32 102, i32 111, i64 7, i64 3, float 2.0, ptr %a, i64 7, ptr %x, i64 1, float 0.0, ptr %y, i64 1)
  ret void
}

define void @g(ptr %a, ptr %da, ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__enzyme_autodiff(ptr @wide, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @matrix, ptr %a, ptr %da, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void (...) @__enzyme_autodiff(ptr @c, ptr %a, ptr %da, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
