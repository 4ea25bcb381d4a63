// A determinant by its minors: a recursion over sets of columns.
#pragma once

#include "entry.h"

namespace RETRO_MODEL {

/// Of the rows from `row` on and those columns whose bit is set.
inline double minor_of(int n, const double *x, int row, unsigned columns) {
  if (row == n)
    return 1;
  double sum = 0, sign = 1;
  for (int j = 0; j < n; ++j)
    if (columns & 1u << j) {
      sum +=
          sign * x[row * n + j] * minor_of(n, x, row + 1, columns & ~(1u << j));
      sign = -sign;
    }
  return sum;
}

inline double determinant(int n, const double *x) {
  return minor_of(n, x, 0, (1u << n) - 1);
}

} // namespace RETRO_MODEL
