//===- kernels.h - XSBench: the event order on a device ---------*- C++ -*-===//
#ifndef SUITES_XSBENCH_KERNELS_H
#define SUITES_XSBENCH_KERNELS_H

#include "event_kernel.h"
#include "model.h"

#include <cstdlib>

namespace suites::xsbench {
inline namespace RETRO_MODEL {

using retro::suite::OnDevice;

/// One lookup, with the device's pointers.
template <GridType G> struct LookUp {
  Tables tables;
  const double *conc;
  const GridPoint *grid;

  __device__ void operator()(double energy, int material, double *macro) const {
    macro_xs<G>(energy, material, &tables, conc, grid, macro);
  }
};

/// The tables of a case in the device's memory.
struct DeviceTables {
  explicit DeviceTables(const Tables &t, GridType type)
      : counts(t.counts, reactor::n_materials),
        nuclides(t.nuclides, reactor::n_materials * t.max_nuclides),
        union_energy(type == GridType::unionized ? t.union_energy : nullptr,
                     type == GridType::unionized ? union_points(t) : 0),
        index(type == GridType::nuclide ? nullptr : t.index,
              rows(t, type) * t.n_nuclides),
        tables(t) {
    tables.counts = counts.data();
    tables.nuclides = nuclides.data();
    tables.union_energy = union_energy.data();
    tables.index = index.data();
  }
  static std::size_t union_points(const Tables &t) {
    return static_cast<std::size_t>(t.n_nuclides) * t.n_grid;
  }
  static std::size_t rows(const Tables &t, GridType type) {
    return type == GridType::unionized ? union_points(t)
           : type == GridType::hash    ? t.n_bins
                                       : 0;
  }

  OnDevice<int> counts, nuclides;
  OnDevice<double> union_energy;
  OnDevice<int> index;
  Tables tables;
};

/// A case in the device's memory; lookups must be in event order.
struct DeviceCase {
  explicit DeviceCase(const Case &run)
      : tables(*run.tables, run.grid_type),
        conc(run.conc, reactor::n_materials * run.tables->max_nuclides),
        grid(run.grid, DeviceTables::union_points(*run.tables)) {
    if (run.work.order != reactor::Order::event)
      std::abort();
  }
  template <GridType G> LookUp<G> look_up() const {
    return {tables.tables, conc.data(), grid.data()};
  }

  DeviceTables tables;
  OnDevice<double> conc;
  OnDevice<GridPoint> grid;
};

} // namespace RETRO_MODEL
} // namespace suites::xsbench

using namespace suites::xsbench;

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, Totals *totals) {
  const DeviceCase device(run);
  with_grid_type(run.grid_type, [&]<GridType G>() {
    suites::reactor::sum_events<Physics>(run.work, device.look_up<G>(), totals);
  });
}

#endif // SUITES_XSBENCH_KERNELS_H
