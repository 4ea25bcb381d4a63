; What only enzyme_dupnoneed memory receives, and nothing reads, is not stored.
; RUN: %retro-opt %s -retro-late-stores=0 | FileCheck %s
; What such memory is computed from need not be read from elsewhere.
; RUN: %retro-opt %s -retro-print-plan -disable-output 2>&1 | FileCheck --check-prefix=PLAN %s
; PLAN: plan for square (root)
; PLAN: drop store to %w
; PLAN: plan for square (root)
; PLAN-NOT: drop store
; PLAN: plan for scaled (root)
; PLAN: drop store to %w
; PLAN-NOT: drop store
; PLAN: plan for scaled (root)
; PLAN-NOT: drop store
declare void @__enzyme_autodiff(...)
@enzyme_dup = external global i32
@enzyme_dupnoneed = external global i32
@enzyme_const = external global i32

; The primal result is not even computed; its adjoint is taken as always.
; CHECK-LABEL: define internal {} @gradient_square(ptr noalias %0, ptr noalias %1, ptr %2, ptr noalias %3)
; CHECK-NOT: store {{.*}}, ptr %1
; CHECK: [[X:%.+]] = load double, ptr %0
; CHECK-NOT: store {{.*}}, ptr %1
; CHECK: [[G:%.+]] = load double, ptr %3
; CHECK-NEXT: store double 0.000000e+00, ptr %3
; CHECK-NEXT: fmul double [[X]], [[G]]
; CHECK-NOT: store {{.*}}, ptr %1
; CHECK: store double {{%.+}}, ptr %2
; CHECK-NEXT: ret {}

; The same function for a duplicated argument.
; CHECK-LABEL: define internal {} @gradient_square.{{[0-9]+}}(ptr noalias %0, ptr noalias %1, ptr %2, ptr noalias %3)
; CHECK: [[Y:%.+]] = fmul double [[X:%.+]], [[X]]
; CHECK-NEXT: store double [[Y]], ptr %1
; CHECK: ret {}
define void @square(ptr noalias %u, ptr noalias %w) {
  %x = load double, ptr %u
  %y = fmul double %x, %x
  store double %y, ptr %w
  ret void
}

; w may be u, which is needed.
; CHECK-LABEL: define internal {} @gradient_overlapping(ptr %0, ptr %1, ptr %2, ptr %3)
; CHECK: [[Y:%.+]] = fmul double [[X:%.+]], [[X]]
; CHECK-NEXT: store double [[Y]], ptr %1
; CHECK: ret {}
define void @overlapping(ptr %u, ptr %w) {
  %x = load double, ptr %u
  %y = fmul double %x, %x
  store double %y, ptr %w
  ret void
}

; What is read again is stored: here at a place known only at run time …
; CHECK-LABEL: define internal {} @gradient_again(ptr noalias %0, ptr noalias %1, i64 %2, ptr noalias %3, ptr noalias %4)
; CHECK: [[Y:%.+]] = fmul double [[X:%.+]], [[X]]
; CHECK-NEXT: store double [[Y]], ptr %1
; CHECK: [[P:%.+]] = getelementptr double, ptr %1, i64 %2
; CHECK-NEXT: load double, ptr [[P]]
; CHECK: ret {}
define void @again(ptr noalias %u, ptr noalias %w, i64 %k) {
  %x = load double, ptr %u
  %y = fmul double %x, %x
  store double %y, ptr %w
  %p = getelementptr double, ptr %w, i64 %k
  %z = load double, ptr %p
  %v = fmul double %z, %x
  store double %v, ptr %u
  ret void
}

; … and here by a function that is known to read it.
; CHECK-LABEL: define internal {} @gradient_printed(ptr noalias %0, ptr noalias %1, ptr %2, ptr noalias %3)
; CHECK: [[Y:%.+]] = fmul double [[X:%.+]], [[X]]
; CHECK-NEXT: store double [[Y]], ptr %1
; CHECK: call i32 @puts(ptr {{.*}}%1)
; CHECK: ret {}
declare i32 @puts(ptr)
define void @printed(ptr noalias %u, ptr noalias %w) {
  %x = load double, ptr %u
  %y = fmul double %x, %x
  store double %y, ptr %w
  %n = call i32 @puts(ptr %w)
  ret void
}

; In place, by a constant: nothing of w is needed, and nothing is left of the
; primal. The factor is, if it is active.
; CHECK-LABEL: define internal {} @gradient_scaled(ptr noalias %0, double %1, ptr noalias %2)
; CHECK-NEXT: rev.:
; CHECK-NEXT: [[G:%.+]] = load double, ptr %2
; CHECK-NEXT: [[D:%.+]] = fmul double %1, [[G]]
; CHECK-NEXT: store double [[D]], ptr %2
; CHECK-NEXT: ret {}
; CHECK-LABEL: define internal { double } @gradient_scaled.{{[0-9]+}}(ptr noalias %0, double %1, ptr noalias %2)
; CHECK: [[X:%.+]] = load double, ptr %0
; CHECK: [[G:%.+]] = load double, ptr %2
; CHECK: fmul double [[X]], [[G]]
define void @scaled(ptr noalias %w, double %c) {
  %x = load double, ptr %w
  %y = fmul double %x, %c
  store double %y, ptr %w
  ret void
}

define void @g(ptr %u, ptr %du, ptr %w, ptr %dw, i64 %k) {
  call void (...) @__enzyme_autodiff(ptr @square, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw)
  call void (...) @__enzyme_autodiff(ptr @square, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dup, ptr %w, ptr %dw)
  call void (...) @__enzyme_autodiff(ptr @overlapping, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw)
  call void (...) @__enzyme_autodiff(ptr @again, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw, i64 %k)
  call void (...) @__enzyme_autodiff(ptr @printed, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw)
  call void (...) @__enzyme_autodiff(ptr @scaled, ptr @enzyme_dupnoneed, ptr %w, ptr %dw, ptr @enzyme_const, double 0x3FF3AE147AE147AE)
  call void (...) @__enzyme_autodiff(ptr @scaled, ptr @enzyme_dupnoneed, ptr %w, ptr %dw, double 2.0)
  ret void
}
