// Two requests that differ only in a marker, or only in the function, are not
// merged by the optimizations that run before the engine.
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
#include "request.h"

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static void f(const double *restrict u, double *restrict w) { *w = *u * *u; }

__attribute__((noinline)) static void marker(double *u, double *du, double *w, double *dw, int no) {
  if (no)
    __enzyme_autodiff_void((void *)f, u, du, enzyme_dupnoneed, w, dw);
  else
    __enzyme_autodiff_void((void *)f, u, du, enzyme_dup, w, dw);
}
__attribute__((noinline)) static double function(double x, int which) {
  return which ? __enzyme_autodiff((void *)square, x) : __enzyme_autodiff((void *)cube, x);
}
int main(void) {
  for (int no = 0; no < 2; ++no) {
    double u = 3, du = 0, w = -1, dw = 1;
    marker(&u, &du, &w, &dw, no);
    printf("%g %g\n", du, no ? 0 : w);
  }
  printf("%g %g\n", function(2, 0), function(2, 1));
  // CHECK: 6 9
  // CHECK: 6 0
  // CHECK: 12 4
}
