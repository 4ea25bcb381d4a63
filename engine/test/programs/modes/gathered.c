// Several requests at one point become one where nobody can tell; else they
// stay what they are. Each is held against differences.
#include "../check.h"

MARKERS(enzyme_dupnoneed);

/// Three numbers of two.
static void curve(const double *restrict x, const double *restrict y,
                  double *restrict out) {
  const double s = sin(x[0]) * x[1], c = cos(x[1]) * y[0];
  out[0] = s * s + c;
  out[1] = s * c;
  out[2] = exp(0.3 * s) - c * y[0];
}

/// d out[row] / d x[column], d x[2] being y.
static double partial(const double *x, const double *y, int row, int column) {
  double at[3] = {x[0], x[1], y[0]}, out[2][3];
  for (int side = 0; side < 2; ++side) {
    at[column] += side ? 2e-5 : -1e-5;
    curve(at, at + 2, out[side]);
  }
  return (out[1][row] - out[0][row]) / 2e-5;
}

#define ROW(r, row, shadow)                                                    \
  for (int column = 0; column < 3; ++column)                                   \
  NEAR((row)[column], partial(x, y, r, column) + (shadow), 1e-8)

#define REQUEST(dx, dy, out, seed)                                             \
  __enzyme_autodiff_void((void *)curve, enzyme_dup, x, dx, enzyme_dup, y, dy,  \
                         enzyme_dupnoneed, out, seed)

/// Rows of a Jacobian, seeds and results in variables of the loop.
NOINLINE static void jacobian(const double *x, const double *y, double *rows) {
  for (int r = 0; r < 3; ++r) {
    double out[3], seed[3] = {r == 0, r == 1, r == 2};
    for (int j = 0; j < 3; ++j)
      rows[3 * r + j] = 0;
    REQUEST(rows + 3 * r, rows + 3 * r + 2, out, seed);
  }
}

/// Two requests with the seed of one life, which is written anew between them.
NOINLINE static void pairs(const double *x, const double *y, double *rows) {
  for (int r = 0; r < 2; ++r) {
    double out[3], seed[3] = {r == 0, r == 1, 0};
    REQUEST(rows + 6 * r, rows + 6 * r + 2, out, seed);
    seed[2] = 1;
    REQUEST(rows + 6 * r + 3, rows + 6 * r + 5, out, seed);
  }
}

/// Which point, memory says.
NOINLINE static void table(const double *points, const int *which, double *rows,
                           int n) {
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < 2; ++r) {
      const double *x = points + 3 * which[i], *y = x + 2;
      double out[3], seed[3] = {r == 0, r == 1, 0}, *row = rows + 6 * i + 3 * r;
      for (int j = 0; j < 3; ++j)
        row[j] = 0;
      REQUEST(row, row + 2, out, seed);
    }
}

/// Both add to the same shadow.
NOINLINE static void sum(const double *x, const double *y, double *row) {
  double out[3], first[3] = {1, 0, 0}, second[3] = {0, 1, 0};
  REQUEST(row, row + 2, out, first);
  REQUEST(row, row + 2, out, second);
}

/// What the first one leaves is read, and changed, before the second.
NOINLINE static void chained(const double *x, const double *y, double *row,
                             double *other) {
  double out[3], first[3] = {1, 0, 0}, second[3] = {0, 1, 0};
  REQUEST(row, row + 2, out, first);
  other[0] = row[1];
  row[0] += 1;
  REQUEST(other, other + 2, out, second);
}

/// The point moves.
NOINLINE static void moved(double *restrict x, const double *restrict y,
                           double *restrict row, double *restrict other) {
  double out[3], first[3] = {1, 0, 0}, second[3] = {0, 1, 0};
  REQUEST(row, row + 2, out, first);
  x[0] += 0.25;
  REQUEST(other, other + 2, out, second);
}

/// Two points.
NOINLINE static void apart(const double *restrict a, const double *restrict b,
                           double *restrict rows) {
  double out[3], first[3] = {1, 0, 0}, second[3] = {1, 0, 0};
  const double *x = a, *y = a + 2;
  REQUEST(rows, rows + 2, out, first);
  x = b, y = b + 2;
  REQUEST(rows + 3, rows + 5, out, second);
}

/// The first seed is asked for after it is consumed, the second has it anew.
NOINLINE static double consumed(const double *x, const double *y,
                                double *rows) {
  double left = 0;
  for (int r = 0; r < 2; ++r) {
    double out[3], seed[3] = {r == 0, r == 1, 0};
    REQUEST(rows + 3 * r, rows + 3 * r + 2, out, seed);
    left += seed[r] + 1;
  }
  return left;
}

/// In place: the second request sees what the first one made of its argument.
static void square(double *restrict x) { x[0] = x[0] * x[0] * x[0]; }

NOINLINE static void twice(double *x, double *d) {
  double second = 1;
  __enzyme_autodiff_void((void *)square, enzyme_dup, x, d);
  __enzyme_autodiff_void((void *)square, enzyme_dup, x, &second);
  d[0] *= second;
}

int main(void) {
  double x[2] = {0.7, 1.1}, y[1] = {0.4}, rows[9], row[3] = {0}, other[3];
  jacobian(x, y, rows);
  for (int r = 0; r < 3; ++r)
    ROW(r, rows + 3 * r, 0);
  const double points[6] = {0.7, 1.1, 0.4, 0.7, 1.1, 0.4};
  const int which[3] = {1, 0, 1};
  double all[18];
  table(points, which, all, 3);
  for (int i = 0; i < 3; ++i)
    for (int r = 0; r < 2; ++r)
      ROW(r, all + 6 * i + 3 * r, 0);
  memset(all, 0, sizeof all);
  pairs(x, y, all);
  for (int r = 0; r < 2; ++r) {
    ROW(r, all + 6 * r, 0);
    ROW(2, all + 6 * r + 3, 0);
  }
  sum(x, y, row);
  ROW(0, row, partial(x, y, 1, column));
  memset(row, 0, sizeof row);
  memset(other, 0, sizeof other);
  chained(x, y, row, other);
  NEAR(row[0], partial(x, y, 0, 0) + 1, 1e-8);
  NEAR(other[0], partial(x, y, 0, 1) + partial(x, y, 1, 0), 1e-8);
  memset(rows, 0, sizeof rows);
  const double there[3] = {0.2, 0.9, 1.3};
  apart(points, there, rows);
  ROW(0, rows, 0);
  for (int column = 0; column < 3; ++column)
    NEAR(rows[3 + column], partial(there, there + 2, 0, column), 1e-8);
  memset(rows, 0, sizeof rows);
  NEAR(consumed(x, y, rows), 2, 0);
  ROW(0, rows, 0);
  ROW(1, rows + 3, 0);
  memset(row, 0, sizeof row);
  memset(other, 0, sizeof other);
  const double was = partial(x, y, 0, 0);
  moved(x, y, row, other);
  NEAR(row[0], was, 1e-8);
  ROW(1, other, 0);
  double z = 1.5, d = 1;
  twice(&z, &d);
  NEAR(z, pow(1.5, 9), 1e-14);
  NEAR(d, 3 * 1.5 * 1.5 * 3 * pow(1.5, 6), 1e-14);
  return finish();
}
