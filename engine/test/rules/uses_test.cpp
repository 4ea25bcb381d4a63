//===- uses_test.cpp - What the planner is told is what the rules read ----===//

#include "every_rule.h"

#include <gtest/gtest.h>

namespace retro::rules::test {
namespace {

class UsesOf : public testing::TestWithParam<RuleId> {};

TEST_EVERY_RULE(UsesOf);

/// What is not recorded may be lost: with NaN in its place the rule gives the
/// same number.
TEST_P(UsesOf, DoesNotNeedWhatItDoesNotRecord) {
  RuleId id = GetParam();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Point &p : domain(id))
    for (int i = 0; i < arityOf(id); ++i) {
      UseSet uses = usesOf(id, i);
      auto o = operandsAt<double>(id, p);
      for (int k = 0; k < 3; ++k)
        if (!uses.readsOperand(k)) {
          o.floats[static_cast<std::size_t>(k)] = nan;
          o.ints[static_cast<std::size_t>(k)] = 12345;
        }
      if (!uses.result)
        o.result = nan;
      NumericOps<double> b;
      EXPECT_EQ(pull(id, b, o, 1.5, i), pullAt<double>(id, p, 1.5, i))
          << nameOf(id) << p << " operand " << i;
    }
}

/// No path of a rule reads more than was recorded, and with nothing known
/// while building it reads exactly that.
TEST_P(UsesOf, RecordsExactlyWhatItReads) {
  RuleId id = GetParam();
  for (const Point &p : domain(id))
    for (int i = 0; i < arityOf(id); ++i) {
      auto o = operandsAt<double>(id, p);
      NumericOps<double> plain;
      pull(id, plain, o, 1.5, i);
      EXPECT_EQ(o.seen, usesOf(id, i)) << nameOf(id) << p << " operand " << i;

      auto again = operandsAt<double>(id, p);
      NumericOps<double> informed;
      informed.knowsOperands = true;
      EXPECT_EQ(pull(id, informed, again, 1.5, i),
                pullAt<double>(id, p, 1.5, i))
          << nameOf(id) << p << " operand " << i;
      EXPECT_EQ(again.seen | usesOf(id, i), usesOf(id, i)) << nameOf(id);
    }
}

/// Every recorded value matters: some point changes the result when it is lost.
TEST_P(UsesOf, RecordsNothingInVain) {
  RuleId id = GetParam();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  auto same = [](double x, double y) { return x == y || (x != x && y != y); };
  for (int i = 0; i < arityOf(id); ++i) {
    UseSet uses = usesOf(id, i);
    for (int k = 0; k < 4; ++k) {
      bool isResult = k == 3;
      if (isResult ? !uses.result : !uses.readsOperand(k))
        continue;
      bool matters = false;
      for (const Point &p : domain(id)) {
        auto o = operandsAt<double>(id, p);
        if (isResult) {
          o.result = nan;
        } else {
          double &x = o.floats[static_cast<std::size_t>(k)];
          x = x < 0 ? -x + 77.7 : -x - 77.7;
          o.ints[static_cast<std::size_t>(k)] += 3;
        }
        NumericOps<double> b;
        if (!same(pull(id, b, o, 1.5, i), pullAt<double>(id, p, 1.5, i)))
          matters = true;
      }
      EXPECT_TRUE(matters) << nameOf(id) << " operand " << i << " reads "
                           << (isResult ? "the result" : "operand ") << k;
    }
  }
}

TEST_P(UsesOf, IsZeroExactlyWhereItSaysSo) {
  RuleId id = GetParam();
  for (int i = 0; i < arityOf(id); ++i) {
    bool zero = true;
    for (const Point &p : domain(id))
      zero = zero && pullAt<double>(id, p, 1.5, i) == 0;
    EXPECT_EQ(hasZeroDerivative(id, i), zero) << nameOf(id) << " operand " << i;
    if (zero) {
      EXPECT_TRUE(usesOf(id, i).empty()) << nameOf(id) << " operand " << i;
    }
  }
}

/// The reuse of results that the cache planner counts on.
TEST(Uses, ResultsAreUsedRatherThanComputedAgain) {
  const UseSet result{0, true};
  for (RuleId id : {RuleId::Exp, RuleId::Exp2, RuleId::Exp10, RuleId::Tan,
                    RuleId::Tanh, RuleId::Sqrt, RuleId::Cbrt, RuleId::Rsqrt})
    EXPECT_EQ(usesOf(id, 0), result) << nameOf(id);
  EXPECT_EQ(usesOf(RuleId::Mul, 0), (UseSet{0b10, false}));
  EXPECT_EQ(usesOf(RuleId::Mul, 1), (UseSet{0b01, false}));
  EXPECT_EQ(usesOf(RuleId::Div, 0), (UseSet{0b10, false}));
  EXPECT_EQ(usesOf(RuleId::Div, 1), (UseSet{0b10, true}));
  EXPECT_EQ(usesOf(RuleId::Fma, 2), (UseSet{0, false}));
  EXPECT_EQ(usesOf(RuleId::Add, 0), (UseSet{0, false}));
}

TEST(Rules, HaveNamesAndArities) {
  EXPECT_STREQ(nameOf(RuleId::Fma), "Fma");
  EXPECT_EQ(arityOf(RuleId::Fma), 3);
  EXPECT_STREQ(nameOf(RuleId::None), "None");
  EXPECT_EQ(arityOf(RuleId::None), 0);
}

} // namespace
} // namespace retro::rules::test
