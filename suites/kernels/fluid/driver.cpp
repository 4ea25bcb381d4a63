#include "build_info.h"
#include "instance.hpp"

#include <cmath>

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(shallow_water)
RETRO_DECLARE_KERNEL(hydrodynamics)

namespace {

/// A smooth hill, and velocities that are nowhere zero.
std::vector<double> hill(const Sizes &s, Rng &rng) {
  std::vector<double> x;
  for (int r = 0; r < s.n; ++r)
    for (int c = 0; c < s.n; ++c)
      x.push_back(1 + 0.2 * std::sin(6.283185307179586 * r / s.n) *
                          std::cos(6.283185307179586 * c / s.n));
  for (int i = 0; i < 2 * s.n * s.n; ++i)
    x.push_back((rng.uniform() < 0.5 ? -1 : 1) * rng.uniform(0.1, 0.3));
  return x;
}

/// Gas of two densities, and speeds that close every second cell and open the
/// others, for as long as it is followed: where a cell changes from one to the
/// other are differences rough.
std::vector<double> tube(const Sizes &s, Rng &rng) {
  const int cells = 8 * s.n;
  std::vector<double> x;
  for (int i = 0; i < cells; ++i)
    x.push_back((i < cells / 2 ? 1 : 0.125) * rng.uniform(0.9, 1.1) / cells);
  for (int i = 0; i < cells; ++i)
    x.push_back((i < cells / 2 ? 2.5 : 2) * rng.uniform(0.9, 1.1));
  for (int i = 1; i < cells; ++i)
    x.push_back((i % 2 ? 1 : -1) * rng.uniform(0.1, 0.3));
  return x;
}

} // namespace

int main(int argc, char **argv) {
  return kernels::main(
      argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS, {"n=8,steps=3"},
      {"n", "steps"},
      {{RETRO_KERNEL_ENTRY("shallow-water", shallow_water), hill,
        [](const Sizes &s) { return std::size_t(5) * s.n * s.n; }},
       {RETRO_KERNEL_ENTRY("hydrodynamics", hydrodynamics), tube,
        [](const Sizes &s) { return std::size_t(32) * s.n + 2; }}});
}
