//===- parallel_gradient.cpp - XSBench: the gradient in threads or ranks --===//
//
// All lookups are one request: the grid is active, all else is constant.
//
//===----------------------------------------------------------------------===//
#include "model.h"
#include "shared_lookups.h"

using namespace suites::xsbench;
using suites::reactor::sum_shared_lookups;

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, const double *w,
                                      GridPoint *shadow, Totals *totals) {
  with_grid_type(run.grid_type, [&]<GridType G>() {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    constexpr auto *sum =
        sum_shared_lookups<Physics, macro_xs<G>, Case, GridPoint>;
    __enzyme_autodiff<void>(reinterpret_cast<void *>(sum), enzyme_const, &run,
                            enzyme_dup, run.grid, shadow, enzyme_dup,
                            totals->macro, seed, enzyme_const, &totals->scores);
  });
  const std::size_t points =
      static_cast<std::size_t>(run.tables->n_nuclides) * run.tables->n_grid;
  suites::reactor::gather_adjoints(&shadow->energy,
                                   points * sizeof *shadow / sizeof(double));
}
