// Adjoints of the factorizations: the factor itself is all that they need, and
// every inner loop runs along a row.
#include "model.h"

#include <vector>

namespace RETRO_MODEL {

/// ab: the factor's adjoint in (lower triangle), the matrix's out.
static void cholesky_adjoint(int n, const double *RETRO_RESTRICT a,
                             double *RETRO_RESTRICT ab) {
  std::vector<double> space(2 * n);
  double *RETRO_RESTRICT column = space.data();
  double *RETRO_RESTRICT columnb = space.data() + n;
  for (int k = n - 1; k >= 0; --k) {
    const double d = a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      column[i] = a[i * n + k];
      columnb[i] = ab[i * n + k];
    }
    for (int i = k + 1; i < n; ++i) {
      const double *row = ab + i * n;
      const double factor = column[i];
      double sum = 0;
      for (int j = k + 1; j <= i; ++j) {
        sum += row[j] * column[j];
        columnb[j] -= row[j] * factor;
      }
      columnb[i] -= sum;
    }
    double db = ab[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double share = columnb[i] / d;
      db -= share * column[i];
      ab[i * n + k] = share;
    }
    ab[k * n + k] = 0.5 * db / d;
  }
}

static void add_lower(int n, const double *RETRO_RESTRICT ab,
                      double *RETRO_RESTRICT xb) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      xb[i * n + j] += ab[i * n + j];
}

static void clear_lower_but_diagonal(int n, const double *a, double *ab) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      ab[i * n + j] = 0;
    ab[i * n + i] = 1 / a[i * n + i];
  }
}

RETRO_KERNEL_HAND(cholesky_left) {
  cholesky_left(n, x, work);
  clear_lower_but_diagonal(n, work, workb);
  cholesky_adjoint(n, work, workb);
  add_lower(n, workb, xb);
}

RETRO_KERNEL_HAND(cholesky_right) {
  cholesky_right(n, x, work);
  clear_lower_but_diagonal(n, work, workb);
  cholesky_adjoint(n, work, workb);
  add_lower(n, workb, xb);
}

RETRO_KERNEL_HAND(likelihood) {
  likelihood(n, x, work);
  const double *a = work, *y = work + n * n;
  double *ab = workb, *yb = workb + n * n;
  clear_lower_but_diagonal(n, a, ab);
  for (int i = 0; i < n; ++i)
    yb[i] = y[i];
  for (int i = n - 1; i >= 0; --i) {
    const double share = yb[i] / a[i * n + i];
    ab[i * n + i] -= share * y[i];
    for (int k = 0; k < i; ++k) {
      ab[i * n + k] -= share * y[k];
      yb[k] -= share * a[i * n + k];
    }
    xb[n * n + i] += share;
  }
  cholesky_adjoint(n, a, ab);
  add_lower(n, ab, xb);
}

/// Before the back substitution b is kept in `before`.
RETRO_KERNEL_HAND(lu) {
  double *RETRO_RESTRICT a = work;
  double *RETRO_RESTRICT b = work + n * n;
  double *RETRO_RESTRICT ab = workb;
  double *RETRO_RESTRICT bb = workb + n * n;
  std::vector<int> pivots(n), rows(n);
  for (int i = 0; i < n * n + n; ++i)
    work[i] = x[i];
  eliminate(n, a, b, pivots.data());
  const std::vector<double> before(b, b + n);
  substitute_back(n, a, b);
  for (int i = 0; i < n; ++i)
    rows[i] = i;
  for (int i = 0; i < n; ++i)
    std::swap(rows[i], rows[pivots[i]]);
  for (int i = 0; i < n; ++i)
    bb[i] = 2 * b[i];
  for (int i = 0; i < n; ++i) {
    const double share = bb[i] / a[i * n + i];
    for (int j = 0; j < i; ++j)
      ab[i * n + j] = 0;
    ab[i * n + i] = -share * b[i];
    for (int j = i + 1; j < n; ++j) {
      ab[i * n + j] = -share * b[j];
      bb[j] -= share * a[i * n + j];
    }
    bb[i] = share;
  }
  for (int p = n - 1; p >= 0; --p) {
    const double d = a[p * n + p];
    double db = ab[p * n + p];
    for (int i = p + 1; i < n; ++i) {
      const double factor = a[i * n + p];
      double sum = -bb[i] * before[p];
      bb[p] -= bb[i] * factor;
      for (int j = p + 1; j < n; ++j) {
        sum -= ab[i * n + j] * a[p * n + j];
        ab[p * n + j] -= ab[i * n + j] * factor;
      }
      sum = (sum + ab[i * n + p]) / d;
      db -= sum * factor;
      ab[i * n + p] = sum;
    }
    ab[p * n + p] = db;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      xb[rows[i] * n + j] += ab[i * n + j];
    xb[n * n + rows[i]] += bb[i];
  }
}

} // namespace RETRO_MODEL
