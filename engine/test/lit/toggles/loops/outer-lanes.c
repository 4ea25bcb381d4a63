// outer-lanes: an inner loop that goes down columns does so for as many of them
// at once as a cache line holds, if the program finds that the columns are that
// far apart and what the nest writes is apart from what it reads. Not where a
// row goes along the inner loop as well, where a place that is read may be one
// that another iteration writes, or where a value goes from one iteration of the
// outer loop to the next.
// RUN: %retro-clang -O2 -g0 -fno-discard-value-names -fno-vectorize -fno-slp-vectorize -fno-unroll-loops %s -S -emit-llvm -o %t.ll -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.ll
// RUN: %retro-clang -O2 -g0 -fno-discard-value-names %s -S -emit-llvm -o - -mllvm -retro-outer-lanes=0 | FileCheck --check-prefix=OFF %s
// The same numbers, to the last bit, also where arrays overlap.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -lm -o %t.on && %t.on > %t.lanes
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -lm -o %t.off -mllvm -retro-outer-lanes=0 && %t.off > %t.none
// RUN: diff %t.lanes %t.none
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

// NUMBER: retro-counter outer-lanes
// OFF-NOT: lanes.inner:
typedef struct {
  double *a, *b, *c;
} arrays;

// The reverse pass; the primal one has a sum for each lane.
// ON-LABEL: define internal {{.*}}@gradient_product(
// ON: lanes.inner:
// ON: phi <8 x double>
// ON: load <8 x double>
// ON: br i1 {{.*}}, label %lanes.tail, label %lanes.inner, !llvm.loop
static void product(const arrays *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k)
        s += x->a[i * n + k] * x->b[k * n + j];
      x->c[i * n + j] = s;
    }
}

// In place, with a minimum, and the rows backwards.
static void closer(const arrays *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = n - 1; j >= 0; --j)
      for (int k = 0; k < n; ++k) {
        double way = x->a[i * n + k] + sin(x->a[k]) * x->b[k * n + j];
        double old = x->c[i * n + j];
        x->c[i * n + j] = way < old ? way : old;
      }
}

// Each column is a sum of all before it: nothing runs side by side.
// ON-LABEL: define internal {{.*}}@gradient_chained(
// ON-NOT: lanes.inner:
// ON: ret
static void chained(const arrays *x, int n) {
  double *restrict c = x->c, *restrict a = x->a;
  for (int j = 1; j < n; ++j)
    for (int k = 0; k < n; ++k)
      c[k * n + j] += c[k * n + j - 1] * a[k];
}

// Columns of two rows at a time, of which one is the other's input.
static void shifted(const arrays *x, int n) {
  for (int j = 0; j < n; ++j)
    for (int k = 1; k < n; ++k)
      x->c[k * n + j] += x->c[(k - 1) * n + j] * x->a[k];
}

static void all(const arrays *x, int n) {
  product(x, n);
  closer(x, n);
  chained(x, n);
  shifted(x, n);
}

void gradients(const arrays *x, arrays *d, int n) {
  __enzyme_autodiff((void *)product, enzyme_dup, x, d, enzyme_const, n);
  __enzyme_autodiff((void *)chained, enzyme_dup, x, d, enzyme_const, n);
}
void gradient(const arrays *x, arrays *d, int n) {
  __enzyme_autodiff((void *)all, enzyme_dup, x, d, enzyme_const, n);
}

#ifdef MAIN
enum { Most = 19 };
static double memory[4 * Most * Most], shadows[4 * Most * Most];

static void run(int a, int b, int c, int n) {
  for (int i = 0; i < 4 * Most * Most; ++i) {
    memory[i] = 0.2 + 0.01 * (7 * i % 31);
    shadows[i] = 0.5 - 0.01 * (11 * i % 29);
  }
  arrays x = {memory + a, memory + b, memory + c};
  arrays d = {shadows + a, shadows + b, shadows + c};
  gradient(&x, &d, n);
  double sum = 0;
  for (int i = 0; i < 4 * Most * Most; ++i) {
    printf("%.17g\n", shadows[i]);
    sum += fabs(shadows[i]);
  }
  if (!(sum > 0))
    exit(1);
}

int main(void) {
  const int part = Most * Most;
  for (int n = 1; n <= Most; n += 3)
    run(0, part, 2 * part, n);
  run(2 * part, 0, part, 17);
  run(0, 3, 2 * part, 17);
  run(0, part, 5, 16);
  run(0, part, part, 19);
  run(4, 4, 4, 4);
  return 0;
}
#endif
