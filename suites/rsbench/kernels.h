//===- kernels.h - RSBench: the event order on a device ---------*- C++ -*-===//
#ifndef SUITES_RSBENCH_KERNELS_H
#define SUITES_RSBENCH_KERNELS_H

#include "../xsbench/event_kernel.h"
#include "model.h"

#include <cstdlib>

namespace suites::rsbench {
inline namespace RETRO_MODEL {

using retro::suite::OnDevice;

/// One lookup, with the device's pointers.
template <bool Doppler> struct LookUp {
  Tables tables;
  const double *conc;
  const Pole *poles;

  __device__ void operator()(double energy, int material, double *macro) const {
    macro_xs<Doppler>(energy, material, &tables, conc, poles, macro);
  }
};

/// The tables of a case in the device's memory.
struct DeviceTables {
  explicit DeviceTables(const Tables &t)
      : counts(t.counts, reactor::n_materials),
        nuclides(t.nuclides, reactor::n_materials * t.max_nuclides),
        n_windows(t.n_windows, t.n_nuclides),
        pseudo_k0(t.pseudo_k0, std::size_t(t.n_nuclides) * momenta),
        windows(t.windows, std::size_t(t.n_nuclides) * t.max_windows),
        momentum(t.momentum, std::size_t(t.n_nuclides) * t.max_poles),
        tables(t) {
    tables.counts = counts.data();
    tables.nuclides = nuclides.data();
    tables.n_windows = n_windows.data();
    tables.pseudo_k0 = pseudo_k0.data();
    tables.windows = windows.data();
    tables.momentum = momentum.data();
  }

  OnDevice<int> counts, nuclides, n_windows;
  OnDevice<double> pseudo_k0;
  OnDevice<Window> windows;
  OnDevice<int> momentum;
  Tables tables;
};

/// A case in the device's memory; lookups must be in event order.
struct DeviceCase {
  explicit DeviceCase(const Case &run)
      : tables(*run.tables),
        conc(run.conc, reactor::n_materials * run.tables->max_nuclides),
        poles(run.poles, n_poles(*run.tables)) {
    if (run.work.order != reactor::Order::event)
      std::abort();
  }
  static std::size_t n_poles(const Tables &t) {
    return static_cast<std::size_t>(t.n_nuclides) * t.max_poles;
  }
  template <bool Doppler> LookUp<Doppler> look_up() const {
    return {tables.tables, conc.data(), poles.data()};
  }

  DeviceTables tables;
  OnDevice<double> conc;
  OnDevice<Pole> poles;
};

} // namespace RETRO_MODEL
} // namespace suites::rsbench

using namespace suites::rsbench;

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, Totals *totals) {
  const DeviceCase device(run);
  with_doppler(run.doppler, [&]<bool Doppler>() {
    suites::reactor::sum_events<Physics>(run.work, device.look_up<Doppler>(),
                                         totals);
  });
}

#endif // SUITES_RSBENCH_KERNELS_H
