; Lanes that a mask chooses are loaded and stored singly: behind a branch where
; the mask is not known, and without one where it is.
; RUN: %retro-opt -retro-preopt=0 %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, <2 x double>)
declare void @llvm.masked.scatter.v2f64.v2p0(<2 x double>, <2 x ptr>, <2 x i1>)

; CHECK-LABEL: define internal {{.*}}@gradient_f(
; CHECK-NOT: llvm.masked
; CHECK: [[X:%.*]] = load double, ptr %{{.*}}, align 8
; CHECK-NOT: llvm.masked
; CHECK: br i1
; CHECK-NOT: llvm.masked
; CHECK: ret
define double @f(ptr %x, ptr %y, <2 x i1> %m) {
  %v = call <2 x double> @llvm.masked.load.v2f64.p0(ptr align 8 %x, <2 x i1> <i1 1, i1 0>, <2 x double> <double 1.0, double 2.0>)
  %w = fmul <2 x double> %v, %v
  %p = insertelement <2 x ptr> poison, ptr %y, i64 0
  %q = insertelement <2 x ptr> %p, ptr %x, i64 1
  call void @llvm.masked.scatter.v2f64.v2p0(<2 x double> %w, <2 x ptr> align 8 %q, <2 x i1> %m)
  %r = load double, ptr %y, align 8
  ret double %r
}
define double @request(ptr %x, ptr %dx, ptr %y, ptr %dy, <2 x i1> %m) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy, <2 x i1> %m)
  ret double %r
}
