//===- dispatch.h - Rules by their identity -------------------------------===//

#ifndef RETROGRADE_RULES_DISPATCH_H
#define RETROGRADE_RULES_DISPATCH_H

#include "arithmetic.h"
#include "exponential.h"
#include "hyperbolic.h"
#include "ops.h"
#include "piecewise.h"
#include "power.h"
#include "special.h"
#include "trigonometric.h"

#include <cstdlib>

namespace retro::rules {

/// The identity of a rule. `None` is no rule.
enum class RuleId : unsigned char {
  None,
#define RULE(Id, Struct, Arity) Id,
#include "rules.def"
};

/// Number of operands of the function that \p id differentiates.
constexpr int arityOf(RuleId id) {
  switch (id) {
#define RULE(Id, Struct, Arity)                                                \
  case RuleId::Id:                                                             \
    return Arity;
#include "rules.def"
  case RuleId::None:
    break;
  }
  return 0;
}

/// Which operand of the function of \p id is an integer, or -1.
constexpr int integerOperand(RuleId id) {
  switch (id) {
  case RuleId::Powi:
  case RuleId::Ldexp:
    return 1;
  case RuleId::Jn:
  case RuleId::Yn:
    return 0;
  default:
    return -1;
  }
}

/// The name of \p id, for printed plans and messages.
constexpr const char *nameOf(RuleId id) {
  switch (id) {
#define RULE(Id, Struct, Arity)                                                \
  case RuleId::Id:                                                             \
    return #Id;
#include "rules.def"
  case RuleId::None:
    break;
  }
  return "None";
}

/// g times the partial derivative of the function of rule \p id with respect
/// to its operand \p i. Linear in \p g. \p id must not be None, and
/// 0 <= i < arityOf(id).
template <Ops B>
Value<B> pull(RuleId id, B &b, Operands<B> &x, Value<B> g, int i) {
  switch (id) {
#define RULE(Id, Struct, Arity)                                                \
  case RuleId::Id:                                                             \
    return Struct::pull(b, x, g, i);
#include "rules.def"
  case RuleId::None:
    break;
  }
  std::abort(); // a caller asked for the derivative of nothing
}

} // namespace retro::rules

#endif // RETROGRADE_RULES_DISPATCH_H
