//===- ops.h - The abstract builder that derivative rules are written over ===//
//
// A rule is the scaled partial derivative g * df/dx_i, linear in g, written
// once as a template over the builder described here. Forward mode sums
// pull(tangent of x_i, i) over i; reverse mode adds pull(adjoint of f, i) to
// the adjoint of x_i. What a rule *does* depends on the builder: emit IR,
// build a formula for a solver, compute a number, or record what was read.
//
// Three habits every rule keeps:
//
//  * Name every operand before using it. The order in which C++ evaluates
//    function arguments is unspecified, and emitted code must not depend on
//    the compiler that built the engine.
//  * Read only what the partial with respect to operand i needs, and read
//    the result (`x.out()`) rather than compute a transcendental again. What
//    is read is what the planner keeps for the reverse pass.
//  * Both arms of a `select` are computed: a select chooses, it does not
//    protect.
//
// Zero seeds. Where the primal guards a singular operation with a branch, the
// optimizer may have turned the branch into a select that computes both arms.
// The arm not taken then gets the seed g = 0 at a point where df/dx_i is
// infinite or NaN, and 0 * inf must not reach the sum. So:
//
//  * A rule whose factor can be infinite or NaN although no operand is NaN
//    ends with `guarded(...)`, which yields 0 where g is 0 and the product is
//    NaN. The test is on the product, not on g alone: where the derivative
//    is finite nothing is masked, so that differentiating the derivative again
//    is right even where a seed happens to vanish (a least-squares fit at zero
//    residual is the everyday case).
//  * A rule whose factor is finite for all operands but NaN has no guard
//    (tanh, atan, erf, fabs, ...).
//  * Products (mul, fma) are too frequent to guard always, and their factors
//    are only non-finite if an operand is. They ask for `Guard::Product`,
//    which a builder grants where the operation may stand in an arm not taken.
//
// A builder must not promise the absence of NaN or infinity on the operations
// of a rule (the nnan and ninf flags of LLVM): the guard relies on them.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_RULES_OPS_H
#define RETROGRADE_RULES_OPS_H

#include <concepts>
#include <optional>

namespace retro::rules {

/// The primal functions that a rule may call. How each one is spelled in IR
/// and in the C library is said by front/known/known_functions.def (`PRIMAL`).
enum class Fn {
  // one floating-point operand
  Sqrt,
  Cbrt,
  Exp,
  Exp2,
  Exp10,
  Expm1,
  Log,
  Log1p,
  Sin,
  Cos,
  Tan,
  Sinh,
  Cosh,
  Tanh,
  Sinpi,
  Cospi,
  Fabs,
  Trunc,
  Round,
  J0,
  J1,
  Y0,
  Y1,
  // two floating-point operands
  Pow,
  Hypot,
  // one floating-point operand and an integer: see Ops::callInt
  Powi,
  Ldexp,
  Jn,
  Yn,
};

/// Why a rule asks for protection against 0 * inf (see the top of this file).
enum class Guard {
  Singular, ///< The factor is infinite or NaN at some ordinary operands.
  Product,  ///< The factor is an operand or a product of operands.
};

/// What a builder offers. `Value` is a floating-point value (or a vector of
/// them, lane by lane), `Bool` a truth value of the same shape, `Int` an
/// integer operand of the primal (the exponent of powi, the order of jn).
///
/// `Operands` gives the primal operation that is being differentiated:
///   in(i)     operand i, floating point;
///   inInt(i)  operand i, integer;
///   out()     its result.
/// Each is fetched (recomputed, loaded from the tape, recorded as needed)
/// only when called, and calling it again costs nothing.
template <class B>
concept Ops =
    requires(B &b, typename B::Value v, typename B::Bool p, typename B::Int n,
             typename B::Operands &x, double c, int i, Fn f, Guard why) {
      // The constant c in the type of v, in every lane.
      { b.constant(c, v) } -> std::same_as<typename B::Value>;
      // The value of v if it is known while building, the same in every lane.
      // May be used to leave work out, never to read more operands.
      { b.known(v) } -> std::same_as<std::optional<double>>;

      { b.neg(v) } -> std::same_as<typename B::Value>;
      { b.add(v, v) } -> std::same_as<typename B::Value>;
      { b.sub(v, v) } -> std::same_as<typename B::Value>;
      { b.mul(v, v) } -> std::same_as<typename B::Value>;
      { b.div(v, v) } -> std::same_as<typename B::Value>;
      // a * b + c, rounded once or twice as the builder likes.
      { b.fma(v, v, v) } -> std::same_as<typename B::Value>;

      // Ordered comparisons: false when an operand is NaN; `ne` is the negation
      // of `eq`, so true then; `unordered` is true exactly then.
      { b.lt(v, v) } -> std::same_as<typename B::Bool>;
      { b.le(v, v) } -> std::same_as<typename B::Bool>;
      { b.gt(v, v) } -> std::same_as<typename B::Bool>;
      { b.ge(v, v) } -> std::same_as<typename B::Bool>;
      { b.eq(v, v) } -> std::same_as<typename B::Bool>;
      { b.ne(v, v) } -> std::same_as<typename B::Bool>;
      { b.unordered(v, v) } -> std::same_as<typename B::Bool>;
      { b.signbit(v) } -> std::same_as<typename B::Bool>;
      { b.andB(p, p) } -> std::same_as<typename B::Bool>;
      { b.orB(p, p) } -> std::same_as<typename B::Bool>;
      { b.xorB(p, p) } -> std::same_as<typename B::Bool>;
      { b.notB(p) } -> std::same_as<typename B::Bool>;
      { b.select(p, v, v) } -> std::same_as<typename B::Value>;

      // Primal functions: one operand, two operands, and one with an integer
      // (powi(x, n), ldexp(x, n), jn(n, x), yn(n, x) are all callInt(f, x, n)).
      { b.call(f, v) } -> std::same_as<typename B::Value>;
      { b.call(f, v, v) } -> std::same_as<typename B::Value>;
      { b.callInt(f, v, n) } -> std::same_as<typename B::Value>;

      // Integers: n + i (wrapping), n == i, and n in the type of v.
      { b.addInt(n, i) } -> std::same_as<typename B::Int>;
      { b.eqInt(n, i, v) } -> std::same_as<typename B::Bool>;
      { b.fromInt(n, v) } -> std::same_as<typename B::Value>;

      // Whether a guard of this kind is to be built here. Answering true always
      // is correct; `Singular` may be refused only if no seed can be a masked
      // one.
      { b.guards(why) } -> std::same_as<bool>;

      { x.in(i) } -> std::same_as<typename B::Value>;
      { x.inInt(i) } -> std::same_as<typename B::Int>;
      { x.out() } -> std::same_as<typename B::Value>;
    };

template <Ops B> using Value = typename B::Value;
template <Ops B> using Bool = typename B::Bool;
template <Ops B> using Int = typename B::Int;
template <Ops B> using Operands = typename B::Operands;

//===----------------------------------------------------------------------===//
// Small phrases that many rules share
//===----------------------------------------------------------------------===//

/// The constant 0 in the type of \p like: the partial of a flat operand.
template <Ops B> Value<B> zero(B &b, Value<B> like) {
  return b.constant(0.0, like);
}

/// A constant given to about 107 bits as hi + lo, so that it is right in long
/// double and binary128 too. In double and narrower hi + lo rounds to hi. A
/// builder over the real numbers takes the number that is meant: it offers
/// `precise` itself.
template <Ops B> Value<B> precise(B &b, double hi, double lo, Value<B> like) {
  if constexpr (requires { b.precise(hi, lo, like); })
    return b.precise(hi, lo, like);
  Value<B> h = b.constant(hi, like);
  Value<B> l = b.constant(lo, like);
  return b.add(h, l);
}

/// The constant num/den in the precision of \p like.
template <Ops B> Value<B> ratio(B &b, double num, double den, Value<B> like) {
  Value<B> n = b.constant(num, like);
  Value<B> d = b.constant(den, like);
  return b.div(n, d);
}

/// \p product (a multiple of the seed \p g), or 0 where the seed is 0 and the
/// product is NaN. See "Zero seeds" at the top of this file.
template <Ops B>
Value<B> guarded(B &b, Value<B> g, Value<B> product,
                 Guard why = Guard::Singular) {
  if (!b.guards(why))
    return product;
  Value<B> none = zero(b, g);
  Bool<B> unseeded = b.eq(g, none);
  Bool<B> undefined = b.unordered(product, product);
  Bool<B> masked = b.andB(unseeded, undefined);
  return b.select(masked, none, product);
}

/// \p g times a slope that can be infinite or NaN although no operand is NaN.
template <Ops B> Value<B> times(B &b, Value<B> g, Value<B> slope) {
  Value<B> product = b.mul(g, slope);
  return guarded(b, g, product);
}

/// \p g divided by what can be 0 or NaN although no operand is NaN.
template <Ops B> Value<B> over(B &b, Value<B> g, Value<B> divisor) {
  Value<B> quotient = b.div(g, divisor);
  return guarded(b, g, quotient);
}

/// The rule of a function of one operand, df/dx = F(x), where F can be infinite
/// or NaN.
template <Fn F> struct SlopeIs {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> slope = b.call(F, a);
    return times(b, g, slope);
  }
};

/// The same where df/dx = -F(x).
template <Fn F> struct SlopeIsMinus {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> slope = b.call(F, a);
    Value<B> product = b.mul(g, slope);
    Value<B> partial = b.neg(product);
    return guarded(b, g, partial);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_OPS_H
