// Wrong uses of sparse shadows, each at the line of its request.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

double *__enzyme_todense(void *, void *, ...);

double load(long offset, long i) { return offset / 8 == i; }
double load_int(int offset, long i) { return offset / 8 == i; }
void store(double v, long offset, long i) {
  if (v != 0)
    printf("%ld %ld %g\n", offset, i, v);
}

double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
float single(const float *x) { return x[0] * x[0]; }

// CHECK: sparse.c:[[@LINE+3]]:{{[0-9]+}}: error: the sparse shadow for 'sum' needs two functions known at compile time: number load(int64_t offset, ...) and void store(number, int64_t offset, ...) [retro-sparse-functions]; to fix it:
double s1(const double *x, int n) {
  return __enzyme_fwddiff((void *)sum, enzyme_dup, x,
                          __enzyme_todense((void *)load_int, (void *)store, 1L),
                          enzyme_const, n);
}

// CHECK: sparse.c:[[@LINE+2]]:{{[0-9]+}}: error: the derivative of 'single' uses a sparse shadow in a way that is no load or store of its number type ('load') [retro-sparse-access]; to fix it:
double s2(const float *x) {
  return __enzyme_fwddiff((void *)single, enzyme_dup, x,
                          __enzyme_todense((void *)load, (void *)store, 1L));
}

// CHECK: sparse.c:[[@LINE+2]]:{{[0-9]+}}: error: the result of __enzyme_todense is no memory: it can only be the shadow of an argument [retro-sparse-escape]; to fix it:
double s3(void) {
  return *__enzyme_todense((void *)load, (void *)store, 1L);
}
