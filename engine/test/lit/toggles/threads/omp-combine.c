// omp-combine: what several threads add to one place, each adds up first.
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-combine=0 -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-combine=0 -mllvm -retro-print-counters -mllvm -retro-omp-combine=0 2>&1 | FileCheck --check-prefix=OFF %s
#include "request.h"
// ON: retro-counter omp-combine 1
// ON: define internal {} @reverse_gather
// ON-NOT: atomicrmw fadd
// ON: call ptr @__retro_combiner()
// ON-NOT: atomicrmw fadd
// ON: define
// OFF: retro-counter omp-combine 0
// OFF-NOT: @__retro_combiner
// OFF: define internal {} @reverse_gather
// OFF-NOT: define
// OFF: atomicrmw fadd
void gather(const double *restrict x, const int *restrict at, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[at[i]] * x[at[i]];
}
void all(double *x, double *dx, double *y, double *dy, int *at, int n) {
  __enzyme_autodiff_void((void *)gather, x, dx, enzyme_const, at, y, dy, n);
}
