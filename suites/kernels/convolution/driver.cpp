#include "build_info.h"
#include "instance.hpp"

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(convolution)

int main(int argc, char **argv) {
  return kernels::main(
      argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS,
      {"side=7,inputs=2,outputs=3"}, {"side", "inputs", "outputs"},
      {{RETRO_KERNEL_ENTRY("default", convolution),
        [](const Sizes &s, Rng &rng) {
          if (s.n < 3)
            throw std::invalid_argument("convolution: side begins at 3");
          return rng.uniforms(
              std::size_t(s.k) * s.m * 9 + std::size_t(s.m) * s.n * s.n, -1, 1);
        },
        [](const Sizes &s) { return std::size_t(s.k) * (s.n - 2) * (s.n - 2); },
        [](const Sizes &, double value) { return 4 * value; }}});
}
