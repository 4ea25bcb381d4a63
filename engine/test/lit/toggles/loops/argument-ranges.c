// argument-ranges: where what the reverse pass reads may be overwritten by way
// of another argument, the program computes what is accessed by each, and runs
// a gradient without a tape of it if they are apart, their shadows too.
// RUN: %retro-clang -O2 %s -S -emit-llvm -o %t.ll -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=NUMBER %s
// RUN: FileCheck --check-prefix=ON %s < %t.ll
// RUN: clang -O1 -S -emit-llvm %s -o %t.in.ll
// RUN: %retro-opt %t.in.ll -o - | FileCheck --check-prefix=PAIRS %s
// RUN: %retro-clang -O2 -g %s -S -o /dev/null -mllvm -retro-print-plan 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: %retro-clang -O2 %s -S -o /dev/null -mllvm -retro-argument-ranges=0 -mllvm -retro-print-counters 2>&1 | FileCheck --check-prefix=OFF %s
// The same numbers, wherever arrays and shadows are.
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.on && %t.on > %t.ranges
// RUN: %retro-clang -O2 -ffp-contract=off -DMAIN %s -o %t.off -mllvm -retro-argument-ranges=0 && %t.off > %t.none
// RUN: diff %t.ranges %t.none
// RUN: FileCheck --check-prefix=RESULT %s < %t.ranges
// A tape is taken only where something overlaps.
// RUN: %retro-clang -O2 -DTAPES %s -Wl,--wrap=malloc -o %t.tapes && %t.tapes | FileCheck --check-prefix=TAPES %s
#include <string.h>
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width;
void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_number(void *, ...);

// PLAN: plan for cube (root)
// PLAN: cache value {{.*}} in indexed of
// PLAN: for arguments that are apart:
// PLAN-NEXT: plan for cube (root)
// PLAN-NOT: in indexed of
// PLAN: fused: loop
// ON-LABEL: define internal {} @gradient_cube.either(
// ON: call {} @gradient_cube{{(\.[0-9]+)?}}(
// ON: call {} @gradient_cube{{(\.[0-9]+)?}}(
// NUMBER: retro-counter argument-ranges 20
// OFF: retro-counter argument-ranges 0
#define F(NAME)                                                                \
  static void NAME(int n, int m, long s, const double *x, double *y)
#define UP(I, N) for (int I = 0; I < N; ++I)
// Three arrays and their shadows are fifteen pairs. Both inputs may be one.
// PAIRS-LABEL: define internal {} @gradient_weighted.either(
// PAIRS-COUNT-14: or i1
// PAIRS-NOT: or i1
// PAIRS: br i1
static void weighted(int n, const double *x, const double *w, double *y) {
  UP(i, n) y[i] = x[i] * x[i] * w[i];
}
F(cube) { UP(i, n) y[i] = x[i] * x[i] * x[i]; }
F(down) {
  for (int i = n; i-- > 0;)
    y[i] = x[i + 3] * x[i];
}
F(rows) { UP(i, n) UP(j, m) y[i * m + j] = x[i * m + j] * x[j]; }
F(columns) { UP(i, n) UP(j, m) y[i] += x[i + n * j] * x[i]; }
// Of a stride that may be negative.
F(stride) { UP(i, n) y[i] = x[40 + s * i] * x[40 + s * i]; }
F(triangle) { UP(i, n) UP(j, i + 1) y[i] += x[i] * x[j]; }
F(above) {
  UP(i, n) for (int j = i; j < n; ++j) y[i] += x[i] * x[j];
}
F(bits) { UP(i, n) y[i] = x[(7 * i) & 15] * x[i]; }
F(around) { UP(i, n) y[i] = x[i + 2 - (long)((7 * i) & 15)] * x[i]; }
// Places that are remainders, with and without a sign.
F(remainders) {
  const unsigned k = (unsigned)m;
  if (k)
    UP(i, n) y[7u * (unsigned)i % k] += x[(5u * (unsigned)i + 1) % k] * x[i];
}
F(signedRemainders) {
  const int k = m + 3;
  UP(i, n) y[i] = x[40 + (3 * i - 11) % k] * x[i];
}
// Of more iterations than there can be, so that a multiple overflows.
F(endless) {
  for (long i = 0; i < s; ++i) {
    if (x[i] > 1.295 || x[i] < 1e-9)
      break;
    y[i] = x[i] * x[i];
  }
}
// Bounds that are the most that there is, and ones that are passed by.
F(unlimited) {
  for (unsigned long i = 0; i < (unsigned long)s; ++i) {
    if (x[i] > 1.295 || x[i] < 1e-9)
      break;
    y[i] = x[i] * x[i];
  }
}
F(passed) {
  UP(k, n) for (unsigned long i = (unsigned)k; i != (unsigned long)s; ++i) {
    if (x[i] > 1.295 || x[i] < 1e-9)
      break;
    y[i] = x[i] * x[i];
  }
}
F(copied) {
  memcpy(y, x, sizeof *x * (unsigned)n);
  UP(i, n) y[i + n] = x[i] * x[i];
}
F(cleared) {
  memset(y, 0, sizeof *y * (unsigned)n);
  UP(i, n) UP(j, m) y[i] += x[i] * x[i + j];
}
F(leaves) {
  UP(i, n) {
    if (x[i] > 1.6)
      break;
    y[i] = x[i] * x[i];
  }
}
F(own) {
  double buffer[8];
  UP(i, n) {
    UP(j, 8) buffer[j] = x[i + j] * x[i];
    UP(j, 8) y[i] += buffer[j] * buffer[7 - j];
  }
}

// With a number whose adjoint is returned, and with two shadows of each array.
static double scaled(double a, int n, const double *x, double *y) {
  double sum = 0;
  UP(i, n) y[i] = a * x[i] * x[i], sum += x[i] * a;
  return sum;
}

// Not where memory is accessed that cannot be computed from the arguments, or
// that they need not point to; nor where there is nothing to win.
F(lookedUp) { UP(i, n) y[(int)y[i]] = x[i] * x[i]; }
static double global[100];
F(globals) { UP(i, n) global[i] = x[i] * x[i], y[i] = x[i] * global[n - i]; }
F(onlySquares) { UP(i, n) y[i] = y[i] * y[i]; }
F(sums) { UP(i, n) y[i] = x[i] + 2 * x[i + 1]; }
struct pointers {
  double *p;
};
F(pointers) {
  struct pointers *const all = (struct pointers *)y;
  UP(i, n) all->p[i] = x[i] * x[i];
}

#ifdef TAPES
#include <stdio.h>
static double at[4000], d[4000];
static int allocated;
void *__real_malloc(size_t);
void *__wrap_malloc(size_t n) {
  ++allocated;
  return __real_malloc(n);
}
int main(void) {
  for (int i = 0; i < 4000; ++i)
    at[i] = d[i] = 0.0003 * i;
  // Side by side, and with two shadows of each; tapes that do not fit the
  // stack.
  __enzyme_autodiff((void *)cube, enzyme_const, 900, enzyme_const, 0,
                    enzyme_const, 0L, at, d, at + 900, d + 900);
  __enzyme_autodiff((void *)cube, enzyme_width, 2, enzyme_const, 900,
                    enzyme_const, 0, enzyme_const, 0L, enzyme_dup, at, d,
                    d + 2000, enzyme_dup, at + 900, d + 900, d + 2900);
  const int apart = allocated;
  __enzyme_autodiff((void *)cube, enzyme_const, 900, enzyme_const, 0,
                    enzyme_const, 0L, at, d, at + 899, d + 900);
  printf("%d %d\n", apart, allocated > 0);
}
// TAPES: 0 1
#elif !defined(MAIN)
#define DO(NAME)                                                               \
  void run_##NAME(int n, int m, long s, double *x, double *dx, double *y,      \
                  double *dy) {                                                \
    __enzyme_autodiff((void *)NAME, enzyme_const, n, enzyme_const, m,          \
                      enzyme_const, s, x, dx, y, dy);                          \
  }
void run_weighted(int n, double *x, double *dx, double *w, double *dw,
                  double *y, double *dy) {
  __enzyme_autodiff((void *)weighted, enzyme_const, n, x, dx, w, dw, y, dy);
}
double run_scaled(double a, int n, double *x, double *dx, double *y,
                  double *dy) {
  return __enzyme_autodiff_number((void *)scaled, enzyme_out, a, enzyme_const,
                                  n, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
DO(lookedUp)
DO(globals)
DO(onlySquares)
DO(sums)
DO(pointers)
DO(cube)
DO(down)
DO(rows)
DO(columns)
DO(stride)
DO(triangle)
DO(above)
DO(bits)
DO(around)
DO(remainders)
DO(signedRemainders)
DO(endless)
DO(unlimited)
DO(passed)
DO(copied)
DO(cleared)
DO(leaves)
DO(own)
#else
#define NUMBERS 1000
#include "argument_ranges.h"
static void run_scaled(int x, int y, int dx, int dy) {
  fill();
  double a = __enzyme_autodiff_number((void *)scaled, enzyme_out, 1.5,
                                      enzyme_const, 9, enzyme_dup, at + x,
                                      d + dx, enzyme_dup, at + y, d + dy);
  double sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += d[i] * (1 + i % 13) + at[i] * (i % 7);
  printf("scaled %d %d %d %d: %.12g %.12g\n", x, y, dx, dy, a, sum);
}
// Where the shadows of each lane are.
static void run_lanes(int x0, int x1, int y0, int y1) {
  fill();
  __enzyme_autodiff((void *)cube, enzyme_width, 2, enzyme_const, 9,
                    enzyme_const, 0, enzyme_const, 0L, enzyme_dup, at + 300,
                    d + x0, d + x1, enzyme_dup, at + 600, d + y0, d + y1);
  double sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += d[i] * (1 + i % 13);
  printf("lanes %d %d %d %d: %.12g\n", x0, x1, y0, y1, sum);
}
#define RUN(F)                                                                 \
  static void all_##F(void) {                                                  \
    for (int k = -130; k <= 130; ++k) {                                        \
      run(#F, (void *)F, 300, 300 + k, 300, 300 + k, 9, 5, 1);                 \
      run(#F, (void *)F, 300, 300 + k, 200, 600, 9, 5, -1);                    \
      run(#F, (void *)F, 200, 600, 300, 300 + k, 10, 4, k % 4);                \
    }                                                                          \
    run(#F, (void *)F, 200, 600, 200, 600, 0, 5, 1);                           \
    run(#F, (void *)F, 200, 600, 200, 600, 9, 0, 1);                           \
    run(#F, (void *)F, 200, 600, 200, 600, 9, 5, 2);                           \
  }
RUN(cube)
RUN(down)
RUN(rows)
RUN(columns)
RUN(stride)
RUN(triangle)
RUN(above)
RUN(bits)
RUN(around)
RUN(remainders)
RUN(signedRemainders)
RUN(endless)
RUN(unlimited)
RUN(passed)
RUN(copied)
RUN(cleared)
RUN(leaves)
RUN(own)
int main(void) {
  all_cube(), all_down(), all_rows(), all_columns(), all_stride(),
      all_triangle(), all_above(), all_bits(), all_around(), all_remainders(),
      all_signedRemainders(), all_endless(), all_unlimited(), all_passed(), all_copied(), all_cleared(),
      all_leaves(), all_own();
  for (int k = -20; k <= 20; ++k)
    run("endless", (void *)endless, 300, 300 + k, 300, 300 + k, 0, 0, 1L << 61);
  for (int k = -20; k <= 20; ++k) {
    run("unlimited", (void *)unlimited, 300, 300 + k, 300, 300 + k, 0, 0, -1);
    run("passed", (void *)passed, 300, 300 + k, 300, 300 + k, 4, 0, 2);
  }
  for (int k = -12; k <= 12; ++k) {
    run_scaled(300, 300 + k, 300, 300 + k), run_scaled(300, 300 + k, 300, 600);
    run_scaled(300, 600, 300, 300 + k), run_scaled(300, 600, 300, 600);
    run_lanes(300, 300 + k, 600, 700), run_lanes(300, 400, 600, 600 + k);
    run_lanes(300, 400, 400 + k, 700), run_lanes(300, 400, 600, 300 + k);
  }
  // One step each by hand: y = x³ where they are apart, and x[1] = x[0]³ with
  // x[2] = x[1]³ where y begins one behind x.
  double v[3] = {1.1, 0, 0}, dv[3] = {0, 0, 1}, y[1], dy[1] = {1}, dx[1] = {0};
  __enzyme_autodiff((void *)cube, enzyme_const, 2, enzyme_const, 0,
                    enzyme_const, 0L, v, dv, v + 1, dv + 1);
  printf("chain %.10f\n", dv[0]);
  __enzyme_autodiff((void *)cube, enzyme_const, 1, enzyme_const, 0,
                    enzyme_const, 0L, v, dx, y, dy);
  printf("apart %.10f %.1f\n", dx[0], dy[0]);
}
// 9 * 1.1 to the 8th; 3 * 1.1 squared.
// RESULT: chain 19.2922992900
// RESULT: apart 3.6300000000 0.0
#endif
