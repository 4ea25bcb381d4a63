#include "model.h"

namespace RETRO_MODEL {

/// Of the nearest centre alone.
RETRO_KERNEL_HAND(k_means) {
  const int points = n, dimension = m, clusters = k;
  const double *RETRO_RESTRICT centres = x;
  const double *RETRO_RESTRICT at = x + clusters * dimension;
  for (int i = 0; i < points; ++i) {
    double nearest = 1e300;
    int which = 0;
    for (int c = 0; c < clusters; ++c) {
      double square = 0;
      for (int d = 0; d < dimension; ++d) {
        const double difference =
            at[i * dimension + d] - centres[c * dimension + d];
        square += difference * difference;
      }
      if (square < nearest) {
        nearest = square;
        which = c;
      }
    }
    for (int d = 0; d < dimension; ++d) {
      const double b =
          2 * (at[i * dimension + d] - centres[which * dimension + d]);
      xb[which * dimension + d] -= b;
      xb[(clusters + i) * dimension + d] += b;
    }
  }
}

/// The shares of the exponentials.
RETRO_KERNEL_HAND(log_sum_exp) {
  const int points = n, clusters = k;
  double *share = workb;
  for (int i = 0; i < points; ++i) {
    const double *RETRO_RESTRICT score = x + i * clusters;
    double top = score[0], sum = 0;
    for (int c = 1; c < clusters; ++c)
      top = std::fmax(top, score[c]);
    for (int c = 0; c < clusters; ++c)
      sum += share[c] = std::exp(score[c] - top);
    for (int c = 0; c < clusters; ++c)
      xb[i * clusters + c] += share[c] / sum;
  }
}

} // namespace RETRO_MODEL
