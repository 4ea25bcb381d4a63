//===- derivative_test.cpp - Every rule against differences ---------------===//
//
// The reference is the derivative of the function itself, taken by extrapolated
// differences in binary128, at the very operands that the rule sees. It knows
// nothing of the rule, so a wrong sign, factor or operand cannot hide.
//
//===----------------------------------------------------------------------===//

#include "differences.h"
#include "every_rule.h"

#include <gtest/gtest.h>

namespace retro::rules::test {
namespace {

/// How far the rule may be off, in units of the last place of T.
struct Tolerance {
  double relative = 6; ///< times the derivative
  double absolute = 0; ///< times 1
};

Tolerance toleranceOf(RuleId id) {
  switch (id) {
  case RuleId::Tanh: // rounding of the result near 1 and -1
    return {6, 2};
  case RuleId::Tan: // twice the error of the result
  case RuleId::Tanpi:
    return {12, 0};
  case RuleId::Erf: // exp(-x^2): the rounding of x^2 = 676 counts 676 times
  case RuleId::Erfc:
    return {700, 0};
  case RuleId::Pow: // c - 1 and ln a are rounded, and the power amplifies it
  case RuleId::Powi:
    return {20, 0};
  case RuleId::Tgamma: // the C library promises 6 to 10 units
  case RuleId::Lgamma: // digamma passes through 0 at 1.4616
    return {20, 8};
  case RuleId::J0: // the C library promises absolute accuracy only
  case RuleId::J1:
  case RuleId::Jn:
  case RuleId::Y0:
  case RuleId::Y1:
  case RuleId::Yn:
    return {12, 12};
  default:
    return {};
  }
}

/// How the differences are to step: on the scale of the operand for functions
/// that change by factors (logarithms, powers), on the scale of 1 for the rest;
/// finely where a wide step would straddle a jump.
struct Steps {
  bool ofOperand = false;
  int coarsest = 3;
};

Steps stepsOf(RuleId id) {
  switch (id) {
  case RuleId::Remainder:
  case RuleId::Flat:
  case RuleId::Shift:
  case RuleId::Frexp:
    return {true, 12};
  case RuleId::Exp:
  case RuleId::Exp2:
  case RuleId::Exp10:
  case RuleId::Expm1:
  case RuleId::Log1p:
  case RuleId::Sin:
  case RuleId::Cos:
  case RuleId::Tan:
  case RuleId::Asin:
  case RuleId::Acos:
  case RuleId::Atan:
  case RuleId::Sinpi:
  case RuleId::Cospi:
  case RuleId::Tanpi:
  case RuleId::Sinh:
  case RuleId::Cosh:
  case RuleId::Tanh:
  case RuleId::Asinh:
  case RuleId::Acosh:
  case RuleId::Atanh:
  case RuleId::Erf:
  case RuleId::Erfc:
  case RuleId::Tgamma:
  case RuleId::Lgamma:
  case RuleId::J0:
  case RuleId::J1:
  case RuleId::Jn:
  case RuleId::Y0:
  case RuleId::Y1:
  case RuleId::Yn:
    return {};
  default:
    return {true, 3};
  }
}

/// \p p in the precision of T, if \p id and its operands have values there and
/// rounding does not move it to 1 or -1, where some domains end.
template <class T> std::optional<Point> rounded(RuleId id, Point p) {
  for (double &v : p.x) {
    T near = static_cast<T>(v);
    if (v != 0 && !std::isnormal(near))
      return std::nullopt;
    if (std::fabs(near) == 1 && std::fabs(v) != 1)
      return std::nullopt;
    v = static_cast<double>(near);
  }
  T value = operandsAt<T>(id, p).result;
  if (value != 0 && !std::isnormal(value))
    return std::nullopt;
  return p;
}

class DerivativeOf : public testing::TestWithParam<RuleId> {};

template <class T> void compare(RuleId id, double unit) {
  Tolerance tolerance = toleranceOf(id);
  int compared = 0;
  for (const Point &point : domain(id)) {
    std::optional<Point> near = rounded<T>(id, point);
    if (!near)
      continue;
    const Point &p = *near;
    for (int i = 0; i < arityOf(id); ++i) {
      if (i == integerOperand(id))
        continue;
      std::array<Quad, 3> x{Quad(p.x[0]), Quad(p.x[1]), Quad(p.x[2])};
      Quad &moving = x[static_cast<std::size_t>(i)];
      const Quad at = moving;
      auto along = [&](Quad t) {
        moving = t;
        return primal<Quad>(id, x, p.n);
      };
      Steps steps = stepsOf(id);
      Quad size = at == 0 ? Quad(1) : libm::fabs(at);
      Estimate want = differentiate(along, at, steps.ofOperand ? size : Quad(1),
                                    steps.coarsest);
      Quad wanted = libm::fabs(want.value);
      if (wanted > std::numeric_limits<T>::max() ||
          (wanted > 0 && wanted < std::numeric_limits<T>::min()))
        continue;
      Quad got = pullAt<T>(id, p, T(1), i);

      // What is below the resolution of the differences counts as 0.
      Quad floor = Quad(1e-24) * libm::fabs(along(at)) / size;
      Quad allowed =
          Quad(unit) * (tolerance.relative * wanted + tolerance.absolute);
      SCOPED_TRACE(testing::Message() << nameOf(id) << p << " operand " << i);
      ASSERT_TRUE(want.error <= allowed / 4 || wanted <= floor)
          << "differences are not accurate: " << double(want.value) << " +- "
          << double(want.error);
      EXPECT_TRUE(libm::fabs(got - want.value) <=
                  (wanted <= floor ? floor : allowed + want.error))
          << "got " << double(got) << ", want " << double(want.value);
      ++compared;
    }
  }
  EXPECT_GT(compared, 0) << nameOf(id);
}

TEST_P(DerivativeOf, AgreesWithDifferencesInFloat) {
  compare<float>(GetParam(), std::numeric_limits<float>::epsilon());
}

TEST_P(DerivativeOf, AgreesWithDifferencesInDouble) {
  compare<double>(GetParam(), std::numeric_limits<double>::epsilon());
}

TEST_P(DerivativeOf, AgreesWithDifferencesInLongDouble) {
  compare<long double>(
      GetParam(),
      static_cast<double>(std::numeric_limits<long double>::epsilon()));
}

TEST_EVERY_RULE(DerivativeOf);

/// The remainder rounded to nearest shares its rule with the truncated one.
TEST(Remainder, ServesTheIeeeRemainderToo) {
  for (Point p : {Point{{7.3, 2}}, Point{{-7.3, 2}}, Point{{6.7, 2}},
                  Point{{1.2, 5}}, Point{{5.2, 0.9}}}) {
    auto o = operandsAt<double>(RuleId::Remainder, p);
    o.result = std::remainder(p.x[0], p.x[1]);
    NumericOps<double> b;
    EXPECT_EQ(pull(RuleId::Remainder, b, o, 1.0, 0), 1.0) << p;
    EXPECT_EQ(pull(RuleId::Remainder, b, o, 1.0, 1),
              -std::nearbyint(p.x[0] / p.x[1]))
        << p;
  }
}

TEST(Remainder, CountsWholeMultiplesExactly) {
  // 3e15 / 0.1 in double rounds up to an integer that fmod has not reached.
  for (Point p : {Point{{1, 0.1}}, Point{{3e12, 0.1}}, Point{{7, 0.7}}}) {
    Quad n =
        (Quad(p.x[0]) - libm::fmod(Quad(p.x[0]), Quad(p.x[1]))) / Quad(p.x[1]);
    EXPECT_EQ(pullAt<double>(RuleId::Remainder, p, 1.0, 1),
              -double(libm::round(n)))
        << p;
  }
}

} // namespace
} // namespace retro::rules::test
