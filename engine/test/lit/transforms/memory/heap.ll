; Memory that the primal allocates has a shadow of zeros. Reverse mode frees
; both only after the reverse pass; forward mode where the primal does.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 | FileCheck %s
declare void @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)

; CHECK-LABEL: define internal { double } @gradient_f(
; CHECK: %m = call ptr @malloc(i64 %bytes)
; CHECK: [[S:%[a-z.]+]] = call ptr @malloc(i64 %bytes)
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}[[S]], i8 0, i64 %bytes, i1 false)
; CHECK-NOT: call void @free
; CHECK: call void @__retro_defer_free(ptr %tape, ptr %m, ptr @__retro_free_free, i64 0, i64 0)
; CHECK: call void @__retro_defer_free(ptr %tape, ptr [[S]], ptr @__retro_free_free, i64 0, i64 0)
; CHECK: rev.return:
; CHECK: [[KEPT:%.+]] = load ptr, ptr %kept
; CHECK: [[P:%.+]] = getelementptr double, ptr [[KEPT]], i64 %1
; CHECK: fadd double
; CHECK: store double {{%.+}}, ptr [[P]]
; CHECK: load double, ptr [[KEPT]]
; CHECK: store double 0.000000e+00, ptr [[KEPT]]
; CHECK: call void @__retro_tape_release(ptr %tape)
define double @f(double %x, i64 %n) {
  %bytes = shl i64 %n, 3
  %m = call ptr @malloc(i64 %bytes)
  %y = fmul double %x, %x
  store double %y, ptr %m
  %p = getelementptr double, ptr %m, i64 %n
  %z = load double, ptr %p
  %r = fmul double %z, %y
  call void @free(ptr %m)
  ret double %r
}

; calloc needs no clearing.
; CHECK-LABEL: define internal { double } @gradient_zeroed(
; CHECK: call ptr @calloc(i64 %1, i64 8)
; CHECK: %m.shadow = call ptr @calloc(i64 %1, i64 8)
; CHECK-NOT: llvm.memset
; CHECK: ret { double }
define double @zeroed(double %x, i64 %n) {
  %m = call ptr @calloc(i64 %n, i64 8)
  store double %x, ptr %m
  %p = getelementptr double, ptr %m, i64 %n
  %z = load double, ptr %p
  call void @free(ptr %m)
  ret double %z
}

; CHECK-LABEL: define internal { double } @tangent_of_f(
; CHECK-NOT: defer_free
; CHECK: %m = call ptr @malloc(i64 %bytes)
; CHECK: [[T:%[a-z.]+]] = call ptr @malloc(i64 %bytes)
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}[[T]], i8 0,
; CHECK: [[AT:%.+]] = getelementptr i8, ptr [[T]], i64 0
; CHECK: store double %{{[0-9]+}}, ptr [[AT]]
; CHECK: call void @free(ptr %m)
; CHECK: call void @free(ptr [[T]])

; Memory without active numbers has no shadow and is freed where it was.
; CHECK-LABEL: define internal { double } @gradient_inactive(
; CHECK: call ptr @malloc(
; CHECK-NOT: @malloc
; CHECK: call void @free(ptr %m)
define double @inactive(double %x, i64 %n) {
  %m = call ptr @malloc(i64 8)
  store i64 %n, ptr %m
  call void @use(ptr %m)
  %k = load i64, ptr %m
  call void @free(ptr %m)
  %d = sitofp i64 %k to double
  %r = fmul double %x, %d
  ret double %r
}
define void @use(ptr %m) {
  %v = load volatile i64, ptr %m
  ret void
}

define void @g(double %x, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @zeroed, double %x, i64 %n)
  %r = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @inactive, double %x, i64 %n)
  ret void
}
