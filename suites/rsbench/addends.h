//===- addends.h - RSBench: magnitudes of a gradient's addends --*- C++ -*-===//
#ifndef SUITES_RSBENCH_ADDENDS_H
#define SUITES_RSBENCH_ADDENDS_H

#include "model.h"

#include <cmath>

namespace suites::rsbench {

/// |z|.
inline double modulus(Complex z) { return std::hypot(z.re, z.im); }

/// Sum of the moduli of the products that dq/dEA is a sum of (see hand.cpp).
/// Inside the series these are far larger than dq/dEA where 144 Z^2 comes close
/// to some D_n: numerator and denominator of that term vanish together.
inline double resonance_addends(bool doppler, double energy, Complex ea) {
  if (!doppler) {
    const double root_energy = std::sqrt(energy);
    const Complex q = resonance<false>(energy, root_energy, ea);
    return modulus(q) / std::hypot(ea.re - root_energy, ea.im);
  }
  const Complex z = {(energy - ea.re) * 0.5, -ea.im * 0.5};
  const double r = modulus(z);
  if (!in_series(z)) {
    const Complex z2 = z * z;
    const double a = modulus(z2 - Complex{asymptotic_b, 0.0});
    const double c = modulus(z2 - Complex{asymptotic_d, 0.0});
    return 0.5 *
           (asymptotic_a / a + asymptotic_c / c +
            2 * r * r * (asymptotic_a / (a * a) + asymptotic_c / (c * c)));
  }
  const double base = 1.0 - series_period * z.im * 0.000244140625;
  const double x = power_exp(-series_period * z.im);
  const double dx = series_period * x * (1 + 1 / base); // by phase, exponent
  const double top = 1 + x;
  double by_z = top / (series_period * r * r);
  double by_x = 1 / (series_period * r);
  for (int n = 0; n < series_terms; ++n) {
    const SeriesTerm term = series_term(n);
    const double bottom = modulus(Complex{term.d, 0.0} - 144.0 * (z * z));
    const double quotient = series_factor * term.a * top / bottom;
    by_z += quotient * (1 + 288.0 * r * r / bottom);
    by_x += series_factor * r * term.a / bottom;
  }
  return 0.5 * (by_z + by_x * dx);
}

/// Adds to `scale`, in the layout of a gradient, the magnitudes of the products
/// that each entry of dJ_w/d(poles) is a sum of. Both components of a complex
/// number count with its modulus.
inline void gradient_addends(const Case &run, const double *w, Pole *scale,
                             Totals *totals) {
  const Tables *t = run.tables;
  const auto add = [](Complex &to, double value) {
    to = to + Complex{value, value};
  };
  with_doppler(run.doppler, [&]<bool Doppler>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      macro_xs<Doppler>(energy, material, t, run.conc, run.poles, macro);
      for (int j = 0; j < t->counts[material]; ++j) {
        const int at = material * t->max_nuclides + j;
        const std::int64_t first =
            static_cast<std::int64_t>(t->nuclides[at]) * t->max_poles;
        const double amount = run.conc[at];
        const double weight_t = (std::fabs(w[0]) + std::fabs(w[3])) * amount;
        const double weight_a = (std::fabs(w[1]) + std::fabs(w[3])) * amount;
        const double weight_f = std::fabs(w[2]) * amount;
        const Window *window = find_window(energy, t->nuclides[at], t);
        for (int i = window->start; i < window->end; ++i) {
          const Pole &pole = run.poles[first + i];
          Pole &sum = scale[first + i];
          const double q =
              modulus(resonance<Doppler>(energy, std::sqrt(energy), pole.ea));
          const double g = weight_t * modulus(pole.rt) +
                           weight_a * modulus(pole.ra) +
                           weight_f * modulus(pole.rf);
          add(sum.ea, g * resonance_addends(Doppler, energy, pole.ea));
          add(sum.rt, weight_t * q);
          add(sum.ra, weight_a * q);
          add(sum.rf, weight_f * q);
        }
      }
    });
  });
}

} // namespace suites::rsbench

#endif // SUITES_RSBENCH_ADDENDS_H
