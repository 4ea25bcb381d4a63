//===- known_functions_test.cpp - The table of external functions ---------===//

#include "front/known/known_kinds.h"
#include "rules/dispatch.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace retro::rules::test {
namespace {

struct Row {
  std::string name;
  Match match;
  unsigned effects;
  KnownKind kind;
  RuleId rule;
  int a, b, c;
  RowText last;

  std::string text() const { return std::string(last.Text); }
};

// Rows of our own runtime have their names from its table.
enum class Rt {
#define RUNTIME(Id, ...) Id,
#define RUNTIME_AS_CALLED(Id) Id,
#include "front/names/runtime.def"
};
const char *nameOf(Rt f) {
  static const char *const names[] = {
#define RUNTIME(Id, ...) "__retro_" #Id,
#define RUNTIME_AS_CALLED(Id) "__retro_" #Id,
#include "front/names/runtime.def"
  };
  return names[static_cast<int>(f)];
}
enum class Named {
#define NAMED(Id, Text) Id,
#include "front/names/runtime.def"
};
const char *nameOf(Named n) {
  static const char *const names[] = {
#define NAMED(Id, Text) "__retro_" Text,
#include "front/names/runtime.def"
  };
  return names[static_cast<int>(n)];
}

const std::vector<Row> &rows() {
  static const std::vector<Row> table = {
#define FN(Name, Way, Effects, KindName, Rule, A, B, C, Text)                  \
  {Name, Match::Way, Effects, KnownKind::KindName, RuleId::Rule, A, B, C, Text},
#include "front/known/known_functions.def"
  };
  return table;
}

const Row *exact(const std::string &name) {
  for (const Row &row : rows())
    if (row.name == name && row.match != Match::Prefix)
      return &row;
  return nullptr;
}

TEST(KnownFunctions, EachNameHasOneRow) {
  std::set<std::string> seen;
  for (const Row &row : rows())
    EXPECT_TRUE(seen.insert(row.name).second) << row.name << " stands twice";
  EXPECT_GT(seen.size(), 500u);
}

TEST(KnownFunctions, RulesStandWhereTheKindHasOne) {
  for (const Row &row : rows()) {
    bool wants = row.kind == KnownKind::Math ||
                 row.kind == KnownKind::MathStore ||
                 row.kind == KnownKind::Reduce;
    EXPECT_EQ(row.rule != RuleId::None, wants) << row.name;
  }
}

/// Who asks a row for the word of its kind gets one.
TEST(KnownFunctions, TheLastColumnHasAWordOfTheKind) {
  auto has = []<class Word>(const Row &row, Word) {
    return std::holds_alternative<Word>(row.last.Word);
  };
  for (const Row &row : rows()) {
    bool copies = row.kind == KnownKind::Copy || row.kind == KnownKind::Move ||
                  row.kind == KnownKind::Set;
    EXPECT_EQ(has(row, Returned{}), copies) << row.name;
    EXPECT_EQ(has(row, ShareForm{}), row.kind == KnownKind::Share) << row.name;
    EXPECT_EQ(has(row, Sync{}), row.kind == KnownKind::Synchronize) << row.name;
    EXPECT_EQ(has(row, LaunchPart{}), row.kind == KnownKind::Launch)
        << row.name;
    EXPECT_EQ(has(row, ComplexOp{}), row.kind == KnownKind::Complex)
        << row.name;
    EXPECT_TRUE(!has(row, ThreadCall{}) || row.kind == KnownKind::Parallel)
        << row.name;
    EXPECT_TRUE(!has(row, Concern{}) || row.kind == KnownKind::Inactive)
        << row.name;
  }
}

TEST(KnownFunctions, EveryRuleOfAFunctionIsReachable) {
  std::set<RuleId> used;
  for (const Row &row : rows())
    used.insert(row.rule);
  // Instructions, and functions whose names are not the C library's.
  const std::set<RuleId> elsewhere{RuleId::Neg, RuleId::Sub, RuleId::Div,
                                   RuleId::Hypot3};
#define RULE(Id, Struct, Arity)                                                \
  EXPECT_TRUE(used.count(RuleId::Id) || elsewhere.count(RuleId::Id)) << #Id;
#include "rules/rules.def"
}

TEST(KnownFunctions, WhatAllocatesIsFreedByAFunctionThatFrees) {
  int allocators = 0;
  for (const Row &row : rows()) {
    if (row.kind != KnownKind::Alloc && row.kind != KnownKind::AllocZero &&
        row.kind != KnownKind::AllocStore && row.kind != KnownKind::Realloc)
      continue;
    ++allocators;
    const Row *partner = exact(row.text());
    ASSERT_NE(partner, nullptr) << row.name;
    EXPECT_EQ(partner->kind, KnownKind::Free) << row.name;
    EXPECT_GE(row.a, 0) << row.name;
  }
  EXPECT_GE(allocators, 15);
}

TEST(KnownFunctions, MathematicsIsPureButForErrno) {
  for (const Row &row : rows())
    if (row.kind == KnownKind::Math && row.rule != RuleId::Lgamma) {
      EXPECT_EQ(row.effects & ~unsigned(SetsErrno), 0u) << row.name;
    }
}

TEST(KnownFunctions, HasTheTypedVariants) {
  for (const char *name : {"sin", "sinf", "sinl", "sinf128", "__sin_finite",
                           "__sinf_finite", "powf", "llvm.sin"}) {
    ASSERT_NE(exact(name), nullptr) << name;
    EXPECT_NE(exact(name)->rule, RuleId::None) << name;
  }
  EXPECT_EQ(exact("sinf")->rule, RuleId::Sin);
  EXPECT_EQ(exact("llvm.exp10")->rule, RuleId::Exp10);
  EXPECT_EQ(exact("fmaxl")->rule, RuleId::Fmax);
  EXPECT_EQ(exact("cosf")->rule, RuleId::Cos);
}

/// Each primal function that a rule may call is spelled, and what it is
/// spelled as can be differentiated again.
TEST(KnownFunctions, WhatRulesCallHasARule) {
  std::map<int, int> spelled;
#define PRIMAL(Name, InLlvm, InLibm)                                           \
  {                                                                            \
    ++spelled[static_cast<int>(Fn::Name)];                                     \
    std::string intrinsic = InLlvm, libm = InLibm;                             \
    EXPECT_FALSE(intrinsic.empty() && libm.empty()) << #Name;                  \
    for (const std::string &name : {intrinsic, libm})                          \
      if (!name.empty()) {                                                     \
        ASSERT_NE(exact(name), nullptr) << name;                               \
        EXPECT_EQ(exact(name)->kind, KnownKind::Math) << name;                 \
      }                                                                        \
  }
#include "front/known/known_functions.def"
  for (int f = 0; f <= static_cast<int>(Fn::Yn); ++f)
    EXPECT_EQ(spelled[f], 1) << "Fn number " << f;
}

/// A longer prefix row exists beside a shorter one only to say something else.
TEST(KnownFunctions, PrefixesDoNotRepeatEachOther) {
  for (const Row &row : rows())
    for (const Row &other : rows())
      if (row.match == Match::Prefix && &row != &other &&
          other.name.rfind(row.name, 0) == 0) {
        EXPECT_FALSE(other.kind == row.kind && other.effects == row.effects &&
                     other.a == row.a && other.last.Text == row.last.Text &&
                     other.last.Word == row.last.Word)
            << row.name << " covers " << other.name;
      }
}

} // namespace
} // namespace retro::rules::test
