// Functions with known gradients, for the tests of the checks.
#ifndef RETROGRADE_VERIFY_TEST_FUNCTIONS_HPP
#define RETROGRADE_VERIFY_TEST_FUNCTIONS_HPP

#include <cmath>
#include <vector>

/// A smooth function without symmetries: every entry matters, and the gradient
/// has no zeros at generic points.
template <typename T> T smooth(const std::vector<T> &X) {
  using std::exp, std::sin, std::sqrt;
  T Sum = 0.0;
  for (std::size_t I = 0; I < X.size(); ++I) {
    const T &Next = X[(I + 1) % X.size()];
    Sum += sin(X[I]) * exp(0.5 * Next) +
           sqrt(1.0 + X[I] * X[I]) * (1.0 + static_cast<double>(I));
  }
  return Sum;
}

inline std::vector<double> smoothGradient(const std::vector<double> &X) {
  std::vector<double> G(X.size());
  for (std::size_t I = 0; I < X.size(); ++I) {
    std::size_t Next = (I + 1) % X.size();
    double E = std::exp(0.5 * X[Next]);
    G[I] += std::cos(X[I]) * E;
    G[Next] += 0.5 * std::sin(X[I]) * E;
    G[I] += X[I] / std::sqrt(1 + X[I] * X[I]) * (1.0 + static_cast<double>(I));
  }
  return G;
}

#endif // RETROGRADE_VERIFY_TEST_FUNCTIONS_HPP
