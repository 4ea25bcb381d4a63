// A logger of errors that does not take them.
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
double __enzyme_error_estimate(void *, ...);
int enzymeLogError(double result, int operation) { return result > operation; }
static double square(double x) { return x * x; }
double r(double x) {
  return __enzyme_error_estimate((void *)square, x, 0.0);
}
// CHECK: error-logger.c:[[@LINE-2]]:10: error: the function 'enzymeLogError', which is told the errors of operations, does not take them [retro-error-logger]
// CHECK-NOT: error:
