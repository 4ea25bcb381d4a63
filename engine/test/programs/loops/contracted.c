// Arrays that a loop fills from memory that does not change, and that others
// read, go; those whose elements would not be the same when computed anew stay.
// Positions in packed triangles are functions of their row. All is held against
// forward mode and differences.
#include "../check.h"

enum { N = 7, ROWS = 5, M = N * ROWS + 2 * N };

/// Differences of each row from a centre, and a packed triangular matrix: the
/// kernel of a mixture model.
NOINLINE static double mixture(const double *restrict x,
                               const double *restrict y, int n) {
  double *d = malloc(sizeof(double) * (size_t)n);
  double *p = malloc(sizeof(double) * (size_t)n);
  double sum = 0;
  for (int i = 0; i < ROWS; ++i) {
    for (int j = 0; j < n; ++j)
      d[j] = x[i * n + j] - y[j];
    for (int j = 0; j < n; ++j)
      p[j] = y[j] * d[j];
    int entry = 0;
    for (int c = 0; c < n; ++c)
      for (int r = c + 1; r < n; ++r)
        p[r] += y[n + entry++] * d[c];
    for (int j = 0; j < n; ++j)
      sum += p[j] * p[j] * (i + 1);
  }
  free(d);
  free(p);
  return sum;
}

/// An array of which a loop may leave elements as they are.
static double *zeros(int n) { return calloc((size_t)n, sizeof(double)); }

/// What the array was filled from changes before it is read.
NOINLINE static double changed(double *restrict x, double *restrict y, int n) {
  double *d = zeros(n), sum = 0;
  for (int j = 0; j < n; ++j)
    d[j] = x[j] * y[j];
  x[1] = 3;
  for (int j = 0; j < n; ++j)
    sum += d[j] * d[j] * x[j];
  free(d);
  return sum;
}

/// It is filled anew in each round, but read from the round before.
NOINLINE static double late(const double *restrict x, const double *restrict y,
                            int n) {
  double *d = zeros(n), sum = 0;
  for (int i = 0; i < ROWS; ++i) {
    for (int j = 0; j < n; ++j)
      sum += (d[j] + i) * d[j] * y[j];
    for (int j = 0; j < n; ++j)
      d[j] = x[j] + y[j];
  }
  free(d);
  return sum;
}

/// Not every element is filled.
NOINLINE static double some(const double *restrict x, const double *restrict y,
                            int n) {
  double *d = zeros(n), sum = 0;
  for (int j = 0; j < n; ++j)
    if (j % 3)
      d[j] = x[j] * x[j + n];
  for (int j = 0; j < n; ++j)
    sum += (d[j] + 1) * y[j] * y[j];
  free(d);
  return sum;
}

/// Fills the first n elements; Where is read instead of the one of its number.
#define READ_AT(name, size, count, Where)                                      \
  NOINLINE static double name(const double *restrict x,                        \
                              const double *restrict y, int n) {               \
    double *d = zeros(size), sum = 0;                                          \
    for (int j = 0; j < n; ++j)                                                \
      d[j] = x[j] * y[j];                                                      \
    for (int j = 0; j < (count); ++j)                                          \
      sum += (d[Where] + 1) * d[Where] * x[j];                                 \
    free(d);                                                                   \
    return sum;                                                                \
  }
READ_AT(longer, 2 * n, 2 * n, j)
READ_AT(backwards, n, n, n - 1 - j)
READ_AT(steps, 2 * n, n, 2 * j)
READ_AT(shifted, n + 1, n, j + 1)
READ_AT(first, n, n, 0)

/// What all elements are is computed only where the first loop is entered, and
/// the second is guarded by another condition.
NOINLINE static double entered(double *x, double *y, int n) {
  double d[M];
  for (int j = 0; j < n; ++j)
    d[j] = 0.7 * x[0];
  for (unsigned j = 0; j < (unsigned)n; ++j)
    y[0] = 0.9 * d[0] * y[1];
  return y[0] * x[1];
}

/// Triangles packed by rows, by columns from the end, and upward; and a square
/// number of each row.
NOINLINE static double triangles(const double *restrict x,
                                 const double *restrict y, int n) {
  double sum = 0;
  int row = 0, column = n * (n + 1) / 2, square = 3;
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c <= r; ++c)
      sum += x[row] * x[row + 1] * y[c], ++row;
    for (int c = r; c < n; ++c)
      sum += x[--column] * y[c] * y[r];
    sum += sin(y[r] * square) * x[square % M];
    square += 2 * r + 1;
  }
  unsigned char step = 250;
  for (int r = 0; r < n; ++r) {
    sum *= x[step % M] * y[r];
    step = (unsigned char)(step + 3 * r);
  }
  return sum;
}

/// Some columns are left out, though they have elements.
NOINLINE static double columns(const double *restrict x,
                               const double *restrict y, int n) {
  double sum = 0;
  int entry = 0;
  for (int c = 0; c < n; ++c)
    if (x[c] < 1.12)
      for (int r = c + 1; r < n; ++r)
        sum += x[entry] * x[entry] * y[c], ++entry;
  long place = 0;
  for (long c = 0; c < n; ++c)
    if (y[c] > 0.96)
      for (long r = 0; r <= c; ++r)
        sum += y[place] * x[place] * x[c], ++place;
  return sum;
}

static void start(double *x, double *y) {
  for (int i = 0; i < M; ++i) {
    x[i] = 0.8 + 0.05 * (i * 7 % 11);
    y[i] = 1.1 - 0.03 * (i * 5 % 13);
  }
}

/// Central differences see what both modes would have wrong.
#define CHECK(f, n)                                                            \
  do {                                                                         \
    double z[2 * M], dz[2 * M] = {0};                                          \
    start(z, z + M);                                                           \
    __enzyme_autodiff((void *)f, enzyme_dup, z, dz, enzyme_dup, z + M, dz + M, \
                      enzyme_const, n);                                        \
    for (int k = 0; k < 2 * M; ++k) {                                          \
      double y[2 * M], t[2 * M] = {0}, at[2];                                  \
      start(y, y + M);                                                         \
      t[k] = 1;                                                                \
      near_at(__LINE__, #f, dz[k],                                             \
              __enzyme_fwddiff((void *)f, enzyme_dup, y, t, enzyme_dup, y + M, \
                               t + M, enzyme_const, n),                        \
              1e-11);                                                          \
      for (int side = 0; side < 2; ++side) {                                   \
        start(y, y + M);                                                       \
        y[k] += side ? 1e-5 : -1e-5;                                           \
        at[side] = f(y, y + M, n);                                             \
      }                                                                        \
      near_at(__LINE__, #f, dz[k], (at[1] - at[0]) / 2e-5, 1e-5);              \
    }                                                                          \
  } while (0)

int main(void) {
  for (int n = 1; n <= N; n += 2) {
    CHECK(mixture, n);
    CHECK(changed, n);
    CHECK(late, n);
    CHECK(some, n);
    CHECK(longer, n);
    CHECK(backwards, n);
    CHECK(steps, n);
    CHECK(shifted, n);
    CHECK(first, n);
    CHECK(entered, n);
    CHECK(triangles, n);
    CHECK(columns, n);
  }
  return finish();
}
