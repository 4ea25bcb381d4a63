#include "functions.hpp"
#include "retrograde/verify.hpp"
#include <gtest/gtest.h>

using namespace retro::verify;
using Vector = std::vector<double>;

namespace {
double ofTaylor(const Vector &X) { return smooth(X); }
} // namespace

class Taylor : public testing::TestWithParam<std::uint64_t> {
protected:
  Vector X = randomVector(8, GetParam(), 0.2, 2.0);
  Vector G = smoothGradient(X);
  Vector V = randomDirection(8, GetParam() + 100);
};

TEST_P(Taylor, RightIsOfSecondOrder) {
  Verdict R = taylorRemainder(ofTaylor, X, V, G);
  EXPECT_TRUE(R.passed) << format(R);
  EXPECT_LT(R.error, 0.05) << format(R);
}

TEST_P(Taylor, WrongIsOfFirstOrder) {
  for (double Factor : {-1.0, 0.0, 1 + 1e-5, 1 - 1e-5, 1.5}) {
    Vector Wrong = G;
    for (double &Y : Wrong)
      Y *= Factor;
    Verdict R = taylorRemainder(ofTaylor, X, V, Wrong);
    EXPECT_EQ(R.outcome(), Outcome::Failed) << Factor << ": " << format(R);
  }
  // Near the limit of what the remainder shows: no pass, if not a failure.
  for (double Factor : {1 + 1e-6, 1 - 1e-6}) {
    Vector Wrong = G;
    for (double &Y : Wrong)
      Y *= Factor;
    EXPECT_FALSE(taylorRemainder(ofTaylor, X, V, Wrong).passed) << Factor;
  }
  Vector Missing = G;
  Missing[3] = 0;
  EXPECT_EQ(taylorRemainder(ofTaylor, X, V, Missing).outcome(),
            Outcome::Failed);
  Missing[3] = NAN;
  EXPECT_EQ(taylorRemainder(ofTaylor, X, V, Missing).outcome(),
            Outcome::Failed);
}

INSTANTIATE_TEST_SUITE_P(Points, Taylor, testing::Range<std::uint64_t>(1, 9));

TEST(TaylorRemainder, HigherOrderPasses) {
  auto Odd = [](const Vector &X) { return std::sin(X[0]); }; // f''(0) = 0
  Verdict R = taylorRemainder(Odd, {0.0}, Vector{1.0}, Vector{1.0});
  EXPECT_TRUE(R.passed) << format(R);
}

TEST(TaylorRemainder, LinearFunctions) {
  auto Linear = [](const Vector &X) { return 3 * X[0] - 0.7 * X[1]; };
  Vector X = {1.1, 2.3}, V = {0.6, -0.9};
  Verdict R = taylorRemainder(Linear, X, V, Vector{3, -0.7});
  EXPECT_TRUE(R.passed) << format(R);
  EXPECT_LT(R.tolerance, 1e-12) << format(R);
  EXPECT_EQ(taylorRemainder(Linear, X, V, Vector{3, 0.7}).outcome(),
            Outcome::Failed);
  EXPECT_EQ(taylorRemainder(Linear, X, V, Vector{3 + 3e-6, -0.7}).outcome(),
            Outcome::Failed);
}

TEST(TaylorRemainder, StationaryPoint) {
  auto Bowl = [](const Vector &X) { return std::cosh(X[0]); };
  EXPECT_TRUE(taylorRemainder(Bowl, {0.0}, Vector{1.0}, Vector{0.0}).passed);
  EXPECT_FALSE(taylorRemainder(Bowl, {0.0}, Vector{1.0}, Vector{1e-6}).passed);
}

TEST(TaylorRemainder, ConstantIsVacuousUnlessAllowed) {
  auto Constant = [](const Vector &) { return 2.0; };
  Verdict R = taylorRemainder(Constant, {1.0}, Vector{1.0}, Vector{0.0});
  EXPECT_EQ(R.outcome(), Outcome::Unknown);
  EXPECT_TRUE(taylorRemainder(Constant, {1.0}, Vector{1.0}, Vector{0.0},
                              {.allowZero = true})
                  .passed);
  EXPECT_EQ(
      taylorRemainder(Constant, {1.0}, Vector{1.0}, Vector{0.5}).outcome(),
      Outcome::Failed);
}

TEST(TaylorRemainder, NoisyFunctionIsUnknown) {
  auto Rough = [](const Vector &X) {
    return std::exp(X[0]) + std::sin(1e15 * X[0]);
  };
  EXPECT_EQ(taylorRemainder(Rough, {0.7}, Vector{1.0}, Vector{std::exp(0.7)})
                .outcome(),
            Outcome::Unknown);
}

TEST(TaylorRemainder, KinkIsUnknown) {
  auto Kink = [](const Vector &X) { return std::abs(X[0]) + std::exp(X[0]); };
  for (double OneSided : {0.0, 1.0, 2.0}) {
    Verdict R = taylorRemainder(Kink, {0.0}, Vector{1.0}, Vector{OneSided});
    EXPECT_EQ(R.outcome(), Outcome::Unknown) << format(R);
  }
}
