// A constant argument that is a function known at compile time is called
// directly: other functions of its type, here one without a derivative, do not
// take part.
// RUN: %retro-clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang -O0 -mllvm -retro-preopt=0 %s -o %t -lm && %t | FileCheck %s
// RUN: not %retro-clang -O2 -DUNKNOWN -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=ERROR %s
#include "request.h"

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
double opaque(double x) {
  __asm__ volatile("movq %0, %0" : "+r"(x));
  return x;
}
double (*volatile other)(double) = opaque;

static double sum(double (*f)(double), const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += f(x[i]);
  return s;
}
static double both(double (*f)(double), double (*g)(double), double x) {
  return f(x) * g(x);
}

// What a target asks to be differentiated may be its own parameter.
static void gradient(double (*f)(double), const double *x, double *g, int n) {
  for (int i = 0; i < n; ++i)
    g[i] = __enzyme_autodiff((void *)f, x[i]);
}

int main() {
  double x[3] = {1, 2, 3}, a[3] = {0}, b[3] = {0};
  __enzyme_autodiff((void *)sum, enzyme_const, square, enzyme_dup, x, a, 3);
  __enzyme_autodiff((void *)sum, enzyme_const, cube, enzyme_dup, x, b, 3);
#ifdef UNKNOWN
  __enzyme_autodiff((void *)sum, enzyme_const, other, enzyme_dup, x, b, 3);
  // ERROR: error: cannot differentiate inline assembly
#endif
  show("square", a, 3);
  // CHECK: square: 2 4 6
  show("cube", b, 3);
  // CHECK: cube: 3 12 27
  double d[2] = {
      __enzyme_autodiff((void *)both, enzyme_const, square, enzyme_const, cube, 2.0),
      __enzyme_fwddiff((void *)both, enzyme_const, cube, enzyme_const, cube, 2.0, 1.0)};
  show("both", d, 2);
  // CHECK: both: 80 192
  double v[3] = {1, 10, 100}, g[3] = {0}, h[3] = {0};
  __enzyme_fwddiff_void((void *)gradient, enzyme_const, cube, enzyme_dup, x, v,
                        enzyme_dup, g, h, 3);
  show("gradient", g, 3);
  // CHECK: gradient: 3 12 27
  show("second", h, 3);
  // CHECK: second: 6 120 1800
  __enzyme_fwddiff_void((void *)gradient, enzyme_const, square, enzyme_dup, x,
                        v, enzyme_dup, g, h, 3);
  show("second", h, 3);
  // CHECK: second: 2 20 200
}
