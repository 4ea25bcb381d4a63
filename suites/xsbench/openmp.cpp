//===- openmp.cpp - XSBench: the primal with OpenMP -----------------------===//
#include "openmp.h"

using namespace suites::xsbench;

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, Totals *totals) {
  with_grid_type(run.grid_type, [&]<GridType G>() {
    parallel_lookups<G>(&run, run.grid, totals->macro, &totals->scores);
  });
}
