// Markers that are not known, at every place of a request, and what does not
// fit those that are.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT-COUNT-7: error:
// COUNT-NOT: {{error|warning}}:
#include "request.h"

extern int enzyme_width, enzyme_byref, enzyme_interleave, enzyme_tapes, enzyme_unheard_of;
void __enzyme_batch(void *, ...);
double square(double x) { return x * x; }
double at(const double *x, int n) { return x[0] * n; }
double loud(double *x) { return x[0] *= 2; }
void loud_forward(double *x, double *dx) { dx[0] = x[0]; }
void loud_reverse(double *x, double *dx, double g) { dx[0] = x[0] * g; }
void *__enzyme_register_gradient_loud[] = {(void *)loud, (void *)loud_forward, (void *)loud_reverse};
double hears(double *x) { return loud(x) * x[0]; }

double r1(double x) {
  return __enzyme_autodiff((void *)square, enzyme_out, x, enzyme_unheard_of);
}
// CHECK: request-markers.c:[[@LINE-2]]:10: error: there is no marker enzyme_unheard_of for an argument [retro-unknown-marker]
void r2(double x) {
  __enzyme_batch((void *)square, enzyme_width, 2, enzyme_unheard_of, x, x);
}
// CHECK: request-markers.c:[[@LINE-2]]:3: error: there is no marker enzyme_unheard_of for an argument of a batch, which has enzyme_vector, enzyme_scalar and enzyme_buffer
void r3(double x) {
  __enzyme_batch((void *)square, enzyme_width, 2, enzyme_dup, x, x);
}
// CHECK: request-markers.c:[[@LINE-2]]:3: error: there is no marker enzyme_dup for an argument of a batch
double r4(double x) {
  return __enzyme_autodiff((void *)square, enzyme_tapes, enzyme_out, x);
}
// CHECK: request-markers.c:[[@LINE-2]]:10: error: there is no marker enzyme_tapes for an argument (did you mean enzyme_tape?)
double r5(double x) {
  return __enzyme_autodiff((void *)square, enzyme_out, enzyme_byref, 4, &x);
}
// CHECK: request-markers.c:[[@LINE-2]]:10: error: argument 1 given for 'square' does not have the parameter's type
double r6(double *x, double *dx) {
  return __enzyme_autodiff((void *)at, enzyme_dup, x, enzyme_const, 3, enzyme_interleave);
}
// CHECK: request-markers.c:[[@LINE-2]]:10: error: too few arguments to differentiate 'at'
double r7(double *x, double *dx) {
  return __enzyme_autodiff((void *)hears, enzyme_dup, x, dx);
}
// CHECK: request-markers.c:18:34: error: the result of 'loud' is read, and 'loud_forward', registered as its augmented function, does not return it; 'loud' cannot be called besides, as it writes memory [retro-custom-result]
