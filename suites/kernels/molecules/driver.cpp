#include "build_info.h"
#include "instance.hpp"

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(energy)

namespace {

/// A lattice, shaken.
std::vector<double> lattice(const Sizes &s, Rng &rng) {
  if (s.m < 3)
    throw std::invalid_argument("molecules: cells begin at 3");
  int side = 1;
  while (side * side * side < s.n)
    ++side;
  const double step = double(s.m) / side;
  std::vector<double> x;
  for (int i = 0; i < s.n; ++i)
    for (int place : {i % side, i / side % side, i / side / side})
      x.push_back((place + 0.5 + rng.uniform(-0.2, 0.2)) * step);
  return x;
}

} // namespace

int main(int argc, char **argv) {
  return kernels::main(
      argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS, {"atoms=108,cells=3"},
      {"atoms", "cells"},
      {{RETRO_KERNEL_ENTRY("default", energy), lattice, no_work}});
}
