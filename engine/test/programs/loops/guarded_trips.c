// Nested loops whose inner trip counts hold only where the inner loop is
// reached: for no trips at all the tape has no size, not an enormous one.
#include "../check.h"

/// The second loop runs in what guards the first.
static double one_after_another(double *u, int n, int m) {
  for (int s = 0; s < m; ++s) {
    for (int i = 1; i <= n - 1; ++i)
      u[i] = u[i] * u[i - 1];
    for (int i = n - 2; i > 0; --i)
      u[i] = u[i] * u[i + 1] * u[i - 1];
  }
  return u[1];
}

/// Behind a condition that differs from trip to trip.
static double behind(double *u, long n, long m) {
  for (long s = 0; s < m; ++s)
    if (u[3] > s)
      for (long i = 0; i < n; ++i)
        u[i] = u[i] * u[i + 1];
  return u[1];
}

/// Behind a way out of the outer loop.
static double leaves(double *u, int n, int m) {
  for (int s = 0; s < m; ++s) {
    if (s > n)
      break;
    for (int i = 0; i < n; ++i)
      u[i] = u[i] * u[i + 1];
  }
  return u[1];
}

typedef double function(double *u, int n, int m);
static double behind_int(double *u, int n, int m) { return behind(u, n, m); }

/// The gradient against differences, for every pair of numbers of trips.
#define ALL(F)                                                                 \
  for (int n = -3; n < 4; ++n)                                                 \
    for (int m = -1; m < 4; ++m) {                                             \
      double u[5], d[5] = {0};                                                 \
      start(u);                                                                \
      __enzyme_autodiff((void *)F, u, d, n, m);                                \
      for (int i = 0; i < 5; ++i)                                              \
        NEAR(d[i], difference(F, i, n, m), 1e-7);                              \
    }

static void start(double *u) {
  for (int i = 0; i < 5; ++i)
    u[i] = 0.75 + 0.125 * i;
}

static double difference(function *f, int i, int n, int m) {
  double u[5], v[5], h = 0x1p-17;
  start(u);
  start(v);
  u[i] += h;
  v[i] -= h;
  return (f(u, n, m) - f(v, n, m)) / (2 * h);
}

int main(void) {
  ALL(one_after_another)
  ALL(behind_int)
  ALL(leaves)
  return finish();
}
