// A known function that moves active numbers, and has no rule yet.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

int less(const void *a, const void *b) { return *(double *)a < *(double *)b ? -1 : 1; }
double f(double *x, int n) {
  qsort(x, n, sizeof *x, less);
  return x[0] * x[1];
}
// CHECK: sorting.c:[[@LINE-3]]:3: error: no derivative is known for the function 'qsort' [retro-no-derivative]
double r(double *x, double *dx, int n) { return __enzyme_autodiff((void *)f, x, dx, n); }
