//===- hyperbolic.h - Rules of hyperbolic functions and inverses ----------===//
//
// DLMF 4.34 (derivatives) and 4.37 (inverse functions).

#ifndef RETROGRADE_RULES_HYPERBOLIC_H
#define RETROGRADE_RULES_HYPERBOLIC_H

#include "ops.h"

namespace retro::rules {

/// f = sinh x: df/dx = cosh x. Infinite where it overflows.
struct Sinh : SlopeIs<Fn::Cosh> {};

/// f = cosh x: df/dx = sinh x. Infinite where it overflows.
struct Cosh : SlopeIs<Fn::Sinh> {};

/// f = tanh x: df/dx = 1 - f^2, between 0 and 1. Its absolute error is that of
/// rounding f: for |x| above 19 the slope, below 1e-16, is returned as 0.
struct Tanh {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    Value<B> one = b.constant(1.0, g);
    Value<B> minus = b.neg(f);
    Value<B> slope = b.fma(minus, f, one);
    return b.mul(g, slope);
  }
};

/// f = asinh x: df/dx = 1/sqrt(x^2 + 1); hypot, because x^2 may overflow.
struct Asinh {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> one = b.constant(1.0, g);
    Value<B> root = b.call(Fn::Hypot, a, one);
    return b.div(g, root);
  }
};

/// f = acosh x, x >= 1: df/dx = 1/sqrt(x^2 - 1), written
/// 1/(sqrt(x - 1) sqrt(x + 1)) for accuracy at 1 and no overflow; NaN for
/// x < 1, as acosh is. Singular at 1.
struct Acosh {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> one = b.constant(1.0, g);
    Value<B> below = b.sub(a, one);
    Value<B> above = b.add(a, one);
    Value<B> rootBelow = b.call(Fn::Sqrt, below);
    Value<B> rootAbove = b.call(Fn::Sqrt, above);
    Value<B> root = b.mul(rootBelow, rootAbove);
    return over(b, g, root);
  }
};

/// f = atanh x: df/dx = 1/(1 - x^2), written 1/((1 - x)(1 + x)) for accuracy
/// near 1 and -1, where it is singular.
struct Atanh {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> one = b.constant(1.0, g);
    Value<B> below = b.sub(one, a);
    Value<B> above = b.add(one, a);
    Value<B> product = b.mul(below, above);
    return over(b, g, product);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_HYPERBOLIC_H
