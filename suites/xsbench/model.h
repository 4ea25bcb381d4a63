//===- model.h - XSBench: one macroscopic cross-section lookup --*- C++ -*-===//
//
// Sigma_k(E, m) = sum over the nuclides n of material m of c_n * sigma_{n,k}(E)
//
// for five reaction channels k. sigma_{n,k} is tabulated on the nuclide's own
// sorted energy grid and interpolated linearly. The arithmetic follows the
// original's order of operations, so that results agree bit for bit when no
// multiply-add is contracted.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_XSBENCH_MODEL_H
#define SUITES_XSBENCH_MODEL_H

#include "reactor.h"
#include "types.h"

#include <cstdint>

namespace suites::xsbench {
inline namespace RETRO_MODEL {

struct Physics {
  static constexpr int channels = xsbench::channels;
  static constexpr double lowest = -1.0;
  static constexpr std::uint64_t history_stride = 10;
};

/// Lower end of the interval of the ascending sequence energy_at(lo..hi) that
/// holds `energy`; the first or last interval for energies outside.
template <class EnergyAt>
RETRO_HD inline std::int64_t bracket(EnergyAt energy_at, double energy,
                                     std::int64_t lo, std::int64_t hi) {
  while (hi - lo > 1) {
    const std::int64_t middle = lo + (hi - lo) / 2;
    if (energy_at(middle) > energy)
      hi = middle;
    else
      lo = middle;
  }
  return lo;
}

/// Row of Tables::index that belongs to an energy.
template <GridType G>
RETRO_HD inline std::int64_t index_row(double energy, const Tables *t) {
  if constexpr (G == GridType::unionized) {
    const double *union_energy = t->union_energy;
    return bracket([=](std::int64_t i) { return union_energy[i]; }, energy, 0,
                   static_cast<std::int64_t>(t->n_nuclides) * t->n_grid - 1);
  } else if constexpr (G == GridType::hash) {
    // The width is rounded, so energies just below 1 may land one bin too far.
    const double width = 1.0 / t->n_bins;
    const std::int64_t bin = static_cast<std::int64_t>(energy / width);
    return bin < t->n_bins ? bin : t->n_bins - 1;
  } else {
    return 0;
  }
}

/// Index, in the grid of one nuclide, of the lower of the two points used for
/// `energy`: in [0, n_grid - 2].
template <GridType G>
RETRO_HD inline std::int64_t
lower_point(double energy, int nuclide, std::int64_t row, const Tables *t,
            const GridPoint *RETRO_RESTRICT points) {
  const std::int64_t last = t->n_grid - 1;
  const auto energy_at = [=](std::int64_t i) { return points[i].energy; };
  std::int64_t low;
  if constexpr (G == GridType::unionized) {
    low = t->index[row * t->n_nuclides + nuclide];
  } else if constexpr (G == GridType::nuclide) {
    low = bracket(energy_at, energy, 0, last);
  } else {
    const int *entry = t->index + row * t->n_nuclides + nuclide;
    const std::int64_t first = entry[0];
    const std::int64_t end =
        row == t->n_bins - 1 ? last : entry[t->n_nuclides] + 1;
    if (energy <= energy_at(first))
      low = 0;
    else if (energy >= energy_at(end))
      low = last;
    else
      low = bracket(energy_at, energy, first, end);
  }
  return low == last ? last - 1 : low;
}

/// Adds `amount` times the cross sections, at `energy`, of the nuclide whose
/// grid point `low` and the one after it bracket the energy. Outside the
/// nuclide's energy range the interpolation extrapolates linearly.
RETRO_HD inline void add_micro_xs(double energy, const GridPoint *low,
                                  double amount, double (&sum)[channels]) {
  const GridPoint *high = low + 1;
  const double f = (high->energy - energy) / (high->energy - low->energy);
  for (int k = 0; k < channels; ++k)
    sum[k] += (high->xs[k] - f * (high->xs[k] - low->xs[k])) * amount;
}

/// Macroscopic cross sections of `material` at `energy`.
///   conc   [n_materials][max_nuclides] concentrations
///   grid   [n_nuclides][n_grid], ascending energies within a nuclide
///   macro  [channels], overwritten
template <GridType G>
RETRO_HD inline void macro_xs(double energy, int material, const Tables *t,
                              const double *RETRO_RESTRICT conc,
                              const GridPoint *RETRO_RESTRICT grid,
                              double *RETRO_RESTRICT macro) {
  const std::int64_t row = index_row<G>(energy, t);
  const int count = t->counts[material];
  const int *nuclides = t->nuclides + material * t->max_nuclides;
  const double *amounts = conc + material * t->max_nuclides;

  double sum[channels] = {};
  for (int j = 0; j < count; ++j) {
    const GridPoint *points =
        grid + static_cast<std::int64_t>(nuclides[j]) * t->n_grid;
    const std::int64_t low =
        lower_point<G>(energy, nuclides[j], row, t, points);
    add_micro_xs(energy, points + low, amounts[j], sum);
  }
  for (int k = 0; k < channels; ++k)
    macro[k] = sum[k];
}

/// Sums `look_up(energy, material, macro)` over the lookups of `run`.
template <class LookUp>
inline void sum_lookups(const Case &run, Totals *totals, LookUp &&look_up) {
  double sum[channels] = {};
  totals->scores = reactor::visit_lookups<Physics>(
      run.work, [&](double energy, int material, double *macro) {
        look_up(energy, material, macro);
        for (int k = 0; k < channels; ++k)
          sum[k] += macro[k];
      });
  for (int k = 0; k < channels; ++k)
    totals->macro[k] = sum[k];
}

/// Calls f.template operator()<G>() for the grid type given at run time.
template <class F> inline void with_grid_type(GridType type, F &&f) {
  switch (type) {
  case GridType::unionized:
    return f.template operator()<GridType::unionized>();
  case GridType::nuclide:
    return f.template operator()<GridType::nuclide>();
  case GridType::hash:
    return f.template operator()<GridType::hash>();
  }
}

} // namespace RETRO_MODEL
} // namespace suites::xsbench

#endif // SUITES_XSBENCH_MODEL_H
