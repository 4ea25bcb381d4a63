// Results in memory that nobody needs, of functions that work in place: with
// enzyme_dupnoneed the adjoint is that of enzyme_dup, whatever was left out.
#include "../check.h"
#include <math.h>
#include <string.h>

MARKERS(enzyme_dup, enzyme_dupnoneed, enzyme_const);

enum { N = 12 };

// Nothing of x is needed: sums and multiples of constants.
static void linear(double *restrict x, const double *c, int n) {
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i + 1 < n; ++i) {
      const double old = x[i];
      x[i] = c[i] * x[i + 1] - old / c[i + 1];
      x[i + 1] += c[0] * old;
    }
}

// x is its own factor: all of it is needed.
static void squares(double *restrict x, const double *c, int n) {
  for (int i = 0; i + 1 < n; ++i)
    x[i + 1] = x[i] * x[i + 1] + c[i];
}

// It decides a branch.
static void branches(double *restrict x, const double *c, int n) {
  for (int i = 0; i + 1 < n; ++i) {
    x[i + 1] = x[i] > c[i] ? c[i] * x[i + 1] : x[i + 1] + x[i];
    if (x[i + 1] > 1)
      x[i] = 3 * x[i];
  }
}

// Its sign alone is needed.
static void magnitudes(double *restrict x, const double *c, int n) {
  for (int i = 0; i + 1 < n; ++i)
    x[i + 1] = c[i] * x[i + 1] + fabs(x[i]);
}

// A product of what is read and of what is active elsewhere.
static void weighted(double *restrict x, const double *w, int n) {
  for (int i = 0; i + 1 < n; ++i)
    x[i + 1] += w[i] * x[i];
}

// Recursion, in place.
__attribute__((noinline)) static void halves(double *restrict x,
                                             const double *c, int n) {
  if (n < 2)
    return;
  halves(x, c, n / 2);
  halves(x + n / 2, c, n - n / 2);
  for (int i = 0; i < n / 2; ++i) {
    const double a = x[i], b = sin(c[i]) * x[n / 2 + i];
    x[i] = a + b;
    x[n / 2 + i] = a - b;
  }
}

// A number in it is an index.
static void indices(double *restrict x, const double *c, int n) {
  for (int i = 0; i + 1 < n; ++i) {
    const int k = (int)fabs(x[i]) % 3;
    x[i + 1] = c[k] * x[i + 1];
  }
}

// Copied, and read through the copy.
static void copied(double *restrict x, const double *c, int n) {
  double y[N];
  memcpy(y, x, sizeof y);
  for (int i = 0; i < n; ++i)
    x[i] = c[i] * y[n - 1 - i];
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * y[i];
}

// Two arrays, one of them needed: in the other's place goes what it was.
static void exchange(double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; ++i) {
    const double t = x[i];
    x[i] = 2 * y[i];
    y[i] = t;
  }
}
static void both(double *restrict x, double *restrict y, int n) {
  exchange(x, y, n);
  for (int i = 0; i < n; ++i)
    y[i] = y[i] * y[i];
}

// What is computed of it is returned: by the function, not in the array.
static double summed(double *restrict x, const double *c, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    x[i + 1] += c[i] * x[i];
    sum += x[i + 1] * x[i + 1];
  }
  return sum;
}

// What another function returns of it is needed, or is not.
static double mean(const double *x, int n) {
  return n == 1 ? x[0] : (mean(x, n / 2) + mean(x + n / 2, n - n / 2)) / 2;
}
static void squaredMean(double *restrict x, const double *c, int n) {
  for (int i = 0; i + 1 < n; ++i)
    x[i + 1] += c[i] * x[i];
  const double m = mean(x, n);
  x[0] = m * m;
}
static void doubledMean(double *restrict x, const double *c, int n) {
  for (int i = 0; i + 1 < n; ++i)
    x[i + 1] += c[i] * x[i];
  x[0] = 2 * mean(x, n);
}

static void fill(double *restrict x, double *seed, double *c) {
  for (int i = 0; i < N; ++i) {
    x[i] = sin(3.0 * i + 1);
    seed[i] = cos(2.0 * i + 1);
    c[i] = 1.25 + 0.5 * sin(7.0 * i);
  }
}

// With an inactive second array.
#define COMPARE(f)                                                             \
  do {                                                                         \
    double x[N], s[N], c[N], y[N], t[N];                                       \
    fill(x, s, c), fill(y, t, c);                                              \
    __enzyme_autodiff((void *)f, enzyme_dup, x, s, enzyme_const, c,            \
                      enzyme_const, N);                                        \
    __enzyme_autodiff((void *)f, enzyme_dupnoneed, y, t, enzyme_const, c,      \
                      enzyme_const, N);                                        \
    for (int i = 0; i < N; ++i)                                                \
      NEAR(t[i], s[i], 0);                                                     \
  } while (0)

#define MODE(wanted) MODE_##wanted
#define MODE_1 enzyme_dup
#define MODE_0 enzyme_dupnoneed

// With an active one, whose result is wanted or not.
#define COMPARE_BOTH(f, wanted)                                                \
  do {                                                                         \
    double x[N], s[N], c[N], d[N], y[N], t[N], e[N], g[N];                     \
    fill(x, s, c), fill(y, t, e);                                              \
    for (int i = 0; i < N; ++i)                                                \
      d[i] = g[i] = 0.5 - i;                                                   \
    __enzyme_autodiff((void *)f, enzyme_dup, x, s, enzyme_dup, c, d,           \
                      enzyme_const, N);                                        \
    __enzyme_autodiff((void *)f, enzyme_dupnoneed, y, t, MODE(wanted), e, g,   \
                      enzyme_const, N);                                        \
    for (int i = 0; i < N; ++i) {                                              \
      NEAR(t[i], s[i], 0);                                                     \
      NEAR(g[i], d[i], 0);                                                     \
      if (wanted)                                                              \
        NEAR(e[i], c[i], 0);                                                   \
    }                                                                          \
  } while (0)

int main(void) {
  COMPARE(linear);
  COMPARE(squares);
  COMPARE(branches);
  COMPARE(magnitudes);
  COMPARE(halves);
  COMPARE(indices);
  COMPARE(copied);
  COMPARE(summed);
  COMPARE(squaredMean);
  COMPARE(doubledMean);
  COMPARE_BOTH(weighted, 1);
  COMPARE_BOTH(weighted, 0);
  COMPARE_BOTH(linear, 1);
  COMPARE_BOTH(exchange, 1);
  COMPARE_BOTH(exchange, 0);
  COMPARE_BOTH(both, 1);
  COMPARE_BOTH(both, 0);
  COMPARE_BOTH(halves, 1);
  return finish();
}
