//===- report.h - What is known of each rule ------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_REPORT_H
#define RETROGRADE_VERIFY_RULES_REPORT_H

#include "mutation.h"
#include "numeric.h"
#include "obligation.h"
#include "rules/complex.h"

#include <iosfwd>

namespace retro::proofs {

/// What became of the mutants of a rule.
struct Mutants {
  int refuted = 0;    ///< The solver found a counterexample.
  int replayed = 0;   ///< Of these: the numbers differ, too, at some point.
  int equivalent = 0; ///< No mistake: proved to be the rule.
  std::vector<std::string> surviving;
};

/// A claim, and what was found.
struct Found {
  std::string claim;
  Verdict verdict;
  bool convention;
};

struct RuleReport {
  std::string name;
  Answer answer = Answer::Unknown;
  std::string detail; ///< A counterexample, or why it is not known.
  std::string domain, definition;
  std::vector<Found> claims;
  int proved = 0;
  bool passesNaN = false; ///< A seed of 0 gives NaN where an operand is NaN.
  Mutants mutants;
  Evidence evidence;
};

RuleReport proveRule(RuleId id, const Limits &limits, bool withMutants);
RuleReport proveComplexRule(rules::ComplexOp op, const Limits &limits,
                            bool withMutants);
/// How --rule and the page call the rule of a complex function.
inline std::string complexName(rules::ComplexOp op) {
  return std::string("complex.") + rules::nameOf(op);
}
/// The lemmas and the constants that the proofs of the rules use.
std::vector<RuleReport> proveLemmas(const Limits &limits);

void printLine(std::ostream &, const RuleReport &, bool everyClaim = false);
void printMarkdown(std::ostream &, const std::vector<RuleReport> &lemmas,
                   const std::vector<RuleReport> &rules);
void printSummary(std::ostream &, const std::vector<RuleReport> &);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_REPORT_H
