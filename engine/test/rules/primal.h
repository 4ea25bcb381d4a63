//===- primal.h - The functions that the rules differentiate --------------===//

#ifndef RETROGRADE_TEST_RULES_PRIMAL_H
#define RETROGRADE_TEST_RULES_PRIMAL_H

#include "numeric_ops.h"

#include <ostream>

namespace retro::rules {
/// For the messages of failing tests.
inline void PrintTo(RuleId id, std::ostream *s) { *s << nameOf(id); }
} // namespace retro::rules

namespace retro::rules::test {

/// Operands of one evaluation. An integer operand is taken from `n`.
struct Point {
  std::array<double, 3> x{};
  int n = 0;
};

/// The function of \p id at floating-point operands \p x (and integer \p n).
template <class T> T primal(RuleId id, const std::array<T, 3> &x, int n) {
  T a = x[0], b = x[1], c = x[2];
  switch (id) {
  case RuleId::None:
    break;
  case RuleId::Neg:
    return -a;
  case RuleId::Add:
    return a + b;
  case RuleId::Sub:
    return a - b;
  case RuleId::Mul:
    return a * b;
  case RuleId::Div:
    return a / b;
  case RuleId::Fma:
    return a * b + c;
  case RuleId::Remainder:
    return libm::fmod(a, b);
  case RuleId::Exp:
    return libm::exp(a);
  case RuleId::Exp2:
    return libm::exp2(a);
  case RuleId::Exp10:
    return libm::exp10(a);
  case RuleId::Expm1:
    return libm::expm1(a);
  case RuleId::Log:
    return libm::log(a);
  case RuleId::Log2:
    return libm::log2(a);
  case RuleId::Log10:
    return libm::log10(a);
  case RuleId::Log1p:
    return libm::log1p(a);
  case RuleId::Sin:
    return libm::sin(a);
  case RuleId::Cos:
    return libm::cos(a);
  case RuleId::Tan:
    return libm::tan(a);
  case RuleId::Asin:
    return libm::asin(a);
  case RuleId::Acos:
    return libm::acos(a);
  case RuleId::Atan:
    return libm::atan(a);
  case RuleId::Atan2:
    return libm::atan2(a, b);
  case RuleId::Sinpi:
    return libm::sinpi(a);
  case RuleId::Cospi:
    return libm::cospi(a);
  case RuleId::Tanpi:
    return libm::tanpi(a);
  case RuleId::Sinh:
    return libm::sinh(a);
  case RuleId::Cosh:
    return libm::cosh(a);
  case RuleId::Tanh:
    return libm::tanh(a);
  case RuleId::Asinh:
    return libm::asinh(a);
  case RuleId::Acosh:
    return libm::acosh(a);
  case RuleId::Atanh:
    return libm::atanh(a);
  case RuleId::Sqrt:
    return libm::sqrt(a);
  case RuleId::Rsqrt:
    return T(1) / libm::sqrt(a);
  case RuleId::Cbrt:
    return libm::cbrt(a);
  case RuleId::Pow:
    return libm::pow(a, b);
  case RuleId::Powi:
    return libm::powi(a, n);
  case RuleId::Hypot:
    return libm::hypot(a, b);
  case RuleId::Hypot3:
    return libm::hypot(libm::hypot(a, b), c);
  case RuleId::Flat:
    return libm::floor(a);
  case RuleId::Shift:
    return a - libm::trunc(a);
  case RuleId::Fabs:
    return libm::fabs(a);
  case RuleId::Copysign:
    return libm::copysign(a, b);
  case RuleId::Fmin:
    return libm::fmin(a, b);
  case RuleId::Fmax:
    return libm::fmax(a, b);
  case RuleId::Minimum:
    return a != a || b != b ? a + b : libm::fmin(a, b);
  case RuleId::Maximum:
    return a != a || b != b ? a + b : libm::fmax(a, b);
  case RuleId::Fdim:
    return libm::fdim(a, b);
  case RuleId::Nextafter:
    // The neighbour of a double in double: a step that binary128 sees as a
    // constant offset.
    return a + T(0x1p-60);
  case RuleId::Ldexp:
    return libm::ldexp(a, n);
  case RuleId::Frexp:
    return libm::fraction(a);
  case RuleId::Erf:
    return libm::erf(a);
  case RuleId::Erfc:
    return libm::erfc(a);
  case RuleId::Tgamma:
    return libm::tgamma(a);
  case RuleId::Lgamma:
    return libm::lgamma(a);
  case RuleId::J0:
    return libm::j0(a);
  case RuleId::J1:
    return libm::j1(a);
  case RuleId::Jn:
    return libm::jn(n, b);
  case RuleId::Y0:
    return libm::y0(a);
  case RuleId::Y1:
    return libm::y1(a);
  case RuleId::Yn:
    return libm::yn(n, b);
  }
  std::abort();
}

/// Every rule, in the order of rules.def.
inline constexpr RuleId allRules[] = {
#define RULE(Id, Struct, Arity) RuleId::Id,
#include "rules/rules.def"
};

template <class T>
typename NumericOps<T>::Operands operandsAt(RuleId id, const Point &p) {
  typename NumericOps<T>::Operands o;
  for (std::size_t i = 0; i < 3; ++i) {
    o.floats[i] = T(p.x[i]);
    o.ints[i] = p.n;
  }
  o.result = primal<T>(id, o.floats, p.n);
  return o;
}

/// pull(id, ..., g, i) at \p p in type T.
template <class T>
T pullAt(RuleId id, const Point &p, T g, int i,
         NumericOps<T> builder = NumericOps<T>{}) {
  auto o = operandsAt<T>(id, p);
  return pull(id, builder, o, g, i);
}

inline std::ostream &operator<<(std::ostream &s, const Point &p) {
  s.precision(17);
  return s << "(" << p.x[0] << ", " << p.x[1] << ", " << p.x[2]
           << "; n = " << p.n << ")";
}

} // namespace retro::rules::test

#endif // RETROGRADE_TEST_RULES_PRIMAL_H
