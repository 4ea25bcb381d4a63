// Monte Carlo of an option under Heston's stochastic volatility.
#pragma once

#include "entry.h"

#include <cmath>
#include <cstdint>

namespace RETRO_MODEL {

/// A normal number's stand-in of the same variance, by one multiplication and
/// one addition of integers.
inline double draw(std::uint64_t &state) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return ((state >> 11) * 0x1p-53 - 0.5) * 3.4641016151377544;
}

/// x: price, variance, interest, speed of return, long-run variance, volatility
/// of the variance, correlation, strike. The mean of discounted payments after
/// a year.
inline double heston(int paths, int steps, const double *RETRO_RESTRICT x) {
  std::uint64_t state = 1;
  const double dt = 1.0 / steps, root = std::sqrt(dt);
  double sum = 0;
  for (int p = 0; p < paths; ++p) {
    double price = x[0], variance = x[1];
    for (int s = 0; s < steps; ++s) {
      const double first = draw(state), second = draw(state);
      const double positive = variance > 0 ? variance : 0;
      const double deviation = std::sqrt(positive + 1e-12) * root;
      price *= std::exp((x[2] - 0.5 * positive) * dt + deviation * first);
      variance += x[3] * (x[4] - positive) * dt +
                  x[5] * deviation *
                      (x[6] * first + std::sqrt(1 - x[6] * x[6]) * second);
    }
    if (price > x[7])
      sum += price - x[7];
  }
  return std::exp(-x[2]) * sum / paths;
}

} // namespace RETRO_MODEL
