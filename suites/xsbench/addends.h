//===- addends.h - XSBench: magnitudes of a gradient's addends --*- C++ -*-===//
#ifndef SUITES_XSBENCH_ADDENDS_H
#define SUITES_XSBENCH_ADDENDS_H

#include "model.h"

#include <cmath>

namespace suites::xsbench {

/// Adds to `scale`, in the layout of a gradient, the magnitudes of the products
/// that each entry of dJ_w/d(grid) is a sum of. With the symbols of hand.cpp:
///   s_H: |w c| (1 + |f|)    E_H: A (1 + |f|)
///   s_L: |w c f|            E_L: A |f|         A = |c/d| sum_k |w_k rise_k|
inline void gradient_addends(const Case &run, const double *w, GridPoint *scale,
                             Totals *totals) {
  const Tables *t = run.tables;
  with_grid_type(run.grid_type, [&]<GridType G>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      macro_xs<G>(energy, material, t, run.conc, run.grid, macro);
      const std::int64_t row = index_row<G>(energy, t);
      for (int j = 0; j < t->counts[material]; ++j) {
        const int at = material * t->max_nuclides + j;
        const std::int64_t first =
            static_cast<std::int64_t>(t->nuclides[at]) * t->n_grid;
        const std::int64_t i = first + lower_point<G>(energy, t->nuclides[at],
                                                      row, t, run.grid + first);
        const GridPoint &low = run.grid[i], &high = run.grid[i + 1];
        const double gap = high.energy - low.energy;
        const double f = std::fabs((high.energy - energy) / gap);
        double slope = 0;
        for (int k = 0; k < channels; ++k) {
          const double seed = std::fabs(w[k] * run.conc[at]);
          slope += seed * std::fabs(high.xs[k] - low.xs[k]);
          scale[i + 1].xs[k] += seed * (1 + f);
          scale[i].xs[k] += seed * f;
        }
        scale[i + 1].energy += slope / gap * (1 + f);
        scale[i].energy += slope / gap * f;
      }
    });
  });
}

} // namespace suites::xsbench

#endif // SUITES_XSBENCH_ADDENDS_H
