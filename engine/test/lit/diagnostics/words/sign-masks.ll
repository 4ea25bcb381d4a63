; A mask that may change more of a number than its sign is refused: one that the
; program may change, one of another kind of lanes, a table with another word,
; one of the upper half of the digits, one of the lower half whose bits are not
; constant, and one that chooses each half of a number by itself, in a lane or
; round a loop.
; RUN: split-file %s %t
; RUN: not %retro-opt %t/given.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/variable.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/table.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/narrow.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/frozen.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/upper.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/any.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/halves.ll 2>&1 | FileCheck %s
; RUN: not %retro-opt %t/shifted.ll 2>&1 | FileCheck %s
; CHECK: error: in function 'f': integer arithmetic on the bits of an active floating-point value ('{{xor|and|or|bitcast}}') [retro-bit-arithmetic]

;--- given.ll
declare double @__enzyme_autodiff(...)
define double @f(double %x, i64 %m) {
  %b = bitcast double %x to i64
  %n = xor i64 %b, %m
  %r = bitcast i64 %n to double
  ret double %r
}
define double @g(double %x, i64 %m) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %m)
  ret double %r
}

;--- variable.ll
@sign = internal global i64 -9223372036854775808
declare double @__enzyme_autodiff(...)
define double @f(double %x) {
  %m = load i64, ptr @sign
  %b = bitcast double %x to i64
  %n = xor i64 %b, %m
  %r = bitcast i64 %n to double
  ret double %r
}
define double @g(double %x) {
  store i64 1, ptr @sign
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}

;--- table.ll
@signs = internal constant [2 x i64] [i64 -9223372036854775808, i64 1]
declare double @__enzyme_autodiff(...)
define double @f(double %x, i64 %i) {
  %p = getelementptr i64, ptr @signs, i64 %i
  %m = load i64, ptr %p
  %b = bitcast double %x to i64
  %n = xor i64 %b, %m
  %r = bitcast i64 %n to double
  ret double %r
}
define double @g(double %x, i64 %i) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %i)
  ret double %r
}

;--- narrow.ll
declare double @__enzyme_autodiff(...)
define double @f(<2 x double> %x) {
  %b = bitcast <2 x double> %x to <4 x i32>
  %n = xor <4 x i32> %b, splat (i32 -2147483648)
  %r = bitcast <4 x i32> %n to <2 x double>
  %s = extractelement <2 x double> %r, i32 1
  ret double %s
}
define double @g(<2 x double> %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, <2 x double> %x)
  ret double %r
}

;--- frozen.ll
declare double @__enzyme_autodiff(...)
define double @f(double %x, i1 %c, i64 %m) {
  %z = freeze i64 %m
  %k = select i1 %c, i64 %z, i64 -9223372036854775808
  %b = bitcast double %x to i64
  %n = xor i64 %b, %k
  %r = bitcast i64 %n to double
  ret double %r
}
define double @g(double %x, i1 %c, i64 %m) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i1 %c, i64 %m)
  ret double %r
}

;--- upper.ll
declare double @__enzyme_autodiff(...)
define double @f(double %x) {
  %b = bitcast double %x to i64
  %n = and i64 %b, -4294967297
  %r = bitcast i64 %n to double
  ret double %r
}
define double @g(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}

;--- any.ll
declare double @__enzyme_autodiff(...)
define double @f(double %x, i64 %m) {
  %b = bitcast double %x to i64
  %l = and i64 %m, 4294967295
  %n = or i64 %b, %l
  %r = bitcast i64 %n to double
  ret double %r
}
define double @g(double %x, i64 %m) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %m)
  ret double %r
}

;--- halves.ll
declare double @__enzyme_autodiff(...)
define double @f(double %x, double %y, <2 x i32> %k) {
  %c = icmp sgt <2 x i32> %k, zeroinitializer
  %s = sext <2 x i1> %c to <2 x i32>
  %m = bitcast <2 x i32> %s to i64
  %a = bitcast double %x to i64
  %b = bitcast double %y to i64
  %not = xor i64 %m, -1
  %p = and i64 %a, %not
  %q = and i64 %b, %m
  %o = or i64 %p, %q
  %r = bitcast i64 %o to double
  ret double %r
}
define double @g(double %x, double %y, <2 x i32> %k) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, double %y, <2 x i32> %k)
  ret double %r
}

;--- shifted.ll
declare double @__enzyme_autodiff(...)
define double @f(double %x, double %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %m = phi i64 [ -1, %entry ], [ %half, %loop ]
  %half = lshr i64 %m, 1
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %a = bitcast double %x to i64
  %b = bitcast double %y to i64
  %not = xor i64 %half, -1
  %p = and i64 %a, %not
  %q = and i64 %b, %half
  %o = or i64 %p, %q
  %r = bitcast i64 %o to double
  ret double %r
}
define double @g(double %x, double %y, i32 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, double %y, i32 %n)
  ret double %r
}
