// An instrumented gradient finds threads that add to one shadow and were held
// apart, at the user's line, and says nothing where they are apart.
// RUN: %retro-clang -g -O2 -fopenmp -mllvm -retro-check-plan %s -o %t -lm
// RUN: env OMP_NUM_THREADS=4 %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %retro-clang -g -O2 -fopenmp -mllvm -retro-check-plan -mllvm -retro-plant=shared-sum %s -o %t -lm
// RUN: env OMP_NUM_THREADS=4 not --crash %t 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: env OMP_NUM_THREADS=1 %t 2>&1 | FileCheck %s --check-prefix=RIGHT
#include "request.h"
static double f(const double *restrict x, double *restrict y, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static)
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] *
           x[n];
    s += y[i];
  }
  return s;
}
int main(void) {
  double x[9], y[8] = {0}, dx[9] = {0}, dy[8] = {0};
  for (int i = 0; i < 9; ++i)
    x[i] = i;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 8);
  // RIGHT-NOT: plan check
  // RIGHT: f: 8 8 8 8 8 8 8 8 28
  // SHARED: check-plan.c:[[#@LINE-12]]:{{[0-9]+}}: in function '{{.*}}': plan check: what is read here another thread reads too
  show("f", dx, 9);
}
