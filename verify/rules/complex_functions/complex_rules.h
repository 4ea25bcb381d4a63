//===- complex_rules.h - Proofs of the rules of complex functions ---------===//

#ifndef RETROGRADE_VERIFY_RULES_COMPLEX_RULES_H
#define RETROGRADE_VERIFY_RULES_COMPLEX_RULES_H

#include "mutation.h"
#include "numeric.h"
#include "obligation.h"
#include "rules/complex.h"

namespace retro::proofs {

using rules::ComplexOp;

/// The factor of \p op satisfies the derivative of the equation that defines
/// the function.
std::vector<Obligation> complexCalculus(z3::context &c, ComplexOp op,
                                        Mutation m = {});
/// The mutant is the rule.
std::vector<Obligation> complexEquality(z3::context &c, ComplexOp op,
                                        Mutation m);
/// What forward and reverse mode make of a factor is adjoint.
std::vector<Obligation> complexAdjoints(z3::context &c);

std::vector<Met> complexMistakesOf(ComplexOp op, int operand);
std::string complexDiffersAt(ComplexOp op, Mutation m);
Evidence complexEvidence(ComplexOp op);

/// The domain and the definition in words.
std::pair<const char *, const char *> complexStatementOf(ComplexOp op);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_COMPLEX_RULES_H
