//===- every_rule.h - A suite of tests that is run for every rule ---------===//

#ifndef RETROGRADE_TEST_RULES_EVERY_RULE_H
#define RETROGRADE_TEST_RULES_EVERY_RULE_H

#include "domain.h"

#include <gtest/gtest.h>

/// Runs the tests of a fixture for each rule, under the rule's name.
#define TEST_EVERY_RULE(Fixture)                                               \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Rules, Fixture, testing::ValuesIn(allRules),                             \
      [](const auto &info) { return std::string(nameOf(info.param)); })

#endif // RETROGRADE_TEST_RULES_EVERY_RULE_H
