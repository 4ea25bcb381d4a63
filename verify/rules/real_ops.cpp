#include "real_ops.h"

namespace retro::proofs {

/// A number about which nothing is said, and which may be not defined: the
/// same for the same operation on the same operands.
Real RealOps::unknown(const std::string &op, const std::vector<Real> &operands,
                      const std::string &extra) {
  std::string key = op + "[" + extra;
  for (const Real &a : operands)
    key += w.identity(a) + ";";
  key += "]";
  Real r = w.named(key);
  r.defined = w.named(key + "!").num > 0;
  return r;
}

Real RealOps::result(const char *op, const Real &exact,
                     std::vector<Real> operands) {
  if (exact.seeded || mode == Mode::Exact || mode == Mode::IntegerPowers)
    return exact;
  if (mode == Mode::Abstract)
    return unknown(op, operands);
  Real error = w.variable("error" + std::to_string(errors++));
  w.assume(w.le(error, *unit) && w.le(w.neg(*unit), error));
  return w.mul(exact, w.add(w.constant(1), error));
}

Real RealOps::call(Fn f, const Real &t) {
  if (mode == Mode::Abstract && !t.seeded && f != Fn::Fabs)
    return unknown("call" + std::to_string(static_cast<int>(f)), {t});
  Real one = w.constant(1), half = w.constant(0.5);
  auto scaled = [&](double hi) { return w.mul(w.constant(hi, 0), t); };
  auto hyperbolic = [&](bool sine) {
    Real up = w.exp(t), down = w.div(one, up);
    return w.mul(half, sine ? w.sub(up, down) : w.add(up, down));
  };
  constexpr double pi = 0x1.921fb54442d18p+1;
  switch (f) {
  case Fn::Sqrt:
    return w.sqrt(t);
  case Fn::Cbrt:
    return w.cbrt(t);
  case Fn::Exp:
    return w.exp(t);
  case Fn::Exp2:
    return w.exp(scaled(0x1.62e42fefa39efp-1));
  case Fn::Exp10:
    return w.exp(scaled(0x1.26bb1bbb55516p+1));
  case Fn::Expm1:
    return w.sub(w.exp(t), one);
  case Fn::Log:
    return w.log(t);
  case Fn::Log1p:
    return w.log(w.add(one, t));
  case Fn::Sin:
    return w.sin(t);
  case Fn::Cos:
    return w.cos(t);
  case Fn::Tan:
    return w.div(w.sin(t), w.cos(t));
  case Fn::Sinpi:
    return w.sin(scaled(pi));
  case Fn::Cospi:
    return w.cos(scaled(pi));
  case Fn::Sinh:
    return hyperbolic(true);
  case Fn::Cosh:
    return hyperbolic(false);
  case Fn::Tanh:
    return w.div(hyperbolic(true), hyperbolic(false));
  case Fn::Fabs:
    return w.fabs(t);
  case Fn::Trunc:
    return w.trunc(t);
  case Fn::Round:
    return w.round(t);
  case Fn::J0:
    return w.cylinder('J', w.c.real_val(0), t);
  case Fn::J1:
    return w.cylinder('J', w.c.real_val(1), t);
  case Fn::Y0:
    return w.cylinder('Y', w.c.real_val(0), t);
  case Fn::Y1:
    return w.cylinder('Y', w.c.real_val(1), t);
  default:
    return w.undefined();
  }
}

Real RealOps::call(Fn f, const Real &s, const Real &t) {
  if (mode == Mode::Abstract && !s.seeded && !t.seeded)
    return unknown("call" + std::to_string(static_cast<int>(f)), {s, t});
  switch (f) {
  case Fn::Pow: // otherwise of a positive base
    if (mode == Mode::IntegerPowers)
      return w.powi(s, t.num);
    return w.exp(w.mul(t, w.log(s)));
  case Fn::Hypot:
    return w.sqrt(w.add(w.mul(s, s), w.mul(t, t)));
  default:
    return w.undefined();
  }
}

Real RealOps::callInt(Fn f, const Real &t, const z3::expr &n) {
  if (f == Fn::Ldexp)
    return w.mul(t, w.exp2i(n));
  if (mode == Mode::Abstract && !t.seeded)
    return unknown("call" + std::to_string(static_cast<int>(f)), {t}, w.key(n));
  switch (f) {
  case Fn::Powi:
    return w.powi(t, n);
  case Fn::Jn:
    return w.cylinder('J', n, t);
  case Fn::Yn:
    return w.cylinder('Y', n, t);
  default:
    return w.undefined();
  }
}

} // namespace retro::proofs
