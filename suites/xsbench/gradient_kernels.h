//===- gradient_kernels.h - XSBench: the gradient on a device ---*- C++ -*-===//
//
// One lookup is one thread and one request. Lookups share grid points, so what
// they add to the shadow they add atomically.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_XSBENCH_GRADIENT_KERNELS_H
#define SUITES_XSBENCH_GRADIENT_KERNELS_H

#include "kernels.h"

namespace suites::xsbench {
inline namespace RETRO_MODEL {

/// One lookup and its adjoint, with the device's pointers.
template <GridType G> struct DifferentiateLookUp {
  LookUp<G> of;
  GridPoint *shadow;
  double w[channels];
  retro::suite::TapePool pool;

  __device__ void operator()(double energy, int material, double *macro) const {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    __enzyme_autodiff<void>(reinterpret_cast<void *>(macro_xs<G>), enzyme_pool,
                            pool.memory, pool.bytes, enzyme_const, energy,
                            enzyme_const, material, enzyme_const, &of.tables,
                            enzyme_const, of.conc, enzyme_dup, of.grid, shadow,
                            enzyme_dup, macro, seed);
  }
};

/// How long the tape of one lookup is.
template <GridType G> struct MeasureLookUp {
  LookUp<G> of;

  __device__ unsigned long long operator()(double energy, int material) const {
    double macro[channels];
    return __enzyme_poolsize<unsigned long long>(
        reinterpret_cast<void *>(macro_xs<G>), enzyme_const, energy,
        enzyme_const, material, enzyme_const, &of.tables, enzyme_const, of.conc,
        enzyme_dup, of.grid, of.grid, enzyme_dup, macro, macro);
  }
};

} // namespace RETRO_MODEL
} // namespace suites::xsbench

extern "C" void RETRO_SYMBOL(xsbench_gradient)(const Case &run, const double *w,
                                               GridPoint *shadow,
                                               Totals *totals) {
  const DeviceCase device(run);
  const OnDevice<GridPoint> adjoint(shadow,
                                    DeviceTables::union_points(*run.tables));
  with_grid_type(run.grid_type, [&]<GridType G>() {
    DifferentiateLookUp<G> differentiate{
        device.look_up<G>(), adjoint.data(), {}, {}};
    std::copy(w, w + channels, differentiate.w);
    const MeasureLookUp<G> measure{device.look_up<G>()};
    suites::reactor::differentiate_events<Physics>(run.work, differentiate,
                                                   measure, totals);
  });
  adjoint.get(shadow);
}

#endif // SUITES_XSBENCH_GRADIENT_KERNELS_H
