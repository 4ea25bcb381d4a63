//===- hand.cpp - XSBench: the gradient written by hand -------------------===//
//
// With low and high records L and H, gap d = E_H - E_L, f = (E_H - E) / d and
// x_k = s_Hk - f (s_Hk - s_Lk), the adjoint of sum_k w_k c x_k is
//
//   s_Hk += w_k c (1 - f)     E_H += D (1 - f)     D = -c/d sum_k w_k
//   s_Lk += w_k c f           E_L += D f                 (s_Hk - s_Lk)
//
// with the products by 1 - f written out, as reversing each operation gives
// them. A lookup is a plain sum over nuclides, so the value and the adjoint of
// each nuclide are computed together and nothing is stored in between.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::xsbench;

template <GridType G>
static void macro_xs_adjoint(double energy, int material, const Tables *t,
                             const double *RETRO_RESTRICT conc,
                             const GridPoint *RETRO_RESTRICT grid,
                             GridPoint *RETRO_RESTRICT shadow,
                             double *RETRO_RESTRICT macro,
                             const double *RETRO_RESTRICT w) {
  const std::int64_t row = index_row<G>(energy, t);
  const int count = t->counts[material];
  const int *nuclides = t->nuclides + material * t->max_nuclides;
  const double *amounts = conc + material * t->max_nuclides;

  double sum[channels] = {};
  for (int j = 0; j < count; ++j) {
    const std::int64_t first =
        static_cast<std::int64_t>(nuclides[j]) * t->n_grid;
    const std::int64_t at =
        first + lower_point<G>(energy, nuclides[j], row, t, grid + first);
    const GridPoint *low = grid + at, *high = low + 1;
    GridPoint *d_low = shadow + at, *d_high = d_low + 1;

    const double gap = high->energy - low->energy;
    const double f = (high->energy - energy) / gap;
    double d_f = 0;
    for (int k = channels; k-- > 0;) {
      const double rise = high->xs[k] - low->xs[k];
      const double seed = w[k] * amounts[j];
      sum[k] += (high->xs[k] - f * rise) * amounts[j];
      d_f -= seed * rise;
      d_high->xs[k] += seed - seed * f;
      d_low->xs[k] += seed * f;
    }
    const double d_top = d_f / gap;
    d_high->energy += d_top - d_top * f;
    d_low->energy += d_top * f;
  }
  for (int k = 0; k < channels; ++k)
    macro[k] = sum[k];
}

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, const double *w,
                                      GridPoint *shadow, Totals *totals) {
  with_grid_type(run.grid_type, [&]<GridType G>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      macro_xs_adjoint<G>(energy, material, run.tables, run.conc, run.grid,
                          shadow, macro, w);
    });
  });
}
