//===- dg.h - DG: making a problem ------------------------------*- C++ -*-===//
#ifndef SUITES_DG_DG_H
#define SUITES_DG_DG_H

#include "types.h"

#include <cstdint>
#include <vector>

namespace suites::dg {

/// Inputs are floats, whatever the precision of the run.
struct Inputs {
  std::vector<float> q, geometry, matrix;
};

/// From an integer hash of the entry's index: elements do not depend on how
/// many there are.
Inputs hashed_inputs(std::int64_t elements);

/// Those of the original, from the Mersenne Twister of Julia 1.6 with seed 0.
/// `elements` must be a multiple of 4.
Inputs original_inputs(std::int64_t elements);

/// splitmix64 as a hash.
std::uint64_t hash(std::uint64_t seed, std::uint64_t n);

constexpr float gravity = 9.81f;

} // namespace suites::dg

#endif // SUITES_DG_DG_H
