; Integers of an aggregate that carry numbers: its derivative has numbers in
; their places. One of an array whose parts are no longer alike is a structure.
; RUN: %retro-opt %s -retro-preopt=0 | FileCheck %s
; RUN: %retro-clang -w -O1 %s -o %t -mllvm -retro-preopt=0 && %t | FileCheck --check-prefix=RESULT %s
declare double @__enzyme_autodiff(...)

; CHECK-LABEL: define internal { double } @reverse_alike(
; CHECK-SAME: [2 x double] %
define internal [2 x i64] @alike(double %x, i64 %n) {
  %last = icmp eq i64 %n, 0
  br i1 %last, label %one, label %more
one:
  %b = bitcast double %x to i64
  %p = insertvalue [2 x i64] poison, i64 %b, 0
  %q = insertvalue [2 x i64] %p, i64 %b, 1
  ret [2 x i64] %q
more:
  %m = sub i64 %n, 1
  %r = call [2 x i64] @alike(double %x, i64 %m)
  %rb = extractvalue [2 x i64] %r, 1
  %v = bitcast i64 %rb to double
  %w = fmul double %v, %x
  %wb = bitcast double %w to i64
  %s = insertvalue [2 x i64] %r, i64 %wb, 0
  ret [2 x i64] %s
}

; CHECK-LABEL: define internal { double } @reverse_unlike(
; CHECK-SAME: { double, i64 } %
define internal [2 x i64] @unlike(double %x, i64 %n) {
  %last = icmp eq i64 %n, 0
  br i1 %last, label %one, label %more
one:
  %b = bitcast double %x to i64
  %p = insertvalue [2 x i64] [i64 0, i64 5], i64 %b, 0
  ret [2 x i64] %p
more:
  %m = sub i64 %n, 1
  %r = call [2 x i64] @unlike(double %x, i64 %m)
  %rb = extractvalue [2 x i64] %r, 0
  %v = bitcast i64 %rb to double
  %w = fmul double %v, %x
  %wb = bitcast double %w to i64
  %s = insertvalue [2 x i64] %r, i64 %wb, 0
  %t = extractvalue [2 x i64] %s, 1
  %tt = mul i64 %t, 3
  %u = insertvalue [2 x i64] %s, i64 %tt, 1
  ret [2 x i64] %u
}

; CHECK-LABEL: define internal { double } @reverse_packed(
; CHECK-SAME: <{ i16, <2 x float>, double }> %
define internal <{ i16, i64, double }> @packed(double %x, i64 %n) {
  %last = icmp eq i64 %n, 0
  br i1 %last, label %one, label %more
one:
  %f = fptrunc double %x to float
  %l = insertelement <2 x float> zeroinitializer, float %f, i64 1
  %b = bitcast <2 x float> %l to i64
  %p = insertvalue <{ i16, i64, double }> <{ i16 3, i64 0, double 0.0 }>, i64 %b, 1
  ret <{ i16, i64, double }> %p
more:
  %m = sub i64 %n, 1
  %r = call <{ i16, i64, double }> @packed(double %x, i64 %m)
  %rb = extractvalue <{ i16, i64, double }> %r, 1
  %v = bitcast i64 %rb to <2 x float>
  %e = extractelement <2 x float> %v, i64 1
  %d = fpext float %e to double
  %w = fmul double %d, %x
  %s = insertvalue <{ i16, i64, double }> %r, double %w, 2
  ret <{ i16, i64, double }> %s
}

define double @all(double %x) {
  %a = call [2 x i64] @alike(double %x, i64 2)
  %ab = extractvalue [2 x i64] %a, 0
  %an = bitcast i64 %ab to double
  %u = call [2 x i64] @unlike(double %x, i64 2)
  %ub = extractvalue [2 x i64] %u, 0
  %un = bitcast i64 %ub to double
  %p = call <{ i16, i64, double }> @packed(double %x, i64 2)
  %pn = extractvalue <{ i16, i64, double }> %p, 2
  %s = fadd double %an, %un
  %t = fadd double %s, %pn
  ret double %t
}

; An integer beside a number is none, from memory or from a call: it may change.
define internal { double, i64 } @counted(double %x, i64 %n) {
  %last = icmp eq i64 %n, 0
  br i1 %last, label %one, label %more
one:
  %m = alloca { double, i64 }
  %f = getelementptr { double, i64 }, ptr %m, i64 0, i32 1
  store double %x, ptr %m
  store i64 %n, ptr %f
  %p = load { double, i64 }, ptr %m
  %t = extractvalue { double, i64 } %p, 1
  %u = xor i64 %t, 2
  %q = insertvalue { double, i64 } %p, i64 %u, 1
  ret { double, i64 } %q
more:
  %k = sub i64 %n, 1
  %r = call { double, i64 } @counted(double %x, i64 %k)
  %c = extractvalue { double, i64 } %r, 1
  %d = mul i64 %c, 3
  %s = insertvalue { double, i64 } %r, i64 %d, 1
  ret { double, i64 } %s
}
define double @times(double %x) {
  %r = call { double, i64 } @counted(double %x, i64 2)
  %v = extractvalue { double, i64 } %r, 0
  %c = extractvalue { double, i64 } %r, 1
  %n = sitofp i64 %c to double
  %p = fmul double %n, %v
  ret double %p
}

; x^2 + x^3 + x^2 at 1.5, and 2 * 3 * 3 x.
; RESULT: 12.7500
; RESULT: 18.0000
declare i32 @printf(ptr, ...)
@format = constant [7 x i8] c"%.4f\0A\00\00"
define i32 @main() {
  %g = call double (...) @__enzyme_autodiff(ptr @all, double 1.5)
  %n = call i32 (ptr, ...) @printf(ptr @format, double %g)
  %h = call double (...) @__enzyme_autodiff(ptr @times, double 1.5)
  %m = call i32 (ptr, ...) @printf(ptr @format, double %h)
  ret i32 0
}
