// What is read of an array that later iterations go on to fill: places that
// have their last value, as in factorizations and recurrences in place, and
// others that are written once more, a row, a sweep or one element later.
#include "../check.h"

enum { M = 6, SIZE = 64, INPUTS = 40 };

static double sum_of(const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i] * (1 + 0.1 * i);
  return s;
}

/// Column by column: finished columns are read, and never written again.
static double cholesky(const double *x, double *w) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j <= i; ++j)
      w[i * M + j] = x[i * M + j] * 0.2 + (i == j ? 3 : 0);
  for (int j = 0; j < M; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < M; ++i)
        w[i * M + j] -= w[i * M + k] * w[j * M + k];
    double d = sqrt(w[j * M + j]);
    for (int i = j; i < M; ++i)
      w[i * M + j] /= d;
  }
  double s = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j <= i; ++j)
      s += w[i * M + j] * w[i * M + j] * w[i * M + j] * (1 + i + 0.3 * j);
  return s;
}
/// Row by row: what is below the pivot's row changes until it is reached.
static double lu(const double *x, double *w) {
  for (int i = 0; i < M * M; ++i)
    w[i] = x[i] * 0.2 + (i % (M + 1) == 0 ? 2 : 0);
  for (int k = 0; k < M; ++k)
    for (int i = k + 1; i < M; ++i) {
      w[i * M + k] /= w[k * M + k];
      for (int j = k + 1; j < M; ++j)
        w[i * M + j] -= w[i * M + k] * w[k * M + j];
    }
  return sum_of(w, M * M);
}
/// Substitution, forward and then backward.
static double solve(const double *x, double *w) {
  for (int i = 0; i < M; ++i) {
    double s = x[i];
    for (int k = 0; k < i; ++k)
      s -= x[i * M + k] * w[k] * w[k];
    w[i] = s;
  }
  for (int i = M - 2; i >= 0; --i)
    w[i] -= w[i + 1] * w[i + 1] * x[i] * 0.3;
  return sum_of(w, M);
}
static double recurrence(const double *x, double *w) {
  w[0] = x[0];
  w[1] = x[1];
  for (int i = 2; i < INPUTS; ++i)
    w[i] = sin(w[i - 1]) * x[i] + w[i - 2] * w[i - 2] * 0.4;
  return sum_of(w, INPUTS);
}
/// Each sweep writes again what the one before has read.
static double sweeps(const double *x, double *w) {
  for (int i = 0; i < INPUTS; ++i)
    w[i] = x[i];
  for (int t = 0; t < 3; ++t)
    for (int i = 1; i < INPUTS; ++i)
      w[i] = w[i] * 0.5 + w[i - 1] * w[i - 1] * 0.3;
  return sum_of(w, INPUTS);
}
/// Rows that overlap: the next one writes what this one has read.
static double overlapping(const double *x, double *w) {
  for (int i = 0; i < SIZE; ++i)
    w[i] = x[i % INPUTS];
  for (int i = 0; i < 8; ++i)
    for (int j = 1; j < 7; ++j)
      w[5 * i + j] = w[5 * i + j - 1] * w[5 * i + j - 1] * 0.4 + x[i + j];
  return sum_of(w, SIZE);
}
/// The column that is read comes last: at the end of all it is written.
static double around(const double *x, double *w) {
  for (int i = 0; i < SIZE; ++i)
    w[i] = x[i % INPUTS];
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 8; ++i)
      w[4 * i + j] =
          w[4 * i + (j + 3) % 4] * w[4 * i + (j + 3) % 4] * 0.3 + x[4 * i + j];
  return sum_of(w, 32);
}
/// Of two elements read, one is stored to in the same iteration.
static double both(const double *x, double *w) {
  for (int i = 0; i < INPUTS; ++i)
    w[i] = x[i];
  for (int i = 0; i + 1 < INPUTS; ++i)
    w[i] = w[i] * w[i] * 0.5 + w[i + 1] * w[i + 1] * 0.2;
  for (int i = 0; i + 2 < INPUTS; i += 2)
    w[i + 2] = w[i] * w[i + 1] + w[i + 2] * w[i + 2] * 0.5;
  return sum_of(w, INPUTS);
}
/// Triangles: the inner loop reads up to its own place, or beyond.
static double beyond(const double *x, double *w) {
  for (int i = 0; i < INPUTS; ++i)
    w[i] = x[i];
  for (int j = 0; j < 8; ++j)
    for (int k = 0; k <= j + 1; ++k)
      w[j] = w[j] * 0.8 + w[k] * w[k] * 0.1;
  return sum_of(w, INPUTS);
}
/// Halves of numbers lie in one array with whole ones.
static double narrow(const double *x, double *w) {
  float *h = (float *)w;
  for (int i = 0; i < 20; ++i)
    h[i] = (float)x[i];
  for (int i = 1; i < 10; ++i)
    h[2 * i] = h[2 * i - 1] * h[2 * i - 1] + h[2 * i - 2] * 0.5f;
  double s = 0;
  for (int i = 0; i < 20; ++i)
    s += h[i] * h[i];
  return s;
}

#define KERNEL(f, tolerance)                                                   \
  static double value_##f(const double *x, int n) {                            \
    static double w[SIZE];                                                     \
    (void)n;                                                                   \
    return f(x, w);                                                            \
  }                                                                            \
  static void check_##f(const double *x) {                                     \
    double d[INPUTS] = {0}, w[SIZE] = {0}, dw[SIZE] = {0};                     \
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_dup, w, dw);         \
    for (int i = 0; i < INPUTS; ++i) {                                         \
      double v[INPUTS] = {0};                                                  \
      v[i] = 1;                                                                \
      NEAR(d[i], slope(value_##f, x, v, INPUTS), tolerance);                   \
    }                                                                          \
  }
KERNEL(cholesky, 1e-7)
KERNEL(lu, 1e-7)
KERNEL(solve, 1e-7)
KERNEL(recurrence, 1e-7)
KERNEL(sweeps, 1e-7)
KERNEL(overlapping, 1e-7)
KERNEL(around, 1e-7)
KERNEL(both, 1e-7)
KERNEL(beyond, 1e-7)

/// Differences of floats say little: the tangent needs no tape.
static void check_narrow(const double *x) {
  double d[INPUTS] = {0}, w[SIZE] = {0}, dw[SIZE] = {0};
  __enzyme_autodiff((void *)narrow, enzyme_dup, x, d, enzyme_dup, w, dw);
  for (int i = 0; i < 20; ++i) {
    double v[INPUTS] = {0}, tangent[SIZE] = {0};
    v[i] = 1;
    NEAR(d[i],
         __enzyme_fwddiff((void *)narrow, enzyme_dup, x, v, enzyme_dup, w,
                          tangent),
         1e-5);
  }
}

int main(void) {
  double x[INPUTS];
  for (int i = 0; i < INPUTS; ++i)
    x[i] = 0.3 + 0.4 * fabs(sin(i * 1.7 + 0.3));
  check_cholesky(x);
  check_lu(x);
  check_solve(x);
  check_recurrence(x);
  check_sweeps(x);
  check_overlapping(x);
  check_around(x);
  check_both(x);
  check_beyond(x);
  check_narrow(x);
  return finish();
}
