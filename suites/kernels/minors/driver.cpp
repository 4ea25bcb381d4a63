#include "build_info.h"
#include "instance.hpp"

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(determinant)

int main(int argc, char **argv) {
  return kernels::main(
      argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS, {"n=4"}, {"n"},
      {{RETRO_KERNEL_ENTRY("default", determinant),
        [](const Sizes &s, Rng &rng) {
          if (s.n > 12)
            throw std::invalid_argument("minors: n is at most 12");
          auto x = rng.uniforms(std::size_t(s.n) * s.n, -1, 1);
          for (int i = 0; i < s.n; ++i)
            x[std::size_t(i) * (s.n + 1)] += 3;
          return x;
        },
        no_work, [](const Sizes &s, double value) { return s.n * value; }}});
}
