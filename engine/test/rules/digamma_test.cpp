//===- digamma_test.cpp - The digamma function ----------------------------===//

#include "differences.h"
#include "numeric_ops.h"
#include "rules/digamma.h"

#include <gtest/gtest.h>

namespace retro::rules::test {
namespace {

template <class T> T psi(T x) {
  NumericOps<T> b;
  return digamma(b, x);
}

constexpr double euler = 0.57721566490153286061;
constexpr double logTwo = 0.69314718055994530942;

/// Relative, or absolute where psi is small.
void expectClose(double got, double want) {
  EXPECT_LE(std::fabs(got - want), 1e-14 * std::max(1.0, std::fabs(want)))
      << "got " << got << ", want " << want;
}

// DLMF 5.4.14 and 5.4.15.
TEST(Digamma, HasItsClosedForms) {
  double harmonic = 0, odd = 0;
  for (int n = 1; n <= 40; ++n) {
    expectClose(psi<double>(n), harmonic - euler);
    expectClose(psi<double>(n - 0.5), odd - euler - 2 * logTwo);
    harmonic += 1.0 / n;
    odd += 1.0 / (n - 0.5);
  }
  expectClose(psi<double>(-0.5), 2 - euler - 2 * logTwo);
  expectClose(psi<double>(0.25), -euler - std::acos(-1.0) / 2 - 3 * logTwo);
}

TEST(Digamma, IsTheDerivativeOfLgamma) {
  for (double x = 0.05; x < 60; x += 0.173) {
    auto f = [](Quad t) { return libm::lgamma(t); };
    Estimate want = differentiate(f, x, 1, 5);
    double w = double(want.value);
    ASSERT_LE(double(want.error), 1e-20 * std::max(1.0, std::fabs(w))) << x;
    // 1e-14 relative, absolute around the zero at 1.4616.
    double unit = std::fabs(x - 1.4616) < 0.5 ? 1 : std::fabs(w);
    EXPECT_LE(std::fabs(psi(x) - w), 1e-14 * unit) << x;
    EXPECT_LE(double(libm::fabs(Quad(psi<long double>(x)) - want.value)),
              2e-18 * unit)
        << x << " in long double";
  }
}

TEST(Digamma, IsTheDerivativeOfLgammaOnTheNegativeSide) {
  for (double x = -0.07; x > -20; x -= 0.173) {
    if (std::fabs(x - std::round(x)) < 0.02)
      continue;
    auto f = [](Quad t) { return libm::lgamma(t); };
    Estimate want = differentiate(f, x, libm::fabs(x - std::round(x)), 5);
    double w = double(want.value);
    ASSERT_LE(double(want.error), 1e-19 * std::max(1.0, std::fabs(w))) << x;
    // A zero between each two poles: the terms cancel, the error is absolute.
    double unit = std::max(4.0, std::fabs(w));
    EXPECT_LE(std::fabs(psi(x) - w), 1e-14 * unit) << x;
  }
}

/// In binary128 only the series is left as a source of error: its first term
/// left out, B_22/(22 a^22), bounds it.
TEST(Digamma, IsAsAccurateAsItsSeries) {
  for (double x : {3.0, 12.0, 12.5, 14.0}) {
    auto f = [](Quad t) { return libm::lgamma(t); };
    Estimate want = differentiate(f, x, 1, 3);
    double bound = 300 / std::pow(std::max(x, 12.0), 22);
    ASSERT_LE(double(want.error), bound / 4) << x;
    EXPECT_LE(double(libm::fabs(psi<Quad>(x) - want.value)), bound) << x;
  }
}

TEST(Digamma, SatisfiesItsRecurrence) { // DLMF 5.5.2
  for (double x : {1e-10, 1e-3, 0.7, 5.0, 11.5, 11.999, 12.0, 30.0})
    expectClose(psi(x), psi(x + 1) - 1 / x);
}

TEST(Digamma, HasItsLimits) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(psi(inf), inf);
  expectClose(psi(1e100), std::log(1e100));
  expectClose(psi(1e-200), -1e200);
  expectClose(psi(-1e-200), 1e200);
  EXPECT_FALSE(std::isfinite(psi(0.0)));
  EXPECT_FALSE(std::isfinite(psi(-3.0)));
}

TEST(Digamma, IsRightInFloat) {
  for (float x : {0.1f, 0.5f, 1.0f, 3.25f, 11.0f, 1e4f, -0.5f}) {
    double want = psi<double>(x);
    EXPECT_LE(std::fabs(psi(x) - want), 2e-6 * std::max(1.0, std::fabs(want)))
        << x;
  }
}

} // namespace
} // namespace retro::rules::test
