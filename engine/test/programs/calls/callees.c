// Calls that stay calls: results through pointers, two pointers to one array,
// the same callee with different arguments active, pointers that are returned.
#include "../check.h"

static NOINLINE int divide(double a, double b, double *quotient, double *rest) {
  int whole = (int)(a / b);
  *quotient = whole;
  *rest = a - whole * b;
  return whole;
}

static NOINLINE void blend(double *to, const double *from, double by, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = to[i] * (1 - by) + from[n - 1 - i] * by;
}

static NOINLINE double *larger(double *a, double *b) { return *a > *b ? a : b; }

static double f(const double *x, int n) {
  double u[8], quotient, rest, sum = 0;
  memcpy(u, x, sizeof(double) * (size_t)n);
  for (int i = 0; i + 1 < n; ++i) {
    int whole = divide(3 * u[i], 0.8 + u[i + 1] * u[i + 1], &quotient, &rest);
    sum += rest * rest + quotient * u[i] + whole;
  }
  blend(u, x, 0.3, n);
  blend(u, u, 0.25, n); // to and from are one array
  blend(u, x, sin(u[0]), n);
  for (int i = 0; i + 1 < n; ++i)
    *larger(&u[i], &u[i + 1]) *= 1.1 + 0.1 * u[0];
  return sum + dot(u, u, n);
}

int main(void) {
  const double x[] = {0.45, 0.9, 1.2, -0.7, 1.1, 0.35, -0.2, 0.8};
  const double v[] = {1, -0.5, 0.25, 2, -1, 0.4, 0.1, -0.3};
  for (int n = 1; n <= 8; ++n) {
    double g[8] = {0};
    __enzyme_autodiff((void *)f, x, g, n);
    GRADIENT(f, x, g, n);
    NEAR(__enzyme_fwddiff((void *)f, x, v, n), dot(g, v, n), 1e-12);
    // A second call adds to the shadow.
    double once = g[0];
    __enzyme_autodiff((void *)f, x, g, n);
    NEAR(g[0], 2 * once, 1e-14);
  }
  return finish();
}
