//===- ieee.h - What is claimed of a rule in floating point ---------------===//

#ifndef RETROGRADE_VERIFY_RULES_IEEE_H
#define RETROGRADE_VERIFY_RULES_IEEE_H

#include "definitions.h"
#include "floats/float_ops.h"
#include "mutation.h"
#include "obligation.h"

namespace retro::proofs {

/// One question about a rule in one format: its operands are symbols, of which
/// every value is meant, NaN and the infinities included.
class FloatScene {
public:
  /// \p exact: what is computed with the seed is computed bit for bit;
  /// otherwise it becomes symbols as well.
  FloatScene(z3::context &c, RuleId id, Format f, Mutation m, bool exact);

  /// The partial with respect to operand \p i for the seed \p g.
  z3::expr pull(const z3::expr &g, int i);
  /// A claim about all values that satisfy \p given.
  Obligation claim(const std::string &name, const z3::expr &given,
                   const z3::expr &claim) const;
  z3::expr operandIsNaN();
  /// g/2, as a product with the constant.
  z3::expr half(const z3::expr &g) { return product(g, b.real(0.5)); }
  z3::expr product(const z3::expr &seed, const z3::expr &factor) {
    return b.mul({seed, exact}, {factor}).e;
  }

  RuleId id;
  Mutation m;
  bool exact;
  FloatOps b;
  FloatOps::Operands x;
  z3::expr a, other, third, y, n, g; ///< Operands, result, integer, seed.
};

/// A seed of 0 gives 0, of NaN gives NaN; in all formats.
std::vector<Obligation> seedsInFloat(z3::context &c, RuleId id, Mutation m,
                                     bool exact);
/// What holds at ties, kinks and singular points; in all formats.
std::vector<Obligation> conventions(z3::context &c, RuleId id, Mutation m,
                                    bool exact);
void conventionsIn(FloatScene &s, std::vector<Obligation> &all);

/// Rules that are not guarded: with an operand that is NaN, they give NaN for
/// a seed of 0.
bool passesNaN(RuleId id);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_IEEE_H
