// A shadow of another type than its argument, in the place of one something
// else, or none at all: the message names the parameter and what is given.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-DEBUG
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-DEBUG
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: not %retro-clang -O2 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,PLAIN
#include "request.h"
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
static double single(float *x) { return x[0] * x[0]; }
static void copy(double *x, double *y) { y[0] = x[0] * x[0]; }
double values[4], wide[4];
float narrow[4];
long words[4];

void global(void) {
  // CHECK: error: {{.*}}argument 1 given for 'sum' does not have the parameter's type: what is given as the shadow of
  // CHECK-DEBUG-SAME: 'const double *x' is 'float[] narrow'; was its shadow forgotten? [retro-bad-argument-type]
  // PLAIN-SAME: memory of type double is memory of type float; was its shadow forgotten? [retro-bad-argument-type]
  __enzyme_autodiff_void((void *)sum, values, narrow, 4);
}
void local(void) {
  float x[4] = {1, 2, 3, 4};
  double dx[4] = {0};
  // CHECK: argument 1 given for 'single' does not have the parameter's type: what is given as the shadow of
  // CHECK-DEBUG-SAME: 'float *x' is {{'double\[\] dx'|memory of type double}}
  // PLAIN-SAME: memory of type float is memory of type double
  __enzyme_autodiff_void((void *)single, x, dx);
  printf("%g %g\n", x[0], dx[0]);
}
void tangents(void) {
  // CHECK: argument 1 given for 'single' does not have
  __enzyme_fwddiff_void((void *)single, narrow, wide);
}
void integers(void) {
  // CHECK: argument 1 given for 'sum' does not have
  __enzyme_autodiff_void((void *)sum, values, words, 4);
}
void pointer(double *x, float *dx, int n) {
  // CHECK-DEBUG: what is given as the shadow of 'const double *x' is 'float *dx'
  __enzyme_autodiff_void((void *)sum, x, dx, n);
}
void forgotten(double *x, int n) {
  // CHECK: argument 1 given for 'sum' does not have the parameter's type
  // CHECK-DEBUG-SAME: : it is 'const double *x', and 'int n' is given; was the shadow of 'x' forgotten?
  // PLAIN-SAME: : it is a pointer, and an integer is given; was the shadow of parameter 1 forgotten?
  __enzyme_autodiff_void((void *)sum, x, n);
}
void later(double *x, double *y) {
  // CHECK: too few arguments to differentiate 'copy': nothing is given for parameter 2
  // CHECK-DEBUG-SAME: : it is 'double *y'; was the shadow of 'x' forgotten?
  __enzyme_autodiff_void((void *)copy, x, y);
}
void order(double *x, double *y, double *dx, double *dy) {
  // CHECK-DEBUG: shadow-types.c:[[@LINE+1]]:3: warning: {{.*}}'y' is given as the shadow of 'x', and 'dx' for the parameter 'y': each argument is followed by its shadow; was the shadow of 'x' forgotten? [retro-shadow-order]
  __enzyme_autodiff_void((void *)copy, x, y, dx, dy);
  // CHECK-DEBUG: shadow-types.c:[[@LINE+1]]:3: warning: {{.*}}'y' is given as the shadow of 'x', and 'dy' for the parameter 'y'
  __enzyme_autodiff_void((void *)copy, x, y, dy, dx);
}
void own(double *x, double *y, double *dy) {
  // CHECK: warning: {{.*}}parameter 1 of 'copy' is given as its own shadow: its derivative goes where its value is [retro-own-shadow]
  __enzyme_autodiff_void((void *)copy, x, x, y, dy);
}
// CHECK-NOT: error:
// CHECK-NOT: warning:
struct pair { double a, b; };
static double pairs(struct pair *p, void *context, const int *index) { (void)context; return p[0].a * p[index[0]].b; }
void right(struct pair *p, double *dx, double *x, double *y, double *dy, const int *index, int *unused) {
  struct pair q[2] = {{1, 2}, {3, 4}};
  double dq[4] = {0};
  __enzyme_autodiff_void((void *)pairs, q, dq, enzyme_const, NULL, index, unused);
  __enzyme_autodiff_void((void *)copy, x, dx, y, dy);
  __enzyme_autodiff_void((void *)pairs, p, p + 1, enzyme_const, dq, enzyme_const, index);
  printf("%g\n", dq[0]);
}
