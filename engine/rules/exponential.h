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
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> f = x.out();
    return times(b, g, f);
  }
};

/// The rule of f with df/dx = \p rate f.
template <Ops B>
Value<B> timesResult(B &b, Operands<B> &x, Value<B> g, Value<B> rate) {
  Value<B> scaled = b.mul(g, rate);
  Value<B> f = x.out();
  Value<B> product = b.mul(scaled, f);
  return guarded(b, g, product);
}

/// The rule of f with df/dx = \p rate / x.
template <Ops B>
Value<B> overOperand(B &b, Operands<B> &x, Value<B> g, Value<B> rate) {
  Value<B> scaled = b.mul(g, rate);
  Value<B> a = x.in(0);
  Value<B> quotient = b.div(scaled, a);
  return guarded(b, g, quotient);
}

/// f = 2^x: df/dx = f ln 2. Infinite where 2^x overflows.
struct Exp2 {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    return timesResult(b, x, g, ln2(b, g));
  }
};

/// f = 10^x: df/dx = f ln 10. Infinite where 10^x overflows.
struct Exp10 {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    return timesResult(b, x, g, ln10(b, g));
  }
};

/// f = e^x - 1: df/dx = e^x. Not f + 1, which has no correct digit left for
/// x below -36. Infinite where e^x overflows.
struct Expm1 : SlopeIs<Fn::Exp> {};

/// f = ln x: df/dx = 1/x. Singular at 0.
struct Log {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    return over(b, g, a);
  }
};

/// f = log2 x: df/dx = log2(e)/x. Singular at 0.
struct Log2 {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    return overOperand(b, x, g, log2e(b, g));
  }
};

/// f = log10 x: df/dx = log10(e)/x. Singular at 0.
struct Log10 {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    return overOperand(b, x, g, log10e(b, g));
  }
};

/// f = ln(1 + x): df/dx = 1/(1 + x). Singular at -1.
struct Log1p {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int) {
    Value<B> a = x.in(0);
    Value<B> one = b.constant(1.0, g);
    Value<B> base = b.add(one, a);
    return over(b, g, base);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_EXPONENTIAL_H
