//===- guard_test.cpp - Zero seeds, and linearity in the seed -------------===//

#include "every_rule.h"

#include <gtest/gtest.h>

namespace retro::rules::test {
namespace {

class SeedOf : public testing::TestWithParam<RuleId> {};

TEST_EVERY_RULE(SeedOf);

/// All combinations of special operands that the function of \p id takes.
std::vector<Point> specialPoints(RuleId id) {
  std::vector<double> values = specialValues();
  std::vector<double> once{0.0};
  int integer = integerOperand(id);
  int floats = arityOf(id) - (integer >= 0);
  std::vector<Point> points;
  for (double a : values)
    for (double b : floats > 1 ? values : once)
      for (double c : floats > 2 ? values : once)
        for (int n : integer >= 0 ? std::vector<int>{-2, -1, 0, 1, 2, 3}
                                  : std::vector<int>{0}) {
          if (integer == 0)
            points.push_back({{0, a}, n});
          else
            points.push_back({{a, b, c}, n});
        }
  return points;
}

TEST_P(SeedOf, GivesZeroForAZeroSeedEverywhere) {
  RuleId id = GetParam();
  for (const Point &p : specialPoints(id))
    for (int i = 0; i < arityOf(id); ++i)
      for (double g : {0.0, -0.0}) {
        double got = pullAt<double>(id, p, g, i);
        ASSERT_EQ(got, 0) << nameOf(id) << p << " operand " << i;
      }
}

TEST_P(SeedOf, GivesZeroForAZeroSeedOutsideItsDomain) {
  RuleId id = GetParam();
  for (const Point &p : specialPoints(id)) {
    double result = operandsAt<double>(id, p).result;
    if (result == result)
      continue;
    for (int i = 0; i < arityOf(id); ++i)
      ASSERT_EQ(pullAt<double>(id, p, 0.0, i), 0)
          << nameOf(id) << p << " operand " << i;
  }
}

/// A guard must not hide the derivative from a second differentiation: where
/// the seed is 0 but moves, the rule's value moves with it.
TEST_P(SeedOf, StillFollowsASeedThatPassesThroughZero) {
  RuleId id = GetParam();
  using D = Dual<double>;
  for (const Point &p : domain(id))
    for (int i = 0; i < arityOf(id); ++i) {
      NumericOps<D>::Operands o;
      for (std::size_t k = 0; k < 3; ++k) {
        o.floats[k] = p.x[k];
        o.ints[k] = p.n;
      }
      o.result = operandsAt<double>(id, p).result;
      NumericOps<D> b;
      D moving = pull(id, b, o, D(0, 1), i);
      double want = pullAt<double>(id, p, 1.0, i);
      EXPECT_EQ(moving.v, 0) << nameOf(id) << p << " operand " << i;
      EXPECT_LE(std::fabs(moving.d - want), 1e-15 * std::fabs(want))
          << nameOf(id) << p << " operand " << i << ": got " << moving.d
          << ", want " << want;
    }
}

TEST_P(SeedOf, IsLinearInTheSeed) {
  RuleId id = GetParam();
  for (const Point &p : domain(id))
    for (int i = 0; i < arityOf(id); ++i) {
      double one = pullAt<double>(id, p, 1.0, i);
      // Powers of two and signs scale without rounding.
      EXPECT_EQ(pullAt<double>(id, p, -1.0, i), -one) << nameOf(id) << p;
      EXPECT_EQ(pullAt<double>(id, p, 8.0, i), 8 * one) << nameOf(id) << p;
      EXPECT_EQ(pullAt<double>(id, p, 0.25, i), one / 4) << nameOf(id) << p;
      double whole = pullAt<double>(id, p, 1.0 / 3 + 1.0 / 7, i);
      double parts =
          pullAt<double>(id, p, 1.0 / 3, i) + pullAt<double>(id, p, 1.0 / 7, i);
      EXPECT_LE(std::fabs(whole - parts), 2e-15 * std::fabs(whole))
          << nameOf(id) << p;
    }
}

TEST(Guards, ProductsAreProtectedOnRequest) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  NumericOps<double> guarded, plain;
  plain.guardsProducts = false;
  Point p{{2, inf}};
  EXPECT_EQ(pullAt(RuleId::Mul, p, 0.0, 0, guarded), 0);
  EXPECT_TRUE(std::isnan(pullAt(RuleId::Mul, p, 0.0, 0, plain)));
  EXPECT_EQ(pullAt(RuleId::Fma, p, 0.0, 0, guarded), 0);
  EXPECT_EQ(pullAt(RuleId::Mul, p, 1.0, 0, guarded), inf);
}

TEST(Guards, ASeedThatIsNaNStaysNaN) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (RuleId id : {RuleId::Div, RuleId::Sqrt, RuleId::Exp, RuleId::Log})
    EXPECT_TRUE(std::isnan(pullAt<double>(id, {{2, 2}}, nan, 0))) << nameOf(id);
}

} // namespace
} // namespace retro::rules::test
