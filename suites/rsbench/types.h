//===- types.h - RSBench: the data of a problem -----------------*- C++ -*-===//
#ifndef SUITES_RSBENCH_TYPES_H
#define SUITES_RSBENCH_TYPES_H

#include "../xsbench/reactor.h"

namespace suites::rsbench {

/// total, absorption, fission, elastic
constexpr int channels = 4;

/// Angular momenta a pole can have.
constexpr int momenta = 4;

/// A complex number whose products and quotients are spelled out, so that every
/// compiler performs the same operations.
struct Complex {
  double re;
  double im;
};

/// One resonance: position EA and residues RT, RA, RF of the total, absorption
/// and fission channel. Eight doubles, all active.
struct Pole {
  Complex ea;
  Complex rt;
  Complex ra;
  Complex rf;
};

/// Background of one energy window and the range of poles it sums explicitly.
struct Window {
  double t; ///< background coefficients: total,
  double a; ///< absorption,
  double f; ///< fission
  int start;
  int end; ///< exclusive, so the last pole of a window is never summed
};

/// Everything a lookup reads that is never differentiated.
struct Tables {
  int n_nuclides;
  int max_nuclides;
  int max_windows;
  int max_poles;
  const int *counts;       ///< [n_materials]
  const int *nuclides;     ///< [n_materials][max_nuclides]
  const int *n_windows;    ///< [n_nuclides]
  const double *pseudo_k0; ///< [n_nuclides][momenta]
  const Window *windows;   ///< [n_nuclides][max_windows]
  const int *momentum;     ///< [n_nuclides][max_poles], in [0, momenta)
};

/// One run: the data and which lookups to make.
struct Case {
  const Tables *tables;
  const double *conc; ///< [n_materials][max_nuclides] concentrations
  const Pole *poles;  ///< [n_nuclides][max_poles]
  bool doppler;
  reactor::Work work;
};

/// What a run computes: every channel summed over all lookups, and the scores.
/// The objective J_w is sum_k w_k macro_k.
struct Totals {
  double macro[channels];
  std::uint64_t scores;
};

/// The signatures that primal and gradients are linked by. A gradient adds
/// dJ_w/d(poles) to `shadow`, which has the layout of the poles.
using Primal = void(const Case &run, Totals *totals);
using Gradient = void(const Case &run, const double *w, Pole *shadow,
                      Totals *totals);

} // namespace suites::rsbench

#endif // SUITES_RSBENCH_TYPES_H
