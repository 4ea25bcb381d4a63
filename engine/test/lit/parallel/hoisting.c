// What is hoisted out of a parallel region, and what must not be: the counter
// says how much of one function alone.
// RUN: %retro-clang -O2 -fopenmp -c %s -o /dev/null -DF=constant -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=CONSTANT %s
// RUN: %retro-clang -O2 -fopenmp -c %s -o /dev/null -DF=unrestricted -mllvm -retro-argument-ranges=0 -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=UNRESTRICTED %s
// RUN: %retro-clang -O2 -fopenmp -c %s -o /dev/null -DF=some -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=SOME %s
// RUN: %retro-clang -O2 -fopenmp -c %s -o /dev/null -DF=locked -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=LOCKED %s
// RUN: %retro-clang -O2 -fopenmp -c %s -o /dev/null -DF=written -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=WRITTEN %s
#include "request.h"

// Four that are given by reference, and p[0], which every iteration reads.
// CONSTANT: retro-counter omp-hoist 5
void constant(double *restrict y, const double *restrict x, const double *restrict p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * p[0];
}
// y may be p, where there is no second gradient for when it is not.
// UNRESTRICTED: retro-counter omp-hoist 4
void unrestricted(double *y, const double *x, const double *p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * p[0];
}
// p[0] may not be there if no iteration reads it.
// SOME: retro-counter omp-hoist 4
void some(double *restrict y, const double *restrict x, const double *restrict p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = i % 10 == 9 ? x[i] * p[0] : x[i];
}
// Another thread of the program may change what is behind a lock.
// LOCKED: retro-counter omp-hoist 4
void locked(double *restrict y, const double *restrict x, const double *restrict p, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
#pragma omp critical
    y[i] = x[i] * p[0];
}
// A variable that the region writes stays where it is; p[0] is no part of it.
// WRITTEN: retro-counter omp-hoist 5
void written(double *restrict y, const double *restrict x, const double *restrict p, int n) {
  double last = p[0];
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * p[0];
    if (i == 7)
      last = x[i];
  }
  y[0] = last;
}
void all(double *x, double *dx, double *y, double *dy, double *p, double *dp, int n) {
  __enzyme_autodiff_void((void *)F, y, dy, x, dx, p, dp, n);
}
