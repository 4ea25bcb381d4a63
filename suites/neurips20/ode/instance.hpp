// What the integrator benchmarks share: one number in (the end time), one
// number out (the final state).
#pragma once

#include "common/benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ode {

using namespace retro::suite;

using Primal = double(double, long);
using Gradient = double(double, long);
using Gradients = std::vector<std::pair<std::string, Gradient *>>;

constexpr double end_time = 2.1;

/// Exact results of n steps of a method with stability polynomial P: x =
/// P(z)^n, dx/dT = -a P(z)^(n-1) P'(z), z = -a T/n. coefficients: of P, in
/// ascending powers.
inline std::pair<double, double>
closed_form(const std::vector<long double> &coefficients, long n) {
  constexpr long double a = 1.2L;
  const long double z = -a * static_cast<long double>(end_time) / n;
  long double p = 0, slope = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    slope = slope * z + p;
    p = p * z + coefficients[i];
  }
  const long double before = std::pow(p, static_cast<long double>(n - 1));
  return {static_cast<double>(before * p),
          static_cast<double>(-a * before * slope)};
}

class Integration : public Instance {
public:
  /// Published values of x and dx/dT for n = 100 and n = 1000.
  struct Published {
    double x[2], slope[2];
  };

  Integration(const Setting &setting, Primal *primal, Gradients gradients,
              std::vector<long double> polynomial, Published published)
      : n(setting.dims.at("n")), primal(primal),
        gradients(std::move(gradients)), polynomial(std::move(polynomial)),
        published(published) {
    if (n < 1)
      throw std::invalid_argument("n must be positive");
  }

  std::vector<Column> columns() override {
    const auto result = [this] { return std::vector{value}; };
    std::vector<Column> all{
        {"primal", {}, [this] { value = primal(end_time, n); }, result}};
    for (auto [name, f] : gradients)
      all.push_back(
          {name, {}, [this, f = f] { value = f(end_time, n); }, result});
    return all;
  }

  std::vector<double> point() const override { return {end_time}; }

  double objective(const std::vector<double> &x) override {
    return primal(x[0], n);
  }

  /// The closed form holds to one rounding a step.
  std::vector<Reference> references() const override {
    const double rounding = std::numeric_limits<double>::epsilon();
    const double tolerance = std::max(1e-12, n * rounding);
    const auto [x, slope] = closed_form(polynomial, n);
    std::vector<Reference> all{
        {false, "closed form x", pick::at(0), x, tolerance},
        {true, "closed form dx/dT", pick::at(0), slope, tolerance}};
    for (int i = 0; i < 2; ++i)
      if (n == (i == 0 ? 100 : 1000)) {
        all.push_back({false, "x", pick::at(0), published.x[i], 1e-12});
        all.push_back({true, "dx/dT", pick::at(0), published.slope[i], 1e-12});
      }
    return all;
  }

private:
  long n;
  Primal *primal;
  Gradients gradients;
  std::vector<long double> polynomial;
  Published published;
  double value = 0;
};

} // namespace ode
