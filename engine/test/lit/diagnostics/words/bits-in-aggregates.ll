; Bits of a number in an integer of an aggregate, which the derivative has no
; number for: from memory, through a call, and through a choice.
; RUN: sed 's/@request/@loaded/' %s | not %retro-opt -retro-preopt=0 -disable-output 2>&1 | FileCheck -DIN=loaded %s
; RUN: sed 's/@request/@returned/' %s | not %retro-opt -retro-preopt=0 -disable-output 2>&1 | FileCheck -DIN=returned %s
; RUN: sed 's/@request/@passed/' %s | not %retro-opt -retro-preopt=0 -disable-output 2>&1 | FileCheck -DIN=take %s
; CHECK: in function '[[IN]]': integer arithmetic on the bits of an active floating-point value ('sub')
declare double @__enzyme_autodiff(...)

define double @loaded(double %x) {
  %m = alloca { double, i64 }
  store double %x, ptr %m
  %b = bitcast double %x to i64
  %c = add i64 %b, 1
  %f = getelementptr { double, i64 }, ptr %m, i64 0, i32 1
  store i64 %c, ptr %f
  %r = load { double, i64 }, ptr %m
  %d = extractvalue { double, i64 } %r, 1
  %e = sub i64 %d, 1
  %n = bitcast i64 %e to double
  ret double %n
}

define { double, i64 } @pack(double %x) {
  %m = alloca { double, i64 }
  store double %x, ptr %m
  %b = bitcast double %x to i64
  %c = add i64 %b, 1
  %f = getelementptr { double, i64 }, ptr %m, i64 0, i32 1
  store i64 %c, ptr %f
  %r = load { double, i64 }, ptr %m
  ret { double, i64 } %r
}
define double @returned(double %x) {
  %which = fcmp ogt double %x, 0.0
  %r = call { double, i64 } @pack(double %x)
  %s = select i1 %which, { double, i64 } %r, { double, i64 } zeroinitializer
  %d = extractvalue { double, i64 } %s, 1
  %e = sub i64 %d, 1
  %n = bitcast i64 %e to double
  ret double %n
}

define double @take({ double, i64 } %r) {
  %d = extractvalue { double, i64 } %r, 1
  %e = sub i64 %d, 1
  %n = bitcast i64 %e to double
  ret double %n
}
define double @passed(double %x) {
  %r = call { double, i64 } @pack(double %x)
  %n = call double @take({ double, i64 } %r)
  ret double %n
}

define double @gradient(double %x) {
  %g = call double (...) @__enzyme_autodiff(ptr @request, double %x)
  ret double %g
}
