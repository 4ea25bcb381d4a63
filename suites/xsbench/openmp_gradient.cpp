//===- openmp_gradient.cpp - XSBench: the gradient of the OpenMP primal ---===//
//
// All lookups are one request: the grid is active, all else is constant.
//
//===----------------------------------------------------------------------===//
#include "openmp.h"

using namespace suites::xsbench;

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, const double *w,
                                      GridPoint *shadow, Totals *totals) {
  with_grid_type(run.grid_type, [&]<GridType G>() {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    __enzyme_autodiff<void>(reinterpret_cast<void *>(parallel_lookups<G>),
                            enzyme_const, &run, enzyme_dup, run.grid, shadow,
                            enzyme_dup, totals->macro, seed, enzyme_const,
                            &totals->scores);
  });
}
