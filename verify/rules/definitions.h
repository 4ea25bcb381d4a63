//===- definitions.h - What the functions of the rules are ----------------===//

#ifndef RETROGRADE_VERIFY_RULES_DEFINITIONS_H
#define RETROGRADE_VERIFY_RULES_DEFINITIONS_H

#include "jet.h"
#include "rules/dispatch.h"

#include <optional>

namespace retro::proofs {

using rules::RuleId;

/// The operands of a function and its result, each with its derivative.
struct Function {
  World &w;
  std::vector<Jet> x; ///< A placeholder where the operand is an integer.
  z3::expr n;         ///< The integer operand, if there is one.
  Jet y;
};

/// The function of \p id as an equation F(x, y) = 0 that defines y where the
/// domain, which is assumed in the world, allows no other solution nearby. None
/// for a function that has no such definition here.
std::optional<Jet> definition(RuleId id, const Function &f);

/// Whether calculus() has a definition to hold the rule against.
bool isDefined(RuleId id);

/// The domain and the definition in words, or why there is none.
struct Statement {
  const char *domain, *equation;
  const char *reason = "";
};
Statement statementOf(RuleId id);

/// Bit k: operand k is a floating-point number.
int floatsOf(RuleId id);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_DEFINITIONS_H
