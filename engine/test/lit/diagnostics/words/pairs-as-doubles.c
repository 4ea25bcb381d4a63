// LLVM moves what is two floats at one time as a double, where a union of two
// words has both: the derivatives of the second word's floats were zero.
// RUN: not %retro-clang -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -DFORWARD -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

typedef union {
  double d[2];
  float f[4];
} pair;
static double f(const double *x, int n) {
  double s = 0;
  pair a[2];
  for (int k = 0; k < n; ++k) {
    pair t;
    if (k == 0) {
      t.d[0] = x[0], t.d[1] = x[1];
    } else {
      t.f[0] = (float)x[0], t.f[1] = (float)x[1];
      t.f[2] = (float)x[0], t.f[3] = (float)x[1];
    }
    a[k] = t;
  }
  for (int k = 0; k < n; ++k)
    s += k == 0 ? a[k].d[0] - a[k].d[1] : a[k].f[2] * a[k].f[3];
  return s;
}
// CHECK: error: what is moved here is an active number of one type at one time, and of another at another [retro-other-number]
double request(double *x, double *dx, int n) {
#ifdef FORWARD
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
#else
  return __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
#endif
}
