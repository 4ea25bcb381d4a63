; Pointers in lanes of vectors, and in parts of wide integers, are loaded and
; stored one by one, so that each has a shadow.
; RUN: split-file %s %t
; RUN: %retro-opt %t/ptrvec.ll | FileCheck %s --check-prefix=PTRVEC
; RUN: %retro-opt %t/ptrmove.ll | FileCheck %s --check-prefix=PTRMOVE
; RUN: %retro-opt %t/gepvec.ll | FileCheck %s --check-prefix=GEPVEC
; RUN: %retro-opt %t/halves.ll | FileCheck %s --check-prefix=HALVES
; RUN: %retro-opt %t/i128phi.ll | FileCheck %s --check-prefix=I128PHI
; RUN: %retro-opt -retro-preopt=0 %t/alone.ll | FileCheck %s --check-prefix=ALONE

; The gradient with respect to a product a b b of two numbers.
; PTRVEC-LABEL: define internal {{.*}} @gradient_f(ptr %0, ptr %1)
; PTRVEC-COUNT-2: store double {{.*}}!alias.scope
; PTRMOVE-LABEL: define internal {{.*}} @gradient_f(ptr %0, ptr %1)
; PTRMOVE-COUNT-2: store double {{.*}}!alias.scope
; GEPVEC-LABEL: define internal {{.*}} @gradient_f(ptr %0, ptr %1)
; GEPVEC-COUNT-2: store double {{.*}}!alias.scope
; HALVES-LABEL: define internal {{.*}} @gradient_f(ptr %0, ptr %1)
; HALVES-COUNT-2: store double
; I128PHI-LABEL: define internal {{.*}} @gradient_f(ptr %0, ptr %1)
; I128PHI-COUNT-2: store double
; A lane that LLVM loads by itself, as a number, and that is a pointer: zero over
; its shadow was an address that nothing may be read from.
; ALONE-LABEL: define internal {{.*}} @tangent_of_f(ptr %0, ptr %1)
; ALONE: [[D:%.*]] = getelementptr{{.*}} ptr %1, i64 16
; ALONE: [[T:%.*]] = load double, ptr [[D]]
; ALONE: fmul double [[T]], 6.700000e-01

;--- ptrvec.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %a = alloca [2 x ptr], align 16
  %x1p = getelementptr double, ptr %x, i64 1
  %x2p = getelementptr double, ptr %x, i64 2
  %v0 = insertelement <2 x ptr> poison, ptr %x1p, i64 0
  %v1 = insertelement <2 x ptr> %v0, ptr %x2p, i64 1
  store <2 x ptr> %v1, ptr %a
  %v = load <2 x ptr>, ptr %a
  %s = shufflevector <2 x ptr> %v, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>
  %p = extractelement <2 x ptr> %s, i64 0
  %q = extractelement <2 x ptr> %s, i64 1
  %l = load double, ptr %p
  %m = load double, ptr %q
  %m2 = fmul double %m, %m
  %r = fmul double %l, %m2
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- ptrmove.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %a = alloca [2 x ptr], align 16
  %b = alloca [2 x ptr], align 16
  %x2p = getelementptr double, ptr %x, i64 2
  store ptr %x, ptr %a
  %a8 = getelementptr i8, ptr %a, i64 8
  store ptr %x2p, ptr %a8
  %v = load <2 x ptr>, ptr %a
  store <2 x ptr> %v, ptr %b
  %b8 = getelementptr i8, ptr %b, i64 8
  %q = load ptr, ptr %b8
  %m = load double, ptr %q
  %p = load ptr, ptr %b
  %l = load double, ptr %p
  %m2 = fmul double %m, %m
  %r = fmul double %l, %m2
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- gepvec.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_autodiff(...)
define double @f(ptr %x) noinline {
  %v0 = insertelement <2 x ptr> poison, ptr %x, i64 0
  %v1 = shufflevector <2 x ptr> %v0, <2 x ptr> poison, <2 x i32> zeroinitializer
  %g = getelementptr double, <2 x ptr> %v1, <2 x i64> <i64 1, i64 3>
  %p = extractelement <2 x ptr> %g, i64 0
  %q = extractelement <2 x ptr> %g, i64 1
  %m = load double, ptr %q
  %l = load double, ptr %p
  %m2 = fmul double %m, %m
  %r = fmul double %l, %m2
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- halves.ll
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
  %v = load <2 x double>, ptr %a
  %b = bitcast <2 x double> %v to <4 x i32>
  %s = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %w = bitcast <4 x i32> %s to <2 x i64>
  %i = extractelement <2 x i64> %w, i64 0
  %p = inttoptr i64 %i to ptr
  %l = load double, ptr %p
  %d = bitcast <4 x i32> %s to <2 x double>
  %e = extractelement <2 x double> %d, i64 1
  %r = fmul double %l, %e
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}

;--- i128phi.ll
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
  %b = alloca [4 x i64], align 16
  store double 2.0, ptr %b
  %b8 = getelementptr i8, ptr %b, i64 8
  store ptr %x2p, ptr %b8
  %c = fcmp ogt double %x0, 0.1
  br i1 %c, label %t, label %e
t:
  %v = load i128, ptr %a
  br label %j
e:
  %w = load i128, ptr %b
  br label %j
j:
  %u = phi i128 [ %v, %t ], [ %w, %e ]
  %lo = trunc i128 %u to i64
  %hs = lshr i128 %u, 64
  %hi = trunc i128 %hs to i64
  %p = inttoptr i64 %hi to ptr
  %s = bitcast i64 %lo to double
  %l = load double, ptr %p
  %r = fmul double %l, %s
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}
;--- alone.ll
target triple = "x86_64-pc-linux-gnu"
declare double @__enzyme_fwddiff(...)
define double @f(ptr %x) noinline {
  %a = alloca <2 x double>, align 16
  %b = alloca <2 x double>, align 16
  %x0 = load double, ptr %x
  %x2p = getelementptr double, ptr %x, i64 2
  store double %x0, ptr %a
  %a8 = getelementptr i8, ptr %a, i64 8
  store ptr %x2p, ptr %a8
  store double 0.67, ptr %b
  %b8 = getelementptr i8, ptr %b, i64 8
  store ptr %x, ptr %b8
  %w = load <2 x double>, ptr %b
  %s = extractelement <2 x double> %w, i64 0
  %q = load double, ptr %a8
  %v0 = insertelement <2 x double> poison, double %s, i64 0
  %v1 = insertelement <2 x double> %v0, double %q, i64 1
  store <2 x double> %v1, ptr %a
  %c = load double, ptr %a
  %p = load ptr, ptr %a8
  %l = load double, ptr %p
  %r = fmul double %l, %c
  ret double %r
}
define double @request(ptr %x, ptr %dx) {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, ptr %x, ptr %dx)
  ret double %r
}
