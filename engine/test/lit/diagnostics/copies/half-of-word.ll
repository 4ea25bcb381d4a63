; Half of a word, stored where nothing says what it is: it may be a float, which
; would lose its derivative.
; RUN: not %retro-opt %s 2>&1 | FileCheck %s
; CHECK: error: in function 'f': cannot deduce the type of the memory that is copied here [retro-unknown-type]
declare double @__enzyme_autodiff(...)
define float @f(ptr %x, ptr %out) {
  %w = load i64, ptr %x, align 4
  %s = lshr i64 %w, 32
  %h = trunc i64 %s to i32
  store i32 %h, ptr %out, align 4
  %q = getelementptr i8, ptr %x, i64 16
  %v = load float, ptr %q, align 4
  %r = fmul float %v, %v
  ret float %r
}
define double @g(ptr %x, ptr %dx, ptr %o, ptr %do) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %o, ptr %do)
  ret double %r
}
