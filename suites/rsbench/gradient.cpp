//===- gradient.cpp - RSBench: the gradient made by the plugin ------------===//
//
// The only file with a request to the differentiation plugin. One lookup is one
// request: poles and cross sections are active, all else is constant.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::rsbench;

/// Evaluates one lookup into `macro` and adds its adjoint to `shadow`; `seed`
/// is consumed. Kept out of line so that there is one request with and one
/// without Doppler broadening, whatever the orders of visiting lookups.
template <bool Doppler>
[[gnu::noinline]] static void
lookup_gradient(double energy, int material, const Tables *tables,
                const double *conc, const Pole *poles, Pole *shadow,
                double *macro, double *seed) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(macro_xs<Doppler>),
                          enzyme_const, energy, enzyme_const, material,
                          enzyme_const, tables, enzyme_const, conc, enzyme_dup,
                          poles, shadow, enzyme_dup, macro, seed);
}

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, const double *w,
                                      Pole *shadow, Totals *totals) {
  with_doppler(run.doppler, [&]<bool Doppler>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      double seed[channels];
      for (int k = 0; k < channels; ++k)
        seed[k] = w[k];
      lookup_gradient<Doppler>(energy, material, run.tables, run.conc,
                               run.poles, shadow, macro, seed);
    });
  });
}
