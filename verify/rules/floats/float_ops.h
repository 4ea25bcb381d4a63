//===- float_ops.h - Rules over the floating-point numbers of the solver --===//
//
// FloatOps builds what a rule computes in IEEE 754 arithmetic, bit for bit,
// wherever the seed is part of it. Of the rest - the factor that the seed is
// multiplied with - it keeps what matters at special values: an operation on
// operands without the seed becomes a symbol, with the facts of IEEE 754 about
// it (when the result is NaN, infinite or zero, its sign, and that rounding is
// monotone). What is proved of every such symbol is true of the operation.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_FLOAT_OPS_H
#define RETROGRADE_VERIFY_RULES_FLOAT_OPS_H

#include "rules/ops.h"

#include <map>
#include <optional>
#include <string>
#include <vector>
#include <z3++.h>

namespace retro::proofs {

using rules::Fn;

/// A format of IEEE 754.
struct Format {
  unsigned bits, exponent, significand;
};
inline constexpr Format formats[] = {{16, 5, 11}, {32, 8, 24}, {64, 11, 53}};

struct Float {
  z3::expr e;
  bool seeded = false; ///< The seed is part of it.
  bool literal = false;
};

class FloatOps {
public:
  using Value = Float;
  using Bool = z3::expr;
  using Int = z3::expr; // a bit vector of 32 bits

  struct Operands {
    std::vector<Float> floats;
    z3::expr n;
    Float result;
    Float in(int i) { return floats[static_cast<std::size_t>(i)]; }
    z3::expr inInt(int) { return n; }
    Float out() { return result; }
  };

  FloatOps(z3::context &c, Format f)
      : c(c), format(f), sort(c.fpa_sort(f.exponent, f.significand)) {}
  FloatOps(const FloatOps &) = delete;

  z3::context &c;
  Format format;
  z3::sort sort;
  std::vector<z3::expr> facts;
  /// Whether a symbol stands for an operation.
  bool abstracted = false;
  bool guardsProducts = true;
  /// Symbols get no facts: whatever the factor is, the claims hold.
  bool bare = false;

  Float variable(const char *name) { return {c.constant(name, sort)}; }
  Float number(double v);
  static z3::expr isNaN(const z3::expr &e) { return e.mk_is_nan(); }
  static z3::expr isZero(const z3::expr &e) { return e.mk_is_zero(); }
  static z3::expr isInf(const z3::expr &e) { return e.mk_is_inf(); }
  z3::expr isNegative(const z3::expr &e);
  z3::expr isFinite(const z3::expr &e) { return !isNaN(e) && !isInf(e); }
  z3::expr isInteger(const z3::expr &e);
  z3::expr size(const z3::expr &e) { return z3::abs(e); }
  z3::expr real(double v) { return number(v).e; }

  Float constant(double v, const Float &) { return number(v); }
  std::optional<double> known(const Float &) { return std::nullopt; }
  Float neg(const Float &a) { return {-a.e, a.seeded, a.literal}; }
  Float add(const Float &, const Float &);
  Float sub(const Float &a, const Float &b) { return add(a, neg(b)); }
  Float mul(const Float &, const Float &);
  Float div(const Float &, const Float &);
  // As the engine emits it: rounded twice.
  Float fma(const Float &a, const Float &b, const Float &d) {
    return add(mul(a, b), d);
  }
  z3::expr lt(const Float &a, const Float &b) { return a.e < b.e; }
  z3::expr le(const Float &a, const Float &b) { return a.e <= b.e; }
  z3::expr gt(const Float &a, const Float &b) { return a.e > b.e; }
  z3::expr ge(const Float &a, const Float &b) { return a.e >= b.e; }
  z3::expr eq(const Float &a, const Float &b) { return z3::fp_eq(a.e, b.e); }
  z3::expr ne(const Float &a, const Float &b) { return !eq(a, b); }
  z3::expr unordered(const Float &a, const Float &b) {
    return isNaN(a.e) || isNaN(b.e);
  }
  z3::expr signbit(const Float &a) { return isNegative(a.e); }
  z3::expr andB(const z3::expr &p, const z3::expr &q) { return p && q; }
  z3::expr orB(const z3::expr &p, const z3::expr &q) { return p || q; }
  z3::expr xorB(const z3::expr &p, const z3::expr &q) { return p != q; }
  z3::expr notB(const z3::expr &p) { return !p; }
  Float select(const z3::expr &p, const Float &a, const Float &b) {
    return {z3::ite(p, a.e, b.e), a.seeded || b.seeded};
  }
  Float call(Fn, const Float &);
  Float call(Fn, const Float &, const Float &);
  Float callInt(Fn, const Float &, const z3::expr &n);
  z3::expr addInt(const z3::expr &n, int i) { return n + i; }
  z3::expr eqInt(const z3::expr &n, int i, const Float &) { return n == i; }
  Float fromInt(const z3::expr &n, const Float &);
  bool guards(rules::Guard why) {
    return why == rules::Guard::Singular || guardsProducts;
  }

  /// Symbols with the facts about them: also for the result of a function.
  Float symbol(const std::string &op, std::vector<Float> operands, bool &fresh);
  Float pow(const Float &, const Float &);
  Float hypot(const Float &, const Float &);

private:
  void fact(const z3::expr &e) { facts.push_back(e); }
  void fact(const z3::expr &condition, const z3::expr &e) {
    facts.push_back(z3::implies(condition, e));
  }
  bool keep(const Float &a, const Float &b) const {
    return a.seeded || b.seeded || (a.literal && b.literal);
  }

  std::map<std::string, Float> symbols;
  std::vector<z3::expr> kept;
};
static_assert(rules::Ops<FloatOps>);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_FLOAT_OPS_H
