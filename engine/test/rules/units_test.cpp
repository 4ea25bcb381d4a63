//===- units_test.cpp - How exactly the C library computes ----------------===//
//
// No function of the table is off by more units than rules/units.def says, at
// random points around those where the rules are tested.
//
//===----------------------------------------------------------------------===//

#include "every_rule.h"

#include "rules/errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace retro::rules::test {
namespace {

/// What the last digit of \p y stands for.
template <class T> Quad unitOf(T y) {
  using Limits = std::numeric_limits<T>;
  T size = std::max(std::fabs(y), Limits::min());
  return libm::ldexp(Quad(1), std::ilogb(size) + 1 - Limits::digits);
}

/// The greatest error of the function of \p id, in units.
template <class T> double greatestError(RuleId id, Point &where) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> factor(0.9, 1.1);
  double greatest = 0;
  for (const Point &p : domain(id))
    for (int k = 0; k < 400; ++k) {
      std::array<T, 3> x;
      std::array<Quad, 3> q;
      Point at = p;
      for (std::size_t i = 0; i < 3; ++i) {
        q[i] = x[i] = static_cast<T>(p.x[i] * factor(random));
        at.x[i] = static_cast<double>(x[i]);
      }
      T y = primal<T>(id, x, p.n);
      Quad exact = primal<Quad>(id, q, p.n);
      using Limits = std::numeric_limits<T>;
      if (!std::isfinite(y) || libm::fabs(exact) < Limits::min())
        continue;
      auto error = static_cast<double>(libm::fabs(exact - Quad(y)) / unitOf(y));
      if (error > greatest) {
        greatest = error;
        where = at;
      }
    }
  return greatest;
}

class Units : public ::testing::TestWithParam<RuleId> {};

TEST_P(Units, Suffice) {
  const RuleId id = GetParam();
  // What the test computes of these in several operations is not the function.
  if (unitsOf(id) == Unknown || id == RuleId::Fma || id == RuleId::Powi ||
      id == RuleId::Nextafter)
    return;
  Point at;
  EXPECT_LE(greatestError<float>(id, at), unitsOf(id)) << "float at " << at;
  EXPECT_LE(greatestError<double>(id, at), unitsOf(id)) << "double at " << at;
  EXPECT_LE(greatestError<long double>(id, at), unitsOf(id, true))
      << "long double at " << at;
}

TEST_EVERY_RULE(Units);

/// A function that rounds has no fewer units than one: half of one is the least
/// that it can promise, and sums of errors need room.
TEST(UnitsOf, WholeNumbers) {
  EXPECT_EQ(unitsOf(RuleId::Add), 1);
  EXPECT_EQ(unitsOf(RuleId::Fabs), 0);
  EXPECT_EQ(unitsOf(RuleId::J0), Unknown);
  EXPECT_EQ(unitsOf(ComplexOp::Conj), 0);
  EXPECT_GE(unitsOf(ComplexOp::Div), 2);
}

} // namespace
} // namespace retro::rules::test
