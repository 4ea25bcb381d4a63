//===- gradient_kernels.h - RSBench: the gradient on a device ---*- C++ -*-===//
//
// One lookup is one thread and one request. Lookups share poles, so what they
// add to the shadow they add atomically.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_RSBENCH_GRADIENT_KERNELS_H
#define SUITES_RSBENCH_GRADIENT_KERNELS_H

#include "kernels.h"

namespace suites::rsbench {
inline namespace RETRO_MODEL {

/// One lookup and its adjoint, with the device's pointers.
template <bool Doppler> struct DifferentiateLookUp {
  LookUp<Doppler> of;
  Pole *shadow;
  double w[channels];

  __device__ void operator()(double energy, int material, double *macro) const {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    __enzyme_autodiff<void>(
        reinterpret_cast<void *>(macro_xs<Doppler>), enzyme_const, energy,
        enzyme_const, material, enzyme_const, &of.tables, enzyme_const, of.conc,
        enzyme_dup, of.poles, shadow, enzyme_dup, macro, seed);
  }
};

} // namespace RETRO_MODEL
} // namespace suites::rsbench

extern "C" void RETRO_SYMBOL(rsbench_gradient)(const Case &run, const double *w,
                                               Pole *shadow, Totals *totals) {
  const DeviceCase device(run);
  const OnDevice<Pole> adjoint(shadow, DeviceCase::n_poles(*run.tables));
  with_doppler(run.doppler, [&]<bool Doppler>() {
    DifferentiateLookUp<Doppler> differentiate{
        device.look_up<Doppler>(), adjoint.data(), {}};
    std::copy(w, w + channels, differentiate.w);
    suites::reactor::sum_events<Physics>(run.work, differentiate, totals);
  });
  adjoint.get(shadow);
}

#endif // SUITES_RSBENCH_GRADIENT_KERNELS_H
