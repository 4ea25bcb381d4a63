// The proofs themselves: what is false is refuted, what is vacuous proves
// nothing, and the mistakes in a rule are found.
#include "calculus.h"
#include "floats/ieee.h"
#include "report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace retro::proofs {
namespace {

const Limits limits{10000, ""};

TEST(Obligations, AFalseClaimIsRefutedWithACounterexample) {
  z3::context c;
  z3::expr x = c.real_const("x");
  Verdict v = check({"x > 1 gives x > 2", {x > 1}, x > 2}, limits);
  EXPECT_EQ(v.answer, Answer::Refuted);
  EXPECT_NE(v.detail.find("x = "), std::string::npos) << v.detail;
  EXPECT_EQ(check({"", {x > 2}, x > 1}, limits).answer, Answer::Proved);
}

TEST(Obligations, WhatCannotHoldProvesNothing) {
  z3::context c;
  z3::expr x = c.real_const("x");
  Verdict v = check({"", {x > 1, x < 0}, x == 5}, limits);
  EXPECT_EQ(v.answer, Answer::Unknown);
  EXPECT_EQ(v.detail, "nothing satisfies what is given");
}

TEST(Obligations, ACounterexampleInSymbolsForOperationsIsNotOne) {
  z3::context c;
  z3::expr x = c.real_const("x");
  Obligation o{"", {x > 1}, x > 2, false, false};
  EXPECT_EQ(check(o, limits).answer, Answer::Unknown);
}

/// The solver's answer to what was written is its answer to what was asked.
TEST(Obligations, AreWrittenAsTheyWereAsked) {
  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "retro-smt2";
  std::filesystem::create_directories(folder);
  z3::context c;
  z3::expr x = c.real_const("x");
  check({"", {x > 2}, x > 1}, {10000, folder.string()}, "claim");
  for (auto [file, answer] : {std::pair("claim.given.smt2", z3::sat),
                              std::pair("claim.smt2", z3::unsat)}) {
    std::ifstream in(folder / file);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    z3::solver s(c);
    s.from_string(text.c_str());
    EXPECT_EQ(s.check(), answer) << file << "\n" << text;
  }
  std::filesystem::remove_all(folder);
}

int countRefuted(const std::vector<Obligation> &all) {
  int count = 0;
  for (const Obligation &o : all)
    count += refute(o, limits).answer == Answer::Refuted;
  return count;
}

/// The mistake of \p id by operand 0 that is described by \p text.
Mutation mistake(RuleId id, const std::string &text) {
  for (const Met &met : mistakesOf(id, 0, floatsOf(id)))
    if (met.text == text)
      return {0, met.site, met.variant};
  ADD_FAILURE() << "no mistake '" << text << "'";
  return {};
}

TEST(Rules, AWrongSignIsAWrongDerivative) {
  z3::context c;
  EXPECT_EQ(countRefuted(calculus(c, RuleId::Sin, {})), 0);
  Mutation m = mistake(RuleId::Sin, "another sign");
  EXPECT_EQ(countRefuted(calculus(c, RuleId::Sin, m)), 1);
  // It is as linear as the rule.
  EXPECT_EQ(countRefuted(seeds(c, RuleId::Sin, m)), 0);
}

TEST(Rules, AGuardThatIsMissingShowsInFloatingPointOnly) {
  z3::context c;
  Mutation m = mistake(RuleId::Sqrt, "no guard");
  EXPECT_EQ(countRefuted(calculus(c, RuleId::Sqrt, m)), 0);
  EXPECT_EQ(countRefuted(seedsInFloat(c, RuleId::Sqrt, m, true)), 3);
}

TEST(Rules, AGuardThatMasksTooMuchHidesTheDerivativeOfTheSeed) {
  z3::context c;
  Mutation m = mistake(RuleId::Sqrt, "first condition alone");
  EXPECT_EQ(countRefuted(calculus(c, RuleId::Sqrt, m)), 0);
  EXPECT_EQ(countRefuted(seedsInFloat(c, RuleId::Sqrt, m, false)), 0);
  EXPECT_EQ(countRefuted(seeds(c, RuleId::Sqrt, m)), 1);
}

TEST(Rules, TheOtherSideOfATieIsRefuted) {
  z3::context c;
  Mutation m = mistake(RuleId::Fmin, "<= for <");
  EXPECT_EQ(countRefuted(calculus(c, RuleId::Fmin, m)), 0);
  EXPECT_GE(countRefuted(conventions(c, RuleId::Fmin, m, true)), 3);
}

TEST(Rules, OneIsProvedWithItsMutants) {
  RuleReport r = proveRule(RuleId::Atan, limits, true);
  EXPECT_EQ(r.answer, Answer::Proved) << r.detail;
  EXPECT_EQ(r.mutants.refuted, 16);
  EXPECT_EQ(r.mutants.replayed, 16);
  EXPECT_TRUE(r.mutants.surviving.empty());
}

TEST(Rules, DigammaIsNotProvedButMeasured) {
  RuleReport r = proveRule(RuleId::Lgamma, limits, false);
  EXPECT_EQ(r.answer, Answer::Unknown);
  EXPECT_EQ(r.evidence.partials, 12);
  EXPECT_LT(r.evidence.error, 1e-14);
}

} // namespace
} // namespace retro::proofs
