// Each iteration starts with adjoints of zero, for every kind of instruction
// that takes one. Trips are known in one function and found out in the other.
// RUN: %retro-clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 -mllvm -retro-preopt=0 -mllvm -retro-unroll=0 %s -o %t -lm && %t | FileCheck %s
#include "request.h"
typedef double Pair __attribute__((vector_size(16)));

// Sum over i = 1 … n of i x^2 through a vector, a rounding to float (exact for
// the numbers used), a copy, a sign mask, a condition.
static double known(double x, int n) {
  double s = 0;
  for (int i = 1; i <= n; ++i) {
    Pair p = {x, x * i};
    p = __builtin_shufflevector(p, p, 1, 0) * p;
    float narrow = (float)p[i % 2];
    double from[2] = {narrow, 1}, to[2];
    memcpy(to, from, sizeof to);
    double v = fabs(-to[0]);
    s += i % 3 ? v : 2 * v - to[0];
  }
  return s;
}
static double searched(double x, double limit) {
  double s = 0;
  for (int i = 1; s < limit; ++i) {
    Pair p = {x, x * i};
    float narrow = (float)(p[0] * p[1]);
    s += narrow;
  }
  return s;
}

int main(void) {
  printf("%g %g\n", known(0.5, 8), __enzyme_autodiff((void *)known, 0.5, 8));
  // 36 x^2 and 72 x
  // CHECK: 9 36
  printf("%g %g\n", searched(0.5, 8.5), __enzyme_autodiff((void *)searched, 0.5, enzyme_const, 8.5));
  // CHECK: 9 36
}
