// Adjoint of the mixture log-posterior by the formulas of specification
// section 3. Forward and reverse of one point are fused, so nothing is kept
// from one point to the next.
#include "common/kernel.h"

#include <cmath>
#include <vector>

namespace RETRO_MODEL {

struct Scratch {
  std::vector<double> diagonals, log_sums, products, terms;
  Scratch(int d, int k)
      : diagonals(std::size_t(d) * k), log_sums(k),
        products(std::size_t(d) * k), terms(k) {}
};

/// Replaces v by its softmax.
static void softmax(int n, double *v) {
  double largest = v[0];
  for (int i = 1; i < n; ++i)
    largest = v[i] > largest ? v[i] : largest;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += v[i] = std::exp(v[i] - largest);
  for (int i = 0; i < n; ++i)
    v[i] /= sum;
}

/// y = Q (x - mu); returns |y|^2.
static double centred_product(int d, const double *RETRO_RESTRICT diagonal,
                              const double *RETRO_RESTRICT lower,
                              const double *RETRO_RESTRICT x,
                              const double *RETRO_RESTRICT mu,
                              double *RETRO_RESTRICT y) {
  for (int r = 0; r < d; ++r)
    y[r] = diagonal[r] * (x[r] - mu[r]);
  for (int c = 0; c < d; ++c) {
    const double xc = x[c] - mu[c];
    for (int r = c + 1; r < d; ++r)
      y[r] += *lower++ * xc;
  }
  double sum = 0;
  for (int r = 0; r < d; ++r)
    sum += y[r] * y[r];
  return sum;
}

/// Adds the share of one point and component, weight w, to mub (d) and icfb.
static void
add_component(int d, double w, const double *RETRO_RESTRICT diagonal,
              const double *RETRO_RESTRICT lower,
              const double *RETRO_RESTRICT x, const double *RETRO_RESTRICT mu,
              const double *RETRO_RESTRICT y, double *RETRO_RESTRICT mub,
              double *RETRO_RESTRICT icfb) {
  double *RETRO_RESTRICT lowerb = icfb + d;
  for (int c = 0; c < d; ++c) {
    const double xc = x[c] - mu[c];
    const double wxc = w * xc;
    const double scaled = diagonal[c] * y[c];
    icfb[c] += w - wxc * scaled;
    double sum = scaled;
    for (int r = c + 1; r < d; ++r) {
      sum += *lower++ * y[r];
      *lowerb++ -= wxc * y[r];
    }
    mub[c] += w * sum;
  }
}

extern "C" void RETRO_SYMBOL(gmm_gradient)(
    int d, int k, int n, const double *RETRO_RESTRICT alphas,
    double *RETRO_RESTRICT alphasb, const double *RETRO_RESTRICT means,
    double *RETRO_RESTRICT meansb, const double *RETRO_RESTRICT icf,
    double *RETRO_RESTRICT icfb, const double *RETRO_RESTRICT x, double gamma,
    int m) {
  const int row = d * (d + 1) / 2;
  Scratch s(d, k);
  for (int c = 0; c < k; ++c)
    for (int j = 0; j < d; ++j) {
      s.log_sums[c] += icf[c * row + j];
      s.diagonals[c * d + j] = std::exp(icf[c * row + j]);
    }
  for (int i = 0; i < n; ++i) {
    const double *point = x + static_cast<long>(i) * d;
    for (int c = 0; c < k; ++c)
      s.terms[c] =
          alphas[c] + s.log_sums[c] -
          0.5 * centred_product(d, &s.diagonals[c * d], &icf[c * row + d],
                                point, &means[c * d], &s.products[c * d]);
    softmax(k, s.terms.data());
    for (int c = 0; c < k; ++c) {
      alphasb[c] += s.terms[c];
      add_component(d, s.terms[c], &s.diagonals[c * d], &icf[c * row + d],
                    point, &means[c * d], &s.products[c * d], &meansb[c * d],
                    &icfb[c * row]);
    }
  }
  s.terms.assign(alphas, alphas + k);
  softmax(k, s.terms.data());
  for (int c = 0; c < k; ++c) {
    alphasb[c] -= n * s.terms[c];
    for (int j = 0; j < d; ++j)
      icfb[c * row + j] +=
          gamma * gamma * s.diagonals[c * d + j] * s.diagonals[c * d + j] - m;
    for (int j = d; j < row; ++j)
      icfb[c * row + j] += gamma * gamma * icf[c * row + j];
  }
}

} // namespace RETRO_MODEL
