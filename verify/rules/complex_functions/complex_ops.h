//===- complex_ops.h - Complex numbers over the solver's reals ------------===//
//
// Pairs of reals; of functions, only the exponential and its inverse, with
//
//   exp(z) exp(-z) = 1, exp' = exp, exp(log z) = z, and a^c = a a^(c - 1)
//   where exponents differ by 1
//
// and the principal square root: s^2 = z, Re s > 0 or Re s = 0 <= Im s.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_COMPLEX_OPS_H
#define RETROGRADE_VERIFY_RULES_COMPLEX_OPS_H

#include "axioms.h"
#include "rules/complex.h"

namespace retro::proofs {

using rules::ComplexOp;

struct Complex {
  Real re, im;
};

class ComplexOps {
public:
  using Complex = proofs::Complex;
  struct Operands {
    Complex z[2], f;
    Complex in(int i) { return z[i]; }
    Complex out() { return f; }
  };

  explicit ComplexOps(World &w) : w(w) {}

  Complex variable(const std::string &name) {
    return {w.variable(name), w.variable("i " + name)};
  }
  Complex constant(double re, double im) {
    return {w.constant(re), w.constant(im)};
  }
  Complex add(const Complex &a, const Complex &b) {
    return {w.add(a.re, b.re), w.add(a.im, b.im)};
  }
  Complex sub(const Complex &a, const Complex &b) { return add(a, neg(b)); }
  Complex neg(const Complex &a) { return {w.neg(a.re), w.neg(a.im)}; }
  Complex conj(const Complex &a) { return {a.re, w.neg(a.im)}; }
  Complex timesI(const Complex &a) { return {w.neg(a.im), a.re}; }
  Complex plus(const Complex &a, double c) {
    return {w.add(a.re, w.constant(c)), a.im};
  }
  Complex mul(const Complex &a, const Complex &b) {
    return {w.sub(w.mul(a.re, b.re), w.mul(a.im, b.im)),
            w.add(w.mul(a.re, b.im), w.mul(a.im, b.re))};
  }
  Complex div(const Complex &a, const Complex &b) {
    Real size = norm(b);
    Complex up = mul(a, conj(b));
    return {w.div(up.re, size), w.div(up.im, size)};
  }
  Complex scaleDown(const Complex &a, const Complex &b) {
    return {w.div(a.re, b.re), w.div(a.im, b.re)};
  }
  Complex call(ComplexOp, const Complex &);
  Complex call(ComplexOp, const Complex &, const Complex &);
  Complex zeroWhere(const Complex &seed, const Complex &product) {
    z3::expr masked = seed.re.num == 0 && seed.im.num == 0 &&
                      !(product.re.defined && product.im.defined);
    Real zero = w.constant(0);
    return {w.select(masked, zero, product.re),
            w.select(masked, zero, product.im)};
  }

  Real norm(const Complex &a) {
    return w.add(w.mul(a.re, a.re), w.mul(a.im, a.im));
  }
  z3::expr isZero(const Complex &a) { return a.re.num == 0 && a.im.num == 0; }
  z3::expr isDefined(const Complex &a) { return a.re.defined && a.im.defined; }
  Complex exp(const Complex &);
  Complex log(const Complex &);
  Complex sqrt(const Complex &);

  World &w;

private:
  Complex symbol(const std::string &name, bool &fresh);
  std::string key(const Complex &a) {
    return w.key(a.re) + " + i " + w.key(a.im);
  }
  struct Power {
    Complex base, exponent, value;
  };
  std::vector<Power> powers;
};

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_COMPLEX_OPS_H
