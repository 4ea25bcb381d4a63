//===- arithmetic.h - Rules of the arithmetic operations ------------------===//

#ifndef RETROGRADE_RULES_ARITHMETIC_H
#define RETROGRADE_RULES_ARITHMETIC_H

#include "ops.h"

namespace retro::rules {

/// f = -a: df/da = -1.
struct Neg {
  template <Ops B> static Value<B> pull(B &b, Operands<B> &, Value<B> g, int) {
    return b.neg(g);
  }
};

/// f = a + b: df/da = df/db = 1.
struct Add {
  template <Ops B> static Value<B> pull(B &, Operands<B> &, Value<B> g, int) {
    return g;
  }
};

/// f = a - b: df/da = 1, df/db = -1.
struct Sub {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &, Value<B> g, int i) {
    return i == 0 ? g : b.neg(g);
  }
};

/// f = a * b: df/da = b, df/db = a.
struct Mul {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> other = x.in(1 - i);
    Value<B> product = b.mul(g, other);
    std::optional<double> factor = b.known(other);
    if (factor && *factor - *factor == 0) // finite
      return product;
    return guarded(b, g, product, Guard::Product);
  }
};

/// f = a / b: df/da = 1/b, df/db = -f/b. Both share the quotient g/b; the
/// result f is used rather than a/b^2, whose square would over- or underflow.
/// Singular at b = 0; no guard where b is a known constant but 0.
struct Div {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    Value<B> divisor = x.in(1);
    Value<B> quotient = b.div(g, divisor);
    if (i == 0) {
      std::optional<double> known = b.known(divisor);
      if (known && (*known < 0 || *known > 0))
        return quotient;
      return guarded(b, g, quotient);
    }
    Value<B> f = x.out();
    Value<B> product = b.mul(quotient, f);
    Value<B> partial = b.neg(product);
    return guarded(b, g, partial);
  }
};

/// f = a * b + c: df/da = b, df/db = a, df/dc = 1.
struct Fma {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    return i == 2 ? g : Mul::pull(b, x, g, i);
  }
};

/// f = a - n*b with an integer n: the remainder of a division, n truncated
/// (fmod, frem) or rounded to nearest (remainder, remquo). df/da = 1,
/// df/db = -n. The integer is recovered as (a - f)/b, which is within rounding
/// of it; truncating a/b would be off by one where a/b rounds up to an integer.
/// Between jumps only; on a jump the partial is the one of n as computed.
struct Remainder {
  template <Ops B>
  static Value<B> pull(B &b, Operands<B> &x, Value<B> g, int i) {
    if (i == 0)
      return g;
    Value<B> a = x.in(0);
    Value<B> divisor = x.in(1);
    Value<B> f = x.out();
    Value<B> whole = b.sub(a, f);
    Value<B> quotient = b.div(whole, divisor);
    Value<B> n = b.call(Fn::Round, quotient);
    Value<B> product = b.mul(g, n);
    Value<B> partial = b.neg(product);
    return guarded(b, g, partial);
  }
};

} // namespace retro::rules

#endif // RETROGRADE_RULES_ARITHMETIC_H
