//===- parallel.cpp - XSBench: the primal in threads or ranks -------------===//
#include "model.h"
#include "shared_lookups.h"

using namespace suites::xsbench;

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, Totals *totals) {
  with_grid_type(run.grid_type, [&]<GridType G>() {
    suites::reactor::sum_shared_lookups<Physics, macro_xs<G>>(
        &run, run.grid, totals->macro, &totals->scores);
  });
}
