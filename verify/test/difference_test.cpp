#include "functions.hpp"
#include "retrograde/verify.hpp"
#include <gtest/gtest.h>

using namespace retro::verify;
using Vector = std::vector<double>;

namespace {
double f(const Vector &X) { return smooth(X); }
} // namespace

//===----------------------------------------------------------------------===//
// The estimate and its error bar
//===----------------------------------------------------------------------===//

struct OneDimensional {
  const char *Name;
  double (*F)(double);
  double At, Derivative;
};

void PrintTo(const OneDimensional &P, std::ostream *OS) { *OS << P.Name; }

class EstimateOf : public testing::TestWithParam<OneDimensional> {};

TEST_P(EstimateOf, ErrorBarCoversTheErrorAndIsTight) {
  const OneDimensional &P = GetParam();
  Estimate E =
      estimateEntry([&](const Vector &X) { return P.F(X[0]); }, {P.At}, 0);
  EXPECT_EQ(E.trouble, "");
  EXPECT_LE(std::abs(E.value - P.Derivative), 3 * E.error);
  EXPECT_LE(E.error, 1e-9 * std::abs(P.Derivative)) << "a useless bar";
  EXPECT_GT(E.error, 0);
  EXPECT_LE(E.evaluations, 50);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, EstimateOf,
    testing::Values(
        OneDimensional{"exp", [](double X) { return std::exp(X); }, 1.3,
                       std::exp(1.3)},
        OneDimensional{"sin", [](double X) { return std::sin(X); }, 0, 1},
        OneDimensional{"log", [](double X) { return std::log(X); }, 1e-3, 1e3},
        OneDimensional{"logLarge", [](double X) { return std::log(X); }, 1e9,
                       1e-9},
        OneDimensional{"sqrtSmall", [](double X) { return std::sqrt(X); },
                       1e-12, 0.5e6},
        OneDimensional{"square", [](double X) { return X * X; }, -7.1, -14.2},
        OneDimensional{"affine", [](double X) { return 3 * X + 1; }, 0.1, 3},
        OneDimensional{"steep", [](double X) { return std::tanh(1e3 * X); },
                       1e-4, 1e3 / (std::cosh(0.1) * std::cosh(0.1))},
        OneDimensional{"power", [](double X) { return std::pow(X, 9); }, 2,
                       9 * 256.0}),
    [](const auto &Info) { return std::string(Info.param.Name); });

TEST(Noise, IsSeenWhenTheFunctionIsNoisy) {
  auto Rough = [](const Vector &X) {
    // A deterministic error of relative size 1e-9.
    double Hash = std::sin(1e15 * X[0]);
    return std::exp(X[0]) * (1 + 1e-9 * Hash);
  };
  double Noise = evaluationNoise(Rough, {0.7}, {1});
  EXPECT_GT(Noise, 2e-10);
  EXPECT_LT(Noise, 2e-8);
  EXPECT_LT(evaluationNoise([](const Vector &X) { return std::exp(X[0]); },
                            {0.7}, {1}),
            1e-15);
}

TEST(Noise, SinglePrecisionIsSeen) {
  auto Single = [](const Vector &X) {
    return std::exp(static_cast<float>(X[0])) * std::sin(float(X[1]));
  };
  Vector X = {0.75, 1.1f}, V = {1, 0.7};
  double Noise = evaluationNoise(Single, X, V, 0x1p-24);
  EXPECT_GT(Noise, 3e-8);
  EXPECT_LT(Noise, 3e-6);
  double Exact = std::exp(0.75) * std::cos(1.1f);
  Estimate E = estimateEntry(Single, X, 1, {.roundoff = 0x1p-24});
  EXPECT_LE(std::abs(E.value - Exact), 3 * E.error);
  EXPECT_LE(E.error, 1e-3 * Exact);
}

//===----------------------------------------------------------------------===//
// One entry
//===----------------------------------------------------------------------===//

TEST(CentralDifference, RightPassesWrongFails) {
  Vector X = {0.3, -1.2, 0.8, 2.1}, G = smoothGradient(X);
  for (std::size_t I = 0; I < X.size(); ++I) {
    EXPECT_TRUE(centralDifference(f, X, I, G[I]).passed);
    for (double Wrong :
         {-G[I], G[I] * (1 + 1e-6), 0.0, (double)NAN, (double)INFINITY})
      EXPECT_EQ(centralDifference(f, X, I, Wrong).outcome(), Outcome::Failed)
          << Wrong << " for " << G[I];
  }
}

TEST(CentralDifference, IllConditionedIsUnknown) {
  // x is lost in the rounding of 1e16 + x.
  auto Absorbed = [](const Vector &X) { return 1e16 + X[0]; };
  EXPECT_EQ(centralDifference(Absorbed, {1.0}, 0, 1.0).outcome(),
            Outcome::Unknown);
  auto Rough = [](const Vector &X) {
    return std::exp(X[0]) * (1 + 1e-6 * std::sin(1e15 * X[0]));
  };
  EXPECT_EQ(centralDifference(Rough, {0.7}, 0, std::exp(0.7)).outcome(),
            Outcome::Unknown);
}

TEST(CentralDifference, RoughEstimateStillRefutesTheOppositeSign) {
  auto Rough = [](const Vector &X) {
    return std::exp(X[0]) * (1 + 1e-8 * std::sin(1e15 * X[0]));
  };
  EXPECT_EQ(centralDifference(Rough, {0.7}, 0, -std::exp(0.7)).outcome(),
            Outcome::Failed);
}

TEST(CentralDifference, KinkIsUnknown) {
  auto Kink = [](const Vector &X) { return std::abs(X[0]) + X[0]; };
  EXPECT_EQ(centralDifference(Kink, {0.0}, 0, 1.0).outcome(), Outcome::Unknown);
}

TEST(CentralDifference, StructureFinerThanTheFirstStepsIsFound) {
  // Near the kink at 1 + 2^-9, left of it the slope is -1.
  auto Near = [](const Vector &X) { return std::abs(X[0] - 1.001953125); };
  EXPECT_TRUE(centralDifference(Near, {1.0}, 0, -1.0).passed);
  EXPECT_EQ(centralDifference(Near, {1.0}, 0, 1.0).outcome(), Outcome::Failed);
}

TEST(CentralDifference, EdgeOfTheDomainIsHandled) {
  auto Log = [](const Vector &X) { return std::log(X[0] - 0.99); };
  EXPECT_TRUE(centralDifference(Log, {1.0}, 0, 100.0).passed);
  auto Root = [](const Vector &X) { return std::sqrt(X[0]); };
  EXPECT_EQ(centralDifference(Root, {0.0}, 0, 1.0).outcome(), Outcome::Unknown);
}

TEST(CentralDifference, ZeroAgainstZeroIsVacuousUnlessAllowed) {
  auto Constant = [](const Vector &) { return 3.0; };
  EXPECT_EQ(centralDifference(Constant, {1.0}, 0, 0.0).outcome(),
            Outcome::Unknown);
  EXPECT_TRUE(
      centralDifference(Constant, {1.0}, 0, 0.0, {.allowZero = true}).passed);
  EXPECT_EQ(centralDifference(Constant, {1.0}, 0, 1e-6).outcome(),
            Outcome::Failed);
}

//===----------------------------------------------------------------------===//
// Directions and whole gradients
//===----------------------------------------------------------------------===//

class WholeGradient : public testing::Test {
protected:
  Vector X = randomVector(12, 5, 0.2, 2.0);
  Vector G = smoothGradient(X);
  Vector V = randomDirection(12, 6);

  Outcome entries(const Vector &Claimed, GradientOptions Options = {}) {
    Verdict R = checkGradient(f, X, Claimed, Options);
    Detail = R.detail;
    return R.outcome();
  }
  Outcome direction(const Vector &Claimed) {
    Verdict R = directionalDerivative(f, X, V, Claimed);
    Verdict Again = directionalDerivative(Along, V, Claimed);
    EXPECT_EQ(format(Again), format(R));
    Detail = R.detail;
    return R.outcome();
  }
  Estimate Along = estimateAlong(f, X, V);
  std::string Detail;
};

TEST_F(WholeGradient, RightPasses) {
  EXPECT_EQ(entries(G), Outcome::Passed) << Detail;
  EXPECT_EQ(direction(G), Outcome::Passed) << Detail;
  EXPECT_EQ(entries(G, {.sample = 3}), Outcome::Passed) << Detail;
}

TEST_F(WholeGradient, WrongFails) {
  auto Changed = [&](auto Change) {
    Vector Wrong = G;
    Change(Wrong);
    return Wrong;
  };
  std::vector<Vector> Wrongs = {
      Changed([](Vector &W) {
        for (double &Y : W)
          Y = -Y;
      }),
      Changed([](Vector &W) {
        for (double &Y : W)
          Y *= 1 + 1e-6;
      }),
      Changed([](Vector &W) { W[4] *= 1 + 1e-6; }),
      Changed([](Vector &W) { W[7] = 0; }),
      Changed([](Vector &W) { W[2] = NAN; }),
      Changed([](Vector &W) { W.assign(W.size(), 0); }),
      Changed([](Vector &W) { W.pop_back(); })};
  for (std::size_t I = 0; I < Wrongs.size(); ++I) {
    EXPECT_EQ(entries(Wrongs[I]), Outcome::Failed) << I << ": " << Detail;
    EXPECT_EQ(direction(Wrongs[I]), Outcome::Failed) << I << ": " << Detail;
    // A sample of one sees the rest through the random direction.
    EXPECT_EQ(entries(Wrongs[I], {.sample = 1}), Outcome::Failed)
        << I << ": " << Detail;
  }
}

TEST_F(WholeGradient, NamesTheWorstEntry) {
  Vector Wrong = G;
  Wrong[7] = 0;
  Verdict R = checkGradient(f, X, Wrong);
  EXPECT_NE(R.detail.find("worst [7]"), std::string::npos) << R.detail;
  EXPECT_NE(R.detail.find("1 failed"), std::string::npos) << R.detail;
}

TEST(CheckGradient, ZeroIsVacuousUnlessAllowedAndOneZeroIsOrdinary) {
  auto Constant = [](const Vector &) { return 3.0; };
  Vector X = {1, 2}, Zero = {0, 0};
  EXPECT_EQ(checkGradient(Constant, X, Zero).outcome(), Outcome::Unknown);
  EXPECT_TRUE(checkGradient(Constant, X, Zero, {.allowZero = true}).passed);

  auto First = [](const Vector &X) { return std::sin(X[0]); };
  EXPECT_TRUE(checkGradient(First, X, Vector{std::cos(1.0), 0.0}).passed);
  EXPECT_FALSE(checkGradient(First, X, Vector{std::cos(1.0), 1e-4}).passed);
}

TEST(CheckGradient, OneUnknownEntryMakesTheWholeUnknown) {
  auto Kink = [](const Vector &X) { return std::exp(X[0]) + std::abs(X[1]); };
  Verdict R = checkGradient(Kink, {1.0, 0.0}, Vector{std::exp(1.0), 0.0});
  EXPECT_EQ(R.outcome(), Outcome::Unknown) << R.detail;
}

//===----------------------------------------------------------------------===//
// Complex step
//===----------------------------------------------------------------------===//

TEST(ComplexStep, RightPassesWrongFails) {
  using Complex = std::vector<std::complex<double>>;
  auto F = [](const Complex &Z) { return smooth(Z); };
  Vector X = {0.3, -1.2, 0.8, 2.1}, G = smoothGradient(X);
  Vector V = randomDirection(4, 9);
  EXPECT_TRUE(complexStep(F, X, V, G).passed);
  Vector Wrong = G;
  Wrong[1] *= 1 + 1e-10; // far beyond what differences could see
  EXPECT_EQ(complexStep(F, X, V, Wrong).outcome(), Outcome::Failed);
  Wrong[1] = NAN;
  EXPECT_EQ(complexStep(F, X, V, Wrong).outcome(), Outcome::Failed);
}

TEST(ComplexStep, NonAnalyticCodeIsUnknown) {
  using Complex = std::vector<std::complex<double>>;
  auto Modulus = [](const Complex &Z) {
    return std::complex<double>(std::abs(Z[0]));
  };
  // The complex step yields 0 here, and so does the wrong gradient.
  EXPECT_EQ(complexStep(Modulus, {2.0}, Vector{1.0}, Vector{0.0}).outcome(),
            Outcome::Unknown);
  EXPECT_EQ(complexStep(Modulus, {2.0}, Vector{1.0}, Vector{1.0}).outcome(),
            Outcome::Unknown);
}
