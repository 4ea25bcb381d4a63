// Two sums over points and clusters.
#pragma once

#include "entry.h"

#include <cmath>

namespace RETRO_MODEL {

/// x: the centres, then the points. Each point counts its squared distance from
/// the nearest centre.
inline double k_means(int points, int dimension, int clusters,
                      const double *RETRO_RESTRICT x) {
  const double *centres = x, *at = x + clusters * dimension;
  double cost = 0;
  for (int i = 0; i < points; ++i) {
    double nearest = 1e300;
    for (int c = 0; c < clusters; ++c) {
      double square = 0;
      for (int d = 0; d < dimension; ++d) {
        const double difference =
            at[i * dimension + d] - centres[c * dimension + d];
        square += difference * difference;
      }
      if (square < nearest)
        nearest = square;
    }
    cost += nearest;
  }
  return cost;
}

/// x: a score for each point and cluster.
inline double log_sum_exp(int points, int clusters,
                          const double *RETRO_RESTRICT x) {
  double total = 0;
  for (int i = 0; i < points; ++i) {
    const double *score = x + i * clusters;
    double top = score[0], sum = 0;
    for (int c = 1; c < clusters; ++c)
      top = std::fmax(top, score[c]);
    for (int c = 0; c < clusters; ++c)
      sum += std::exp(score[c] - top);
    total += top + std::log(sum);
  }
  return total;
}

} // namespace RETRO_MODEL
