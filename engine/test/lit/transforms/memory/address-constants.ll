; The address of a variable that a constant makes a number and a pointer again,
; as where pointers were lanes of vectors, has the variable's shadow: the memory
; itself would be taken for its own shadow, and the adjoint lost.
; RUN: %retro-opt %s | FileCheck %s
declare double @__enzyme_autodiff(...)
@state = internal global [4 x double] zeroinitializer

; CHECK-LABEL: define internal {{.*}} @gradient_f(
; CHECK: [[P:%.+]] = select i1 {{.*}}, ptr getelementptr{{.*}} (i8, ptr @__retro_shadow_state, i64 8), ptr
; CHECK: [[OLD:%.+]] = load double, ptr [[P]]
; CHECK: [[NEW:%.+]] = fadd double [[OLD]]
; CHECK: store double [[NEW]], ptr [[P]]
define double @f(ptr %x, i1 %c) {
  %n = load double, ptr %x
  %s = fmul double %n, %n
  store double %s, ptr getelementptr inbounds (i8, ptr @state, i64 8)
  %p = select i1 %c, ptr inttoptr (i64 add (i64 ptrtoint (ptr @state to i64), i64 8) to ptr), ptr %x
  %r = load double, ptr %p
  %e = fmul double %r, 3.0
  ret double %e
}

define double @request(ptr %x, ptr %d, i1 %c) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %d, i1 %c)
  ret double %r
}
