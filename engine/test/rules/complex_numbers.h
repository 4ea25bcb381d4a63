//===- complex_numbers.h - Complex rules as numbers -----------------------===//

#ifndef RETROGRADE_TEST_RULES_COMPLEX_NUMBERS_H
#define RETROGRADE_TEST_RULES_COMPLEX_NUMBERS_H

#include "rules/complex.h"

#include <cmath>
#include <complex>

namespace retro::rules::test {

/// The function of \p op.
template <class T>
std::complex<T> evaluate(ComplexOp op, std::complex<T> z, std::complex<T> w) {
  switch (op) {
  case ComplexOp::Mul:
    return z * w;
  case ComplexOp::Div:
    return z / w;
  case ComplexOp::Pow:
    return std::pow(z, w);
  case ComplexOp::Conj:
    return std::conj(z);
  case ComplexOp::Proj:
    return std::proj(z);
  case ComplexOp::Real:
    return z.real();
  case ComplexOp::Imag:
    return z.imag();
  case ComplexOp::Abs:
    return std::abs(z);
  case ComplexOp::Arg:
    return std::arg(z);
  case ComplexOp::Exp:
    return std::exp(z);
  case ComplexOp::Log:
    return std::log(z);
  case ComplexOp::Sqrt:
    return std::sqrt(z);
  case ComplexOp::Sin:
    return std::sin(z);
  case ComplexOp::Cos:
    return std::cos(z);
  case ComplexOp::Tan:
    return std::tan(z);
  case ComplexOp::Sinh:
    return std::sinh(z);
  case ComplexOp::Cosh:
    return std::cosh(z);
  case ComplexOp::Tanh:
    return std::tanh(z);
  case ComplexOp::Asin:
    return std::asin(z);
  case ComplexOp::Acos:
    return std::acos(z);
  case ComplexOp::Atan:
    return std::atan(z);
  case ComplexOp::Asinh:
    return std::asinh(z);
  case ComplexOp::Acosh:
    return std::acosh(z);
  case ComplexOp::Atanh:
    return std::atanh(z);
  case ComplexOp::None:
    break;
  }
  return {};
}

/// The builder that evaluates a factor at a point.
template <class T> struct ComplexNumbers {
  using Complex = std::complex<T>;
  struct Operands {
    Complex z[2], f;
    Complex in(int i) { return z[i]; }
    Complex out() { return f; }
  };
  Complex constant(double re, double im) { return {T(re), T(im)}; }
  Complex add(Complex a, Complex b) { return a + b; }
  Complex neg(Complex a) { return -a; }
  Complex mul(Complex a, Complex b) { return a * b; }
  Complex div(Complex a, Complex b) { return a / b; }
  Complex conj(Complex a) { return std::conj(a); }
  Complex plus(Complex a, double c) { return {a.real() + T(c), a.imag()}; }
  Complex timesI(Complex a) { return {-a.imag(), a.real()}; }
  Complex scaleDown(Complex a, Complex b) {
    return {a.real() / b.real(), a.imag() / b.real()};
  }
  Complex call(ComplexOp op, Complex a) { return evaluate<T>(op, a, {}); }
  Complex call(ComplexOp op, Complex a, Complex b) {
    return evaluate<T>(op, a, b);
  }
  Complex zeroWhere(Complex seed, Complex product) {
    bool none = seed == Complex() &&
                (std::isnan(product.real()) || std::isnan(product.imag()));
    return none ? Complex() : product;
  }
};

} // namespace retro::rules::test

#endif // RETROGRADE_TEST_RULES_COMPLEX_NUMBERS_H
