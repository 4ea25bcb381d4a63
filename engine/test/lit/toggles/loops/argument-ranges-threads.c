// argument-ranges: what threads and functions that are called access is
// computed as well, and a share of a loop's iterations is some of all.
// RUN: %retro-clang -O2 -fopenmp %s -S -emit-llvm -o %t.ll -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.ll
// RUN: FileCheck --check-prefix=ALL %s < %t.ll
// The same numbers, wherever arrays and shadows are. Threads race where these
// overlap.
// RUN: %retro-clang -O2 -fopenmp -ffp-contract=off -DMAIN %s -o %t.on
// RUN: %retro-clang -O2 -fopenmp -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-argument-ranges=0
// RUN: env OMP_NUM_THREADS=1 %t.on all > %t.ranges
// RUN: env OMP_NUM_THREADS=1 %t.off all > %t.none
// RUN: diff %t.ranges %t.none
// RUN: env OMP_NUM_THREADS=1 %t.on > %t.one
// RUN: env OMP_NUM_THREADS=3 %t.on > %t.three
// RUN: diff %t.one %t.three
// RUN: env OMP_NUM_THREADS=2 %t.on counted > %t.counted
// RUN: env OMP_NUM_THREADS=2 %t.off counted > %t.counted.none
// RUN: diff %t.counted %t.counted.none
// RUN: FileCheck --check-prefix=COUNTED %s < %t.counted
// COUNTED: 1.440000 2.400000
// COUNTED-NEXT: 1.440000 0.000000
#include <omp.h>
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);

// NUMBER: retro-counter argument-ranges 10
// ON-LABEL: define internal {} @gradient_rows.either(
// What is asked first knows of no thread.
// ON-NOT: @__kmpc
// ON: call {} @gradient_rows{{(\.[0-9]+)?}}(
// ON: call {} @gradient_rows{{(\.[0-9]+)?}}(
// ALL-NOT: retro.share
#define F(NAME)                                                                \
  static void NAME(int n, int m, long s, const double *x, double *y)
F(rows) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      y[i * m + j] = x[i * m + j] * x[i * m + j] * x[j];
}
F(later) {
#pragma omp parallel for schedule(static)
  for (long i = 3; i < n; ++i)
    y[i] = x[i] * x[i];
}
F(down) {
#pragma omp parallel for
  for (long i = n - 1; i >= 0; --i)
    y[i + 1] = x[i] * x[i];
}
F(stride) {
#pragma omp parallel for
  for (long i = 0; i < n; i += 2)
    y[s * i] = x[s * i] * x[s * i];
}
F(dynamic) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i)
    y[i] = x[i + 2] * x[i + 2];
}
F(guided) {
#pragma omp parallel for schedule(guided, 2)
  for (unsigned long i = 0; i < (unsigned long)n; ++i)
    y[i] = x[i] * x[i + 1];
}
F(triangle) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    for (long j = i; j < n; ++j)
      y[i] += x[i] * x[j];
}
F(twice) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (long i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp for
    for (long i = 0; i < m; ++i)
      y[100 + i] = x[100 + i] * x[i];
  }
}
// What a thread counts depends on its share: i - k is where that begins.
F(counted) {
#pragma omp parallel
  {
    long k = 0;
#pragma omp for schedule(static)
    for (long i = 0; i < n; ++i) {
      y[n + 1 - i] = x[i - k] * x[i - k];
      ++k;
    }
  }
}
__attribute__((noinline)) static void squares(long n, const double *from,
                                              double *to) {
  for (long i = 0; i < n; ++i)
    to[i] = from[i] * from[i];
}
F(called) {
  squares(n, x + 5, y);
  squares(m, x, y + 200);
}

// Not where the iterations of a share are in pieces, where it is not known of
// which loop a share is, nor where a thread's number is part of an address or
// an address is not linear in where a share begins.
F(pieces) {
#pragma omp parallel for schedule(static, 3)
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
F(twoShares) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (long i = 0; i < 2; ++i)
      y[i] = x[i] * x[i];
#pragma omp for schedule(dynamic) nowait
    for (long i = 0; i < n; ++i)
      y[3 + i] = x[3 + i] * x[3 + i];
  }
}
F(numbered) {
#pragma omp parallel
  {
    const int t = omp_get_thread_num();
    for (int i = 0; i < n; ++i)
      y[t * n + i] = x[t * n + i] * x[i];
  }
}
F(squared) {
#pragma omp parallel
  {
    long k = 0;
#pragma omp for
    for (long i = 0; i < n; ++i) {
      y[i] = x[(i - k - 2) * (i - k - 2)] * x[i];
      ++k;
    }
  }
}
double *global;
F(elsewhere) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * x[i], global[i] = x[i];
}

#define EACH(DO)                                                               \
  DO(rows)                                                                     \
  DO(later)                                                                    \
  DO(down)                                                                     \
  DO(stride)                                                                   \
  DO(dynamic)                                                                  \
  DO(guided)                                                                   \
  DO(triangle)                                                                 \
  DO(twice)                                                                    \
  DO(called)                                                                   \
  DO(pieces)                                                                   \
  DO(twoShares)
#ifndef MAIN
#define GRADIENT(NAME)                                                         \
  void run_##NAME(int n, int m, long s, double *x, double *dx, double *y,      \
                  double *dy) {                                                \
    __enzyme_autodiff((void *)NAME, enzyme_const, n, enzyme_const, m,          \
                      enzyme_const, s, x, dx, y, dy);                          \
  }
EACH(GRADIENT)
GRADIENT(counted)
GRADIENT(numbered)
GRADIENT(squared)
GRADIENT(elsewhere)
#else
#include <string.h>
#define NUMBERS 2000
#include "argument_ranges.h"
int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "counted")) {
    // The second thread reads x[2] twice, and overwrites it by its square.
    double v[6] = {1.5, 0, 1.2, 0, 0, 0}, dv[6] = {0, 0, 0, 0, 0, 0};
    dv[2] = 1;
    __enzyme_autodiff((void *)counted, enzyme_const, 4, enzyme_const, 0,
                      enzyme_const, 0L, v, dv, v, dv);
    for (int i = 0; i < 6; ++i)
      printf("%.6f %.6f\n", v[i], dv[i]);
    return 0;
  }
#define RUN(NAME)                                                              \
  if (argc > 1)                                                                \
    for (int k = -130; k <= 130; ++k) {                                        \
      run(#NAME, (void *)NAME, 300, 300 + k, 300, 300 + k, 9, 5, 1);           \
      run(#NAME, (void *)NAME, 300, 300 + k, 200, 600, 9, 5, -1);              \
      run(#NAME, (void *)NAME, 300, 600, 300, 300 + k, 10, 4, k % 4);          \
    }                                                                          \
  else                                                                         \
    for (int n = 0; n < 20; ++n)                                               \
      run(#NAME, (void *)NAME, 300, 600, 900, 1200, n, n % 6, 1 + n % 3);
  EACH(RUN)
}
#endif
