#include "retrograde/verify.hpp"
#include <gtest/gtest.h>

using namespace retro::verify;

namespace {
const std::vector<double> Reference = {1.5, -2.0, 3e-7, 40.0};
}

TEST(CompareEntries, EqualPasses) {
  Verdict V = compareEntries(Reference, Reference);
  EXPECT_TRUE(V.passed);
  EXPECT_EQ(V.error, 0);
}

TEST(CompareEntries, MeasuresEachEntryAgainstItself) {
  std::vector<double> G = Reference;
  G[2] *= 1 + 1e-6;
  Verdict V = compareEntries(G, Reference);
  EXPECT_EQ(V.outcome(), Outcome::Failed);
  EXPECT_NEAR(V.error, 1e-6, 1e-9);
  EXPECT_NE(V.detail.find("worst at 2"), std::string::npos) << V.detail;
}

TEST(CompareEntries, FloorForgivesEntriesFarBelowTheLargest) {
  std::vector<double> R = {1.0, 0.0}, G = {1.0, 1e-14};
  EXPECT_FALSE(compareEntries(G, R).passed);
  EXPECT_TRUE(compareEntries(G, R, {.tolerance = 1e-12, .floor = 1}).passed);
}

TEST(CompareEntries, WrongGradientsFail) {
  auto Outcome = [](std::vector<double> G) {
    return compareEntries(G, Reference).outcome();
  };
  EXPECT_EQ(Outcome({-1.5, 2.0, -3e-7, -40.0}), Outcome::Failed);
  EXPECT_EQ(Outcome({1.5, -2.0, 0.0, 40.0}), Outcome::Failed);
  EXPECT_EQ(Outcome({0, 0, 0, 0}), Outcome::Failed);
  EXPECT_EQ(Outcome({1.5, NAN, 3e-7, 40.0}), Outcome::Failed);
  EXPECT_EQ(Outcome({1.5, -2.0, 3e-7, INFINITY}), Outcome::Failed);
  EXPECT_EQ(Outcome({1.5, -2.0, 3e-7}), Outcome::Failed);
}

TEST(CompareEntries, NanInBothStillFails) {
  std::vector<double> N = {NAN};
  EXPECT_EQ(compareEntries(N, N).outcome(), Outcome::Failed);
}

TEST(CompareEntries, ZeroReferenceNonzeroGradientFails) {
  EXPECT_EQ(
      compareEntries(std::vector{0.0, 1e-300}, std::vector{0.0, 0.0}).outcome(),
      Outcome::Failed);
}

TEST(CompareEntries, ZeroAgainstZeroIsVacuousUnlessAllowed) {
  std::vector<double> Zero(3);
  Verdict V = compareEntries(Zero, Zero);
  EXPECT_EQ(V.outcome(), Outcome::Unknown);
  EXPECT_EQ(V.detail.rfind("vacuous", 0), 0u);
  EXPECT_TRUE(compareEntries(Zero, Zero, {.allowZero = true}).passed);
  EXPECT_EQ(compareEntries(View(nullptr, 0), View(nullptr, 0)).outcome(),
            Outcome::Unknown);
}

TEST(DotProduct, TransposedMatrixPasses) {
  // J = [[1,2,3],[4,5,6]]
  std::vector<double> V = {0.5, -1, 2}, W = {3, -0.25};
  std::vector<double> Jv = {4.5, 9}, JTw = {2, 4.75, 7.5};
  Verdict R = dotProduct(W, Jv, JTw, V);
  EXPECT_TRUE(R.passed) << R.detail;
}

TEST(DotProduct, WrongReverseFails) {
  std::vector<double> V = {0.5, -1, 2}, W = {3, -0.25}, Jv = {4.5, 9};
  auto Outcome = [&](std::vector<double> JTw) {
    return dotProduct(W, Jv, JTw, V).outcome();
  };
  EXPECT_EQ(Outcome({2, 4.75, 7.5 * (1 + 1e-6)}), Outcome::Failed);
  EXPECT_EQ(Outcome({2, 0, 7.5}), Outcome::Failed);
  EXPECT_EQ(Outcome({0, 0, 0}), Outcome::Failed);
  EXPECT_EQ(Outcome({2, NAN, 7.5}), Outcome::Failed);
  EXPECT_EQ(Outcome({2, 4.75}), Outcome::Failed);
}

TEST(DotProduct, CancellationIsNotChargedToTheDerivatives) {
  // <w,Jv> = 1 - 1 + rounding: relative to the result the error is large.
  std::vector<double> W = {1, 1}, Jv = {1, -1 + 1e-15}, JTw = {0.0}, V = {1};
  EXPECT_TRUE(dotProduct(W, Jv, JTw, V).passed);
}

TEST(DotProduct, ZeroIsVacuousUnlessAllowed) {
  std::vector<double> Zero = {0.0}, One = {1.0};
  EXPECT_EQ(dotProduct(One, Zero, Zero, One).outcome(), Outcome::Unknown);
  EXPECT_TRUE(dotProduct(One, Zero, Zero, One, {.allowZero = true}).passed);
}
