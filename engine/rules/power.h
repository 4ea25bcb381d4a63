//===- power.h - Rules of roots, powers and lengths -----------------------===//
//
// Elementary calculus; powers: DLMF 4.8(iii).

#ifndef RETROGRADE_RULES_POWER_H
#define RETROGRADE_RULES_POWER_H

#include "constants.h"
#include "ops.h"

namespace retro::rules {

/// f = sqrt x: df/dx = 1/(2f). Singular at 0, NaN below. Not (g/2)/f: half of
/// the smallest seed is 0, and 0/0 is not the infinite slope at 0.
struct Sqrt {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    Value<B> twice = b.add(f, f);
    return over(b, g, twice);
  }
};

/// f = 1/sqrt x: df/dx = -f^3/2. Singular at 0, NaN below. The 1/2 comes last:
/// half of the smallest seed is 0.
struct Rsqrt {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    Value<B> first = b.mul(g, f);
    Value<B> square = b.mul(f, f);
    Value<B> product = b.mul(first, square);
    Value<B> factor = b.constant(-0.5, g);
    Value<B> partial = b.mul(factor, product);
    return guarded(b, g, partial);
  }
};

/// f = x^(1/3): df/dx = 1/(3 f^2). The form f/(3x) would be NaN at 0; this one
/// is infinite there, as the slope is.
struct Cbrt {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    Value<B> square = b.mul(f, f);
    Value<B> three = b.constant(3.0, g);
    Value<B> divisor = b.mul(three, square);
    return over(b, g, divisor);
  }
};

/// f = a^c.
///
/// df/da = c a^(c-1), and 0 for c = 0, where a^c is 1 also at a = 0. Not
/// c f/a: that is NaN at a = 0, and loses everything where f underflows.
///
/// df/dc = f ln a; 0 at a = 0, c >= 0, where 0^c does not change as c grows
/// (at c = 0 this takes the one-sided slope for the derivative). NaN for a < 0:
/// the function is defined there at integers c only.
struct Pow {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> none = zero(b, g);
    Value<B> one = b.constant(1.0, g);
    Value<B> base = x.in(0);
    if (i == 0) {
      Value<B> exponent = x.in(1);
      Value<B> lower = b.sub(exponent, one);
      Value<B> power = b.call(Fn::Pow, base, lower);
      Value<B> scaled = b.mul(g, exponent);
      Value<B> product = b.mul(scaled, power);
      // Only where needed: for c = 0 the product still has a slope in c.
      Bool<B> constant = b.eq(exponent, none);
      Bool<B> undefined = b.unordered(product, product);
      Bool<B> masked = b.andB(constant, undefined);
      Value<B> partial = b.select(masked, none, product);
      return guarded(b, g, partial);
    }
    Value<B> f = x.out();
    Value<B> logarithm = b.call(Fn::Log, base);
    Value<B> scaled = b.mul(g, f);
    Value<B> product = b.mul(scaled, logarithm);
    Bool<B> atZero = b.eq(base, none);
    Bool<B> bounded = b.le(f, one); // 0^c is 0 or 1 for c >= 0, else infinite
    Bool<B> constant = b.andB(atZero, bounded);
    Value<B> partial = b.select(constant, none, product);
    return guarded(b, g, partial);
  }
};

/// f = a^n with an integer n: df/da = n a^(n-1), and 0 for n = 0. The smallest
/// integer has no n - 1: there the rule is wrong, and f is 0 or infinite for
/// all a that are not within 1e-6 of 1 or -1.
struct Powi {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> none = zero(b, g);
    if (i == 1)
      return none;
    Value<B> base = x.in(0);
    Int<B> n = x.inInt(1);
    Int<B> lower = b.addInt(n, -1);
    Value<B> power = b.callInt(Fn::Powi, base, lower);
    Value<B> factor = b.fromInt(n, g);
    Value<B> scaled = b.mul(g, factor);
    Value<B> product = b.mul(scaled, power);
    Bool<B> constant = b.eqInt(n, 0, g);
    Value<B> partial = b.select(constant, none, product);
    return guarded(b, g, partial);
  }
};

/// f = sqrt(a^2 + c^2): df/da = a/f, df/dc = c/f, at most 1 in size; dividing
/// first keeps huge and tiny operands from over- and underflowing. Undefined
/// (NaN) at the origin.
struct Hypot {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> leg = x.in(i);
    Value<B> f = x.out();
    Value<B> cosine = b.div(leg, f);
    return times(b, g, cosine);
  }
};

/// f = sqrt(a^2 + c^2 + d^2), the three-operand std::hypot: as Hypot.
struct Hypot3 {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    return Hypot::pull(b, x, g, i);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_POWER_H
