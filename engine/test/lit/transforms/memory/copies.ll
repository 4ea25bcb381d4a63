; Copies: the destination's adjoint moves to the source's.
; RUN: %retro-opt %s -retro-preopt=0 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; A short copy: number by number, all taken before any is added.
; CHECK-LABEL: define internal {} @gradient_short(
; CHECK-SAME: ptr noalias %0, ptr noalias %1, ptr noalias %2, ptr noalias %3)
; CHECK: call void @llvm.memcpy{{.*}} %0, {{.*}} %1, i64 16
; CHECK: [[G0:%.+]] = load double, ptr %2
; CHECK: store double 0.000000e+00, ptr %2
; CHECK: [[P1:%.+]] = getelementptr {{.*}}i8, ptr %2, i64 8
; CHECK: [[G1:%.+]] = load double, ptr [[P1]]
; CHECK: store double 0.000000e+00, ptr [[P1]]
; CHECK: fadd double [[G0]],
; CHECK: [[Q1:%.+]] = getelementptr {{.*}}i8, ptr %3, i64 8
; CHECK: fadd double [[G1]],
define void @short(ptr noalias %a, ptr noalias %b) {
  %x = load double, ptr %b
  %p = getelementptr double, ptr %b, i64 1
  %y = load double, ptr %p
  %z = fmul double %x, %y
  store double %z, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 16, i1 false)
  ret void
}

; A copy of unknown length: a loop over the numbers.
; CHECK-LABEL: define internal {} @gradient_long(
; CHECK-SAME: ptr noalias %0, ptr noalias %1, i64 %2, ptr noalias %3, ptr noalias %4)
; CHECK: call void @llvm.memcpy{{.*}} %0, {{.*}} %1, i64 %bytes
; CHECK: each:
; CHECK: [[D:%.+]] = getelementptr double, ptr %3, i64 %i
; CHECK: [[G:%.+]] = load double, ptr [[D]]
; CHECK: store double 0.000000e+00, ptr [[D]]
; CHECK: [[S:%.+]] = getelementptr double, ptr %4, i64 %i
; CHECK: [[OLD:%.+]] = load double, ptr [[S]]
; CHECK: [[NEW:%.+]] = fadd double [[G]], [[OLD]]
; CHECK: store double [[NEW]], ptr [[S]]
define void @long(ptr noalias %a, ptr noalias %b, i64 %n) {
  %p = getelementptr double, ptr %b, i64 %n
  %x = load double, ptr %p
  %y = fmul double %x, %x
  store double %y, ptr %b
  %bytes = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %bytes, i1 false)
  ret void
}

; Source and destination may overlap: the adjoint goes through a buffer.
; CHECK-LABEL: define internal {} @gradient_move(ptr %0, i64 %1, ptr %2)
; CHECK: call void @llvm.memmove
; CHECK: [[BUFFER:%.+]] = tail call ptr @malloc(i64 %bytes)
; CHECK: call void @llvm.memcpy{{.*}}[[BUFFER]]
; CHECK: call void @llvm.memset{{.*}} i8 0, i64 %bytes
; CHECK: each:
; CHECK: [[FROM:%.+]] = getelementptr double, ptr [[BUFFER]], i64 %i
; CHECK: load double, ptr [[FROM]]
; CHECK: [[TO:%.+]] = getelementptr double, ptr %2, i64 %i
; CHECK: store double {{%.+}}, ptr [[TO]]
; CHECK: call void @free(ptr {{.*}}[[BUFFER]])
define void @move(ptr %a, i64 %n) {
  %p = getelementptr double, ptr %a, i64 %n
  %x = load double, ptr %p
  %y = fmul double %x, %x
  store double %y, ptr %a
  %to = getelementptr double, ptr %a, i64 1
  %bytes = shl i64 %n, 3
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %a, i64 %bytes, i1 false)
  ret void
}

; What is set to zero has no adjoint before.
; CHECK-LABEL: define internal {} @gradient_set(ptr %0, i64 %1, ptr %2)
; CHECK: call void @llvm.memset{{.*}} %0, i8 0, i64 %bytes
; CHECK: [[P:%.+]] = getelementptr double, ptr %2, i64 %1
; CHECK: load double, ptr [[P]]
; CHECK: store double 0.000000e+00, ptr [[P]]
; CHECK: call void @llvm.memset{{.*}} %2, i8 0, i64 %bytes
; CHECK: fadd double
define void @set(ptr %a, i64 %n) {
  %x = load double, ptr %a
  %p = getelementptr double, ptr %a, i64 %n
  %bytes = shl i64 %n, 3
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %bytes, i1 false)
  store double %x, ptr %p
  ret void
}

define void @g(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @short, ptr %a, ptr %da, ptr %b, ptr %db)
  call void (...) @__enzyme_autodiff(ptr @long, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @move, ptr %a, ptr %da, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @set, ptr %a, ptr %da, i64 %n)
  ret void
}
