// late-stores: what a function stores last waits until the reverse pass is
// through, which then reads what that overwrites.
// RUN: %retro-clang -O2 %s -S -emit-llvm -o %t.ll -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: %retro-clang -O2 %s -S -o /dev/null -mllvm -retro-late-stores=0 -mllvm -retro-print-plan -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=OFF %s
// The same numbers, wherever the results are.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.on && %t.on > %t.late
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-late-stores=0 && %t.off > %t.early
// RUN: diff %t.late %t.early
// RUN: FileCheck --check-prefix=RESULT %s < %t.late
#include <stdlib.h>
extern int enzyme_const, enzyme_dup, enzyme_width;
double __enzyme_autodiff(void *, ...);

// What is looked up by a list may be anywhere.
#define F(NAME)                                                                \
  static double NAME(int n, const int *list, const double *x, double *out,     \
                     double *more)
#define SUM(OF) for (int i = 0; i < n; ++i) OF
// PLAN-LABEL: plan for one (root)
// PLAN-NOT: in indexed of
// PLAN: late store to
// OFF-LABEL: plan for one (root)
// OFF: in indexed of
// OFF-NOT: late store
// OFF: retro-counter late-stores 0
F(one) {
  double s = 0;
  SUM(s += x[list[i]] * x[list[i]] * x[list[i]]);
  *out = s * s;
  return s;
}
// The second may overwrite the first.
// PLAN-LABEL: plan for two (root)
// PLAN-COUNT-2: late store to
F(two) {
  double s = 0;
  SUM(s += x[list[i]] * x[list[i]]);
  const double a = s * x[0], b = s * x[1];
  *out = a;
  *more = b;
  return 0;
}
// PLAN-LABEL: plan for freed (root)
// PLAN: late store to
F(freed) {
  double *const all = malloc(sizeof *all * (unsigned)n), s = 0;
  SUM(all[i] = x[list[i]] * x[list[i]]);
  SUM(s += all[i] * all[n - 1 - i]);
  *out = s;
  free(all);
  return s;
}
// Only the last of both: what is behind the first looks at it.
// PLAN-LABEL: plan for read (root)
// PLAN-COUNT-1: late store to
// PLAN-NOT: late store to
F(read) {
  double s = 0;
  SUM(s += x[list[i]] * x[list[i]]);
  *out = s * x[0];
  *more = x[1] * s;
  return 0;
}
// Not every call stores, or more than once.
// PLAN-LABEL: plan for maybe (root)
// PLAN-NOT: late store to
F(maybe) {
  double s = 0;
  SUM(s += x[list[i]] * x[list[i]] * x[1]);
  if (s > 3)
    *out = s;
  return s;
}
// PLAN-LABEL: plan for every (root)
// PLAN-NOT: late store to
F(every) {
  double s = 0;
  SUM((s += x[list[i]] * x[list[i]], *out = s));
  return s;
}
// Somebody else may look at it, or it stays as it is where the program ends.
// PLAN-LABEL: plan for watched (root)
// PLAN-NOT: late store to
F(watched) {
  double s = 0;
  SUM(s += x[list[i]] * x[list[i]] * x[list[i]]);
  *(volatile double *)out = s;
  return s;
}
// PLAN-LABEL: plan for stops (root)
// PLAN-NOT: late store to
F(stops) {
  double s = 0;
  SUM(s += x[list[i]] * x[list[i]] * x[list[i]]);
  *out = s;
  if (n < 0)
    exit(1);
  return s;
}
// A shadow is stored beside it.
// PLAN-LABEL: plan for pointer (root)
// PLAN-NOT: late store to
// PLAN: retro-counter late-stores 5
F(pointer) {
  const double **const place = (const double **)out;
  double s = 0;
  SUM((s += (*place)[list[i]] * (*place)[list[i]], *more += s));
  *place = x + 1;
  return s;
}

#define EACH(DO) DO(one) DO(two) DO(freed) DO(read) DO(maybe) DO(every) DO(watched) DO(stops)
#ifndef MAIN
#define GRADIENT(NAME)                                                         \
  double run_##NAME(int n, const int *list, double *x, double *dx, double *out, \
                    double *dout, double *more, double *dmore) {               \
    return __enzyme_autodiff((void *)NAME, enzyme_const, n, enzyme_const,      \
                             list, enzyme_dup, x, dx, enzyme_dup, out, dout,   \
                             enzyme_dup, more, dmore);                         \
  }
EACH(GRADIENT)
GRADIENT(pointer)
#else
#include <stdio.h>
static double x[9], d[9], d2[9];
static void fill(void) {
  for (int i = 0; i < 9; ++i)
    x[i] = 0.5 + 0.1 * i, d[i] = 0.2 - 0.3 * i, d2[i] = 0.7 * i - 1;
}
static const int list[] = {3, 1, 4, 1, 5};
static void show(const char *name, int out, int more) {
  printf("%s %d %d:", name, out, more);
  for (int i = 0; i < 9; ++i)
    printf(" %.10g %.10g %.10g", x[i], d[i], d2[i]);
  printf("\n");
}
#define RUN(NAME)                                                              \
  for (int out = 0; out < 9; ++out)                                            \
    for (int more = 0; more < 9; ++more) {                                     \
      fill();                                                                  \
      __enzyme_autodiff((void *)NAME, enzyme_const, 5, enzyme_const, list,     \
                        enzyme_dup, x, d, enzyme_dup, x + out, d + out,        \
                        enzyme_dup, x + more, d + more);                       \
      show(#NAME, out, more);                                                  \
      fill();                                                                  \
      __enzyme_autodiff((void *)NAME, enzyme_width, 2, enzyme_const, 5,        \
                        enzyme_const, list, enzyme_dup, x, d, d2, enzyme_dup,  \
                        x + out, d + out, d2 + out, enzyme_dup, x + more,      \
                        d + more, d2 + more);                                  \
      show(#NAME, out, more);                                                  \
    }
int main(void) {
  EACH(RUN)
  // The place of x, behind which x + 1 is put.
  fill();
  double *place[1] = {x}, *shadow[1] = {d}, sums[1] = {0}, dsums[1] = {0};
  __enzyme_autodiff((void *)pointer, enzyme_const, 1, enzyme_const, list,
                    enzyme_dup, x, d, enzyme_dup, place, shadow, enzyme_dup,
                    sums, dsums);
  printf("pointer %d %d %.4f %.4f\n", (int)(place[0] - x),
         (int)(shadow[0] - d), d[3], d[4]);
  // x[3] overwritten by (x[3]³)², which has the derivative 6 x[3]⁵, beside
  // 3 x[3]² of what is returned.
  double at[4] = {0, 0, 0, 1.5}, dat[4] = {0, 0, 0, 2};
  __enzyme_autodiff((void *)one, enzyme_const, 1, enzyme_const, list,
                    enzyme_dup, at, dat, enzyme_dup, at + 3, dat + 3,
                    enzyme_dup, at, dat);
  printf("by hand %.6f %.6f\n", at[3], dat[3]);
}
// 2 * 0.8 more than 0.2 - 0.3 * 3.
// RESULT: pointer 1 1 0.9000 -1.0000
// RESULT: by hand 11.390625 97.875000
#endif
