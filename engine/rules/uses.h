//===- uses.h - What a rule reads, found by running it --------------------===//
//
// The planner must know which primal values a rule will ask for. It is not
// told: it runs the rule with a builder that computes nothing and takes notes.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_RULES_USES_H
#define RETROGRADE_RULES_USES_H

#include "dispatch.h"

namespace retro::rules {

/// The primal values that one partial of a rule reads.
struct UseSet {
  unsigned operands = 0; ///< Bit i: operand i is read.
  bool result = false;   ///< The result is read.

  bool readsOperand(int i) const { return (operands >> i) & 1u; }
  bool empty() const { return operands == 0 && !result; }
  UseSet operator|(UseSet other) const {
    return {operands | other.operands, result || other.result};
  }
  bool operator==(const UseSet &) const = default;
};

/// A builder in which a value is only the answer to "is this the constant 0?".
struct Uses {
  struct Value {
    bool zero = false;
  };
  struct Bool {};
  struct Int {};
  struct Operands {
    UseSet seen;
    Value in(int i) {
      seen.operands |= 1u << i;
      return {};
    }
    Int inInt(int i) {
      seen.operands |= 1u << i;
      return {};
    }
    Value out() {
      seen.result = true;
      return {};
    }
  };

  Value constant(double c, Value) { return {c == 0}; }
  std::optional<double> known(Value) { return std::nullopt; }
  Value neg(Value) { return {}; }
  Value add(Value, Value) { return {}; }
  Value sub(Value, Value) { return {}; }
  Value mul(Value, Value) { return {}; }
  Value div(Value, Value) { return {}; }
  Value fma(Value, Value, Value) { return {}; }
  Bool lt(Value, Value) { return {}; }
  Bool le(Value, Value) { return {}; }
  Bool gt(Value, Value) { return {}; }
  Bool ge(Value, Value) { return {}; }
  Bool eq(Value, Value) { return {}; }
  Bool ne(Value, Value) { return {}; }
  Bool unordered(Value, Value) { return {}; }
  Bool signbit(Value) { return {}; }
  Bool andB(Bool, Bool) { return {}; }
  Bool orB(Bool, Bool) { return {}; }
  Bool xorB(Bool, Bool) { return {}; }
  Bool notB(Bool) { return {}; }
  Value select(Bool, Value, Value) { return {}; }
  Value call(Fn, Value) { return {}; }
  Value call(Fn, Value, Value) { return {}; }
  Value callInt(Fn, Value, Int) { return {}; }
  Int addInt(Int, int) { return {}; }
  Bool eqInt(Int, int, Value) { return {}; }
  Value fromInt(Int, Value) { return {}; }
  bool guards(Guard) { return true; }
};
static_assert(Ops<Uses>);

/// What pull(id, ..., operand) reads. At most this is read whatever the
/// operands are known to be.
inline UseSet usesOf(RuleId id, int operand) {
  Uses builder;
  Uses::Operands operands;
  pull(id, builder, operands, Uses::Value{}, operand);
  return operands.seen;
}

/// Whether the partial with respect to \p operand is 0 everywhere, so that
/// activity stops there.
inline bool hasZeroDerivative(RuleId id, int operand) {
  Uses builder;
  Uses::Operands operands;
  return pull(id, builder, operands, Uses::Value{}, operand).zero;
}

} // namespace retro::rules

#endif // RETROGRADE_RULES_USES_H
