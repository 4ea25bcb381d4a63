// Requests inside requests are resolved innermost first.
// f = x^3 e^x: f'' = (x^3 + 6 x^2 + 6 x) e^x, f''' = (x^3 + 9 x^2 + 18 x + 6) e^x
// RUN: %retro-clang++ -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang++ -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang++ -O2 -mllvm -retro-preopt=0 %s -o %t -lm && %t | FileCheck %s
// RUN: %retro-clang++ -O1 -emit-llvm -S %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: call {{.*}}@__enzyme
#include "request.h"

static double f(double x) { return x * x * x * exp(x); }
static double reverse(double x) { return __enzyme_autodiff((void *)f, x); }
static double forward(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
static double forwardReverse(double x) { return __enzyme_fwddiff((void *)reverse, x, 1.0); }
static double reverseReverse(double x) { return __enzyme_autodiff((void *)reverse, x); }
static double reverseForward(double x) { return __enzyme_autodiff((void *)forward, x); }
static double forwardForward(double x) { return __enzyme_fwddiff((void *)forward, x, 1.0); }
static double third(double x) { return __enzyme_autodiff((void *)reverseReverse, x); }

// s = sum of x[i]^2 x[i+1]
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[(i + 1) % n];
  return s;
}
static void gradient(const double *x, double *g, int n) {
  __enzyme_autodiff_void((void *)sum, x, g, n);
}

int main() {
  printf("%.9f %.9f %.9f %.9f\n", forwardReverse(1), reverseReverse(1),
         reverseForward(1), forwardForward(1));
  // CHECK: 35.337663770 35.337663770 35.337663770 35.337663770
  printf("%.9f\n", third(1));
  // CHECK-NEXT: 92.421582168
  double x[3] = {1, 2, 3}, v[3] = {1, 10, 100}, g[3] = {}, hv[3] = {};
  __enzyme_fwddiff_void((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, hv, 3);
  printf("%g %g %g, %g %g %g\n", g[0], g[1], g[2], hv[0], hv[1], hv[2]);
  // gradient: 2 x0 x1 + x2^2, …; times v: (2 x1, 2 x0, 2 x2) v, …
  // CHECK-NEXT: 13 13 10, 624 462 246
}
