// Wrong requests: each is one error at its own line, and the compilation fails.
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,LINE %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT-COUNT-10: error:
// COUNT-NOT: error:
#include "request.h"

double square(double x) { return x * x; }
double scaled(double x, int n) { return x * n; }
double at(const double *x, int n) { return x[0] * n; }
double elsewhere(double x);
void *choose(void);
double __enzyme_augmentfwd(void *, ...);
struct Three { double a, b, c; } __enzyme_autodiff_three(void *, ...);
extern int enzyme_width, enzyme_unheard_of;

double r1(void *f) {
  return __enzyme_autodiff(f, 1.0);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: in function r1 {{.*}}the first argument of __enzyme_autodiff is not a function known at compile time [retro-target-not-function]; to fix it: pass the function itself

double r2(double x) {
  return __enzyme_autodiff((void *)elsewhere, x);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: cannot differentiate 'elsewhere': its body is not in this translation unit [retro-target-no-body]

double r3(double x) {
  return __enzyme_autodiff((void *)scaled, x);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: too few arguments to differentiate 'scaled': nothing is given for parameter 2 [retro-too-few-arguments]

double r4(double *x) {
  return __enzyme_autodiff((void *)at, enzyme_dup, x);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: too few arguments to differentiate 'at': nothing is given for parameter 1 [retro-too-few-arguments]

double r5(double x) {
  return __enzyme_autodiff((void *)square, x, 2.0, 3.0);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: too many arguments to differentiate 'square': 2 left over [retro-too-many-arguments]

double r6(double x) {
  return __enzyme_autodiff((void *)scaled, x, enzyme_out, 2);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: argument 2 of 'scaled' cannot be enzyme_out [retro-bad-activity]

double r7(double x, double *dx) {
  return __enzyme_autodiff((void *)at, x, dx, 2);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: argument 1 given for 'at' does not have the parameter's type [retro-bad-argument-type]

double r8(double x) {
  return __enzyme_augmentfwd((void *)square, x);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: __enzyme_augmentfwd is not supported yet [retro-unsupported-mode]

double r9(double x) {
  return __enzyme_autodiff((void *)square, enzyme_width, 2, x);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: the option enzyme_width is not supported yet [retro-unsupported-mode]

double r10(double x) {
  return __enzyme_autodiff((void *)square, enzyme_unheard_of, x);
}
// LINE: request-errors.c:[[@LINE-2]]
// CHECK: the marker enzyme_unheard_of is not supported yet [retro-unsupported-mode]
