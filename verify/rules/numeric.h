//===- numeric.h - Rules as numbers ---------------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_NUMERIC_H
#define RETROGRADE_VERIFY_RULES_NUMERIC_H

#include "mutation.h"

namespace retro::proofs {

/// How a rule in double compares with differences of its function in binary128.
struct Evidence {
  int partials = 0; ///< How many were compared.
  double error = 0; ///< The largest error, relative to max(1, the partial).
};
Evidence numericEvidence(RuleId id);

/// A point at which the rule in double with the mistake \p m yields something
/// else than without it, or "".
std::string differsAt(RuleId id, Mutation m);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_NUMERIC_H
