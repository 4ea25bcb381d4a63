// The checks at many random points: rates, where the other tests show single
// cases.
#include "functions.hpp"
#include "retrograde/verify.hpp"
#include <gtest/gtest.h>

using namespace retro::verify;
using Vector = std::vector<double>;

namespace {

constexpr std::uint64_t Points = 400;

struct Counts {
  int N[3] = {};
  int operator[](Outcome O) const { return N[static_cast<int>(O)]; }
};

/// Runs `Check(f, x, v, gradient * Factor)` at random points of 1 to 9
/// variables and of sizes from 1e-3 to 1e2.
template <typename CheckFn> Counts count(double Factor, CheckFn Check) {
  Counts C;
  for (std::uint64_t Seed = 1; Seed <= Points; ++Seed) {
    double Size = std::pow(10.0, static_cast<int>(Seed % 6) - 3);
    Vector X = randomVector(1 + Seed % 9, Seed, -Size, Size);
    Vector V = randomDirection(X.size(), Seed + 7), G = smoothGradient(X);
    for (double &Y : G)
      Y *= Factor;
    Verdict R = Check([](const Vector &At) { return smooth(At); }, X, V, G);
    ++C.N[static_cast<int>(R.outcome())];
  }
  return C;
}

Verdict entries(const Function &F, const Vector &X, const Vector &,
                const Vector &G) {
  return checkGradient(F, X, G);
}
Verdict direction(const Function &F, const Vector &X, const Vector &V,
                  const Vector &G) {
  return directionalDerivative(F, X, V, G);
}
Verdict taylor(const Function &F, const Vector &X, const Vector &V,
               const Vector &G) {
  return taylorRemainder(F, X, V, G);
}

} // namespace

TEST(Statistics, RightNeverFailsAndIsRarelyUnknown) {
  for (auto *Check : {entries, direction, taylor}) {
    Counts C = count(1, Check);
    EXPECT_EQ(C[Outcome::Failed], 0);
    EXPECT_LE(C[Outcome::Unknown], static_cast<int>(Points) / 50);
  }
}

TEST(Statistics, DifferencesNeverPassAFactorOf1e6) {
  for (double Factor : {1 + 1e-6, 1 - 1e-6})
    for (auto *Check : {entries, direction}) {
      Counts C = count(Factor, Check);
      EXPECT_EQ(C[Outcome::Passed], 0);
      EXPECT_EQ(C[Outcome::Unknown], 0);
    }
}

TEST(Statistics, TaylorRarelyPassesAFactorOf1e4) {
  // It does where <g, v> nearly cancels, and says so in its sensitivity.
  for (double Factor : {1 + 1e-4, 1 - 1e-4}) {
    Counts C = count(Factor, taylor);
    EXPECT_LE(C[Outcome::Passed], static_cast<int>(Points) / 100);
    EXPECT_GE(C[Outcome::Failed], static_cast<int>(Points) * 9 / 10);
  }
}
