// Pointer parameters without restrict may be the same memory.
// RUN: %retro-clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
#include "request.h"

static double square(double *a, double *b) {
  double x = a[0];
  b[0] = x * x;
  return a[0] * x;
}
__attribute__((noinline)) static void gradient(double *a, double *da, double *b, double *db) {
  __enzyme_autodiff_void((void *)square, a, da, b, db);
}
int main(void) {
  // x * x * x where they are the same, the old a[0]^2 where they are not.
  double a = 2, da = 0;
  gradient(&a, &da, &a, &da);
  double b = 0, db = 0, c = 2, dc = 0;
  gradient(&c, &dc, &b, &db);
  printf("%g %g\n", da, dc);
  // CHECK: 12 4
}
