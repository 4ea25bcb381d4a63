// Factorizations of a dense matrix, in place, rows contiguous.
#pragma once

#include "entry.h"

#include <cmath>
#include <utility>
#include <vector>

namespace RETRO_MODEL {

/// x: the n x n matrix, of which the lower triangle is read; a gets the factor.
inline void copy_lower(int n, const double *RETRO_RESTRICT x,
                       double *RETRO_RESTRICT a) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      a[i * n + j] = x[i * n + j];
}

inline double log_diagonal(int n, const double *a) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::log(a[i * n + i]);
  return sum;
}

/// Half the logarithm of the determinant; each column is updated by all before
/// it.
inline double cholesky_left(int n, const double *RETRO_RESTRICT x,
                            double *RETRO_RESTRICT a) {
  copy_lower(n, x, a);
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
    const double d = std::sqrt(a[j * n + j]);
    for (int i = j; i < n; ++i)
      a[i * n + j] /= d;
  }
  return log_diagonal(n, a);
}

/// The same; each column updates all after it.
inline double cholesky_right(int n, const double *RETRO_RESTRICT x,
                             double *RETRO_RESTRICT a) {
  copy_lower(n, x, a);
  for (int k = 0; k < n; ++k) {
    a[k * n + k] = std::sqrt(a[k * n + k]);
    for (int i = k + 1; i < n; ++i)
      a[i * n + k] /= a[k * n + k];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
  }
  return log_diagonal(n, a);
}

/// Of a normal distribution: row by row, then a triangular solve. x: matrix,
/// vector.
inline double likelihood(int n, const double *RETRO_RESTRICT x,
                         double *RETRO_RESTRICT work) {
  double *a = work, *y = work + n * n;
  const double *vector = x + n * n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      double sum = x[i * n + j];
      for (int k = 0; k < j; ++k)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / a[j * n + j];
    }
    double sum = x[i * n + i];
    for (int k = 0; k < i; ++k)
      sum -= a[i * n + k] * a[i * n + k];
    a[i * n + i] = std::sqrt(sum);
  }
  double square = 0;
  for (int i = 0; i < n; ++i) {
    double sum = vector[i];
    for (int k = 0; k < i; ++k)
      sum -= a[i * n + k] * y[k];
    y[i] = sum / a[i * n + i];
    square += y[i] * y[i];
  }
  return 0.5 * square + log_diagonal(n, a);
}

/// Partial pivoting, in place; pivots: the row that each row was exchanged
/// with.
inline void eliminate(int n, double *RETRO_RESTRICT a, double *RETRO_RESTRICT b,
                      int *RETRO_RESTRICT pivots) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k]))
        pivot = i;
    pivots[k] = pivot;
    if (pivot != k) {
      for (int j = 0; j < n; ++j)
        std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(b[k], b[pivot]);
    }
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
      b[i] -= a[i * n + k] * b[k];
    }
  }
}

inline void substitute_back(int n, const double *RETRO_RESTRICT a,
                            double *RETRO_RESTRICT b) {
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int j = i + 1; j < n; ++j)
      sum -= a[i * n + j] * b[j];
    b[i] = sum / a[i * n + i];
  }
}

/// The sum of the solution's squares. x: matrix, right-hand side.
inline double lu(int n, const double *RETRO_RESTRICT x,
                 double *RETRO_RESTRICT work) {
  double *a = work, *b = work + n * n;
  std::vector<int> pivots(n);
  for (int i = 0; i < n * n + n; ++i)
    work[i] = x[i];
  eliminate(n, a, b, pivots.data());
  substitute_back(n, a, b);
  double square = 0;
  for (int i = 0; i < n; ++i)
    square += b[i] * b[i];
  return square;
}

} // namespace RETRO_MODEL
