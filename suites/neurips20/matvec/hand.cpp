#include "common/kernel.h"

// df/dM_ij = 2 (M v)_i v_j, one row at a time.
extern "C" void RETRO_SYMBOL(matvec_gradient)(int n,
                                              const double *RETRO_RESTRICT m,
                                              double *RETRO_RESTRICT mb,
                                              const double *RETRO_RESTRICT v) {
  for (int i = 0; i < n; ++i) {
    const double *row = m + static_cast<long>(i) * n;
    double *rowb = mb + static_cast<long>(i) * n;
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += row[j] * v[j];
    for (int j = 0; j < n; ++j)
      rowb[j] += 2 * sum * v[j];
  }
}
