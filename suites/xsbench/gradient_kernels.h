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

  __device__ void operator()(double energy, int material, double *macro) const {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    __enzyme_autodiff<void>(reinterpret_cast<void *>(macro_xs<G>), enzyme_const,
                            energy, enzyme_const, material, enzyme_const,
                            &of.tables, enzyme_const, of.conc, enzyme_dup,
                            of.grid, shadow, enzyme_dup, macro, seed);
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
        device.look_up<G>(), adjoint.data(), {}};
    std::copy(w, w + channels, differentiate.w);
    suites::reactor::sum_events<Physics>(run.work, differentiate, totals);
  });
  adjoint.get(shadow);
}

#endif // SUITES_XSBENCH_GRADIENT_KERNELS_H
