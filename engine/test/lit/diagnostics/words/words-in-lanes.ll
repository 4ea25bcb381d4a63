; A pointer that comes out of a vector, or of a number, in a way that is not
; followed is no constant: what is loaded through it has no shadow. What can be
; followed is in the program pointers_in_lanes.cpp.
; RUN: split-file %s %t
; RUN: not %retro-opt %t/varindex.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %retro-opt %t/volatile.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %retro-opt %t/dblarg.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %retro-opt %t/recursive.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: error: {{.*}}the shadow of this memory is not known {{.*}}[retro-unknown-shadow]

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
