#include "build_info.h"
#include "neurips20/ode/instance.hpp"

using namespace retro::suite;

RETRO_DECLARE(ode::Primal, primal, euler_generic)
RETRO_DECLARE(ode::Primal, primal, euler_loop)
RETRO_DECLARE_GRADIENTS(ode::Gradient, euler_generic_gradient)
RETRO_DECLARE_GRADIENTS(ode::Gradient, euler_loop_gradient)

static std::unique_ptr<Instance> make(const Setting &setting) {
  const bool generic = setting.kernel == "generic";
  const Variant v = setting.variant;
  return std::make_unique<ode::Integration>(
      setting,
      generic ? RETRO_LINKED(primal, euler_generic)[v]
              : RETRO_LINKED(primal, euler_loop)[v],
      generic ? RETRO_GRADIENTS(euler_generic_gradient, v)
              : RETRO_GRADIENTS(euler_loop_gradient, v),
      std::vector<long double>{1, 1},
      ode::Integration::Published{{0.0779026177174356, 0.0802041079228490},
                                  {-0.0958998166402572, -0.0964880794676774}});
}

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv, {RETRO_BUILD_INFO, RETRO_KERNELS, {"n=100", "n=1000"}, make});
}
