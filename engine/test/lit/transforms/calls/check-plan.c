// An instrumented gradient finds a plan that is wrong when the gradient runs,
// at the user's line, and says nothing of a right one.
// RUN: %retro-clang -g -O2 -mllvm -retro-check-plan %s -o %t -lm
// RUN: %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %retro-clang -g -O0 -mllvm -retro-check-plan %s -o %t -lm
// RUN: %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %retro-clang -g -O2 -mllvm -retro-check-plan -mllvm -retro-plant=stale-reload %s -o %t -lm
// RUN: not --crash %t 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: %retro-clang -g -O2 -mllvm -retro-check-plan -mllvm -retro-plant=inactive-value %s -o %t -lm
// RUN: not --crash %t 2>&1 | FileCheck %s --check-prefix=INACTIVE
// RUN: env RETRO_CHECK_PLAN=continue %t 2>&1 | FileCheck %s --check-prefix=CONTINUE
// RUN: not --crash %t forward 2>&1 | FileCheck %s --check-prefix=FORWARD
// Without the checks the faults are silent.
// RUN: %retro-clang -g -O2 -mllvm -retro-plant=stale-reload %s -o %t -lm
// RUN: %t 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %retro-clang -g -O2 -mllvm -retro-plant=inactive-value %s -o %t -lm
// RUN: %t 2>&1 | FileCheck %s --check-prefix=WRONG
#include "request.h"

__attribute__((noinline)) static void step(double *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] =
        x[i] * x[i - 1] +
        x[i] / x[0];
}

static double f(double *x, int n) {
  step(x, n);
  return x[n - 1] * x[n - 1];
}

// What follows is of no interest to a result, or of no active input: held
// inactive, and rightly.
static double g(double x, double c) {
  double log[2] = {c / 3, x};
  volatile double seen = x / c;
  (void)seen;
  return x * log[0];
}

int main(int argc, char **argv) {
  double x[3] = {2, 3, 4}, d[3] = {0};
  if (argc > 1) {
    double t[3] = {1, 0, 0};
    d[0] = __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, 3);
  } else {
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 3);
  }
  (void)argv;
  // x1 = 3 (2 + 1/2) = 7.5, x2 = 4 (7.5 + 1/2) = 32: 2·32·∂x2/∂x.
  // ∂x2/∂x2 = 8; ∂x2/∂x1 = 4·2.5; ∂x2/∂x0 = 4·3·(1 - 1/4) - 4/4 = 8.
  // RIGHT-NOT: plan check
  // RIGHT: f: 512 640 512
  // WRONG-NOT: plan check
  // WRONG-NOT: f: 512 640 512
  // WRONG: f:
  // STALE: check-plan.c:[[#@LINE-34]]:{{[0-9]+}}: in function '{{f|step}}': plan check: what is read here has been overwritten when the reverse pass reads it again: 0x40{{[0-9a-f]+}} was read, then 0x40
  // INACTIVE: check-plan.c:[[#@LINE-34]]:{{[0-9]+}}: in function '{{f|step}}': plan check: what is computed here is held inactive, but it depends on an active input, and a result depends on it
  // FORWARD: check-plan.c:[[#@LINE-35]]:{{[0-9]+}}: in function '{{f|step}}': plan check: what is computed here is held inactive
  // CONTINUE: plan check: what is computed here is held inactive
  // CONTINUE: f:
  show("f", d, 3);
  d[0] = __enzyme_autodiff((void *)g, 5.0, enzyme_const, 6.0);
  // RIGHT: g: 2
  show("g", d, 1);
}
