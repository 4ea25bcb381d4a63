; What only enzyme_dupnoneed memory receives, and nothing reads, is not stored.
; RUN: %retro-opt %s | FileCheck %s
; RUN: %retro-opt %s -retro-print-plan -disable-output 2>&1 | FileCheck --check-prefix=PLAN %s
; PLAN: drop store to %w
; PLAN-NOT: drop store
declare void @__enzyme_autodiff(...)
@enzyme_dup = external global i32
@enzyme_dupnoneed = external global i32

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

define void @g(ptr %u, ptr %du, ptr %w, ptr %dw, i64 %k) {
  call void (...) @__enzyme_autodiff(ptr @square, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw)
  call void (...) @__enzyme_autodiff(ptr @square, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dup, ptr %w, ptr %dw)
  call void (...) @__enzyme_autodiff(ptr @overlapping, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw)
  call void (...) @__enzyme_autodiff(ptr @again, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw, i64 %k)
  call void (...) @__enzyme_autodiff(ptr @printed, ptr @enzyme_dup, ptr %u, ptr %du, ptr @enzyme_dupnoneed, ptr %w, ptr %dw)
  ret void
}
