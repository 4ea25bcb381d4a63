; What rustc's functions are, by their paths and attributes: hashes and crate
; identifiers in mangled names differ between compilers.
; RUN: %retro-opt %s -retro-preopt=0 -retro-post-opt=0 | FileCheck %s
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
declare void @__enzyme_autodiff(...)
declare noalias ptr @_RNvCs1234_7___rustc12___rust_alloc(i64, i64 allocalign) allockind("alloc,uninitialized,aligned") allocsize(0)
declare noalias ptr @_RNvCs1234_7___rustc14___rust_realloc(ptr allocptr, i64, i64 allocalign, i64) allockind("realloc,aligned") allocsize(3)
declare void @_RNvCs1234_7___rustc14___rust_dealloc(ptr allocptr, i64, i64) allockind("free")
declare void @_RNvNtCsabcd_4core9panicking18panic_bounds_check(i64, i64, ptr) noreturn
declare void @_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print(ptr, ptr)
declare noalias ptr @pool_get(i64, i64) allockind("alloc,zeroed") allocsize(0, 1)
declare void @pool_put(ptr allocptr) allockind("free")

; The vector grows: new memory, a copy, and what was there is freed after the
; reverse pass, with its size and alignment.
; CHECK-LABEL: define internal {} @gradient_grow(ptr %0, i64 %1, ptr %2)
; CHECK: %p.shadow = call noalias ptr @_RNvCs1234_7___rustc12___rust_alloc(i64 8, i64 8)
; CHECK: call void @llvm.memset.p0.i64(ptr %p.shadow, i8 0, i64 8, i1 false)
; CHECK: [[NEW:%.+]] = call ptr @_RNvCs1234_7___rustc12___rust_alloc(i64 16, i64 8)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}[[NEW]], ptr {{.*}}%p, i64 8, i1 false)
; CHECK: call void @__retro_defer_free({{.*}}, ptr %p, ptr @__retro_free__RNvCs1234_7___rustc14___rust_dealloc, i64 8, i64 8)
; CHECK: call void @__retro_defer_free({{.*}}, ptr %p.shadow, ptr @__retro_free__RNvCs1234_7___rustc14___rust_dealloc, i64 8, i64 8)
; CHECK: call void @_RNvNtCsabcd_4core9panicking18panic_bounds_check
define double @grow(ptr %x, i64 %n) {
  %p = call noalias ptr @_RNvCs1234_7___rustc12___rust_alloc(i64 8, i64 8)
  %v = load double, ptr %x, align 8
  store double %v, ptr %p, align 8
  %q = call noalias ptr @_RNvCs1234_7___rustc14___rust_realloc(ptr %p, i64 8, i64 8, i64 16)
  %in = icmp ult i64 %n, 2
  br i1 %in, label %ok, label %panic
ok:
  %e = getelementptr double, ptr %q, i64 1
  store double %v, ptr %e, align 8
  %a = load double, ptr %q, align 8
  %b = load double, ptr %e, align 8
  %r = fmul double %a, %b
  call void @_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print(ptr %q, ptr null)
  call void @_RNvCs1234_7___rustc14___rust_dealloc(ptr %q, i64 16, i64 8)
  ret double %r
panic:
  call void @_RNvNtCsabcd_4core9panicking18panic_bounds_check(i64 %n, i64 2, ptr %q)
  unreachable
}

; An allocator that only its attributes describe.
; CHECK-LABEL: define internal {} @gradient_pool(ptr %0, ptr %1)
; CHECK: %p.shadow = call noalias ptr @pool_get(i64 4, i64 8)
; CHECK-NOT: memset
; CHECK: call void @__retro_defer_free({{.*}}, ptr %p.shadow, ptr @__retro_free_pool_put, i64 0, i64 0)
define double @pool(ptr %x) {
  %p = call noalias ptr @pool_get(i64 4, i64 8)
  %v = load double, ptr %x, align 8
  store double %v, ptr %p, align 8
  %a = load double, ptr %p, align 8
  %r = fmul double %a, %a
  call void @pool_put(ptr %p)
  ret double %r
}

define void @g(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @grow, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @pool, ptr %x, ptr %dx)
  ret void
}
