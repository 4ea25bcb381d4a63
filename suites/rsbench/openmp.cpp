//===- openmp.cpp - RSBench: the primal with OpenMP -----------------------===//
#include "openmp.h"

using namespace suites::rsbench;

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, Totals *totals) {
  with_doppler(run.doppler, [&]<bool Doppler>() {
    parallel_lookups<Doppler>(&run, run.poles, totals->macro, &totals->scores);
  });
}
