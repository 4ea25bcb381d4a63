// race-proofs: threads add to shadow memory without atomic operations where no
// other thread does.
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-combine=0 -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-combine=0 -mllvm -retro-print-counters -mllvm -retro-race-proofs=0 2>&1 | FileCheck --check-prefix=OFF %s
#include "request.h"
// ON: retro-counter race-proofs 1
// ON: define internal {} @reverse_squares
// ON-NOT: {{atomicrmw fadd|@__retro_combine}}
// ON: define
// OFF: retro-counter race-proofs 0
// OFF: define internal {} @reverse_squares
// OFF-NOT: define
// OFF: {{atomicrmw fadd|call void @__retro_combine_double}}
void squares(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
void all(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff_void((void *)squares, x, dx, y, dy, n);
}
