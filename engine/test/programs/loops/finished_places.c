// What is read of an array that has got its last value, where the length of a
// row is a number that the program passes: rows that lie behind each other,
// with a gap, one over the other, and backward; also where a place is written
// once more for one of these lengths, and where the arrays are one.
#include "../check.h"

enum { SIZE = 160, INPUTS = 24 };
static int size, row; ///< of the kernel that is checked

static double sum_of(const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i] * (1 + 0.1 * i);
  return s;
}

/// A factorization column by column: it reads the rows of finished columns.
static double columns(const double *x, double *w, int n, int s) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      w[i * s + j] = 0.1 * x[(i * 5 + j * 3) % INPUTS] + (i == j ? 2 : 0);
  for (int j = 0; j < n; ++j) {
    double d = w[j * s + j];
    for (int k = 0; k < j; ++k)
      d -= w[j * s + k] * w[j * s + k];
    d = sqrt(d * d + 1);
    w[j * s + j] = d;
    for (int i = j + 1; i < n; ++i) {
      double v = w[i * s + j];
      for (int k = 0; k < j; ++k)
        v -= w[i * s + k] * w[j * s + k];
      w[i * s + j] = v / d;
    }
  }
  double r = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      r += w[i * s + j] * w[i * s + j] * (1 + i + 0.3 * j);
  return r;
}
/// The same by updates of all that is left.
static double updates(const double *x, double *w, int n, int s) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      w[i * s + j] = 0.1 * x[(i * 5 + j * 3) % INPUTS] + (i == j ? 2 : 0);
  for (int k = 0; k < n; ++k) {
    w[k * s + k] = sqrt(w[k * s + k] * w[k * s + k] + 1);
    for (int i = k + 1; i < n; ++i)
      w[i * s + k] /= w[k * s + k];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j)
        w[i * s + j] -= w[i * s + k] * w[j * s + k];
  }
  double r = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      r += w[i * s + j] * w[i * s + j] * (1 + i + 0.3 * j);
  return r;
}
/// Rows are computed of all rows before them.
static double rows(const double *x, double *w, int n, int s) {
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < n; ++c)
      w[i * s + c] = x[(i * 3 + c) % INPUTS];
    for (int k = 0; k < i; ++k)
      for (int c = 0; c < n; ++c)
        w[i * s + c] -= 0.2 * x[(i + 7 * k) % INPUTS] * w[k * s + c];
    for (int c = 0; c < n; ++c)
      w[i * s + c] /= 1 + x[i] * x[i];
  }
  double r = 0;
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n; ++c)
      r += w[i * s + c] * w[i * s + c];
  return r;
}
/// The last of all iterations writes the first row again.
static double again(const double *x, double *w, int n, int s) {
  for (int i = 0; i < 4 * n; ++i)
    w[i] = x[i % INPUTS];
  for (int i = 0; i <= n; ++i)
    for (int c = 0; c < s; ++c) {
      const int to = i < n ? i : 0;
      w[to * s + c] = w[to * s + c] * 0.5 + w[c] * w[c] * 0.2;
    }
  return sum_of(w, 4 * n);
}
/// The column behind those that are stored to; for rows as long as that, it is
/// the next row's first.
static double next(const double *x, double *w, int n, int s) {
  for (int i = 0; i < SIZE; ++i)
    w[i] = x[i % INPUTS];
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n; ++c)
      w[i * s + c] = w[i * s + n] * w[i * s + n] * 0.3 + w[i * s + c] * x[c];
  return sum_of(w, SIZE);
}
/// Numbers of iterations that are products, and a row that is none.
static double packed(const double *x, double *w, int n, int s) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double v = x[(i + j * s) % INPUTS];
      for (int k = 0; k < j; ++k)
        v -= 0.3 * w[i * (i + 1) / 2 + k] * w[j * (j + 1) / 2 + k];
      w[i * (i + 1) / 2 + j] = v;
    }
  return sum_of(w, n * (n + 1) / 2);
}

/// Rows are exchanged, so that none has its last value; a column below and the
/// pivot's row are what the inner loops do not change.
static double exchanged(const double *x, double *w, int n, int s) {
  double *b = w + n * s, r = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      w[i * s + j] = 0.1 * x[(i * 5 + j * 3) % INPUTS] + ((i + 2) % n == j) * 2;
    b[i] = x[i];
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(w[i * s + k]) > fabs(w[pivot * s + k]))
        pivot = i;
    for (int j = 0; j < n && pivot != k; ++j) {
      const double t = w[k * s + j];
      w[k * s + j] = w[pivot * s + j];
      w[pivot * s + j] = t;
    }
    for (int i = k + 1; i < n; ++i) {
      w[i * s + k] /= 2 + w[k * s + k];
      for (int j = k + 1; j < n; ++j)
        w[i * s + j] -= w[i * s + k] * w[k * s + j];
      b[i] -= w[i * s + k] * b[k];
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      r += w[i * s + j] * w[i * s + j] * b[j] * (1 + i + 0.3 * j);
  return r;
}
/// The row that is read is the first of those that are changed.
static double itself(const double *x, double *w, int n, int s) {
  for (int i = 0; i < SIZE; ++i)
    w[i] = x[i % INPUTS];
  for (int k = 0; k < n; ++k) {
    for (int i = k; i < n; ++i)
      for (int j = 0; j < n; ++j)
        w[i * s + j] -= 0.3 * w[i * s + j] * w[k * s + j];
    for (int j = 0; j < n; ++j)
      w[k * s + j] += 0.1 * w[(n - 1) * s + j];
  }
  return sum_of(w, SIZE);
}
/// Row by row, and then a solution that lies behind the rows: LLVM knows the
/// diagonal's index where the first row is computed.
static double solved(const double *x, double *w, int n, int s) {
  double *y = w + n * s, r = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      double sum = x[(i * 5 + j * 3) % INPUTS];
      for (int k = 0; k < j; ++k)
        sum -= w[i * s + k] * w[j * s + k];
      w[i * s + j] = sum / (1 + w[j * s + j]);
    }
    double sum = 2 + x[i];
    for (int k = 0; k < i; ++k)
      sum -= 0.1 * w[i * s + k] * w[i * s + k];
    w[i * s + i] = sqrt(1 + sum * sum);
  }
  for (int i = 0; i < n; ++i) {
    double sum = x[(3 * i) % INPUTS];
    for (int k = 0; k < i; ++k)
      sum -= w[i * s + k] * y[k];
    y[i] = sum / w[i * s + i];
    r += y[i] * y[i] * (1 + 0.2 * i);
  }
  return r;
}

/// Where backward rows begin.
static int first_of(int n, int s) { return s < 0 ? -s * (n - 1) : 0; }

#define KERNEL(f)                                                              \
  static double value_##f(const double *x, int inputs) {                       \
    double w[SIZE] = {0};                                                      \
    (void)inputs;                                                              \
    return f(x, w + first_of(size, row), size, row);                           \
  }                                                                            \
  static NOINLINE void check_##f(const double *x, int n, int s) {              \
    double d[INPUTS] = {0}, w[SIZE] = {0}, dw[SIZE] = {0};                     \
    const int at = first_of(n, s);                                             \
    size = n, row = s;                                                         \
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_dup, w + at,         \
                      dw + at, enzyme_const, n, enzyme_const, s);              \
    GRADIENT(value_##f, x, d, INPUTS);                                         \
  }
KERNEL(columns)
KERNEL(updates)
KERNEL(rows)
KERNEL(again)
KERNEL(next)
KERNEL(packed)
KERNEL(exchanged)
KERNEL(itself)
KERNEL(solved)

/// With rows as long as the program says that they are.
#define SQUARE(f)                                                              \
  static double square_##f(const double *x, double *w, int n, int s) {         \
    (void)s;                                                                   \
    return f(x, w, n, n);                                                      \
  }                                                                            \
  KERNEL(square_##f)
SQUARE(columns)
SQUARE(updates)
SQUARE(rows)
SQUARE(next)
SQUARE(exchanged)
SQUARE(itself)
SQUARE(solved)

/// The input is the array that is stored to, some places further.
static double value_one(const double *x, int inputs) {
  double w[SIZE];
  (void)inputs;
  for (int i = 0; i < SIZE; ++i)
    w[i] = x[i % INPUTS];
  return rows(w + 30, w, size, row);
}
static NOINLINE void check_one(const double *x, int n, int s) {
  double d[INPUTS] = {0}, w[SIZE], dw[SIZE] = {0};
  for (int i = 0; i < SIZE; ++i)
    w[i] = x[i % INPUTS];
  size = n, row = s;
  __enzyme_autodiff((void *)rows, enzyme_dup, w + 30, dw + 30, enzyme_dup, w,
                    dw, enzyme_const, n, enzyme_const, s);
  for (int i = 0; i < SIZE; ++i)
    d[i % INPUTS] += dw[i];
  GRADIENT(value_one, x, d, INPUTS);
}

int main(void) {
  double x[INPUTS];
  for (int i = 0; i < INPUTS; ++i)
    x[i] = 0.3 + 0.4 * fabs(sin(i * 1.7 + 0.3));
  const int lengths[][2] = {{0, 0}, {1, 1},  {2, 2},  {3, 3}, {6, 6},
                            {6, 9}, {6, 4},  {6, 5},  {6, 1}, {6, 0},
                            {5, 7}, {6, -6}, {6, -4}, {6, -7}};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k) {
    const int n = lengths[k][0], s = lengths[k][1];
    check_columns(x, n, s);
    check_updates(x, n, s);
    check_rows(x, n, s);
    if (s > 0) {
      check_again(x, n, s < 4 ? s : 4);
      check_next(x, n, s);
      check_packed(x, n, s);
      check_one(x, n, s);
      check_exchanged(x, n, s);
      check_itself(x, n, s);
      check_solved(x, n, s);
      check_square_exchanged(x, n, n);
      check_square_itself(x, n, n);
      check_square_solved(x, n, n);
      check_square_columns(x, n, n);
      check_square_updates(x, n, n);
      check_square_rows(x, n, n);
      check_square_next(x, n, n);
    }
  }
  return finish();
}
