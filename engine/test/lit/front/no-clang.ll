; A host that has no clang in it, and looks up every symbol at once, can load
; the library.
; RUN: env LD_BIND_NOW=1 opt -load-pass-plugin=%plugin -passes=retrograde -S %s | FileCheck %s
; CHECK: @f
define double @f(double %x) {
  ret double %x
}
