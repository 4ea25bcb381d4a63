//===- differences.h - Derivatives from values, in binary128 --------------===//

#ifndef RETROGRADE_TEST_RULES_DIFFERENCES_H
#define RETROGRADE_TEST_RULES_DIFFERENCES_H

#include "libm.h"

#include <algorithm>

namespace retro::rules::test {

struct Estimate {
  Quad value = 0;
  Quad error = 1; ///< Estimated, absolute.
};

/// f'(x) from central differences with steps h, h/2, h/4, ... extrapolated to
/// step 0 (Richardson), and the entry of the tableau that agrees best with its
/// neighbours. The first step is scale * 2^-k for k = coarsest, coarsest + 4,
/// ... coarsest + 40: no single one suits all functions and points.
template <class F>
Estimate differentiate(F f, Quad x, Quad scale, int coarsest) {
  constexpr int rows = 8;
  const Quad unit = libm::ldexp(Quad(1), -112);
  Estimate best;
  bool any = false;
  for (int k = coarsest; k <= coarsest + 40; k += 4) {
    Quad h = libm::ldexp(scale, -k);
    Quad table[rows][rows];
    for (int r = 0; r < rows; ++r, h /= 2) {
      Quad right = x + h, left = x - h;
      Quad above = f(right), below = f(left), width = right - left;
      table[r][0] = (above - below) / width;
      Quad rounding =
          unit * (libm::fabs(above) + libm::fabs(below)) / libm::fabs(width);
      Quad power = 1;
      for (int c = 1; c <= r; ++c) {
        power *= 4;
        table[r][c] = table[r][c - 1] +
                      (table[r][c - 1] - table[r - 1][c - 1]) / (power - 1);
        Quad error = std::max(libm::fabs(table[r][c] - table[r][c - 1]),
                              libm::fabs(table[r][c] - table[r - 1][c - 1]));
        error += rounding;
        if (error == error && (!any || error < best.error)) {
          best = {table[r][c], error};
          any = true;
        }
      }
    }
  }
  return best;
}

} // namespace retro::rules::test

#endif // RETROGRADE_TEST_RULES_DIFFERENCES_H
