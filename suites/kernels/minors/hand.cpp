// One recursion: what a minor is multiplied by is known before it is computed.
#include "model.h"

namespace RETRO_MODEL {

static double minor_adjoint(int n, const double *x, double *xb, int row,
                            unsigned columns, double seed) {
  if (row == n)
    return 1;
  double sum = 0, sign = 1;
  for (int j = 0; j < n; ++j)
    if (columns & 1u << j) {
      const double factor = sign * x[row * n + j];
      const double minor =
          minor_adjoint(n, x, xb, row + 1, columns & ~(1u << j), seed * factor);
      xb[row * n + j] += seed * sign * minor;
      sum += factor * minor;
      sign = -sign;
    }
  return sum;
}

RETRO_KERNEL_HAND(determinant) { minor_adjoint(n, x, xb, 0, (1u << n) - 1, 1); }

} // namespace RETRO_MODEL
