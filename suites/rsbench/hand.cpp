//===- hand.cpp - RSBench: the gradient written by hand -------------------===//
//
// The adjoint z' of a complex z is (dJ/d re z, dJ/d im z). With it
//
//   y = a b:    a' += y' conj(b),   b' += y' conj(a)
//   y = a / b:  a' += n b,          b' += conj(n) a + 2 d b
//               with n = y' / |b|^2 and d = -Re(n conj(y))
//
// Each operation of the primal is reversed as it is written there. (q is not an
// analytic function of EA: in the series for w(Z) the exponential is a power,
// (1 + x/4096)^4096.) A lookup is a plain sum over nuclides and poles, so value
// and adjoint of each pole are computed together and nothing is stored in
// between.
//
//===----------------------------------------------------------------------===//
#include "model.h"

using namespace suites::rsbench;

static inline Complex conj(Complex a) { return {a.re, -a.im}; }

/// Adjoints of a and b of a quotient a / b.
struct QuotientAdjoint {
  Complex a;
  Complex b;
};

static inline QuotientAdjoint quotient_adjoint(Complex a, Complex b,
                                               Complex quotient, Complex bar) {
  const double norm = b.re * b.re + b.im * b.im;
  const Complex n = {bar.re / norm, bar.im / norm};
  const double d_norm = -(quotient.re * n.re + quotient.im * n.im);
  return {n * b, conj(n) * a + 2.0 * d_norm * b};
}

/// A resonance q and the adjoint of its EA.
struct ResonanceAdjoint {
  Complex q;
  Complex ea;
};

/// `bar` is the adjoint of w(z).
static inline ResonanceAdjoint w_series_adjoint(Complex z, Complex bar) {
  // The squarings of power_exp; its derivative is the product of their
  // operands.
  double powers[12];
  double modulus = 1.0 + -series_period * z.im * 0.000244140625;
  for (double &power : powers) {
    power = modulus;
    modulus *= modulus;
  }
  const double phase = series_period * z.re;
  const double cosine = std::cos(phase), sine = std::sin(phase);
  const Complex x = {modulus * cosine, modulus * sine};
  const Complex one = {1.0, 0.0};

  const Complex top0 = times_i(one - x), bottom0 = series_period * z;
  const Complex w0 = top0 / bottom0;
  const Complex z2 = 144.0 * (z * z);
  Complex quotients[series_terms];
  Complex sum = {0.0, 0.0};
  for (int n = 0; n < series_terms; ++n) {
    const SeriesTerm term = series_term(n);
    const Complex top = (n % 2 == 0 ? -1.0 : 1.0) * x - one;
    quotients[n] = top / (Complex{term.d, 0.0} - z2);
    sum = sum + term.a * quotients[n];
  }
  const Complex w = w0 + times_i(series_factor * (z * sum));

  const Complex d_product = series_factor * Complex{bar.im, -bar.re};
  const Complex d_sum = d_product * conj(z);
  Complex d_z = d_product * conj(sum);
  Complex d_x = {0.0, 0.0}, d_z2 = {0.0, 0.0};
  for (int n = series_terms; n-- > 0;) {
    const SeriesTerm term = series_term(n);
    const double sign = n % 2 == 0 ? -1.0 : 1.0;
    const auto [d_top, d_bottom] =
        quotient_adjoint(sign * x - one, Complex{term.d, 0.0} - z2,
                         quotients[n], term.a * d_sum);
    d_x = d_x + sign * d_top;
    d_z2 = d_z2 - d_bottom;
  }
  d_z = d_z + 288.0 * (d_z2 * conj(z));
  const auto [d_top0, d_bottom0] = quotient_adjoint(top0, bottom0, w0, bar);
  d_z = d_z + series_period * d_bottom0;
  d_x = d_x + Complex{-d_top0.im, d_top0.re};

  const double d_phase = d_x.im * modulus * cosine - d_x.re * modulus * sine;
  double d_exponent = d_x.re * cosine + d_x.im * sine;
  for (int i = 12; i-- > 0;)
    d_exponent *= powers[i];
  d_z = d_z + series_period * Complex{d_phase, -d_exponent};
  return {w, -0.5 * d_z};
}

/// Analytic, so that the adjoint of z is bar conj(w'(z)).
static inline ResonanceAdjoint w_asymptotic_adjoint(Complex z, Complex bar) {
  const Complex z2 = z * z;
  const Complex bottom_a = z2 - Complex{asymptotic_b, 0.0};
  const Complex bottom_c = z2 - Complex{asymptotic_d, 0.0};
  const Complex term_a = asymptotic_a / bottom_a;
  const Complex term_c = asymptotic_c / bottom_c;
  const Complex sum = term_a + term_c;
  const Complex d_sum = term_a / bottom_a + term_c / bottom_c; // -d sum/d(z^2)
  const Complex dw = times_i(sum - 2.0 * (z2 * d_sum));
  return {times_i(z) * sum, -0.5 * (bar * conj(dw))};
}

/// Without broadening, q = i / ((EA - sqrt(E)) E) is analytic too.
template <bool Doppler>
static inline ResonanceAdjoint
resonance_adjoint(double energy, double root_energy, Complex ea, Complex bar) {
  if constexpr (Doppler) {
    const Complex z = {(energy - ea.re) * 0.5, -ea.im * 0.5};
    return in_series(z) ? w_series_adjoint(z, bar)
                        : w_asymptotic_adjoint(z, bar);
  } else {
    const Complex q = resonance<false>(energy, root_energy, ea);
    const Complex gap = {ea.re - root_energy, ea.im};
    return {q, -1.0 * (bar * conj(q / gap))};
  }
}

template <bool Doppler>
static void
macro_xs_adjoint(double energy, int material, const Tables *t,
                 const double *RETRO_RESTRICT conc,
                 const Pole *RETRO_RESTRICT poles, Pole *RETRO_RESTRICT shadow,
                 double *RETRO_RESTRICT macro, const double *RETRO_RESTRICT w) {
  const int count = t->counts[material];
  const int *nuclides = t->nuclides + material * t->max_nuclides;
  const double *amounts = conc + material * t->max_nuclides;
  const double root_energy = std::sqrt(energy);

  double sum[channels] = {};
  for (int j = 0; j < count; ++j) {
    const int nuclide = nuclides[j];
    const std::int64_t first =
        static_cast<std::int64_t>(nuclide) * t->max_poles;
    const Window *window = find_window(energy, nuclide, t);
    Complex phase[momenta];
    phase_factors(root_energy, t->pseudo_k0 + nuclide * momenta, phase);

    const double d_elastic = w[3] * amounts[j];
    const double d_total = w[0] * amounts[j] + d_elastic;
    const double d_absorption = w[1] * amounts[j] - d_elastic;
    const double d_fission = w[2] * amounts[j];
    double total = energy * window->t;
    double absorption = energy * window->a;
    double fission = energy * window->f;
    for (int i = window->start; i < window->end; ++i) {
      const Pole &pole = poles[first + i];
      Pole &d_pole = shadow[first + i];
      const Complex s = phase[t->momentum[first + i]];
      const Complex d_q = d_fission * conj(pole.rf) +
                          d_absorption * conj(pole.ra) +
                          (d_total * conj(pole.rt)) * conj(s);
      const auto [q, d_ea] =
          resonance_adjoint<Doppler>(energy, root_energy, pole.ea, d_q);
      const Complex qs = q * s;
      total += real_product(pole.rt, qs);
      absorption += real_product(pole.ra, q);
      fission += real_product(pole.rf, q);
      d_pole.ea = d_pole.ea + d_ea;
      d_pole.rt = d_pole.rt + d_total * conj(qs);
      d_pole.ra = d_pole.ra + d_absorption * conj(q);
      d_pole.rf = d_pole.rf + d_fission * conj(q);
    }
    sum[0] += total * amounts[j];
    sum[1] += absorption * amounts[j];
    sum[2] += fission * amounts[j];
    sum[3] += (total - absorption) * amounts[j];
  }
  for (int k = 0; k < channels; ++k)
    macro[k] = sum[k];
}

extern "C" void RETRO_SYMBOL(rsbench)(const Case &run, const double *w,
                                      Pole *shadow, Totals *totals) {
  with_doppler(run.doppler, [&]<bool Doppler>() {
    sum_lookups(run, totals, [&](double energy, int material, double *macro) {
      macro_xs_adjoint<Doppler>(energy, material, run.tables, run.conc,
                                run.poles, shadow, macro, w);
    });
  });
}
