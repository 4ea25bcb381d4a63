//===- primal.cpp - XSBench: the primal on one core -----------------------===//
#include "model.h"

using namespace suites::xsbench;

extern "C" void RETRO_SYMBOL(xsbench)(const Case &run, Totals *totals) {
  with_grid_type(run.grid_type, [&]<GridType G>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      macro_xs<G>(energy, material, run.tables, run.conc, run.grid, macro);
    });
  });
}
