#include "floats/ieee.h"

#include <cmath>

namespace retro::proofs {
namespace {

/// What is known of the result of the function: for most, what the C library
/// says of it.
Float resultOf(RuleId id, FloatOps &b, FloatOps::Operands &x) {
  const Float &first = x.floats[0], &second = x.floats[1];
  switch (id) {
  case RuleId::Sqrt:
    return b.call(Fn::Sqrt, first);
  case RuleId::Rsqrt:
    return b.div(b.number(1), b.call(Fn::Sqrt, first));
  case RuleId::Cbrt:
    return b.call(Fn::Cbrt, first);
  case RuleId::Exp:
  case RuleId::Exp2:
  case RuleId::Exp10:
    return b.call(Fn::Exp, first);
  case RuleId::Tan:
    return b.call(Fn::Tan, first);
  case RuleId::Tanh:
    return b.call(Fn::Tanh, first);
  case RuleId::J1:
    return b.call(Fn::J1, first);
  case RuleId::Div:
    return b.div(first, second);
  case RuleId::Pow:
    return b.pow(first, second);
  case RuleId::Hypot:
    return b.hypot(first, second);
  case RuleId::Hypot3:
    return b.hypot(b.hypot(first, second), x.floats[2]);
  case RuleId::Fabs:
    return b.call(Fn::Fabs, first);
  case RuleId::Copysign:
    return b.select(b.isNegative(first.e) == b.isNegative(second.e), first,
                    b.neg(first));
  case RuleId::Fmin:
  case RuleId::Fmax: {
    z3::expr before =
        id == RuleId::Fmin ? first.e < second.e : first.e > second.e;
    return b.select(before || b.isNaN(second.e), first, second);
  }
  case RuleId::Minimum:
  case RuleId::Maximum: {
    z3::expr before =
        id == RuleId::Minimum ? first.e < second.e : first.e > second.e;
    return b.select(before || b.isNaN(first.e), first, second);
  }
  default:
    b.abstracted = true; // the result is any number
    return b.variable("y");
  }
}

} // namespace

bool passesNaN(RuleId id) {
  switch (id) {
  case RuleId::Tanh:
  case RuleId::Asinh:
  case RuleId::Atan:
  case RuleId::Erf:
  case RuleId::Erfc:
  case RuleId::J0:
  case RuleId::J1:
    return true;
  default:
    return false;
  }
}

FloatScene::FloatScene(z3::context &c, RuleId id, Format f, Mutation m,
                       bool exact)
    : id(id), m(m), exact(exact), b(c, f),
      x{{b.variable("a"), b.variable("b"), b.variable("c")},
        c.bv_const("n", 32),
        b.variable("y")},
      a(x.floats[0].e), other(x.floats[1].e), third(x.floats[2].e), y(a),
      n(x.n), g(b.variable("g").e) {
  // Digamma is long, and its rules are guarded.
  b.bare = id == RuleId::Tgamma || id == RuleId::Lgamma;
  x.result = resultOf(id, b, x);
  y = x.result.e;
}

z3::expr FloatScene::pull(const z3::expr &seed, int i) {
  Float value{seed, exact, false};
  return pullWith(id, b, x, value, i, floatsOf(id), m).e;
}

z3::expr FloatScene::operandIsNaN() {
  z3::expr any = b.c.bool_val(false);
  for (int i = 0; i < rules::arityOf(id); ++i)
    if (i != rules::integerOperand(id))
      any = any || b.isNaN(x.floats[static_cast<std::size_t>(i)].e);
  return any;
}

Obligation FloatScene::claim(const std::string &name, const z3::expr &given,
                             const z3::expr &claim) const {
  std::vector<z3::expr> facts = b.facts;
  facts.push_back(given);
  return {name + " (" + std::to_string(b.format.bits) + " bits)", facts, claim,
          true, !b.abstracted};
}

std::vector<Obligation> seedsInFloat(z3::context &c, RuleId id, Mutation m,
                                     bool exact) {
  std::vector<Obligation> all;
  for (Format f : formats)
    for (int i = 0; i < rules::arityOf(id); ++i) {
      if (i == rules::integerOperand(id) || (m.site >= 0 && m.operand != i))
        continue;
      FloatScene s(c, id, f, m, exact);
      FloatOps &b = s.b;
      std::string by = ", by " + std::string(1, "abc"[i]);
      z3::expr plus = s.pull(b.real(0), i), minus = s.pull(-b.real(0), i);
      z3::expr given = passesNaN(id) ? !s.operandIsNaN() : c.bool_val(true);
      all.push_back(s.claim("a seed of 0 gives 0" + by, given,
                            b.isZero(plus) && b.isZero(minus)));
      z3::expr one = s.pull(b.real(1), i), nan = s.pull(b.real(NAN), i);
      if (!rules::hasZeroDerivative(id, i))
        all.push_back(
            s.claim("a seed of NaN gives NaN where the slope is not 0" + by,
                    !b.isZero(one), b.isNaN(nan)));
    }
  return all;
}

std::vector<Obligation> conventions(z3::context &c, RuleId id, Mutation m,
                                    bool exact) {
  std::vector<Obligation> all;
  for (Format f : formats) {
    FloatScene s(c, id, f, m, exact);
    conventionsIn(s, all);
  }
  for (Obligation &o : all)
    o.convention = true;
  return all;
}

} // namespace retro::proofs
