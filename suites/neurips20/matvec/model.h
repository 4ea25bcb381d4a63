// f(M) = sum_i (sum_j M_ij v_j)^2: specification section 10.
#pragma once

#include "common/kernel.h"

#include <cstdlib>

namespace RETRO_MODEL {

/// m: n x n, row-major; v: n.
double squared_norm_of_product(int n, const double *RETRO_RESTRICT m,
                               const double *RETRO_RESTRICT v) {
  double *product = static_cast<double *>(std::malloc(sizeof(double) * n));
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += m[static_cast<long>(i) * n + j] * v[j];
    product[i] = sum;
  }
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += product[i] * product[i];
  std::free(product);
  return total;
}

} // namespace RETRO_MODEL
