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
  retro::suite::TapePool pool;

  __device__ void operator()(double energy, int material, double *macro) const {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    __enzyme_autodiff<void>(reinterpret_cast<void *>(macro_xs<Doppler>),
                            enzyme_pool, pool.memory, pool.bytes, enzyme_const,
                            energy, enzyme_const, material, enzyme_const,
                            &of.tables, enzyme_const, of.conc, enzyme_dup,
                            of.poles, shadow, enzyme_dup, macro, seed);
  }
};

/// How long the tape of one lookup is.
template <bool Doppler> struct MeasureLookUp {
  LookUp<Doppler> of;

  __device__ unsigned long long operator()(double energy, int material) const {
    double macro[channels];
    return __enzyme_poolsize<unsigned long long>(
        reinterpret_cast<void *>(macro_xs<Doppler>), enzyme_const, energy,
        enzyme_const, material, enzyme_const, &of.tables, enzyme_const, of.conc,
        enzyme_dup, of.poles, of.poles, enzyme_dup, macro, macro);
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
        device.look_up<Doppler>(), adjoint.data(), {}, {}};
    std::copy(w, w + channels, differentiate.w);
    const MeasureLookUp<Doppler> measure{device.look_up<Doppler>()};
    suites::reactor::differentiate_events<Physics>(run.work, differentiate,
                                                   measure, totals);
  });
  adjoint.get(shadow);
}

#endif // SUITES_RSBENCH_GRADIENT_KERNELS_H
