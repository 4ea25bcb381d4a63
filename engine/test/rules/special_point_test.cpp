//===- special_point_test.cpp - Conventions and extreme operands ----------===//
//
// Points that differences cannot judge: kinks and ties, where a convention
// decides; ends of domains, where the derivative is infinite; and operands so
// large or small that a careless formula over- or underflows.
//
//===----------------------------------------------------------------------===//

#include "domain.h"

#include <gtest/gtest.h>

namespace retro::rules::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double slope(RuleId id, Point p, int i = 0) {
  return pullAt<double>(id, p, 1.0, i);
}

void expectRelative(double got, double want, double tolerance) {
  EXPECT_LE(std::fabs(got - want), tolerance * std::fabs(want))
      << "got " << got << ", want " << want;
}

TEST(Kinks, FabsTakesTheBranchOfPositiveNumbersAtZero) {
  EXPECT_EQ(slope(RuleId::Fabs, {{0.0}}), 1);
  EXPECT_EQ(slope(RuleId::Fabs, {{-0.0}}), 1);
  EXPECT_EQ(slope(RuleId::Fabs, {{-1e-320}}), -1);
}

TEST(Kinks, CopysignLooksAtTheSignsOfZeros) {
  EXPECT_EQ(slope(RuleId::Copysign, {{2, -0.0}}), -1);
  EXPECT_EQ(slope(RuleId::Copysign, {{2, 0.0}}), 1);
  EXPECT_EQ(slope(RuleId::Copysign, {{-0.0, 3}}), -1);
  EXPECT_EQ(slope(RuleId::Copysign, {{-0.0, -0.0}}), 1);
  EXPECT_EQ(slope(RuleId::Copysign, {{-0.0, -0.0}}, 1), 0);
}

TEST(Kinks, MinAndMaxGiveATieToTheSecondOperand) {
  for (RuleId id :
       {RuleId::Fmin, RuleId::Fmax, RuleId::Minimum, RuleId::Maximum})
    for (Point p : {Point{{2, 2}}, Point{{0.0, -0.0}}, Point{{-0.0, 0.0}},
                    Point{{inf, inf}}}) {
      EXPECT_EQ(slope(id, p, 0), 0) << nameOf(id) << p;
      EXPECT_EQ(slope(id, p, 1), 1) << nameOf(id) << p;
    }
}

TEST(Kinks, FminAndFmaxPassByANaN) {
  for (RuleId id : {RuleId::Fmin, RuleId::Fmax}) {
    EXPECT_EQ(slope(id, {{2, nan}}, 0), 1) << nameOf(id);
    EXPECT_EQ(slope(id, {{2, nan}}, 1), 0) << nameOf(id);
    EXPECT_EQ(slope(id, {{nan, 2}}, 0), 0) << nameOf(id);
    EXPECT_EQ(slope(id, {{nan, 2}}, 1), 1) << nameOf(id);
  }
}

TEST(Kinks, MinimumAndMaximumFollowANaN) {
  for (RuleId id : {RuleId::Minimum, RuleId::Maximum}) {
    EXPECT_EQ(slope(id, {{2, nan}}, 0), 0) << nameOf(id);
    EXPECT_EQ(slope(id, {{2, nan}}, 1), 1) << nameOf(id);
    EXPECT_EQ(slope(id, {{nan, 2}}, 0), 1) << nameOf(id);
    EXPECT_EQ(slope(id, {{nan, 2}}, 1), 0) << nameOf(id);
  }
}

TEST(Kinks, ExactlyOneOperandOfMinAndMaxIsChosen) {
  std::vector<double> values = specialValues();
  values.push_back(nan);
  for (RuleId id :
       {RuleId::Fmin, RuleId::Fmax, RuleId::Minimum, RuleId::Maximum})
    for (double a : values)
      for (double b : values)
        EXPECT_EQ(slope(id, {{a, b}}, 0) + slope(id, {{a, b}}, 1), 1)
            << nameOf(id) << " " << a << " " << b;
}

TEST(Kinks, FdimIsFlatAtATie) {
  EXPECT_EQ(slope(RuleId::Fdim, {{2, 2}}, 0), 0);
  EXPECT_EQ(slope(RuleId::Fdim, {{2, 2}}, 1), 0);
}

TEST(Ends, SlopesAreInfiniteWhereTheFunctionIsSteep) {
  EXPECT_EQ(slope(RuleId::Sqrt, {{0.0}}), inf);
  EXPECT_EQ(slope(RuleId::Cbrt, {{0.0}}), inf);
  EXPECT_EQ(slope(RuleId::Cbrt, {{-0.0}}), inf);
  EXPECT_EQ(slope(RuleId::Log, {{0.0}}), inf);
  EXPECT_EQ(slope(RuleId::Log1p, {{-1}}), inf);
  EXPECT_EQ(slope(RuleId::Asin, {{1}}), inf);
  EXPECT_EQ(slope(RuleId::Asin, {{-1}}), inf);
  EXPECT_EQ(slope(RuleId::Acos, {{1}}), -inf);
  EXPECT_EQ(slope(RuleId::Acosh, {{1}}), inf);
  EXPECT_EQ(slope(RuleId::Atanh, {{1}}), inf);
  EXPECT_EQ(slope(RuleId::Div, {{1, 0.0}}, 0), inf);
  EXPECT_EQ(slope(RuleId::Div, {{1, 0.0}}, 1), -inf);
  EXPECT_EQ(slope(RuleId::Pow, {{0.0, 0.5}}, 0), inf);
}

/// Half of the smallest seed is 0, which must not meet the infinite slope.
TEST(Ends, SlopesAreInfiniteForTheSmallestSeedToo) {
  double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(pullAt<double>(RuleId::Sqrt, {{0.0}}, tiny, 0), inf);
  EXPECT_EQ(pullAt<double>(RuleId::Sqrt, {{0.0}}, -tiny, 0), -inf);
  EXPECT_EQ(pullAt<double>(RuleId::Rsqrt, {{0.0}}, tiny, 0), -inf);
  EXPECT_EQ(pullAt<double>(RuleId::Rsqrt, {{0.0}}, -tiny, 0), inf);
}

TEST(Ends, UndefinedStaysUndefinedForASeed) {
  EXPECT_TRUE(std::isnan(slope(RuleId::Sqrt, {{-4}})));
  EXPECT_TRUE(std::isnan(slope(RuleId::Acosh, {{-4}})));
  EXPECT_TRUE(std::isnan(slope(RuleId::Asin, {{1.5}})));
  EXPECT_TRUE(std::isnan(slope(RuleId::Pow, {{-2, 3}}, 1)));
  EXPECT_TRUE(std::isnan(slope(RuleId::Hypot, {{0, 0}}, 0)));
  EXPECT_TRUE(std::isnan(slope(RuleId::Sin, {{inf}})));
}

TEST(Powers, ZeroBase) {
  for (double c : {2.0, 2.5, 3.0}) {
    EXPECT_EQ(slope(RuleId::Pow, {{0.0, c}}, 0), 0) << c;
    EXPECT_EQ(slope(RuleId::Pow, {{0.0, c}}, 1), 0) << c;
  }
  EXPECT_EQ(slope(RuleId::Pow, {{0.0, 1}}, 0), 1);
  EXPECT_EQ(slope(RuleId::Pow, {{0.0, 0}}, 0), 0);
  EXPECT_EQ(slope(RuleId::Pow, {{0.0, 0}}, 1), 0);
  EXPECT_EQ(slope(RuleId::Powi, {{0.0}, 0}), 0);
  EXPECT_EQ(slope(RuleId::Powi, {{0.0}, 1}), 1);
  EXPECT_EQ(slope(RuleId::Powi, {{0.0}, 2}), 0);
}

TEST(Powers, NegativeBaseWithAnIntegerExponent) {
  for (double a : {-2.0, -0.5}) {
    EXPECT_EQ(slope(RuleId::Pow, {{a, 3}}), 3 * a * a);
    EXPECT_EQ(slope(RuleId::Pow, {{a, 2}}), 2 * a);
    EXPECT_EQ(slope(RuleId::Pow, {{a, 1}}), 1);
    EXPECT_EQ(slope(RuleId::Pow, {{a, 0}}), 0);
    EXPECT_EQ(slope(RuleId::Pow, {{a, -1}}), -1 / (a * a));
  }
}

TEST(Powers, WherePowUnderflowsItsSlopeDoesNot) {
  expectRelative(slope(RuleId::Pow, {{1e-200, 2}}), 2e-200, 1e-15);
  expectRelative(slope(RuleId::Powi, {{1e-200}, 2}), 2e-200, 1e-15);
}

TEST(Limits, ZeroOverZero) {
  EXPECT_EQ(slope(RuleId::J1, {{0.0}}), 0.5);
  EXPECT_EQ(slope(RuleId::Jn, {{0, 0.0}, 1}, 1), 0.5);
  EXPECT_EQ(slope(RuleId::Frexp, {{0.0}}), 1);
  EXPECT_EQ(slope(RuleId::Frexp, {{-0.0}}), 1);
}

TEST(Axes, Atan2AndHypot) {
  EXPECT_EQ(slope(RuleId::Atan2, {{0, 2}}, 0), 0.5);
  EXPECT_EQ(slope(RuleId::Atan2, {{0, 2}}, 1), 0);
  EXPECT_EQ(slope(RuleId::Atan2, {{2, 0}}, 0), 0);
  EXPECT_EQ(slope(RuleId::Atan2, {{2, 0}}, 1), -0.5);
  EXPECT_EQ(slope(RuleId::Atan2, {{0, -2}}, 0), -0.5);
  EXPECT_EQ(slope(RuleId::Atan2, {{3, 3}}, 0), 1.0 / 6);
  EXPECT_EQ(slope(RuleId::Atan2, {{3, 3}}, 1), -1.0 / 6);
  EXPECT_EQ(slope(RuleId::Hypot, {{-2, 0}}, 0), -1);
  EXPECT_EQ(slope(RuleId::Hypot, {{-2, 0}}, 1), 0);
}

TEST(Extremes, NothingOverOrUnderflowsOnTheWay) {
  expectRelative(slope(RuleId::Hypot, {{1e200, 1e200}}), std::sqrt(0.5), 1e-15);
  expectRelative(slope(RuleId::Hypot, {{1e-200, 1e-200}}), std::sqrt(0.5),
                 1e-15);
  expectRelative(slope(RuleId::Hypot, {{1e-200, 5}}), 2e-201, 1e-15);
  expectRelative(slope(RuleId::Atan2, {{1e-200, 1e-200}}), 5e199, 1e-15);
  expectRelative(slope(RuleId::Atan2, {{1e200, 1e200}}, 1), -5e-201, 1e-15);
  expectRelative(slope(RuleId::Div, {{1e-200, 1e-200}}, 1), -1e200, 1e-15);
  expectRelative(slope(RuleId::Asinh, {{1e200}}), 1e-200, 1e-15);
  expectRelative(slope(RuleId::Acosh, {{1e200}}), 1e-200, 1e-15);
  expectRelative(slope(RuleId::Cbrt, {{1e-150}}), 1e100 / 3, 1e-15);
  expectRelative(slope(RuleId::Cbrt, {{-1e300}}), 1e-200 / 3, 1e-15);
  expectRelative(slope(RuleId::Sqrt, {{1e-280}}), 5e139, 1e-15);
  expectRelative(slope(RuleId::Log2, {{1e300}}), 1.4426950408889634e-300,
                 1e-15);
  expectRelative(slope(RuleId::Log1p, {{1e300}}), 1e-300, 1e-15);
  expectRelative(slope(RuleId::Expm1, {{-250}}), std::exp(-250.0), 1e-15);
  expectRelative(slope(RuleId::Cos, {{1e-150}}), -1e-150, 1e-15);
  expectRelative(slope(RuleId::Erf, {{26}}),
                 2 / std::sqrt(std::acos(-1.0)) * std::exp(-676.0), 1e-15);
  expectRelative(slope(RuleId::Erfc, {{26}}), -slope(RuleId::Erf, {{26}}), 0);
  EXPECT_EQ(slope(RuleId::Tanh, {{-1e10}}), 0);
  EXPECT_EQ(slope(RuleId::Atan, {{1e160}}), 0); // 1e-320 rounded down
  EXPECT_EQ(slope(RuleId::Erf, {{-1e200}}), 0);
}

/// 1/(1 + e^x) far to the right: the seed of e^x underflows to 0 where e^x
/// itself is infinite.
TEST(Extremes, ALogisticFunctionEndsInZero) {
  double seedOfPower = slope(RuleId::Div, {{1, inf}}, 1);
  EXPECT_EQ(seedOfPower, 0);
  EXPECT_EQ(pullAt<double>(RuleId::Exp, {{800}}, seedOfPower, 0), 0);
}

} // namespace
} // namespace retro::rules::test
