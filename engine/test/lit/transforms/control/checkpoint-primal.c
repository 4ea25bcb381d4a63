// A loop that nobody marked is checkpointed for the tape that its derivative
// has: where the result is asked for, only the last of two loops that sum up
// waits for the reverse pass, and the first has a tape.
// RUN: %retro-clang -O2 -fno-math-errno -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-loop-order=0 -mllvm -retro-preaccumulate=0 2>&1 | FileCheck --check-prefix=GRADIENT %s
// RUN: %retro-clang -O2 -fno-math-errno -S -emit-llvm %s -o %t -DRESULT=enzyme_primal_return, -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-loop-order=0 -mllvm -retro-preaccumulate=0 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: FileCheck --check-prefix=CODE %s < %t
// GRADIENT-NOT: checkpointed above
// GRADIENT: plan for sums (root)
// GRADIENT-COUNT-2: fused: loop
// GRADIENT: retro-counter loop-checkpoints 0
// BOTH: checkpointed above 1073741824 bytes, 8 bytes an iteration
// BOTH-NOT: checkpointed above
// BOTH: plan for sums.by_steps (root)
// BOTH: retro-counter loop-checkpoints 1
// CODE: call ptr @__retro_checkpoint_forward(
#ifndef RESULT
#define RESULT
#endif
double sin(double);
double __enzyme_autodiff(void *, ...);
extern int enzyme_primal_return, enzyme_dup;

static double sums(const double *p, long n) {
  double s = 0, w = 0.7, v = 0.3;
  for (long t = 0; t < n; ++t) {
    w = w * 0.99 + 0.01 * w * w;
    s += sin(p[0] * w);
  }
  for (long t = 0; t < n; ++t) {
    v = v * 0.98 + 0.03 * v * v;
    s += sin(p[1] * v);
  }
  return s;
}

double gradient(const double *p, double *dp, long n) {
  return __enzyme_autodiff((void *)sums, RESULT enzyme_dup, p, dp, n);
}
