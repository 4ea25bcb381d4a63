// What a plan keeps is named by its line where there are lines, and without
// them is printed as it is.
// RUN: %retro-clang -O1 -S -o /dev/null -gline-tables-only -mllvm -retro-print-plan %s 2>&1 | FileCheck --check-prefix=LINE %s
// RUN: %retro-clang -O1 -S -o /dev/null -mllvm -retro-print-plan %s 2>&1 | FileCheck --check-prefix=PLAIN %s
#include "request.h"

static void steps(double *x, int n) {
  for (int i = 0; i < n; ++i)
    // LINE: cache value {{.*}} : double in {{.*}} ({{.*}}plan-lines.c:[[@LINE+1]])
    x[i & 3] = x[i & 3] * x[(i + 1) & 3];
  // PLAIN: plan for steps
  // PLAIN-NOT: plan-lines.c
}

void request(double *x, double *d, int n) {
  __enzyme_autodiff((void *)steps, enzyme_dup, x, d, enzyme_const, n);
}
