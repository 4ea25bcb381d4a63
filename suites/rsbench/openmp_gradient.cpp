//===- openmp_gradient.cpp - RSBench: the gradient of the OpenMP primal ---===//
//
// All lookups are one request: the poles are active, all else is constant.
//
//===----------------------------------------------------------------------===//
#include "openmp.h"

using namespace suites::rsbench;

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, const double *w,
                                      Pole *shadow, Totals *totals) {
  with_doppler(run.doppler, [&]<bool Doppler>() {
    double seed[channels];
    for (int k = 0; k < channels; ++k)
      seed[k] = w[k];
    __enzyme_autodiff<void>(reinterpret_cast<void *>(parallel_lookups<Doppler>),
                            enzyme_const, &run, enzyme_dup, run.poles, shadow,
                            enzyme_dup, totals->macro, seed, enzyme_const,
                            &totals->scores);
  });
}
