#include "retrograde/verify.hpp"
#include "retrograde/verify_json.hpp"
#include <gtest/gtest.h>
#include <sstream>

using namespace retro::verify;

TEST(Verdict, JudgePassesExactlyUpToTheTolerance) {
  EXPECT_TRUE(judge("c", 1e-9, 1e-9).passed);
  EXPECT_FALSE(judge("c", 1.0000001e-9, 1e-9).passed);
}

TEST(Verdict, NanNeverPasses) {
  EXPECT_EQ(judge("c", NAN, 1).outcome(), Outcome::Failed);
  EXPECT_EQ(judge("c", 0, NAN).outcome(), Outcome::Failed);
}

TEST(Verdict, UnknownIsNeverAPass) {
  Verdict V = unknown("c", "why", 0, 1);
  EXPECT_FALSE(V.passed);
  EXPECT_EQ(V.outcome(), Outcome::Unknown);
  V.passed = true; // even if someone sets it by hand
  EXPECT_EQ(V.outcome(), Outcome::Unknown);
  EXPECT_FALSE(allPassed({V}));
}

TEST(Verdict, CombinedTakesTheWorst) {
  Verdict Good = judge("a", 0, 1), Bad = judge("b", 2, 1),
          Open = unknown("c", "");
  EXPECT_EQ(combined({Good, Good}), Outcome::Passed);
  EXPECT_EQ(combined({Good, Open}), Outcome::Unknown);
  EXPECT_EQ(combined({Open, Bad, Good}), Outcome::Failed);
  EXPECT_EQ(combined({}), Outcome::Unknown) << "no check is not a pass";
  EXPECT_FALSE(allPassed({}));
}

TEST(Verdict, PrintsErrorToleranceAndCounts) {
  std::ostringstream OS;
  print(OS, {judge("entries", 2.5e-13, 1e-12, "3 entries"),
             unknown("taylor", "too noisy")});
  EXPECT_NE(OS.str().find("passed   entries  error 2.5e-13   tolerance "
                          "1.0e-12   3 entries"),
            std::string::npos)
      << OS.str();
  EXPECT_NE(OS.str().find("unknown  taylor   error -"), std::string::npos)
      << OS.str();
  EXPECT_NE(OS.str().find("1 passed, 0 failed, 1 unknown"), std::string::npos);
}

TEST(Verdict, JsonRoundTrip) {
  for (const Verdict &V :
       {judge("a", 0.1, 1, "d"), judge("b", NAN, 1), unknown("c", "why")}) {
    nlohmann::json J = nlohmann::json::parse(nlohmann::json(V).dump());
    EXPECT_EQ(J.at("outcome"), name(V.outcome()));
    Verdict Back = J.get<Verdict>();
    EXPECT_EQ(Back.outcome(), V.outcome());
    EXPECT_EQ(Back.check, V.check);
    EXPECT_EQ(Back.detail, V.detail);
    EXPECT_EQ(std::isnan(Back.error), std::isnan(V.error));
    if (!std::isnan(V.error))
      EXPECT_EQ(Back.error, V.error);
  }
}

TEST(Random, IsReproducibleAndInRange) {
  EXPECT_EQ(randomVector(5, 7), randomVector(5, 7));
  EXPECT_NE(randomVector(5, 7), randomVector(5, 8));
  for (double X : randomVector(1000, 3, 2, 5)) {
    EXPECT_GE(X, 2);
    EXPECT_LT(X, 5);
  }
  int Negative = 0;
  for (double X : randomDirection(1000, 3)) {
    EXPECT_GE(std::abs(X), 0.5);
    EXPECT_LT(std::abs(X), 1);
    Negative += X < 0;
  }
  EXPECT_GT(Negative, 400);
  EXPECT_LT(Negative, 600);
}
