// Threads whose library calls read the same array: the adjoints would add to
// one shadow at the same time.
// RUN: not %retro-clang -O1 -g -fopenmp -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
double cblas_ddot(int, const double *, int, const double *, int);
double f(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += cblas_ddot(n, x, 1, x, 1);
  return s;
}
// CHECK: parallel-blas.c:[[@LINE-5]]:1: error: cannot differentiate what other threads compute ('{{.*}}ddot') [retro-parallel]
double r(double *x, double *dx, int n) { return __enzyme_autodiff((void *)f, x, dx, n); }
