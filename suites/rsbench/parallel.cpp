//===- parallel.cpp - RSBench: the primal in threads or ranks -------------===//
#include "../xsbench/shared_lookups.h"
#include "model.h"

using namespace suites::rsbench;

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, Totals *totals) {
  with_doppler(run.doppler, [&]<bool Doppler>() {
    suites::reactor::sum_shared_lookups<Physics, macro_xs<Doppler>>(
        &run, run.poles, totals->macro, &totals->scores);
  });
}
