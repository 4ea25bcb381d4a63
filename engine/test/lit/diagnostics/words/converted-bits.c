// The bits of a number that are converted as an integer: a logarithm of those
// who count operations. Its slope is not zero. The exponent alone is a step
// function, and has no slope.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c -DMEMORY %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %retro-clang -O0 -g -c -DEXPONENT %s -o /dev/null
// RUN: %retro-clang -O2 -g -c -DEXPONENT %s -o /dev/null
#include "request.h"

typedef union {
  double number;
  long bits;
} word;

#ifdef MEMORY
extern int n;
double f(const double *x) {
  word w[8];
  double s = 0;
  for (int i = 0; i < n; i++)
    w[i].number = x[i];
  for (int i = 0; i < n; i++)
    s += (double)w[i].bits * 0x1p-52 * x[i];
  return s;
}
#elif defined(EXPONENT)
double f(const double *x) {
  word w = {*x * *x};
  return *x * (double)(w.bits >> 52);
}
#else
double f(const double *x) {
  word w = {*x * *x};
  return (double)w.bits * 0x1p-52 - 1023;
}
#endif

// CHECK: converted-bits.c:[[#]]:{{[0-9]+}}: error: integer arithmetic on the
// bits of an active floating-point value ('sitofp') [retro-bit-arithmetic]
double r(double *x, double *d) { return __enzyme_autodiff((void *)f, x, d); }
