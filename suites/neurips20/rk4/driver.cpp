#include "build_info.h"
#include "neurips20/ode/instance.hpp"

#include <map>

using namespace retro::suite;

RETRO_DECLARE(ode::Primal, primal, dopri5_generic)
RETRO_DECLARE_GRADIENTS(ode::Gradient, dopri5_generic_gradient)
RETRO_DECLARE(ode::Primal, primal, dopri5_loop)
RETRO_DECLARE_GRADIENTS(ode::Gradient, dopri5_loop_gradient)
RETRO_DECLARE(ode::Primal, primal, classic_generic)
RETRO_DECLARE_GRADIENTS(ode::Gradient, classic_generic_gradient)
RETRO_DECLARE(ode::Primal, primal, classic_loop)
RETRO_DECLARE_GRADIENTS(ode::Gradient, classic_loop_gradient)

struct Entry {
  ode::Primal *primal;
  ode::Gradients gradients;
};

static Entry entry(const std::string &kernel, Variant v) {
#define KERNEL(name)                                                           \
  {                                                                            \
    RETRO_LINKED(primal, name)[v], RETRO_GRADIENTS(name##_gradient, v)         \
  }
  if (kernel == "dopri5-generic")
    return KERNEL(dopri5_generic);
  if (kernel == "dopri5-loop")
    return KERNEL(dopri5_loop);
  if (kernel == "classic-generic")
    return KERNEL(classic_generic);
  return KERNEL(classic_loop);
#undef KERNEL
}

static std::unique_ptr<Instance> make(const Setting &setting) {
  // Stability polynomials; that of the adaptive method holds where every
  // interval is one accepted step, from n = 50 on.
  std::vector<long double> polynomial{1, 1, 1 / 2.0L, 1 / 6.0L, 1 / 24.0L};
  ode::Integration::Published published{
      {0.0804596074453931, 0.0804596067496007},
      {-0.0965515272706978, -0.0965515280993582}};
  if (setting.kernel.starts_with("dopri5")) {
    polynomial.insert(polynomial.end(), {1 / 120.0L, 1 / 600.0L});
    published = {{0.0804596067501299, 0.0804596067495324},
                 {-0.0965515280984366, -0.0965515280994389}};
  }
  Entry linked = entry(setting.kernel, setting.variant);
  return std::make_unique<ode::Integration>(
      setting, linked.primal, linked.gradients, polynomial, published);
}

int main(int argc, char **argv) {
  return retro::suite::main(
      argc, argv, {RETRO_BUILD_INFO, RETRO_KERNELS, {"n=100", "n=1000"}, make});
}
