//===- trigonometric.h - Rules of circular functions and inverses ---------===//
//
// DLMF 4.20 (derivatives) and 4.24 (inverse functions).

#ifndef RETROGRADE_RULES_TRIGONOMETRIC_H
#define RETROGRADE_RULES_TRIGONOMETRIC_H

#include "constants.h"
#include "ops.h"

namespace retro::rules {

/// f = sin x: df/dx = cos x. NaN at infinity.
struct Sin : SlopeIs<Fn::Cos> {};

/// f = cos x: df/dx = -sin x. NaN at infinity.
struct Cos : SlopeIsMinus<Fn::Sin> {};

/// f = tan x: df/dx = 1 + f^2. NaN at infinity.
struct Tan {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    Value<B> one = b.constant(1.0, g);
    Value<B> slope = b.fma(f, f, one);
    return times(b, g, slope);
  }
};

/// sqrt(1 - a^2) as sqrt((1 - a)(1 + a)), accurate near a = 1 and a = -1.
template <Ops B> Value<B> complementaryLeg(B &b, Value<B> a) {
  Value<B> one = b.constant(1.0, a);
  Value<B> below = b.sub(one, a);
  Value<B> above = b.add(one, a);
  Value<B> square = b.mul(below, above);
  return b.call(Fn::Sqrt, square);
}

/// f = asin x: df/dx = 1/sqrt(1 - x^2). Singular at 1 and -1.
struct Asin {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> leg = complementaryLeg(b, a);
    return over(b, g, leg);
  }
};

/// f = acos x: df/dx = -1/sqrt(1 - x^2). Singular at 1 and -1.
struct Acos {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> leg = complementaryLeg(b, a);
    Value<B> quotient = b.div(g, leg);
    Value<B> partial = b.neg(quotient);
    return guarded(b, g, partial);
  }
};

/// f = atan x: df/dx = 1/(1 + x^2), which is 0 where x^2 overflows.
struct Atan {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> one = b.constant(1.0, g);
    Value<B> square = b.fma(a, a, one);
    return b.div(g, square);
  }
};

/// f = atan2(u, v), the angle of the point (v, u): df/du = v/(u^2 + v^2),
/// df/dv = -u/(u^2 + v^2). Squares would over- and underflow; with the longer
/// leg L, the shorter S and r = S/L, the sum of squares is L^2 (1 + r^2), and
/// the partials are 1/(L(1 + r^2)) and r/(L(1 + r^2)). Singular at the origin.
struct Atan2 {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> u = x.in(0);
    Value<B> v = x.in(1);
    Value<B> sizeU = b.call(Fn::Fabs, u);
    Value<B> sizeV = b.call(Fn::Fabs, v);
    Bool<B> longerV = b.ge(sizeV, sizeU);
    Value<B> longer = b.select(longerV, v, u);
    Value<B> shorter = b.select(longerV, u, v);
    Value<B> r = b.div(shorter, longer);
    Value<B> one = b.constant(1.0, g);
    Value<B> growth = b.fma(r, r, one);
    Value<B> scale = b.mul(longer, growth);
    Value<B> steep = b.div(g, scale);
    Value<B> flat = b.mul(steep, r);
    if (i == 0) {
      Value<B> partial = b.select(longerV, steep, flat);
      return guarded(b, g, partial);
    }
    Value<B> partial = b.select(longerV, flat, steep);
    Value<B> negated = b.neg(partial);
    return guarded(b, g, negated);
  }
};

/// \p g pi times a slope.
template <Ops B> Value<B> timesPi(B &b, Value<B> g, Value<B> slope) {
  Value<B> scaled = b.mul(g, pi(b, g));
  return b.mul(scaled, slope);
}

/// f = sin(pi x): df/dx = pi cos(pi x). NaN at infinity.
struct Sinpi {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> slope = b.call(Fn::Cospi, a);
    Value<B> product = timesPi(b, g, slope);
    return guarded(b, g, product);
  }
};

/// f = cos(pi x): df/dx = -pi sin(pi x). NaN at infinity.
struct Cospi {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> sine = b.call(Fn::Sinpi, a);
    Value<B> product = timesPi(b, g, sine);
    Value<B> partial = b.neg(product);
    return guarded(b, g, partial);
  }
};

/// f = tan(pi x): df/dx = pi (1 + f^2). Singular at half-integers.
struct Tanpi {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    Value<B> one = b.constant(1.0, g);
    Value<B> slope = b.fma(f, f, one);
    Value<B> product = timesPi(b, g, slope);
    return guarded(b, g, product);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_TRIGONOMETRIC_H
