// What a function has written before it throws to its caller cannot be
// reversed; what it computes of its own can.
// RUN: not %retro-clang++ -O2 -g -DWRITES -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang++ -O0 -g -DWRITES -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang++ -O2 -g -c %s -o /dev/null
// RUN: %retro-clang++ -O0 -g -c %s -o /dev/null
// RUN: %retro-clang++ -O2 -g -DWRITES -DFORWARD -c %s -o /dev/null
#include "request.h"
double __enzyme_fwddiff(void *, ...);

static double descend(double *x, int n) {
#ifdef WRITES
  x[n] *= x[0];
#endif
  if (x[n] > 100)
    throw n;
  return n == 0 ? x[0] : x[n] * descend(x, n - 1) * descend(x, n / 2);
}
double f(double *x, int n) {
  try {
    return descend(x, n);
  } catch (int k) {
    return k * x[0];
  }
}
// CHECK: exceptions-written.cpp:[[#@LINE-5]]:12: error: cannot reverse this control flow ({{.*}}descend{{.*}} may throw after it has written numbers with a derivative, and the exception is caught here) [retro-control-flow]
void r(double *x, double *d, int n) {
#ifdef FORWARD
  __enzyme_fwddiff((void *)f, x, d, n);
#else
  __enzyme_autodiff((void *)f, x, d, n);
#endif
}
