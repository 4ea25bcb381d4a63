//===- calculus.h - What is claimed of a rule over the reals --------------===//

#ifndef RETROGRADE_VERIFY_RULES_CALCULUS_H
#define RETROGRADE_VERIFY_RULES_CALCULUS_H

#include "mutation.h"
#include "obligation.h"

namespace retro::proofs {

/// The partials of rule \p id, with the mistake \p m in them, satisfy the
/// derivative of the equation that defines the function; and that equation
/// leaves one derivative only. Only of operand \p operand, if it is not -1.
std::vector<Obligation> calculus(z3::context &c, RuleId id, Mutation m = {});

/// The rule is linear in its seed; its tangent and its adjoint form are
/// adjoint; and it may be differentiated again with respect to the seed. For
/// all values of the operands at which the partial is finite.
std::vector<Obligation> seeds(z3::context &c, RuleId id, Mutation m = {});

/// The mutant is the rule: equal for all values of the operands in its domain.
std::vector<Obligation> equality(z3::context &c, RuleId id, Mutation m);

/// The recurrences of the Bessel functions, which calculus() uses.
std::vector<Obligation> besselLemmas(z3::context &c);

/// The constants of rules/constants.h are the numbers that their names say.
std::vector<Obligation> constants(z3::context &c);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_CALCULUS_H
