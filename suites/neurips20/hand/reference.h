// Published values of hand tracking: specification section 14.
#pragma once

#include "common/benchmark.hpp"

namespace hand {

using namespace retro::suite;

/// Results are the residuals, gradients [theta (26) | (s, t) pairs].
inline std::vector<Reference> references(bool complicated, const Dims &dims) {
  const bool tiny = dims == Dims::parse("nv=40,nc=24");
  if (tiny && !complicated)
    return {{false, "|err|", pick::norm(), 7.51411588897445, 1e-12},
            {false, "err[0]", pick::at(0), 1.07633760630441, 1e-12},
            {false, "err[1]", pick::at(1), -0.852354799565700, 1e-12},
            {false, "err[2]", pick::at(2), 0.840653863454320, 1e-12},
            {true, "norm", pick::norm(), 6.21740767731515, 1e-12},
            {true, "sum", pick::sum(), 7.32057934433530, 1e-12},
            {true, "g[0]", pick::at(0), -2.49384385341863, 1e-12},
            {true, "g[3]", pick::at(3), -1.36979009420750, 1e-12},
            {true, "g[6]", pick::at(6), -3.64431509048852e-03, 1e-12},
            {true, "g[7]", pick::at(7), -0.793099948408391, 1e-12},
            {true, "g[8]", pick::at(8), 0.195089233713537, 1e-12},
            {true, "g[25]", pick::at(25), -0.235345337530123, 1e-12}};
  if (tiny)
    return {{false, "|err|", pick::norm(), 6.17890515958926, 1e-12},
            {false, "err[0]", pick::at(0), 0.0876192591645986, 1e-12},
            {false, "err[1]", pick::at(1), -0.515080574463152, 1e-12},
            {false, "err[2]", pick::at(2), 1.04482573085971, 1e-12},
            {true, "norm", pick::norm(), 7.40460442033071, 1e-12},
            {true, "sum", pick::sum(), 10.7530580361760, 1e-12},
            {true, "g[0]", pick::at(0), -1.32328897982209, 1e-12},
            {true, "g[6]", pick::at(6), -0.510961308078837, 1e-12},
            {true, "g[7]", pick::at(7), -0.0570232882897927, 1e-12},
            {true, "g[25]", pick::at(25), 0.0857356386155338, 1e-12},
            {true, "g[26]", pick::at(26), 0.234614405007627, 1e-12},
            {true, "g[27]", pick::at(27), 0.831526744809914, 1e-12},
            {true, "g[73]", pick::at(73), 0.957611589595529, 1e-12}};
  if (!complicated && dims == Dims::parse("nv=544,nc=800"))
    return {{false, "|err|", pick::norm(), 41.8317587137648, 1e-12},
            {true, "norm", pick::norm(), 33.4460269982407, 1e-12}};
  return {};
}

} // namespace hand
