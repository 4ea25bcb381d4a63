//===- parallel_gradient.cpp - RSBench: the gradient in threads or ranks --===//
//
// All lookups are one request: the poles are active, all else is constant.
//
//===----------------------------------------------------------------------===//
#include "../xsbench/shared_lookups.h"
#include "model.h"

using namespace suites::rsbench;
using suites::reactor::sum_shared_lookups;

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, const double *w,
                                      Pole *shadow, Totals *totals) {
  with_doppler(run.doppler, [&]<bool Doppler>() {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    constexpr auto *sum =
        sum_shared_lookups<Physics, macro_xs<Doppler>, Case, Pole>;
    __enzyme_autodiff<void>(reinterpret_cast<void *>(sum), enzyme_const, &run,
                            enzyme_dup, run.poles, shadow, enzyme_dup,
                            totals->macro, seed, enzyme_const, &totals->scores);
  });
  const std::size_t poles =
      static_cast<std::size_t>(run.tables->n_nuclides) * run.tables->max_poles;
  suites::reactor::gather_adjoints(&shadow->ea.re,
                                   poles * sizeof *shadow / sizeof(double));
}
