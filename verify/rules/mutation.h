//===- mutation.h - Rules with one mistake --------------------------------===//
//
// Mutating<B> is a builder that hands on to B what a rule asks for, but for one
// operation, which it gets wrong: another sign, another operand, a factor too
// many, a term left out, another function, a comparison turned round. Which
// mistakes there are follows from the operations of the algebra alone, so every
// rule that is ever written has its mutants. A proof that a mutant passes as
// well proves nothing; so each one has to be refuted.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_MUTATION_H
#define RETROGRADE_VERIFY_RULES_MUTATION_H

#include "rules/uses.h"

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace retro::proofs {

using rules::Fn;
using rules::RuleId;

/// One mistake in the partial with respect to `operand`: the `variant`-th
/// mistake of the `site`-th operation. site -1: none.
struct Mutation {
  int operand = -1;
  int site = -1;
  int variant = 0;
};

/// A mistake, in words, as it is met.
struct Met {
  int site;
  int variant;
  std::string text;
};

/// The functions that are easily taken for \p f.
constexpr Fn relativeOf(Fn f) {
  switch (f) {
  case Fn::Sqrt:
    return Fn::Cbrt;
  case Fn::Cbrt:
    return Fn::Sqrt;
  case Fn::Exp:
    return Fn::Expm1;
  case Fn::Log:
    return Fn::Log1p;
  case Fn::Sin:
    return Fn::Cos;
  case Fn::Cos:
    return Fn::Sin;
  case Fn::Sinpi:
    return Fn::Cospi;
  case Fn::Cospi:
    return Fn::Sinpi;
  case Fn::Sinh:
    return Fn::Cosh;
  case Fn::Cosh:
    return Fn::Sinh;
  case Fn::Round:
    return Fn::Trunc;
  case Fn::J0:
    return Fn::J1;
  case Fn::J1:
    return Fn::J0;
  case Fn::Y0:
    return Fn::Y1;
  case Fn::Y1:
    return Fn::Y0;
  default:
    return f;
  }
}

template <rules::Ops Base> class Mutating {
public:
  using Value = typename Base::Value;
  using Bool = typename Base::Bool;
  using Int = typename Base::Int;

  struct Operands {
    typename Base::Operands &base;
    Mutating &m;
    int floats; ///< Bit i: operand i is a floating-point number.

    bool isFloat(int i) const { return (floats >> i) & 1; }
    Value in(int i) {
      Value right = base.in(i);
      auto other = [&](int step) {
        return [this, i, step] {
          int k = (i + step) % 3;
          return isFloat(k) ? base.in(k) : base.out();
        };
      };
      if (!isFloat((i + 1) % 3) && !isFloat((i + 2) % 3))
        return m.pick(right, {{"the result for an operand", other(1)}});
      return m.pick(
          right,
          {{"another operand", other(isFloat((i + 1) % 3) ? 1 : 2)},
           {"the result for an operand", [this] { return base.out(); }}});
    }
    Int inInt(int i) {
      Int right = base.inInt(i);
      return m.pick(right,
                    {{"n + 1 for n", [&] { return m.b.addInt(right, 1); }}});
    }
    Value out() {
      Value right = base.out();
      for (int i = 0; i < 3; ++i)
        if (isFloat(i))
          return m.pick(right, {{"an operand for the result",
                                 [this, i] { return base.in(i); }}});
      return right;
    }
  };

  Mutating(Base &b, Mutation mistake, std::vector<Met> *met = nullptr)
      : b(b), mistake(mistake), met(met) {}

  Value constant(double c, const Value &like) {
    Value right = b.constant(c, like);
    if (c == 0)
      return pick(right, {{"1 for 0", [&] { return b.constant(1, like); }}});
    return pick(right, {{"another sign", [&] { return b.constant(-c, like); }},
                        {"twice", [&] { return b.constant(2 * c, like); }}});
  }
  Value precise(double hi, double lo, const Value &like) {
    Value right = rules::precise(b, hi, lo, like);
    return pick(right, {{"twice", [&] { return b.add(right, right); }},
                        {"1 for it", [&] { return b.constant(1, like); }}});
  }
  std::optional<double> known(const Value &v) { return b.known(v); }

  Value neg(const Value &a) {
    return pick(b.neg(a), {{"sign dropped", [&] { return a; }}});
  }
  Value add(const Value &x, const Value &y) {
    return pick(b.add(x, y), {{"- for +", [&] { return b.sub(x, y); }},
                              {"first term alone", [&] { return x; }},
                              {"second term alone", [&] { return y; }}});
  }
  Value sub(const Value &x, const Value &y) {
    return pick(b.sub(x, y), {{"+ for -", [&] { return b.add(x, y); }},
                              {"operands swapped", [&] { return b.sub(y, x); }},
                              {"first term alone", [&] { return x; }},
                              {"second term alone", [&] { return b.neg(y); }}});
  }
  Value mul(const Value &x, const Value &y) {
    Value right = b.mul(x, y);
    return pick(right, {{"another sign", [&] { return b.neg(right); }},
                        {"first factor alone", [&] { return x; }},
                        {"second factor alone", [&] { return y; }},
                        {"/ for *", [&] { return b.div(x, y); }},
                        {"a factor 2", [&] { return b.add(right, right); }}});
  }
  Value div(const Value &x, const Value &y) {
    Value right = b.div(x, y);
    return pick(right, {{"another sign", [&] { return b.neg(right); }},
                        {"* for /", [&] { return b.mul(x, y); }},
                        {"divisor left out", [&] { return x; }},
                        {"operands swapped", [&] { return b.div(y, x); }},
                        {"a factor 2", [&] { return b.add(right, right); }}});
  }
  Value fma(const Value &x, const Value &y, const Value &z) {
    Value right = b.fma(x, y, z);
    return pick(right,
                {{"- for +", [&] { return b.fma(x, y, b.neg(z)); }},
                 {"product subtracted", [&] { return b.fma(b.neg(x), y, z); }},
                 {"product alone", [&] { return b.mul(x, y); }},
                 {"summand alone", [&] { return z; }},
                 {"first factor left out", [&] { return b.add(y, z); }}});
  }

  Bool lt(const Value &x, const Value &y) {
    return pick(b.lt(x, y), {{"> for <", [&] { return b.gt(x, y); }},
                             {"<= for <", [&] { return b.le(x, y); }}});
  }
  Bool le(const Value &x, const Value &y) {
    return pick(b.le(x, y), {{">= for <=", [&] { return b.ge(x, y); }},
                             {"< for <=", [&] { return b.lt(x, y); }}});
  }
  Bool gt(const Value &x, const Value &y) {
    return pick(b.gt(x, y), {{"< for >", [&] { return b.lt(x, y); }},
                             {">= for >", [&] { return b.ge(x, y); }}});
  }
  Bool ge(const Value &x, const Value &y) {
    return pick(b.ge(x, y), {{"<= for >=", [&] { return b.le(x, y); }},
                             {"> for >=", [&] { return b.gt(x, y); }}});
  }
  Bool eq(const Value &x, const Value &y) {
    return pick(b.eq(x, y), {{"!= for ==", [&] { return b.ne(x, y); }}});
  }
  Bool ne(const Value &x, const Value &y) {
    return pick(b.ne(x, y), {{"== for !=", [&] { return b.eq(x, y); }}});
  }
  Bool unordered(const Value &x, const Value &y) {
    Bool right = b.unordered(x, y);
    return pick(right, {{"NaN denied", [&] { return b.notB(right); }}});
  }
  Bool signbit(const Value &x) {
    Bool right = b.signbit(x);
    return pick(right, {{"sign denied", [&] { return b.notB(right); }}});
  }
  Bool andB(const Bool &p, const Bool &q) {
    return pick(b.andB(p, q), {{"or for and", [&] { return b.orB(p, q); }},
                               {"first condition alone", [&] { return p; }},
                               {"second condition alone", [&] { return q; }}});
  }
  Bool orB(const Bool &p, const Bool &q) {
    return pick(b.orB(p, q), {{"and for or", [&] { return b.andB(p, q); }},
                              {"first condition alone", [&] { return p; }},
                              {"second condition alone", [&] { return q; }}});
  }
  Bool xorB(const Bool &p, const Bool &q) {
    return pick(b.xorB(p, q), {{"or for xor", [&] { return b.orB(p, q); }},
                               {"first condition alone", [&] { return p; }},
                               {"second condition alone", [&] { return q; }}});
  }
  Bool notB(const Bool &p) {
    return pick(b.notB(p), {{"not left out", [&] { return p; }}});
  }
  Value select(const Bool &p, const Value &x, const Value &y) {
    return pick(b.select(p, x, y),
                {{"arms swapped", [&] { return b.select(p, y, x); }},
                 {"first arm alone", [&] { return x; }},
                 {"second arm alone", [&] { return y; }}});
  }
  Value call(Fn f, const Value &x) {
    Value right = b.call(f, x);
    if (relativeOf(f) == f)
      return pick(right, {{"function left out", [&] { return x; }}});
    return pick(right, {{"function left out", [&] { return x; }},
                        {"another function",
                         [&] { return b.call(relativeOf(f), x); }}});
  }
  Value call(Fn f, const Value &x, const Value &y) {
    return pick(b.call(f, x, y),
                {{"arguments swapped", [&] { return b.call(f, y, x); }},
                 {"function left out", [&] { return x; }}});
  }
  Value callInt(Fn f, const Value &x, const Int &n) {
    return pick(
        b.callInt(f, x, n),
        {{"n + 1 for n", [&] { return b.callInt(f, x, b.addInt(n, 1)); }},
         {"function left out", [&] { return x; }}});
  }
  Int addInt(const Int &n, int i) {
    return pick(b.addInt(n, i),
                {{"another sign", [&] { return b.addInt(n, -i); }},
                 {"term left out", [&] { return n; }}});
  }
  Bool eqInt(const Int &n, int i, const Value &like) {
    Bool right = b.eqInt(n, i, like);
    return pick(right, {{"!= for ==", [&] { return b.notB(right); }}});
  }
  Value fromInt(const Int &n, const Value &like) {
    return pick(b.fromInt(n, like), {{"n + 1 for n", [&] {
                                        return b.fromInt(b.addInt(n, 1), like);
                                      }}});
  }
  bool guards(rules::Guard why) {
    bool right = b.guards(why);
    return pick(right, {{"no guard", [&] { return !right; }}});
  }

  /// What the rule yields, whatever it did.
  Value result(const Value &right) {
    return pick(right,
                {{"result: another sign", [&] { return b.neg(right); }},
                 {"result: a factor 2", [&] { return b.add(right, right); }},
                 {"result: 0", [&] { return b.constant(0, right); }}});
  }

private:
  template <class T> struct Mistake {
    const char *text;
    std::function<T()> make;
  };

  /// \p right, or the mistake that is asked for here.
  template <class T>
  T pick(const T &right, std::vector<Mistake<std::type_identity_t<T>>> wrong) {
    int here = site++;
    if (met)
      for (std::size_t k = 0; k < wrong.size(); ++k)
        met->push_back({here, static_cast<int>(k), wrong[k].text});
    return here == mistake.site
               ? wrong[static_cast<std::size_t>(mistake.variant)].make()
               : right;
  }

  Base &b;
  Mutation mistake;
  std::vector<Met> *met;
  int site = 0;
};

/// g times the partial of rule \p id with respect to operand \p i, with the
/// mistake \p m if it is one of this partial. \p floats: bit k is set if
/// operand k is a floating-point number.
template <rules::Ops B>
typename B::Value pullWith(RuleId id, B &b, typename B::Operands &x,
                           typename B::Value g, int i, int floats, Mutation m,
                           std::vector<Met> *met = nullptr) {
  using M = Mutating<B>;
  static_assert(rules::Ops<M>);
  M wrong(b, m.operand == i ? m : Mutation{}, met);
  typename M::Operands operands{x, wrong, floats};
  auto product = rules::pull(id, wrong, operands, g, i);
  return wrong.result(product);
}

/// Every mistake that can be made in the partial with respect to \p operand.
inline std::vector<Met> mistakesOf(RuleId id, int operand, int floats) {
  rules::Uses b;
  rules::Uses::Operands x;
  std::vector<Met> met;
  pullWith(id, b, x, rules::Uses::Value{}, operand, floats, {}, &met);
  return met;
}

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_MUTATION_H
