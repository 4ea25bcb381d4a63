//===- data.cpp - DG: making a problem ------------------------------------===//
#include "dg.h"
#include "mersenne.h"

#include <stdexcept>

namespace suites::dg {

std::uint64_t hash(std::uint64_t seed, std::uint64_t n) {
  std::uint64_t h = seed + n * 0x9E3779B97F4A7C15u;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

/// From uniform numbers in [0, 1): densities, momenta and Jacobians away from
/// zero, a large energy.
static void shift(Inputs &inputs) {
  for (std::size_t n = 0; n < inputs.q.size(); ++n) {
    inputs.q[n] += 1;
    if (n % state_size / nodes == energy)
      inputs.q[n] += 20;
  }
  for (std::size_t n = 0; n < inputs.geometry.size(); ++n) {
    const std::size_t component = n % geometry_size / nodes;
    if (component == jacobian) {
      inputs.geometry[n] += 3;
      inputs.geometry[n + nodes] = 1 / inputs.geometry[n];
    }
  }
}

Inputs hashed_inputs(std::int64_t elements) {
  const auto uniform = [](std::uint64_t seed, std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t n = 0; n < count; ++n)
      values[n] = static_cast<float>(hash(seed, n + 1) >> 40) * 0x1p-24f;
    return values;
  };
  Inputs inputs{uniform(1, elements * state_size),
                uniform(2, elements * geometry_size), uniform(3, matrix_size)};
  shift(inputs);
  return inputs;
}

Inputs original_inputs(std::int64_t elements) {
  if (elements % 4 != 0)
    throw std::invalid_argument(
        "dg: the original's data need a multiple of 4 elements");
  Mersenne generator(0);
  Inputs inputs;
  inputs.q = generator.floats(elements * state_size);
  inputs.geometry = generator.floats(elements * geometry_size);
  inputs.matrix = generator.floats(matrix_size);
  shift(inputs);
  return inputs;
}

} // namespace suites::dg
