//===- gradient.cpp - XSBench: the gradient made by the plugin ------------===//
//
// The only file with a request to the differentiation plugin. One lookup is one
// request: the grid and the cross sections are active, all else is constant.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::xsbench;

/// Evaluates one lookup into `macro` and adds its adjoint to `shadow`; `seed`
/// is consumed. Kept out of line so that each grid type is one request,
/// whatever the orders of visiting lookups.
template <GridType G>
[[gnu::noinline]] static void
lookup_gradient(double energy, int material, const Tables *tables,
                const double *conc, const GridPoint *grid, GridPoint *shadow,
                double *macro, double *seed) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(macro_xs<G>), enzyme_const,
                          energy, enzyme_const, material, enzyme_const, tables,
                          enzyme_const, conc, enzyme_dup, grid, shadow,
                          enzyme_dup, macro, seed);
}

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, const double *w,
                                      GridPoint *shadow, Totals *totals) {
  with_grid_type(run.grid_type, [&]<GridType G>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      double seed[channels];
      for (int k = 0; k < channels; ++k)
        seed[k] = w[k];
      lookup_gradient<G>(energy, material, run.tables, run.conc, run.grid,
                         shadow, macro, seed);
    });
  });
}
