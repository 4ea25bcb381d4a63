#include "build_info.h"
#include "instance.hpp"

#include <cmath>

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(network)

namespace {

std::vector<double> inputs(const Sizes &s, Rng &rng) {
  const std::size_t rows = s.n, width = s.m, layers = s.k;
  const double scale = 1 / std::sqrt(double(width));
  std::vector<double> x;
  const auto add = [&](std::size_t count, double from, double to) {
    for (double value : rng.uniforms(count, from, to))
      x.push_back(value);
  };
  for (std::size_t l = 0; l < layers; ++l) {
    add(width, 0.8, 1.2);
    add(4 * width * width, -scale, scale);
    add(width, -0.1, 0.1);
  }
  add(rows * width, -1, 1);
  return x;
}

std::size_t work(const Sizes &s) {
  const std::size_t rows = s.n, width = s.m, layers = s.k;
  return layers * (9 * rows * width + 2 * rows + rows * rows);
}

} // namespace

int main(int argc, char **argv) {
  return kernels::main(
      argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS, {"rows=5,width=6,layers=2"},
      {"rows", "width", "layers"},
      {{RETRO_KERNEL_ENTRY("default", network), inputs, work, {}, 1e-5}});
}
