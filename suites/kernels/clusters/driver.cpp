#include "build_info.h"
#include "instance.hpp"

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(k_means)
RETRO_DECLARE_KERNEL(log_sum_exp)

int main(int argc, char **argv) {
  const auto coordinates = [](const Sizes &s, Rng &rng) {
    return rng.uniforms(std::size_t(s.n + s.k) * s.m);
  };
  const auto scores = [](const Sizes &s, Rng &rng) {
    return rng.uniforms(std::size_t(s.n) * s.k, -3, 3);
  };
  const auto row = [](const Sizes &s) { return std::size_t(s.k); };
  const auto twice = [](const Sizes &, double value) { return 2 * value; };
  return kernels::main(
      argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS,
      {"points=20,dimension=3,clusters=4"}, {"points", "dimension", "clusters"},
      {{RETRO_KERNEL_ENTRY("k-means", k_means), coordinates, no_work, twice},
       {RETRO_KERNEL_ENTRY("log-sum-exp", log_sum_exp), scores, row}});
}
