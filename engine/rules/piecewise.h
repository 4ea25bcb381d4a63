//===- piecewise.h - Rules of functions with kinks, jumps and exponents ---===//
//
// Where a function has a kink, its rule gives the derivative from one side, so
// that the partials always are those of one smooth branch:
//
//   fabs          at +0 and -0 the branch x >= 0: slope 1;
//   min, max      at a tie the second operand, as `a < b ? a : b` does;
//   fdim          at a tie the branch that is constant 0;
//   copysign      the signs decide, those of zeros included.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_RULES_PIECEWISE_H
#define RETROGRADE_RULES_PIECEWISE_H

#include "ops.h"

namespace retro::rules {

/// f constant between jumps (floor, ceil, trunc, round, rint, logb, ...):
/// df/dx = 0.
struct Flat {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &, Value<B> g, int) {
    return zero(b, g);
  }
};

/// f = x minus a constant between jumps (the fractional part of modf):
/// df/dx = 1.
struct Shift {
  template <Ops B> static Value<B> pull(B &, Operands<B> &, Value<B> g, int) {
    return g;
  }
};

/// f = |x|: df/dx = -1 for x < 0, else 1.
struct Fabs {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> minus = b.neg(g);
    Bool<B> below = b.lt(a, zero(b, g));
    return b.select(below, minus, g);
  }
};

/// f = copysign(m, s), the size of m with the sign of s: df/dm = 1 where the
/// signs agree and -1 where they differ; df/ds = 0.
struct Copysign {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    if (i == 1)
      return zero(b, g);
    Value<B> size = x.in(0);
    Value<B> sign = x.in(1);
    Bool<B> sizeNegative = b.signbit(size);
    Bool<B> signNegative = b.signbit(sign);
    Bool<B> differ = b.xorB(sizeNegative, signNegative);
    Value<B> minus = b.neg(g);
    return b.select(differ, minus, g);
  }
};

/// The least or the greatest of two operands. Where both are numbers, the first
/// is chosen if it is strictly the lesser, or the greater; it is also chosen
/// where operand \p Decisive is NaN.
template <bool Least, int Decisive> struct Extremum {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> first = x.in(0);
    Value<B> second = x.in(1);
    Value<B> decisive = Decisive == 0 ? first : second;
    Bool<B> ahead = Least ? b.lt(first, second) : b.gt(first, second);
    Bool<B> undefined = b.unordered(decisive, decisive);
    Bool<B> firstChosen = b.orB(ahead, undefined);
    Value<B> none = zero(b, g);
    return i == 0 ? b.select(firstChosen, g, none)
                  : b.select(firstChosen, none, g);
  }
};

/// f = fmin(a, b), also minnum and minimumnum: a NaN operand is not chosen.
struct Fmin : Extremum<true, 1> {};

/// f = fmax(a, b), also maxnum and maximumnum: a NaN operand is not chosen.
struct Fmax : Extremum<false, 1> {};

/// f = minimum(a, b) of IEEE 754-2019: a NaN operand is the result, so it is
/// the one chosen.
struct Minimum : Extremum<true, 0> {};

/// f = maximum(a, b) of IEEE 754-2019: a NaN operand is the result, so it is
/// the one chosen.
struct Maximum : Extremum<false, 0> {};

/// f = max(a - b, 0): df/da = 1 and df/db = -1 where a > b, else 0.
struct Fdim {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> first = x.in(0);
    Value<B> second = x.in(1);
    Value<B> none = zero(b, g);
    Value<B> slope = i == 0 ? g : b.neg(g);
    Bool<B> apart = b.gt(first, second);
    return b.select(apart, slope, none);
  }
};

/// f = the number next to a in the direction of c: df/da = 1, df/dc = 0 (the
/// step to the neighbour does not change within a binade).
struct Nextafter {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &, Value<B> g, int i) {
    return i == 0 ? g : zero(b, g);
  }
};

/// f = a 2^n (ldexp, scalbn, scalbln): df/da = 2^n.
struct Ldexp {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    if (i == 1)
      return zero(b, g);
    Int<B> n = x.inInt(1);
    return b.callInt(Fn::Ldexp, g, n);
  }
};

/// f = x 2^-e, the fraction of frexp with 1/2 <= |f| < 1: df/dx = 2^-e = f/x,
/// an exact quotient; 1 at x = 0, where frexp says e = 0. NaN at infinity.
struct Frexp {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> f = x.out();
    Value<B> power = b.div(f, a);
    Value<B> product = b.mul(g, power);
    Bool<B> atZero = b.eq(a, zero(b, g));
    Value<B> partial = b.select(atZero, g, product);
    return guarded(b, g, partial);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_PIECEWISE_H
