//===- primal.cpp - RSBench: the primal on one core -----------------------===//
#include "model.h"

using namespace suites::rsbench;

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, Totals *totals) {
  with_doppler(run.doppler, [&]<bool Doppler>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      macro_xs<Doppler>(energy, material, run.tables, run.conc, run.poles,
                        macro);
    });
  });
}
