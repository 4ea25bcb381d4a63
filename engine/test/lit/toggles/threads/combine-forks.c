// combine: a parallel region after which the primal does nothing that shows
// whether it has run is not run before the reverse pass comes to it; then each
// thread runs both passes, iteration by iteration.
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o %t.ll %s -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=ON %s
// RUN: FileCheck --check-prefix=CODE %s < %t.ll
// RUN: %retro-clang -O2 -fopenmp -S -emit-llvm -o - %s -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-combine=0 2>&1 | FileCheck --check-prefix=OFF %s
#include "request.h"
// OFF-NOT: (combined)
// OFF: retro-counter combine 0
// OFF-NOT: @__retro_fork_both
// CODE-NOT: @augmented_last
// CODE: define internal {{.*}}@combined_last.omp_outlined.given(
// CODE: define internal {{.*}}@gradient_last(
// CODE: call void @__retro_fork_both(
// CODE-NOT: @__retro_fork_
// CODE: ret

// ON-LABEL: plan for last.omp_outlined.given (combined)
// ON-NOT: cache value {{.*}} indexed
// ON: fused: loop
void last(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = sin(x[i]) * x[n - 1 - i];
}
// What is freed behind it is freed when all is done.
// ON-LABEL: plan for freed.omp_outlined.given
// ON-NOT: (combined)
// ON-LABEL: plan for freed.omp_outlined.1.given (combined)
void freed(const double *restrict x, double *restrict y, int n) {
  double *t = malloc(n * sizeof *t);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * x[i];
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = sin(t[i]) * t[n - 1 - i];
  free(t);
}
// It keeps nothing: in two parts each is the simpler.
// ON-LABEL: plan for square.omp_outlined.given
// ON-NOT: (combined)
// ON-LABEL: plan for read (root)
void square(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
// ON-LABEL: plan for read.omp_outlined.given
// ON-NOT: (combined)
// ON-LABEL: plan for written (root)
void read(const double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = sin(x[i]) * x[n - 1 - i];
  y[0] = y[0] * y[1];
}
// ON-LABEL: plan for written.omp_outlined.given
// ON-NOT: (combined)
// ON-LABEL: plan for again (root)
void written(double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  x[0] = 0;
}
// ON-LABEL: plan for again.omp_outlined.given
// ON-NOT: (combined)
// ON-LABEL: plan for waits (root)
void again(double *restrict x, double *restrict y, int n) {
  for (int t = 0; t < n; ++t) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      y[i] = y[i] * x[i];
  }
}
// ON-LABEL: plan for waits.omp_outlined.given
// ON-NOT: (combined)
// ON-LABEL: plan for locks (root)
void waits(double *restrict x, double *restrict y, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < n; ++i)
      x[i] = y[n - 1 - i];
  }
}
// ON-LABEL: plan for locks.omp_outlined.given
// ON-NOT: (combined)
// ON-LABEL: plan for sized (root)
void locks(double *restrict x, double *restrict y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    y[0] = y[0] * x[i];
  }
}
// ON-LABEL: plan for sized.omp_outlined.given
// ON-NOT: (combined)
// ON: retro-counter combine 2
void sized(double *restrict x, double *restrict y, int n) {
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < n; ++i)
    y[i] = sin(x[i]) * x[n - 1 - i];
}
#define REQUEST(F)                                                             \
  void of_##F(double *x, double *dx, double *y, double *dy, int n) {           \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_dup, y, dy, n);     \
  }
REQUEST(last)
REQUEST(freed)
REQUEST(square)
REQUEST(read)
REQUEST(written)
REQUEST(again)
REQUEST(waits)
REQUEST(locks)
REQUEST(sized)
