// Two pointers into one array, at a distance that only the caller knows.
// RUN: %retro-clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
#include "request.h"

static double f(double *a, double *b, int c, int d) {
  double *p = c ? a : b, *q = d ? a : b;
  double x = p[0];
  double y = x * x;
  q[1] = 1.0;
  return y;
}
__attribute__((noinline)) static void gradient(double *a, double *da, double *b, double *db, int c, int d) {
  __enzyme_autodiff_void((void *)f, a, da, b, db, c, d);
}
int main(void) {
  double a[3] = {2, 3, 4}, da[3] = {0};
  gradient(a, da, a + 1, da + 1, 0, 1);
  printf("%g %g %g\n", da[0], da[1], da[2]);
  // CHECK: 0 6 0
}
