// The test equation x' = -a x, x(0) = 1: specification section 8.
#pragma once

#include "common/kernel.h"

#include <array>

namespace RETRO_MODEL {

constexpr double rate = 1.2;

using State = std::array<double, 1>;

struct Decay {
  void operator()(const State &RETRO_RESTRICT x, State &RETRO_RESTRICT slope,
                  double /*t*/) const {
    slope[0] = -rate * x[0];
  }
};

inline void decay(const double *RETRO_RESTRICT x, double *RETRO_RESTRICT slope,
                  double /*t*/) {
  slope[0] = -rate * x[0];
}

} // namespace RETRO_MODEL
