; A number in an integer of an aggregate: the derivative has a number there, and
; a function with a derivative of its own would take it for an integer.
; RUN: not %retro-opt %s -retro-preopt=0 -disable-output 2>&1 | FileCheck %s
; CHECK: in function 'owned': the registered derivative of 'own' cannot take this argument: numbers in it travel as an integer
declare double @__enzyme_autodiff(...)
declare double @own({ double, i64 })
declare { double, i64 } @own_reverse({ double, i64 }, double)
@__enzyme_register_gradient_own = global [3 x ptr] [ptr @own, ptr @own, ptr @own_reverse]
define double @owned(double %x) {
  %b = bitcast double %x to i64
  %p = insertvalue { double, i64 } { double 1.0, i64 0 }, i64 %b, 1
  %n = call double @own({ double, i64 } %p)
  ret double %n
}
define double @gradient(double %x) {
  %g = call double (...) @__enzyme_autodiff(ptr @owned, double %x)
  ret double %g
}
