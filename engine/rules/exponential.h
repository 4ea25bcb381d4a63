//===- exponential.h - Rules of exponentials and logarithms ---------------===//
//
// Elementary calculus; DLMF 4.7.

#ifndef RETROGRADE_RULES_EXPONENTIAL_H
#define RETROGRADE_RULES_EXPONENTIAL_H

#include "constants.h"
#include "ops.h"

namespace retro::rules {

/// f = e^x: df/dx = f. Infinite where e^x overflows.
struct Exp {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    Value<B> product = b.mul(g, f);
    return guarded(b, g, product);
  }
};

/// f = 2^x: df/dx = f ln 2. Infinite where 2^x overflows.
struct Exp2 {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> scaled = b.mul(g, ln2(b, g));
    Value<B> f = x.out();
    Value<B> product = b.mul(scaled, f);
    return guarded(b, g, product);
  }
};

/// f = 10^x: df/dx = f ln 10. Infinite where 10^x overflows.
struct Exp10 {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> scaled = b.mul(g, ln10(b, g));
    Value<B> f = x.out();
    Value<B> product = b.mul(scaled, f);
    return guarded(b, g, product);
  }
};

/// f = e^x - 1: df/dx = e^x. Not f + 1, which has no correct digit left for
/// x below -36. Infinite where e^x overflows.
struct Expm1 {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> power = b.call(Fn::Exp, a);
    Value<B> product = b.mul(g, power);
    return guarded(b, g, product);
  }
};

/// f = ln x: df/dx = 1/x. Singular at 0.
struct Log {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> quotient = b.div(g, a);
    return guarded(b, g, quotient);
  }
};

/// f = log2 x: df/dx = log2(e)/x. Singular at 0.
struct Log2 {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> scaled = b.mul(g, log2e(b, g));
    Value<B> a = x.in(0);
    Value<B> quotient = b.div(scaled, a);
    return guarded(b, g, quotient);
  }
};

/// f = log10 x: df/dx = log10(e)/x. Singular at 0.
struct Log10 {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> scaled = b.mul(g, log10e(b, g));
    Value<B> a = x.in(0);
    Value<B> quotient = b.div(scaled, a);
    return guarded(b, g, quotient);
  }
};

/// f = ln(1 + x): df/dx = 1/(1 + x). Singular at -1.
struct Log1p {
  static constexpr int arity = 1;
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> one = b.constant(1.0, g);
    Value<B> base = b.add(one, a);
    Value<B> quotient = b.div(g, base);
    return guarded(b, g, quotient);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_EXPONENTIAL_H
