// Wrong requests: each is one error, at its own line where there are line
// numbers and at its function where there are none; the compilation fails.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,FUNCTION %s
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT-COUNT-18: error:
// COUNT-NOT: {{error|warning}}:
#include "request.h"

double square(double x) { return x * x; }
double scaled(double x, int n) { return x * n; }
double at(const double *x, int n) { return x[0] * n; }
double volume(double x, double y, double z) { return x * y * z; }
struct Two { double a, b; } two(double x) { struct Two t = {x, x * x}; return t; }
double elsewhere(double x);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
struct Two __enzyme_autodiff_two(void *, ...);
extern int enzyme_width, enzyme_allocated, enzyme_tape, enzyme_unheard_of, enzyme_duplicated;

double r1(void *f) {
  return __enzyme_autodiff(f, 1.0);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: the first argument of __enzyme_autodiff is not a function known at compile time [retro-target-not-function]; to fix it: pass the function itself

double r2(double x) {
  return __enzyme_autodiff((void *)elsewhere, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: cannot differentiate 'elsewhere': its body is not in this translation unit [retro-target-no-body]; to fix it: define it here, or compile its file too with -flto

double r3(double x) {
  return __enzyme_autodiff((void *)scaled, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: too few arguments to differentiate 'scaled': nothing is given for parameter 2{{.*}} [retro-too-few-arguments]; to fix it: give every argument, and a shadow after each duplicated one

double r4(double *x) {
  return __enzyme_autodiff((void *)at, enzyme_dup, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: too few arguments to differentiate 'at': nothing is given for parameter 1{{.*}} [retro-too-few-arguments]

double r5(double x) {
  return __enzyme_autodiff((void *)square, x, 2.0, 3.0);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: too many arguments to differentiate 'square': 2 left over [retro-too-many-arguments]; to fix it:

double r6(double x) {
  return __enzyme_autodiff((void *)scaled, x, enzyme_out, 2);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: argument 2 of 'scaled' cannot be enzyme_out [retro-bad-activity]; to fix it: mark it enzyme_const

double r7(double x) {
  return __enzyme_autodiff((void *)scaled, enzyme_dup, x, x, 2);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: argument 1 of 'scaled' cannot be enzyme_dup [retro-bad-activity]

double r8(double x, double *dx) {
  return __enzyme_autodiff((void *)at, x, dx, 2);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: argument 1 given for 'at' does not have the parameter's type{{.*}} [retro-bad-argument-type]; to fix it: pass a value of the parameter's type

double r9(double x) {
  return __enzyme_reverse((void *)square, x, 1.0);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: too few arguments to differentiate 'square': the tape is missing [retro-too-few-arguments]

double r10(double x) {
  return __enzyme_autodiff((void *)square, enzyme_width, 2, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: the result type of this request does not fit the derivatives of 'square': there are 2 numbers to return [retro-bad-return]

double r14(double x, int n) {
  return __enzyme_autodiff((void *)square, enzyme_width, n, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: the number after enzyme_width is not known at compile time (a width, stride or size must be) [retro-not-constant]; to fix it: pass a literal or a constant

double r15(double x) {
  return __enzyme_autodiff((void *)square, enzyme_width, 0, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: enzyme_width 0 is not between 1 and 1024 [retro-bad-width]; to fix it: choose a width in that range

void r16(double x, void *memory) {
  __enzyme_augmentfwd((void *)square, enzyme_allocated, 8, enzyme_tape, memory,
                      x);
}
// LINE: request-errors.c:[[@LINE-3]]:3: error:
// FUNCTION: request-errors.c:[[@LINE-5]]:6: error:
// CHECK-SAME: the tape of 'square' takes 64 bytes, enzyme_allocated says 8 [retro-tape-memory]; to fix it: give the size that __enzyme_augmentsize returns

double r11(double x) {
  return __enzyme_autodiff((void *)square, enzyme_unheard_of, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: there is no marker enzyme_unheard_of for an argument [retro-unknown-marker]; to fix it: use enzyme_const, enzyme_dup, enzyme_dupnoneed or enzyme_out

double r18(double *x, double *dx) {
  return __enzyme_autodiff((void *)at, enzyme_duplicated, x, dx, 1);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:8: error:
// CHECK-SAME: there is no marker enzyme_duplicated for an argument (did you mean enzyme_dup?) [retro-unknown-marker]

double cube(double x) { return x * x * x; }
double __enzyme_fwdsplit(void *, ...);
double r17(double x, void *tape) {
  return __enzyme_fwdsplit((void *)cube, enzyme_dup, x, 1.0, tape) +
         __enzyme_reverse((void *)cube, x, 1.0, tape);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-5]]:8: error:
// CHECK-SAME: the first pass of 'cube' cannot serve __enzyme_reverse and __enzyme_fwdsplit: their tapes differ [retro-two-second-passes]; to fix it: differentiate a copy

struct Two r12(double x) {
  return __enzyme_autodiff_two((void *)volume, x, x, x);
}
// LINE: request-errors.c:[[@LINE-2]]:10: error:
// FUNCTION: request-errors.c:[[@LINE-4]]:12: error:
// CHECK-SAME: the result type of this request does not fit the derivatives of 'volume': there are 3 numbers to return [retro-bad-return]; to fix it:

// A function that returns two numbers has no gradient.
double r13(double x) {
  return __enzyme_autodiff((void *)two, x);
}
// LINE: request-errors.c:15:{{[0-9]+}}: error:
// FUNCTION: request-errors.c:15:29: error:
// CHECK-SAME: the result type of this request does not fit the derivatives of 'two': it returns more than one number [retro-bad-return]
