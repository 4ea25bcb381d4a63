#include "complex_functions/complex_ops.h"

namespace retro::proofs {

Complex ComplexOps::symbol(const std::string &name, bool &fresh) {
  std::size_t before = w.symbolCount();
  Complex r{w.named(name), w.named("i " + name)};
  fresh = w.symbolCount() != before;
  return r;
}

Complex ComplexOps::exp(const Complex &z) {
  bool fresh;
  Complex e = symbol("exp(" + key(z) + ")", fresh);
  if (!fresh)
    return e;
  w.assume(norm(e).num > 0);
  return e;
}

Complex ComplexOps::log(const Complex &z) {
  bool fresh;
  Complex l = symbol("log(" + key(z) + ")", fresh);
  z3::expr outside = norm(z).num != 0;
  if (fresh) {
    Complex e = exp(l);
    w.assume(z3::implies(outside, w.eq(e.re, z.re) && w.eq(e.im, z.im)));
  }
  l.re.defined = l.im.defined = outside;
  return l;
}

Complex ComplexOps::sqrt(const Complex &z) {
  bool fresh;
  Complex s = symbol("sqrt(" + key(z) + ")", fresh);
  if (!fresh)
    return s;
  Complex square = mul(s, s);
  w.assume(w.eq(square.re, z.re) && w.eq(square.im, z.im));
  w.assume(s.re.num > 0 || (s.re.num == 0 && s.im.num >= 0));
  return s;
}

Complex ComplexOps::call(ComplexOp f, const Complex &z) {
  Complex one = constant(1, 0), half = constant(0.5, 0);
  auto sum = [&](const Complex &t, bool minus) { // (e^t + e^-t)/2
    Complex up = exp(t), down = div(one, up);
    return mul(half, minus ? sub(up, down) : add(up, down));
  };
  switch (f) {
  case ComplexOp::Exp:
    return exp(z);
  case ComplexOp::Log:
    return log(z);
  case ComplexOp::Sqrt:
    return sqrt(z);
  case ComplexOp::Sinh:
    return sum(z, true);
  case ComplexOp::Cosh:
    return sum(z, false);
  case ComplexOp::Sin: // -i sinh(iz)
    return neg(timesI(sum(timesI(z), true)));
  case ComplexOp::Cos:
    return sum(timesI(z), false);
  default:
    return {w.undefined(), w.undefined()};
  }
}

Complex ComplexOps::call(ComplexOp, const Complex &z, const Complex &c) {
  bool fresh;
  Complex p = symbol("pow(" + key(z) + ", " + key(c) + ")", fresh);
  z3::expr outside = norm(z).num != 0;
  if (fresh) {
    for (const Power &other : powers) {
      Complex d = sub(c, other.exponent);
      // One of the two exponents is the other one and 1, if the keys say so.
      if (key(other.base) != key(z) || w.key(d.im) != w.key(w.constant(0)))
        continue;
      auto step = [&](const Complex &high, const Complex &low) {
        Complex product = mul(z, low);
        w.assume(z3::implies(outside, w.eq(high.re, product.re) &&
                                          w.eq(high.im, product.im)));
      };
      if (w.key(d.re) == w.key(w.constant(-1)))
        step(other.value, p);
      if (w.key(d.re) == w.key(w.constant(1)))
        step(p, other.value);
    }
    w.assume(z3::implies(outside, norm(p).num > 0));
    powers.push_back({z, c, p});
  }
  p.re.defined = p.im.defined = outside;
  return p;
}

} // namespace retro::proofs
