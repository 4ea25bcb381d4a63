//===- errors.h - What errors do to the results of functions --------------===//
//
// The error of a result has two parts: what the errors of the operands do to
// it, which follows from the rules, and what its own rounding adds, which
// units.def says. Both are bounds of first order: squares of errors are left
// out.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_RULES_ERRORS_H
#define RETROGRADE_RULES_ERRORS_H

#include "complex.h"
#include "dispatch.h"

#include <array>

namespace retro::rules {

/// By how many units in the last place the function of a rule may be off if its
/// operands are exact, \p wide for numbers wider than double; Unknown: nobody
/// says.
inline constexpr int Unknown = -1;
constexpr int unitsOf(RuleId id, bool wide = false) {
  switch (id) {
#define UNITS(Id, Units, Wide)                                                 \
  case RuleId::Id:                                                             \
    return wide ? Wide : Units;
#include "units.def"
  case RuleId::None:
    break;
  }
  return Unknown;
}

constexpr int unitsOf(ComplexOp op) {
  switch (op) {
#define COMPLEX_UNITS(Id, Units)                                               \
  case ComplexOp::Id:                                                          \
    return Units;
#include "units.def"
  case ComplexOp::None:
    break;
  }
  return Unknown;
}

/// A bound of the error of each operand, or nothing where it is exact.
template <Ops B> using OperandErrors = std::array<std::optional<Value<B>>, 3>;

/// The sum of the operands' errors, each times the size of its partial.
template <Ops B>
std::optional<Value<B>> smoothError(RuleId id, B &b, Operands<B> &x,
                                    const OperandErrors<B> &e) {
  std::optional<Value<B>> sum;
  for (int i = 0; i < arityOf(id); ++i) {
    if (!e[i])
      continue;
    Value<B> part = pull(id, b, x, *e[i], i);
    Value<B> size = b.call(Fn::Fabs, part);
    sum = sum ? b.add(*sum, size) : size;
  }
  return sum;
}

/// Of a function with a kink where its operands are equal: \p smooth, or
/// \p atKink where they are closer to each other than their errors \p e.
template <Ops B>
Value<B> nearKink(B &b, Value<B> first, Value<B> second, Value<B> e,
                  Value<B> atKink, Value<B> smooth) {
  Value<B> difference = b.sub(first, second);
  Value<B> distance = b.call(Fn::Fabs, difference);
  Bool<B> close = b.le(distance, e);
  return b.select(close, atKink, smooth);
}

/// What errors of a choice between two numbers do to it: \p chosen is that of
/// the one it took.
template <Ops B>
Value<B> choiceError(B &b, Value<B> first, Value<B> second, Value<B> e0,
                     Value<B> e1, Value<B> chosen) {
  Bool<B> more = b.gt(e0, e1);
  Value<B> greater = b.select(more, e0, e1);
  Value<B> both = b.add(e0, e1);
  return nearKink(b, first, second, both, greater, chosen);
}

/// What errors \p e of the operands do to the result of the function of rule
/// \p id; nothing if it is exact. Where a partial says too little, at a kink
/// that the operands' errors may lead across, the greatest slope counts.
template <Ops B>
std::optional<Value<B>> carriedError(RuleId id, B &b, Operands<B> &x,
                                     const OperandErrors<B> &e) {
  std::optional<Value<B>> smooth;
  switch (id) {
  case RuleId::Flat:
    return std::nullopt;
  case RuleId::Fabs:
  case RuleId::Copysign:
    return e[0];
  default:
    smooth = smoothError(id, b, x, e);
  }
  if (!smooth)
    return std::nullopt;
  Value<B> none = zero(b, *smooth);
  Value<B> e0 = e[0].value_or(none);
  Value<B> e1 = e[1].value_or(none);
  switch (id) {
  case RuleId::Fmin:
  case RuleId::Fmax:
  case RuleId::Minimum:
  case RuleId::Maximum:
    return choiceError(b, x.in(0), x.in(1), e0, e1, *smooth);
  case RuleId::Fdim: {
    Value<B> both = b.add(e0, e1);
    return nearKink(b, x.in(0), x.in(1), both, both, *smooth);
  }
  case RuleId::Hypot: {
    Value<B> both = b.add(e0, e1);
    Bool<B> atOrigin = b.eq(x.out(), none);
    return b.select(atOrigin, both, *smooth);
  }
  case RuleId::Sqrt: { // whose slope at 0 is infinite
    Value<B> most = b.call(Fn::Sqrt, e0);
    Bool<B> steep = b.gt(*smooth, most);
    return b.select(steep, most, *smooth);
  }
  default:
    return smooth;
  }
}

} // namespace retro::rules

#endif // RETROGRADE_RULES_ERRORS_H
