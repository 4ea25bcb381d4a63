//===- model.h - RSBench: one macroscopic cross-section lookup --*- C++ -*-===//
//
// The same sum over the nuclides of a material as XSBench, but each nuclide's
// cross sections are a smooth background plus the resonance poles of the window
// that holds the energy (windowed multipole method). With Doppler broadening a
// pole contributes through a Faddeeva-type function w(Z), at 0 K through a
// simple complex fraction.
//
// Products with exact zeros of the general complex formulas are left out; the
// remaining operations are those of the original, in its order, so that results
// agree bit for bit when no multiply-add is contracted.
//
//===----------------------------------------------------------------------===//
#ifndef SUITES_RSBENCH_MODEL_H
#define SUITES_RSBENCH_MODEL_H

#include "../xsbench/reactor.h"
#include "types.h"

#include <cmath>
#include <cstdint>

namespace suites::rsbench {
inline namespace RETRO_MODEL {

struct Physics {
  static constexpr int channels = rsbench::channels;
  static constexpr double lowest = -1.7976931348623157e308;
  static constexpr std::uint64_t history_stride = 8;
};

//===----------------------------------------------------------------------===//
// Complex arithmetic
//===----------------------------------------------------------------------===//

RETRO_HD inline Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
RETRO_HD inline Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
RETRO_HD inline Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
RETRO_HD inline Complex operator*(double a, Complex b) {
  return {a * b.re, a * b.im};
}
RETRO_HD inline Complex operator/(Complex a, Complex b) {
  const double norm = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / norm,
          (a.im * b.re - a.re * b.im) / norm};
}
RETRO_HD inline Complex operator/(double a, Complex b) {
  const double norm = b.re * b.re + b.im * b.im;
  return {a * b.re / norm, -(a * b.im) / norm};
}
RETRO_HD inline Complex times_i(Complex a) { return {-a.im, a.re}; }

/// Real part of a product.
RETRO_HD inline double real_product(Complex a, Complex b) {
  return a.re * b.re - a.im * b.im;
}

//===----------------------------------------------------------------------===//
// The Faddeeva-type function w(Z)
//===----------------------------------------------------------------------===//

/// (1 + x / 4096)^4096, an exponential that every platform rounds alike.
RETRO_HD inline double power_exp(double x) {
  double y = 1.0 + x * 0.000244140625;
  for (int i = 0; i < 12; ++i)
    y *= y;
  return y;
}

constexpr double series_period = 12.0;
constexpr double series_factor = 81.2433;
constexpr int series_terms = 10;

struct SeriesTerm {
  double a; ///< numerator
  double d; ///< ((n + 1) pi)^2 to seven digits
};

/// n-th term of the series for small |Z|.
RETRO_HD inline SeriesTerm series_term(int n) {
  constexpr SeriesTerm terms[series_terms] = {
      {2.758402e-01, 9.869604e+00}, {2.245740e-01, 3.947842e+01},
      {1.594149e-01, 8.882644e+01}, {9.866577e-02, 1.579137e+02},
      {5.324414e-02, 2.467401e+02}, {2.505215e-02, 3.553058e+02},
      {1.027747e-02, 4.836106e+02}, {3.676164e-03, 6.316547e+02},
      {1.146494e-03, 7.994380e+02}, {3.117570e-04, 9.869604e+02}};
  return terms[n];
}

/// Series for |Z| < 6.
RETRO_HD inline Complex w_series(Complex z) {
  const double modulus = power_exp(-series_period * z.im);
  const double phase = series_period * z.re;
  const Complex x = {modulus * std::cos(phase), modulus * std::sin(phase)};
  const Complex one = {1.0, 0.0};

  const Complex w0 = times_i(one - x) / (series_period * z);
  const Complex z2 = 144.0 * (z * z);
  Complex sum = {0.0, 0.0};
  for (int n = 0; n < series_terms; ++n) {
    const SeriesTerm term = series_term(n);
    const Complex top = (n % 2 == 0 ? -1.0 : 1.0) * x - one;
    sum = sum + term.a * (top / (Complex{term.d, 0.0} - z2));
  }
  return w0 + times_i(series_factor * (z * sum));
}

constexpr double asymptotic_a = 0.512424224754768462984202823134979415;
constexpr double asymptotic_b = 0.275255128608410950901357962647054304;
constexpr double asymptotic_c = 0.051765358792987823963876628425793171;
constexpr double asymptotic_d = 2.724744871391589049098642037352945696;

/// Three-term asymptotic form for |Z| >= 6.
RETRO_HD inline Complex w_asymptotic(Complex z) {
  const Complex z2 = z * z;
  return times_i(z) * (asymptotic_a / (z2 - Complex{asymptotic_b, 0.0}) +
                       asymptotic_c / (z2 - Complex{asymptotic_d, 0.0}));
}

RETRO_HD inline bool in_series(Complex z) {
  return std::sqrt(z.re * z.re + z.im * z.im) < 6.0;
}

RETRO_HD inline Complex w(Complex z) {
  return in_series(z) ? w_series(z) : w_asymptotic(z);
}

//===----------------------------------------------------------------------===//
// Cross sections
//===----------------------------------------------------------------------===//

/// The window of `nuclide` that holds `energy`.
RETRO_HD inline const Window *find_window(double energy, int nuclide,
                                          const Tables *t) {
  const int count = t->n_windows[nuclide];
  const double spacing = 1.0 / count;
  const int window = static_cast<int>(energy / spacing);
  return t->windows + static_cast<std::int64_t>(nuclide) * t->max_windows +
         (window == count ? count - 1 : window);
}

/// Phase factors e^{-2 i phi_l} of the hard-sphere scattering of each angular
/// momentum l. `k0` holds the pseudo-K0 values of the nuclide.
RETRO_HD inline void phase_factors(double root_energy, const double *k0,
                                   Complex *factors) {
  for (int l = 0; l < momenta; ++l) {
    double phi = k0[l] * root_energy;
    if (l == 1)
      phi += std::atan(phi);
    else if (l == 2)
      phi -= std::atan(3.0 * phi / (3.0 - phi * phi));
    else if (l == 3)
      phi -= std::atan(phi * (15.0 - phi * phi) / (15.0 - 6.0 * phi * phi));
    phi *= 2.0;
    factors[l] = {std::cos(phi), -std::sin(phi)};
  }
}

/// The energy-dependent part q of one pole.
template <bool Doppler>
RETRO_HD inline Complex resonance(double energy, double root_energy,
                                  Complex ea) {
  if constexpr (Doppler) {
    return w({(energy - ea.re) * 0.5, -ea.im * 0.5});
  } else {
    // i / (EA - sqrt(E)) / E
    const Complex gap = {ea.re - root_energy, ea.im};
    const double norm = gap.re * gap.re + gap.im * gap.im;
    const double scale = energy * energy;
    return {gap.im / norm * energy / scale, gap.re / norm * energy / scale};
  }
}

/// Cross sections of one nuclide. `poles` and `momentum` point at its own
/// poles.
template <bool Doppler>
RETRO_HD inline void micro_xs(double energy, int nuclide, const Tables *t,
                              const Pole *RETRO_RESTRICT poles,
                              double *RETRO_RESTRICT micro) {
  const double root_energy = std::sqrt(energy);
  const Window *window = find_window(energy, nuclide, t);
  const int *momentum =
      t->momentum + static_cast<std::int64_t>(nuclide) * t->max_poles;
  Complex phase[momenta];
  phase_factors(root_energy, t->pseudo_k0 + nuclide * momenta, phase);

  double total = energy * window->t;
  double absorption = energy * window->a;
  double fission = energy * window->f;
  for (int i = window->start; i < window->end; ++i) {
    const Pole &pole = poles[i];
    const Complex q = resonance<Doppler>(energy, root_energy, pole.ea);
    total += real_product(pole.rt, q * phase[momentum[i]]);
    absorption += real_product(pole.ra, q);
    fission += real_product(pole.rf, q);
  }
  micro[0] = total;
  micro[1] = absorption;
  micro[2] = fission;
  micro[3] = total - absorption;
}

/// Macroscopic cross sections of `material` at `energy`.
///   conc   [n_materials][max_nuclides] concentrations
///   poles  [n_nuclides][max_poles]
///   macro  [channels], overwritten
template <bool Doppler>
RETRO_HD inline void macro_xs(double energy, int material, const Tables *t,
                              const double *RETRO_RESTRICT conc,
                              const Pole *RETRO_RESTRICT poles,
                              double *RETRO_RESTRICT macro) {
  const int count = t->counts[material];
  const int *nuclides = t->nuclides + material * t->max_nuclides;
  const double *amounts = conc + material * t->max_nuclides;

  double sum[channels] = {};
  for (int j = 0; j < count; ++j) {
    double micro[channels];
    micro_xs<Doppler>(
        energy, nuclides[j], t,
        poles + static_cast<std::int64_t>(nuclides[j]) * t->max_poles, micro);
    for (int k = 0; k < channels; ++k)
      sum[k] += micro[k] * amounts[j];
  }
  for (int k = 0; k < channels; ++k)
    macro[k] = sum[k];
}

/// Sums `look_up(energy, material, macro)` over the lookups of `run`.
template <class LookUp>
inline void sum_lookups(const Case &run, Totals *totals, LookUp &&look_up) {
  double sum[channels] = {};
  totals->scores = reactor::visit_lookups<Physics>(
      run.work, [&](double energy, int material, double *macro) {
        look_up(energy, material, macro);
        for (int k = 0; k < channels; ++k)
          sum[k] += macro[k];
      });
  for (int k = 0; k < channels; ++k)
    totals->macro[k] = sum[k];
}

/// Calls f.template operator()<Doppler>() for the choice made at run time.
template <class F> inline void with_doppler(bool doppler, F &&f) {
  return doppler ? f.template operator()<true>()
                 : f.template operator()<false>();
}

} // namespace RETRO_MODEL
} // namespace suites::rsbench

#endif // SUITES_RSBENCH_MODEL_H
