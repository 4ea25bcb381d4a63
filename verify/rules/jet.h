//===- jet.h - Derivatives by the rules of calculus -----------------------===//
//
// A number of the solver together with its derivative along a line. The sum,
// product, quotient and chain rules stated here, and the derivatives of the few
// functions below, are all of calculus that the proofs know. They share nothing
// with engine/rules.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_JET_H
#define RETROGRADE_VERIFY_RULES_JET_H

#include "axioms.h"

namespace retro::proofs {

struct Jet {
  World *w;
  Real v, d;
};

inline Jet still(World &w, const Real &v) { return {&w, v, w.constant(0)}; }
inline Jet operator-(const Jet &x) {
  return {x.w, x.w->neg(x.v), x.w->neg(x.d)};
}
inline Jet operator+(const Jet &x, const Jet &y) {
  return {x.w, x.w->add(x.v, y.v), x.w->add(x.d, y.d)};
}
inline Jet operator-(const Jet &x, const Jet &y) { return x + -y; }
inline Jet operator*(const Jet &x, const Jet &y) {
  World &w = *x.w;
  return {&w, w.mul(x.v, y.v), w.add(w.mul(x.d, y.v), w.mul(x.v, y.d))};
}
inline Jet operator/(const Jet &x, const Jet &y) {
  World &w = *x.w;
  Real numerator = w.sub(w.mul(x.d, y.v), w.mul(x.v, y.d));
  return {&w, w.div(x.v, y.v), w.div(numerator, w.mul(y.v, y.v))};
}
inline Jet operator*(double k, const Jet &x) {
  return still(*x.w, x.w->constant(k)) * x;
}
inline Jet operator+(const Jet &x, double k) {
  return x + still(*x.w, x.w->constant(k));
}
inline Jet operator-(const Jet &x, double k) { return x + -k; }

/// f(x) where f has the derivative \p slope at x.
inline Jet chain(const Jet &x, const Real &value, const Real &slope) {
  return {x.w, value, x.w->mul(slope, x.d)};
}
inline Jet exp(const Jet &x) {
  Real e = x.w->exp(x.v);
  return chain(x, e, e);
}
inline Jet sin(const Jet &x) { return chain(x, x.w->sin(x.v), x.w->cos(x.v)); }
inline Jet cos(const Jet &x) {
  return chain(x, x.w->cos(x.v), x.w->neg(x.w->sin(x.v)));
}
inline Jet sinh(const Jet &x) { return 0.5 * (exp(x) - exp(-x)); }
inline Jet cosh(const Jet &x) { return 0.5 * (exp(x) + exp(-x)); }

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_JET_H
