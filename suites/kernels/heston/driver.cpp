#include "build_info.h"
#include "instance.hpp"

using namespace retro::suite;
using namespace retro::suite::kernels;

RETRO_DECLARE_KERNEL(heston)

int main(int argc, char **argv) {
  return kernels::main(argc, argv, RETRO_BUILD_INFO, RETRO_KERNELS,
                       {"paths=10,steps=5"}, {"paths", "steps"},
                       {{RETRO_KERNEL_ENTRY("default", heston),
                         [](const Sizes &, Rng &) {
                           return std::vector<double>{1,    0.04, 0.03, 1.5,
                                                      0.05, 0.3,  -0.6, 0.95};
                         },
                         no_work}});
}
