//===- real_ops.h - Rules over the reals of the solver --------------------===//
//
// RealOps builds the formula that a rule computes, over exact real numbers.
// What is infinite or NaN in the code is "not defined" here, and a guard that
// asks for NaN sees that.
//
// DualOps differentiates what a rule computes once more, with respect to its
// seed: nested modes do so with the code that was emitted.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_REAL_OPS_H
#define RETROGRADE_VERIFY_RULES_REAL_OPS_H

#include "axioms.h"
#include "rules/ops.h"

#include <cmath>
#include <optional>

namespace retro::proofs {

using rules::Fn;

class RealOps {
public:
  using Value = Real;
  using Bool = z3::expr;
  using Int = z3::expr; // of sort Real; that it is an integer is assumed

  /// The operation that is differentiated.
  struct Operands {
    std::vector<Real> floats;
    std::vector<z3::expr> ints;
    std::optional<Real> result;
    Real in(int i) { return floats[static_cast<std::size_t>(i)]; }
    z3::expr inInt(int i) { return ints[static_cast<std::size_t>(i)]; }
    Real out() { return *result; }
  };

  enum class Mode {
    Exact,         ///< Every operation is the mathematical one.
    Abstract,      ///< What the seed is no part of is any number whatever.
    Rounded,       ///< Results have a relative error of at most `unit`.
    IntegerPowers, ///< As Exact; the exponent of pow is an integer.
  };

  explicit RealOps(World &w, Mode mode = Mode::Exact) : w(w), mode(mode) {}

  /// The unit of Mode::Rounded, a positive number.
  std::optional<Real> unit;

  Real constant(double c, const Real &) { return w.constant(c); }
  Real precise(double hi, double lo, const Real &) {
    return w.constant(hi, lo);
  }
  std::optional<double> known(const Real &) { return std::nullopt; }
  Real neg(const Real &a) { return w.neg(a); }
  Real add(const Real &a, const Real &b) {
    return result("add", w.add(a, b), {a, b});
  }
  Real sub(const Real &a, const Real &b) {
    return result("sub", w.sub(a, b), {a, b});
  }
  Real mul(const Real &a, const Real &b) {
    return result("mul", w.mul(a, b), {a, b});
  }
  Real div(const Real &a, const Real &b) {
    return result("div", w.div(a, b), {a, b});
  }
  Real fma(const Real &a, const Real &b, const Real &c) {
    return add(mul(a, b), c);
  }
  z3::expr lt(const Real &a, const Real &b) {
    return ordered(a, b, w.lt(a, b));
  }
  z3::expr le(const Real &a, const Real &b) {
    return ordered(a, b, w.le(a, b));
  }
  z3::expr gt(const Real &a, const Real &b) { return lt(b, a); }
  z3::expr ge(const Real &a, const Real &b) { return le(b, a); }
  z3::expr eq(const Real &a, const Real &b) {
    return ordered(a, b, w.eq(a, b));
  }
  z3::expr ne(const Real &a, const Real &b) { return !eq(a, b); }
  z3::expr unordered(const Real &a, const Real &b) {
    return !(a.defined && b.defined);
  }
  z3::expr signbit(const Real &a) { return w.lt(a, w.constant(0)); }
  z3::expr andB(const z3::expr &p, const z3::expr &q) { return p && q; }
  z3::expr orB(const z3::expr &p, const z3::expr &q) { return p || q; }
  z3::expr xorB(const z3::expr &p, const z3::expr &q) { return p != q; }
  z3::expr notB(const z3::expr &p) { return !p; }
  Real select(const z3::expr &p, const Real &a, const Real &b) {
    return w.select(p, a, b);
  }
  Real call(Fn, const Real &);
  Real call(Fn, const Real &, const Real &);
  Real callInt(Fn, const Real &, const z3::expr &n);
  z3::expr addInt(const z3::expr &n, int i) { return n + i; }
  z3::expr eqInt(const z3::expr &n, int i, const Real &) { return n == i; }
  Real fromInt(const z3::expr &n, const Real &) { return w.of(n); }
  bool guards(rules::Guard) { return true; }

  World &w;

private:
  z3::expr ordered(const Real &a, const Real &b, const z3::expr &relation) {
    if (a.defined.is_true() && b.defined.is_true())
      return relation;
    return a.defined && b.defined && relation;
  }
  Real result(const char *op, const Real &exact, std::vector<Real> operands);
  Real unknown(const std::string &op, const std::vector<Real> &operands,
               const std::string &extra = "");

  Mode mode;
  int errors = 0;
};
static_assert(rules::Ops<RealOps>);

/// A value of a rule and its derivative by the seed.
class DualOps {
public:
  struct Value {
    Real v, d;
  };
  using Bool = z3::expr;
  using Int = z3::expr;
  struct Operands {
    RealOps::Operands &primal;
    World &w;
    int moving = -1; ///< The operand that has the derivative 1.
    Value in(int i) { return {primal.in(i), w.constant(i == moving ? 1 : 0)}; }
    z3::expr inInt(int i) { return primal.inInt(i); }
    Value out() { return {primal.out(), w.constant(0)}; }
  };

  explicit DualOps(RealOps &b) : b(b) {}

  Value constant(double c, const Value &like) {
    return still(b.constant(c, like.v));
  }
  Value precise(double hi, double lo, const Value &like) {
    return still(b.precise(hi, lo, like.v));
  }
  std::optional<double> known(const Value &) { return std::nullopt; }
  Value neg(const Value &x) { return {b.neg(x.v), b.neg(x.d)}; }
  Value add(const Value &x, const Value &y) {
    return {b.add(x.v, y.v), seeded(x, y, [&] { return b.add(x.d, y.d); })};
  }
  Value sub(const Value &x, const Value &y) {
    return {b.sub(x.v, y.v), seeded(x, y, [&] { return b.sub(x.d, y.d); })};
  }
  Value mul(const Value &x, const Value &y) {
    return {b.mul(x.v, y.v), seeded(x, y, [&] {
              return b.add(b.mul(x.d, y.v), b.mul(x.v, y.d));
            })};
  }
  Value div(const Value &x, const Value &y) {
    Real quotient = b.div(x.v, y.v);
    return {quotient, seeded(x, y, [&] {
              return b.div(b.sub(x.d, b.mul(quotient, y.d)), y.v);
            })};
  }
  Value fma(const Value &x, const Value &y, const Value &z) {
    return add(mul(x, y), z);
  }
  z3::expr lt(const Value &x, const Value &y) { return b.lt(x.v, y.v); }
  z3::expr le(const Value &x, const Value &y) { return b.le(x.v, y.v); }
  z3::expr gt(const Value &x, const Value &y) { return b.gt(x.v, y.v); }
  z3::expr ge(const Value &x, const Value &y) { return b.ge(x.v, y.v); }
  z3::expr eq(const Value &x, const Value &y) { return b.eq(x.v, y.v); }
  z3::expr ne(const Value &x, const Value &y) { return b.ne(x.v, y.v); }
  z3::expr unordered(const Value &x, const Value &y) {
    return b.unordered(x.v, y.v);
  }
  z3::expr signbit(const Value &x) { return b.signbit(x.v); }
  z3::expr andB(const z3::expr &p, const z3::expr &q) { return p && q; }
  z3::expr orB(const z3::expr &p, const z3::expr &q) { return p || q; }
  z3::expr xorB(const z3::expr &p, const z3::expr &q) { return p != q; }
  z3::expr notB(const z3::expr &p) { return !p; }
  Value select(const z3::expr &p, const Value &x, const Value &y) {
    return {b.select(p, x.v, y.v), b.select(p, x.d, y.d)};
  }
  // No seed is an argument of a function, but that of ldexp, which is linear.
  Value call(Fn f, const Value &x) { return still(b.call(f, x.v)); }
  Value call(Fn f, const Value &x, const Value &y) {
    return still(b.call(f, x.v, y.v));
  }
  Value callInt(Fn f, const Value &x, const z3::expr &n) {
    Real value = b.callInt(f, x.v, n);
    if (f == Fn::Ldexp && x.v.seeded)
      return {value, b.callInt(f, x.d, n)};
    return still(value);
  }
  z3::expr addInt(const z3::expr &n, int i) { return b.addInt(n, i); }
  z3::expr eqInt(const z3::expr &n, int i, const Value &like) {
    return b.eqInt(n, i, like.v);
  }
  Value fromInt(const z3::expr &n, const Value &like) {
    return still(b.fromInt(n, like.v));
  }
  bool guards(rules::Guard) { return true; }

private:
  Value still(const Real &v) { return {v, b.w.constant(0)}; }
  /// The derivative, which is 0 where no operand has a part of the seed.
  template <class F>
  Real seeded(const Value &x, const Value &y, const F &derivative) {
    return x.v.seeded || y.v.seeded ? derivative() : b.w.constant(0);
  }

  RealOps &b;
};
static_assert(rules::Ops<DualOps>);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_REAL_OPS_H
