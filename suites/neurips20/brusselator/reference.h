// Published values of the reaction-diffusion system: specification section 14.
#pragma once

#include "common/benchmark.hpp"

namespace brusselator {

using namespace retro::suite;

/// Outputs are [du | dv], gradients [u | v | A, B, alpha]. v_bar[0] of N = 8
/// was computed again with 25 digits: the specification's has transposed digits
/// (-184.426865146524) and contradicts its own sum.
inline std::vector<Reference> references(long long n) {
  if (n == 8)
    return {{false, "|(du,dv)|", pick::norm(), 3844.33059745795, 1e-11},
            {false, "du[0]", pick::at(0), 462.903780067685, 1e-11},
            {false, "du[9]", pick::at(9), 67.9314594443459, 1e-11},
            {false, "dv[63]", pick::at(127), 566.881911901250, 1e-11},
            {true, "norm", pick::norm(), 11704.7685234278, 1e-11},
            {true, "sum", pick::sum(), -356.875074208381, 1e-11},
            {true, "u_bar[0]", pick::at(0), -98.8830276590554, 1e-11},
            {true, "u_bar[1]", pick::at(1), 88.6720321490695, 1e-11},
            {true, "u_bar[9]", pick::at(9), -907.538025194716, 1e-11},
            {true, "u_bar[63]", pick::at(63), -224.502844902484, 1e-11},
            {true, "v_bar[0]", pick::at(64), -184.426851465124, 1e-11},
            {true, "v_bar[63]", pick::at(127), -131.097916483448, 1e-11},
            {true, "A_bar", pick::at(128), -6.98216141851318, 1e-11},
            {true, "B_bar", pick::at(129), 4.22537210880681, 1e-11},
            {true, "alpha_bar", pick::at(130), -334.096769043432, 1e-11}};
  if (n == 32)
    return {{false, "|(du,dv)|", pick::norm(), 21477.3066564166, 1e-11},
            {false, "sum", pick::sum(), -432.71339760248, 1e-11},
            {false, "du[0]", pick::at(0), 1167.11899339810, 1e-11},
            {false, "du[528]", pick::at(528), -314.817139596216, 1e-11},
            {false, "dv[528]", pick::at(1024 + 528), -420.013470033575, 1e-11},
            {true, "norm", pick::norm(), 1.077504907601e6, 1e-11},
            {true, "A_bar", pick::at(2048), 19.9210954598, 1e-11},
            {true, "alpha_bar", pick::at(2050), -479.5912411019, 1e-11}};
  return {};
}

} // namespace brusselator
