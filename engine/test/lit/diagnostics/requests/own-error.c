// A function that is asked what operations round, and does not say it.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
double __enzyme_error_estimate(void *, ...);
int retroOwnError(double result, double own) { return result > own; }
static double square(double x) { return x * x; }
double r(double x) {
  return __enzyme_error_estimate((void *)square, x, 0.0);
}
// CHECK: own-error.c:[[@LINE-2]]:10: error: the function 'retroOwnError', which is asked what operations round, does not take or return it [retro-own-error-function]
// CHECK-NOT: error:
