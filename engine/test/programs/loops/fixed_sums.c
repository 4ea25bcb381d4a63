// Adjoints that a loop adds to one place in all iterations, while it adds to
// others that may be the same place: the sum is carried in a register where
// nothing but sums is there. Against differences; the primal's sums keep their
// order.
#include "../check.h"

enum { N = 7, Size = N * N };

/// Factorizations in place: a row's place meets the column's where both are on
/// the diagonal.
NOINLINE static double factorRight(int n, double *restrict a) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    a[k * n + k] = sqrt(a[k * n + k]);
    for (int i = k + 1; i < n; ++i)
      a[i * n + k] /= a[k * n + k];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
  }
  for (int i = 0; i < n; ++i)
    sum += a[i * n + i] * (i + 1);
  return sum + a[n] * a[2 * n + 1];
}

NOINLINE static double factorLeft(int n, double *restrict a) {
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
    const double d = sqrt(a[j * n + j]);
    for (int i = j; i < n; ++i)
      a[i * n + j] /= d;
  }
  for (int i = 0; i < n; ++i)
    sum += a[i * n + i] * (i + 1);
  return sum + a[n] * a[2 * n + 1];
}

/// By columns, and with the place of the fixed factor among those read.
NOINLINE static double columns(int n, double *restrict a) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    for (int j = k + 1; j < n; ++j)
      for (int i = j; i < n; ++i)
        a[i + j * n] -= a[i + k * n] * a[j + k * n] / a[k + k * n];
  for (int i = 0; i < n; ++i)
    sum += a[i + i * n] * (i + 1);
  return sum;
}

/// What is added to is read, too: its adjoint is used by later iterations.
NOINLINE static double through(int n, double *restrict a) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    for (int j = k; j < n; ++j)
      a[k * n + j] = a[k * n + j] * a[k * n + k] + a[j];
  for (int i = 0; i < n * n; ++i)
    sum += a[i] * (i % 3 + 1);
  return sum;
}

/// The place is subtracted from, and the other way round.
NOINLINE static double turned(int n, double *restrict a) {
  double sum = 0;
  for (int k = 0; k + 1 < n; ++k)
    for (int j = 0; j < n; ++j)
      a[(k + 1) * n + j] = 0.2 * a[k * n] * a[k * n + j] - a[(k + 1) * n + j];
  for (int i = 0; i < n * n; ++i)
    sum += a[i] * (i % 5 - 1.5);
  return sum;
}

/// Indices say where: any of them may be the fixed place.
static const int places[N] = {3, 0, 3, 2, 3, 5, 1};
NOINLINE static double lookedUp(int n, double *restrict a) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      sum += a[places[j]] * a[k] * a[n + places[j]];
  return sum * a[3];
}

typedef double Of(int, double *);

static void start(double *a) {
  for (int i = 0; i < Size; ++i)
    a[i] = 0.3 * sin(1.3 * i + 0.5);
  for (int i = 0; i < N; ++i)
    a[i * N + i] = 4 + 0.3 * i;
}

static double at(Of *f, int which, double by) {
  double a[Size];
  start(a);
  a[which] += by;
  return f(N, a);
}

static void compare(const char *name, Of *f, const double *got) {
  for (int i = 0; i < Size; ++i) {
    const double h = 1e-4;
    const double want = (8 * (at(f, i, h) - at(f, i, -h)) -
                         (at(f, i, 2 * h) - at(f, i, -2 * h))) /
                        (12 * h);
    near_at(i, name, got[i], want, 1e-7);
  }
}

#define CHECK(f)                                                               \
  do {                                                                         \
    double a[Size], da[Size] = {0};                                            \
    start(a);                                                                  \
    __enzyme_autodiff((void *)f, enzyme_const, N, enzyme_dup, a, da);          \
    compare(#f, f, da);                                                        \
    double plain[Size];                                                        \
    start(plain);                                                              \
    f(N, plain);                                                               \
    for (int i = 0; i < Size; ++i)                                             \
      near_at(__LINE__, #f ", primal", a[i], plain[i], 0);                     \
  } while (0)

int main(void) {
  CHECK(factorRight);
  CHECK(factorLeft);
  CHECK(columns);
  CHECK(through);
  CHECK(turned);
  CHECK(lookedUp);
  return finish();
}
