// Log-posterior of a Gaussian mixture with a Wishart prior: specification
// section 3.
#pragma once

#include "common/kernel.h"

#include <cmath>
#include <cstdlib>

namespace RETRO_MODEL {

/// Truncated on purpose: the constant of the published objective.
constexpr double truncated_pi = 3.14159265359;

/// log(sum_i exp(v_i)), shifted by the largest entry.
inline double log_sum_exp(int n, const double *RETRO_RESTRICT v) {
  double largest = v[0];
  for (int i = 1; i < n; ++i)
    if (v[i] > largest)
      largest = v[i];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::exp(v[i] - largest);
  return largest + std::log(sum);
}

/// Logarithm of the multivariate gamma function of dimension d.
inline double log_gamma_distribution(double z, int d) {
  double sum = 0.25 * d * (d - 1) * std::log(truncated_pi);
  for (int j = 1; j <= d; ++j)
    sum += std::lgamma(z + 0.5 * (1 - j));
  return sum;
}

/// exp of the diagonals (k x d) and sums of their logarithms (k).
inline void preprocess_factors(int d, int k, const double *RETRO_RESTRICT icf,
                               double *RETRO_RESTRICT log_sums,
                               double *RETRO_RESTRICT diagonals) {
  const int row = d * (d + 1) / 2;
  for (int c = 0; c < k; ++c) {
    log_sums[c] = 0;
    for (int j = 0; j < d; ++j) {
      const double l = icf[c * row + j];
      log_sums[c] += l;
      diagonals[c * d + j] = std::exp(l);
    }
  }
}

/// out = Q x, Q lower triangular: the strict triangle is stored by columns.
inline void triangular_product(int d, const double *RETRO_RESTRICT diagonal,
                               const double *RETRO_RESTRICT strict_lower,
                               const double *RETRO_RESTRICT x,
                               double *RETRO_RESTRICT out) {
  for (int r = 0; r < d; ++r)
    out[r] = diagonal[r] * x[r];
  int entry = 0;
  for (int c = 0; c < d; ++c)
    for (int r = c + 1; r < d; ++r) {
      out[r] += strict_lower[entry] * x[c];
      ++entry;
    }
}

inline double squared_norm(int n, const double *RETRO_RESTRICT v) {
  double sum = v[0] * v[0];
  for (int i = 1; i < n; ++i)
    sum += v[i] * v[i];
  return sum;
}

inline double log_wishart_prior(int d, int k, double gamma, int m,
                                const double *RETRO_RESTRICT log_sums,
                                const double *RETRO_RESTRICT diagonals,
                                const double *RETRO_RESTRICT icf) {
  const int n = d + m + 1;
  const int row = d * (d + 1) / 2;
  const double c = n * d * (std::log(gamma) - 0.5 * std::log(2.0)) -
                   log_gamma_distribution(0.5 * n, d);
  double sum = 0;
  for (int i = 0; i < k; ++i) {
    double frobenius = squared_norm(d, &diagonals[i * d]);
    if (row > d)
      frobenius += squared_norm(row - d, &icf[i * row + d]);
    sum += 0.5 * gamma * gamma * frobenius - m * log_sums[i];
  }
  return sum - k * c;
}

/// alphas: k; means: k x d; icf: k x d(d+1)/2; x: n x d; err: the
/// log-posterior.
void gmm_objective(int d, int k, int n, const double *RETRO_RESTRICT alphas,
                   const double *RETRO_RESTRICT means,
                   const double *RETRO_RESTRICT icf,
                   const double *RETRO_RESTRICT x, double gamma, int m,
                   double *RETRO_RESTRICT err) {
  const int row = d * (d + 1) / 2;
  const double constant = -n * d * 0.5 * std::log(2 * truncated_pi);
  double *diagonals =
      static_cast<double *>(std::malloc(sizeof(double) * d * k));
  double *log_sums = static_cast<double *>(std::malloc(sizeof(double) * k));
  double *centred = static_cast<double *>(std::malloc(sizeof(double) * d));
  double *product = static_cast<double *>(std::malloc(sizeof(double) * d));
  double *terms = static_cast<double *>(std::malloc(sizeof(double) * k));

  preprocess_factors(d, k, icf, log_sums, diagonals);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < k; ++c) {
      for (int j = 0; j < d; ++j)
        centred[j] = x[static_cast<long>(i) * d + j] - means[c * d + j];
      triangular_product(d, &diagonals[c * d], &icf[c * row + d], centred,
                         product);
      terms[c] = alphas[c] + log_sums[c] - 0.5 * squared_norm(d, product);
    }
    sum += log_sum_exp(k, terms);
  }
  *err = constant + sum - n * log_sum_exp(k, alphas) +
         log_wishart_prior(d, k, gamma, m, log_sums, diagonals, icf);

  std::free(diagonals);
  std::free(log_sums);
  std::free(centred);
  std::free(product);
  std::free(terms);
}

} // namespace RETRO_MODEL
