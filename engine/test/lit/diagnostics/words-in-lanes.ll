; A pointer that comes out of a vector, or of a number, in a way that is not
; followed is no constant: what is loaded through it has no shadow. What can be
; followed is in the program pointers_in_lanes.cpp.
; RUN: split-file %s %t
; RUN: not %retro-opt %t/varindex.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %retro-opt %t/volatile.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %retro-opt %t/dblarg.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %retro-opt %t/recursive.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %retro-opt %t/gather.ll 2>&1 | FileCheck %s --check-prefix=GATHER
; UNKNOWN: error: {{.*}}the shadow of this memory is not known {{.*}}[retro-unknown-shadow]
; GATHER: error: {{.*}}'llvm.masked.gather.v2f64.v2p0'{{.*}}[retro-no-derivative]

;--- varindex.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %a = alloca [4 x i64], align 16
  %x0 = load double, ptr %x
  %x1p = getelementptr double, ptr %x, i64 1
  %x2p = getelementptr double, ptr %x, i64 2
  store double %x0, ptr %a
  %a8 = getelementptr i8, ptr %a, i64 8
  store ptr %x1p, ptr %a8
  %v = load <2 x i64>, ptr %a
  %xi = load i64, ptr %x
  %k = lshr i64 %xi, 63
  %k1 = xor i64 %k, 1
  %i = extractelement <2 x i64> %v, i64 %k1
  %p = inttoptr i64 %i to ptr
  %l = load double, ptr %p
  %r = fmul double %l, %x0
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- volatile.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %a = alloca [4 x i64], align 16
  %x0 = load double, ptr %x
  %x1p = getelementptr double, ptr %x, i64 1
  %x2p = getelementptr double, ptr %x, i64 2
  store double %x0, ptr %a
  %a8 = getelementptr i8, ptr %a, i64 8
  store ptr %x1p, ptr %a8
  %v = load volatile <2 x i64>, ptr %a
  %i = extractelement <2 x i64> %v, i64 1
  %p = inttoptr i64 %i to ptr
  %l = load double, ptr %p
  %r = fmul double %l, %x0
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- dblarg.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %x1p = getelementptr double, ptr %x, i64 1
  %i = ptrtoint ptr %x1p to i64
  %b = bitcast i64 %i to double
  %r = call double @rec(double %b, i32 3)
  ret double %r
}
define internal double @rec(double %v, i32 %n) noinline {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %t, label %e
t:
  %i = bitcast double %v to i64
  %p = inttoptr i64 %i to ptr
  %l = load double, ptr %p
  ret double %l
e:
  %n1 = sub i32 %n, 1
  %r = call double @rec(double %v, i32 %n1)
  %r2 = fmul double %r, %r
  ret double %r2
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- recursive.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %x1p = getelementptr double, ptr %x, i64 1
  %i = ptrtoint ptr %x1p to i64
  %b = bitcast i64 %i to double
  %x0 = load double, ptr %x
  %v0 = insertelement <2 x double> poison, double %x0, i64 0
  %v1 = insertelement <2 x double> %v0, double %b, i64 1
  %r = call double @rec(<2 x double> %v1, i32 3)
  ret double %r
}
define internal double @rec(<2 x double> %v, i32 %n) noinline {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %t, label %e
t:
  %b = bitcast <2 x double> %v to <2 x i64>
  %i = extractelement <2 x i64> %b, i64 1
  %p = inttoptr i64 %i to ptr
  %l = load double, ptr %p
  %s = extractelement <2 x double> %v, i64 0
  %m = fmul double %l, %s
  ret double %m
e:
  %n1 = sub i32 %n, 1
  %r = call double @rec(<2 x double> %v, i32 %n1)
  %r2 = fmul double %r, %r
  ret double %r2
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- gather.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %v0 = insertelement <2 x ptr> poison, ptr %x, i64 0
  %v1 = shufflevector <2 x ptr> %v0, <2 x ptr> poison, <2 x i32> zeroinitializer
  %g = getelementptr double, <2 x ptr> %v1, <2 x i64> <i64 1, i64 3>
  %w = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %g, i32 8, <2 x i1> <i1 1, i1 1>, <2 x double> poison)
  %l = extractelement <2 x double> %w, i64 0
  %m = extractelement <2 x double> %w, i64 1
  %m2 = fmul double %m, %m
  %r = fmul double %l, %m2
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}
