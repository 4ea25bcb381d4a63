// recompute-cost: x has to be cached, as it is overwritten; what is computed
// from it with more operations than the bytes of a number is cached as well.
// Not with few operations, nor where all can be computed from what is in
// memory: then the loop has no tape. In a fused loop variables keep it. On a
// GPU arithmetic costs nothing.
// RUN: %retro-clang -O1 -ffp-contract=off -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefixes=ALL,ON %s
// RUN: %retro-clang -O1 -ffp-contract=off -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-print-counters -mllvm -retro-recompute-cost=0 2>&1 | FileCheck --check-prefixes=ALL,OFF %s
// RUN: %retro-clang -O1 -ffp-contract=off -S %s -o /dev/null -mllvm -retro-print-plan -mllvm -retro-fusion=0 2>&1 | FileCheck --check-prefix=APART %s
// RUN: clang -O1 -ffp-contract=off -S -emit-llvm %s -o - | sed '/^target datalayout/d; s/^target triple.*/target triple = "nvptx64-nvidia-cuda"/' > %t.gpu.ll
// RUN: %retro-opt %t.gpu.ll -disable-output -retro-print-plan -retro-print-counters 2>&1 | FileCheck --check-prefix=GPU %s
// RUN: %retro-clang -O1 -ffp-contract=off -DMAIN %s -o %t -lm && %t | FileCheck --check-prefix=RESULT %s
// RUN: %retro-clang -O1 -ffp-contract=off -DMAIN %s -o %t -lm -mllvm -retro-recompute-cost=0 && %t | FileCheck --check-prefix=RESULT %s
#include <math.h>
#include <stdio.h>

void __enzyme_autodiff(void *, ...);

#define STEP(u) (u) = (u) * c + 0.25
#define FIVE(u) STEP(u), STEP(u), STEP(u), STEP(u), STEP(u)

// ALL-LABEL: plan for ten_operations (root)
// ALL-NEXT: cache value %{{.*}} : double in indexed
// ALL-NEXT: cache base
// ON-NEXT: cache value %{{.*}} : double in indexed
// ALL-NEXT: reverse
static void ten_operations(double *restrict x, double *restrict out, double c,
                           long n) {
  for (long i = 0; i < n; ++i) {
    double v = x[i], u = v;
    x[i] = 0;
    FIVE(u);
    out[i] = sin(u) + v * v;
  }
}

// ALL-LABEL: plan for six_operations (root)
// ALL-NEXT: cache value %{{.*}} : double in indexed
// ALL-NEXT: cache base
// ALL-NEXT: reverse
static void six_operations(double *restrict x, double *restrict out, double c,
                           long n) {
  for (long i = 0; i < n; ++i) {
    double v = x[i], u = v;
    x[i] = 0;
    STEP(u), STEP(u), STEP(u);
    out[i] = sin(u) + v * v;
  }
}

// ALL-LABEL: plan for two_divisions (root)
// ALL-NEXT: cache value %{{.*}} : double in indexed
// ALL-NEXT: cache base
// ON-NEXT: cache value %{{.*}} : double in indexed
// ALL-NEXT: reverse
static void two_divisions(double *restrict x, double *restrict out, double c,
                          long n) {
  for (long i = 0; i < n; ++i) {
    double v = x[i];
    x[i] = 0;
    out[i] = sin((v / c + 0.25) / c) + v * v;
  }
}

// APART-LABEL: plan for in_memory (root)
// APART-NOT: cache
// APART: reverse
static void in_memory(const double *restrict x, double *restrict out, double c,
                      long n) {
  for (long i = 0; i < n; ++i) {
    double v = x[i], u = v;
    FIVE(u);
    FIVE(u);
    out[i] = sin(u) + v * v;
  }
}

// Neither the second loop, nor what is in none, keeps anything.
// APART-LABEL: plan for one_of_three (root)
// APART: cache value %{{.*}} : double in indexed of loop %[[FIRST:[0-9]+]]
// APART-NOT: cache value
// APART: cache base %[[FIRST]]
// APART-NEXT: cache value %{{.*}} : double in indexed of loop %[[FIRST]]
// APART-NOT: cache value
// APART: reverse
static void one_of_three(double *restrict x, double *restrict out, double c,
                         long n) {
  ten_operations(x, out, c, n);
  in_memory(x + n, out + n, c, n);
  double v = x[2 * n], u = v;
  FIVE(u);
  FIVE(u);
  out[2 * n] = sin(u) + v * v;
}

// ALL-LABEL: plan for summed (root)
// ON: cache value %{{.*}} : double in slot
// OFF-NOT: cache value
// ALL: fused: loop
static void summed(const double *restrict x, double *restrict out, double c,
                   long n) {
  double s = 0;
  for (long i = 0; i < n; ++i) {
    double v = x[i], u = v;
    FIVE(u);
    s += u * v * u;
  }
  *out = s;
}

// ON: retro-counter recompute-cost {{[1-9]}}
// OFF: retro-counter recompute-cost 0

// GPU-LABEL: plan for ten_operations (root)
// GPU: cache value %{{.*}} : double in indexed
// GPU: retro-counter recompute-cost 0

extern int enzyme_const, enzyme_dup;
#define GRADIENT(f)                                                            \
  void gradient_##f(double *x, double *dx, double *out, double *dout,          \
                    double c, long n) {                                        \
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, out, dout,     \
                      enzyme_const, c, enzyme_const, n);                       \
  }
GRADIENT(ten_operations)
GRADIENT(six_operations)
GRADIENT(two_divisions)
GRADIENT(in_memory)
GRADIENT(one_of_three)
GRADIENT(summed)

// RESULT: ten_operations 1.0274244551 6.0538859050
// RESULT: six_operations 1.1096978202 6.2027407799
// RESULT: two_divisions -2.2045744622 13.8127010058
// RESULT: in_memory 1.0008570142 6.0017131132
// RESULT: summed 0.2656250000 0.3320312500
#ifdef MAIN
// Of two numbers, at c = 0.5.
#define SHOW(f)                                                                \
  {                                                                            \
    double x[] = {0.5, 1.5}, dx[] = {0, 0}, out[] = {0, 0}, dout[] = {1, 2};   \
    gradient_##f(x, dx, out, dout, 0.5, 2);                                    \
    printf(#f " %.10f %.10f\n", dx[0], dx[1]);                                 \
  }
int main(void) {
  SHOW(ten_operations)
  SHOW(six_operations)
  SHOW(two_divisions)
  SHOW(in_memory)
  SHOW(summed)
}
#endif
