// Loops that carry a recurrence, and touch ranges of one array of which only
// the program knows whether they meet: there are two versions of each.
#include "../check.h"

enum { N = 16 };

static int shift, turns;

/// Butterflies of two halves, with a rotation: the halves share a place if n is
/// odd.
NOINLINE static void halves(double *restrict a, int n) {
  double c = 1, s = 0;
  for (int k = 0; k < n; k += 2) {
    const double re = c * a[n + k] - s * a[n + k + 1];
    const double im = c * a[n + k + 1] + s * a[n + k];
    a[n + k] = a[k] - re;
    a[n + k + 1] = a[k + 1] * a[k] - im;
    a[k] += re * re;
    a[k + 1] += im;
    const double old = c;
    c = c * 0.9 - s * 0.4;
    s = s * 0.9 + old * 0.4;
  }
}

/// Forward, where the places are behind those that are read, ahead, the same.
NOINLINE static void shifted(double *restrict a, UNUSED int n) {
  const int to = shift, count = turns;
  double w = 0.7;
  for (int i = 0; i < count; ++i) {
    a[4 + i + to] = sin(a[4 + i] * w) + a[4 + i + to];
    w = w * w + 0.2;
  }
}

/// Backward.
NOINLINE static void downward(double *restrict a, UNUSED int n) {
  const int to = shift, count = turns;
  double w = 0.7;
  for (int i = count - 1; i >= 0; --i) {
    a[4 + i + to] = sin(a[4 + i] + w) * w;
    w = 0.5 / w + 0.2;
  }
}

/// In steps of three, with a place between.
NOINLINE static void steps(double *restrict a, UNUSED int n) {
  const int to = shift, count = turns;
  double w = 0.3, sum = 0;
  for (int i = 0; i < count; i += 3) {
    sum += a[5 + i] * w;
    a[4 + i + to] *= a[4 + i] * w;
    w = sin(w) + 0.1;
  }
  a[0] += sum;
}

typedef void (*change)(double *, int);
static change which;
static const double weights[N] = {1, -2,  3,  0.5, 1.5, -1,  0.7, -3,
                                  2, 0.2, -1, 1,   2,   0.3, 1.1, -0.4};

static double weighted(const double *x, int n) {
  double a[N];
  for (int i = 0; i < N; ++i)
    a[i] = x[i];
  which(a, n);
  return dot(weights, a, N);
}

#define CHECK(f, n)                                                            \
  {                                                                            \
    double a[N], want[N], g[N];                                                \
    for (int i = 0; i < N; ++i)                                                \
      a[i] = want[i] = x[i], g[i] = weights[i];                                \
    which = f;                                                                 \
    __enzyme_autodiff((void *)f, enzyme_dup, a, g, n);                         \
    f(want, n);                                                                \
    for (int i = 0; i < N; ++i) {                                              \
      const double by = 1e-6, at = x[i];                                       \
      x[i] = at + by;                                                          \
      double d = weighted(x, n);                                               \
      x[i] = at - by;                                                          \
      d = (d - weighted(x, n)) / (2 * by);                                     \
      x[i] = at;                                                               \
      NEAR(g[i], d, 1e-7);                                                     \
      NEAR(a[i], want[i], 1e-15);                                              \
    }                                                                          \
  }

int main(void) {
  double x[N];
  for (int i = 0; i < N; ++i)
    x[i] = 0.4 + 0.37 * ((7 * i) % N) / N;
  for (int n = 0; n <= 8; ++n)
    if (n < 8 || N >= 2 * n)
      CHECK(halves, n)
  for (turns = 0; turns <= 6; ++turns)
    for (shift = -4; shift <= 6; ++shift) {
      CHECK(shifted, N)
      CHECK(downward, N)
      CHECK(steps, N)
    }
  return finish();
}
