; A module without requests is left as it is.
; RUN: %retro-opt %s -retro-print-plan -retro-print-counters > %t.ll 2> %t.err
; RUN: opt -S %s -o %t.same.ll
; RUN: diff %t.ll %t.same.ll
; RUN: count 0 < %t.err
define double @f(double %x) {
  %p = fadd double %x, 0.0
  %q = fmul double %p, %p
  ret double %q
}
