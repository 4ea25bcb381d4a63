//===- special.h - Rules of error, gamma and Bessel functions -------------===//

#ifndef RETROGRADE_RULES_SPECIAL_H
#define RETROGRADE_RULES_SPECIAL_H

#include "constants.h"
#include "digamma.h"
#include "ops.h"

namespace retro::rules {

/// f = erf x: df/dx = 2/sqrt(pi) exp(-x^2) (DLMF 7.10.1).
struct Erf {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> minus = b.neg(a);
    Value<B> exponent = b.mul(minus, a);
    Value<B> bell = b.call(Fn::Exp, exponent);
    Value<B> scaled = b.mul(g, twoOverSqrtPi(b, g));
    return b.mul(scaled, bell);
  }
};

/// f = erfc x = 1 - erf x: df/dx = -2/sqrt(pi) exp(-x^2) (DLMF 7.10.1).
struct Erfc {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> partial = Erf::pull(b, x, g, i);
    return b.neg(partial);
  }
};

/// f = Gamma(x): df/dx = f psi(x) (DLMF 5.2.2). Poles at 0, -1, -2, ...
struct Tgamma {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> psi = digamma(b, a);
    Value<B> f = x.out();
    Value<B> slope = b.mul(f, psi);
    return times(b, g, slope);
  }
};

/// f = ln |Gamma(x)|: df/dx = psi(x) (DLMF 5.2.2). Poles at 0, -1, -2, ...
struct Lgamma {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> psi = digamma(b, a);
    return times(b, g, psi);
  }
};

/// f = J0(x): df/dx = -J1(x) (DLMF 10.6.3).
struct J0 {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> slope = b.call(Fn::J1, a);
    Value<B> product = b.mul(g, slope);
    return b.neg(product);
  }
};

/// f = Y0(x): df/dx = -Y1(x) (DLMF 10.6.3). Singular at 0.
struct Y0 : SlopeIsMinus<Fn::Y1> {};

/// f = J1(x): df/dx = J0(x) - f/x (DLMF 10.6.2), which is 1/2 at 0.
struct J1 {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> f = x.out();
    Value<B> order0 = b.call(Fn::J0, a);
    Value<B> quotient = b.div(f, a);
    Value<B> elsewhere = b.sub(order0, quotient);
    Value<B> half = b.constant(0.5, g);
    Bool<B> atZero = b.eq(a, zero(b, g));
    Value<B> slope = b.select(atZero, half, elsewhere);
    return b.mul(g, slope);
  }
};

/// f = Y1(x): df/dx = Y0(x) - f/x (DLMF 10.6.2). Singular at 0.
struct Y1 {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> f = x.out();
    Value<B> order0 = b.call(Fn::Y0, a);
    Value<B> quotient = b.div(f, a);
    Value<B> slope = b.sub(order0, quotient);
    return times(b, g, slope);
  }
};

/// C_n(x) of the cylinder function \p F, C's F(n, x): operand 0 is the integer
/// order, operand 1 is x. df/dx = (C_(n-1)(x) - C_(n+1)(x))/2 (DLMF 10.6.1),
/// which holds for n <= 0 too, and at x = 0.
template <Fn F> struct Cylinder {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    if (i == 0)
      return zero(b, g);
    Int<B> n = x.inInt(0);
    Value<B> a = x.in(1);
    Int<B> below = b.addInt(n, -1);
    Int<B> above = b.addInt(n, 1);
    Value<B> lower = b.callInt(F, a, below);
    Value<B> upper = b.callInt(F, a, above);
    Value<B> difference = b.sub(lower, upper);
    Value<B> half = b.constant(0.5, g);
    Value<B> slope = b.mul(half, difference);
    return times(b, g, slope);
  }
};

/// f = J_n(x), C's jn(n, x).
struct Jn : Cylinder<Fn::Jn> {};

/// f = Y_n(x), C's yn(n, x). Singular at 0.
struct Yn : Cylinder<Fn::Yn> {};

} // namespace retro::rules

#endif // RETROGRADE_RULES_SPECIAL_H
