; Two numbers that are moved as one integer are moved one by one; what becomes a
; number in another way, of memory that nothing says the type of, is an error.
; RUN: split-file %s %t
; RUN: %retro-opt %t/moved.ll | FileCheck %t/moved.ll
; RUN: not %retro-opt %t/computed.ll 2>&1 | FileCheck %t/computed.ll

;--- moved.ll
declare double @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
declare void @free(ptr)

; Nothing but the last load tells that x points to numbers.
; CHECK-LABEL: define internal {} @gradient_loaded(ptr %0, ptr %1)

; CHECK: fadd double
; CHECK: fadd double
; CHECK: ret {}
define double @loaded(ptr %x) {
  %wide = load i128, ptr %x, align 8
  %m = call ptr @malloc(i64 16)
  %low = trunc i128 %wide to i64
  store i64 %low, ptr %m, align 8
  %shifted = lshr i128 %wide, 64
  %high = trunc i128 %shifted to i64
  %m1 = getelementptr i8, ptr %m, i64 8
  store i64 %high, ptr %m1, align 8
  %a = load double, ptr %m, align 8
  %b = load double, ptr %m1, align 8
  %r = fmul double %a, %b
  call void @free(ptr %m)
  ret double %r
}

; CHECK-LABEL: define internal {} @gradient_stored(ptr %0, ptr %1)
; CHECK: fadd double
; CHECK: fadd double
; CHECK: ret {}
define double @stored(ptr %x) {
  %p = getelementptr i8, ptr %x, i64 8
  %a = load double, ptr %x, align 8
  %b = load double, ptr %p, align 8
  %ai = bitcast double %a to i64
  %bi = bitcast double %b to i64
  %az = zext i64 %ai to i128
  %bz = zext i64 %bi to i128
  %bs = shl i128 %bz, 64
  %wide = or i128 %bs, %az
  %m = call ptr @malloc(i64 16)
  store i128 %wide, ptr %m, align 8
  %q = getelementptr i8, ptr %m, i64 8
  %c = load double, ptr %m, align 8
  %d = load double, ptr %q, align 8
  %r = fmul double %c, %d
  call void @free(ptr %m)
  ret double %r
}

; CHECK-LABEL: define internal {} @gradient_taken(ptr %0, ptr %1)
; CHECK: fadd double
; CHECK: fadd double
; CHECK: ret {}
define double @taken(ptr %x) {
  %v = load <2 x double>, ptr %x, align 8
  %wide = bitcast <2 x double> %v to i128
  %low = trunc i128 %wide to i64
  %a = bitcast i64 %low to double
  %shifted = lshr i128 %wide, 64
  %high = trunc i128 %shifted to i64
  %b = bitcast i64 %high to double
  %r = fmul double %a, %b
  ret double %r
}

define void @requests(ptr %x, ptr %dx) {
  call double (...) @__enzyme_autodiff(ptr @loaded, ptr %x, ptr %dx)
  call double (...) @__enzyme_autodiff(ptr @stored, ptr %x, ptr %dx)
  call double (...) @__enzyme_autodiff(ptr @taken, ptr %x, ptr %dx)
  ret void
}

;--- computed.ll
declare double @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
declare void @free(ptr)

; CHECK: error: in function 'computed': integer arithmetic on the bits of an active floating-point value ('add') [retro-bit-arithmetic]
define double @computed(ptr %x) {
  %p = getelementptr i8, ptr %x, i64 8
  %bits = load i64, ptr %p, align 8
  %m = call ptr @malloc(i64 8)
  %next = add i64 %bits, 4096
  store i64 %next, ptr %m, align 8
  %a = load double, ptr %m, align 8
  %b = load double, ptr %x, align 8
  %r = fmul double %a, %b
  call void @free(ptr %m)
  ret double %r
}

define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @computed, ptr %x, ptr %dx)
  ret double %r
}
