// With sparse shadows a loop goes from one iteration that has a derivative to
// the next; off, it runs them all.
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - -mllvm -retro-print-counters 2>%t | FileCheck --check-prefix=ON %s
// RUN: FileCheck --check-prefix=COUNT %s < %t
// RUN: %retro-clang -O2 -S -emit-llvm %s -o - -mllvm -retro-sparse=0 | FileCheck --check-prefix=OFF %s
// COUNT: retro-counter sparse 1
#include "request.h"

extern int enzyme_dupnoneed;
double *__enzyme_todense(void *, void *, ...);

double unit(long offset, long i) { return offset / 8 == i; }
void never(double v, long offset, long i) { __builtin_trap(); }
double nothing(long offset, long i) { return 0; }
void put(long row, long column, double v);
void store(double v, long offset, long i) {
  if (v != 0)
    put(offset / 8, i, v);
}

void squares(const double *x, double *y, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}

// ON-LABEL: define internal {} @sparse_tangent_of_squares(
// ON: phi i64 [ %[[NEXT:[0-9]+]], %{{[0-9]+}} ], [ %{{[0-9]+}}, %{{[0-9]+}} ]
// ON: %[[NEXT]] = tail call i64 @llvm.smax.i64
// OFF-LABEL: define internal {} @sparse_tangent_of_squares(
// OFF: phi i64 {{.*}}[ 0, %
void column(const double *x, double *y, long n, long i) {
  __enzyme_fwddiff_void((void *)squares, enzyme_dup, x,
                        __enzyme_todense((void *)unit, (void *)never, i),
                        enzyme_dupnoneed, y,
                        __enzyme_todense((void *)nothing, (void *)store, i),
                        enzyme_const, n);
}

