// Active values in '...' have no derivative where the function reads its list by
// itself; inactive ones are no obstacle.
// RUN: not %retro-clang -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %retro-clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include "request.h"
#include <stdarg.h>

typedef float four __attribute__((vector_size(16)));

__attribute__((noinline)) double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += va_arg(list, double);
  va_end(list);
  return s;
}
double f(double x) { return sum(2, x, 2 * x, (four){1}); }
// CHECK: variadic.c:[[@LINE-1]]:29: error: cannot differentiate a call that gives active values to a function with '...' [retro-variadic]; to fix it: use a function with named parameters
double r(double x) { return __enzyme_autodiff((void *)f, x); }

// Named parameters of a function that reads others.
static double pick(const double *x, int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 1;
  for (int i = 0; i < n; ++i)
    s *= x[va_arg(list, int)];
  va_end(list);
  return s;
}
double p(const double *x) { return pick(x, 2, 0, 1, (four){1}); }
// CHECK: variadic.c:[[@LINE-1]]:36: error: {{.*}}[retro-variadic]
void q(double *x, double *d) { __enzyme_autodiff((void *)p, x, d); }

// Pointers to active numbers, of which one is only read and one only written.
__attribute__((noinline)) static double pass(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += *va_arg(list, const double *);
    *va_arg(list, double *) = 2 * s;
  }
  va_end(list);
  return s;
}
double places(double x) {
  double a = 3 * x, b = 0;
  return pass(1, &a, &b) * b;
  // CHECK: variadic.c:[[@LINE-1]]:{{[0-9]+}}: error: {{.*}}[retro-variadic]
}
double of_places(double x) { return __enzyme_autodiff((void *)places, x); }

double h(double x) { return x * sum(2, 3.0, 4.0, (four){1}); }
// CHECK-NOT: error:
double s(double x) { return __enzyme_autodiff((void *)h, x); }
