// A known inactive function that writes over active numbers is reported; what
// it reads and prints is no obstacle.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"

extern const char *format; // a known one is read into variables

double f(double x) {
  double t[2] = {x, x * x};
  sscanf("5", format, t);
  return t[0] * t[1];
}
// CHECK: inactive-writes.c:[[@LINE-3]]:3: error: no derivative is known for the function '{{.*}}sscanf' [retro-no-derivative]
double r(double x) { return __enzyme_autodiff((void *)f, x); }

double printed(double x) {
  printf("%g\n", x);
  return x * x;
}
// CHECK-NOT: error:
double s(double x) { return __enzyme_autodiff((void *)printed, x); }
