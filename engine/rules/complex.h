//===- complex.h - Derivatives of complex functions -----------------------===//
//
// DLMF 4.8 (logarithm, powers), 4.20-4.24 (trigonometric functions), 4.34-4.38
// (hyperbolic functions).
//
// Written once over a builder, as the rules of real functions are (ops.h): it
// emits IR, computes numbers, or notes what is read. A rule yields a factor d:
//
//   holomorphic f   df = d dz, the complex derivative; the adjoint of z is
//                   conj(d) times the adjoint of f
//   real f          df = Re(d) Re(dz) + Im(d) Im(dz): d = f_x + i f_y
//   conj            df = conj(dz): the factor is not used
//
// A builder offers a type Complex; constant(re, im), add, sub, neg, mul, div,
// conj; plus(z, c) with a real constant c, which leaves the sign of a zero in
// Im z alone, so that branch cuts are seen from the right side; timesI(z);
// scaleDown(z, w), which is z / Re(w); call(op, z) and call(op, z, w);
// zeroWhere(condition, z, value), which is 0 where the product z is NaN and
// the condition value is 0. Operands: in(i), out(); a real result has Im 0.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_RULES_COMPLEX_H
#define RETROGRADE_RULES_COMPLEX_H

#include <cstdlib>

namespace retro::rules {

enum class ComplexOp {
  None,
#define COMPLEX_OP(Id, Name, Arity) Id,
#include "complex.def"
};

/// A row of complex.def.
struct ComplexRow {
  const char *name;
  int arity; ///< complex operands
};

constexpr ComplexRow rowOf(ComplexOp op) {
  switch (op) {
#define COMPLEX_OP(Id, Name, Arity)                                            \
  case ComplexOp::Id:                                                          \
    return {Name, Arity};
#include "complex.def"
  case ComplexOp::None:
    break;
  }
  return {"", 0};
}

/// The name of \p op, for printed plans, proofs and tests.
constexpr const char *nameOf(ComplexOp op) { return rowOf(op).name; }
/// Number of complex operands.
constexpr int arityOf(ComplexOp op) { return rowOf(op).arity; }

constexpr bool isReal(ComplexOp op) {
  return op == ComplexOp::Abs || op == ComplexOp::Arg ||
         op == ComplexOp::Real || op == ComplexOp::Imag;
}

/// sqrt(1 - z) sqrt(1 + z), which sqrt(1 - z^2) is but for its branches.
template <class B> typename B::Complex complexLeg(B &b, typename B::Complex z) {
  using Complex = typename B::Complex;
  Complex minus = b.plus(b.neg(z), 1);
  Complex plus = b.plus(z, 1);
  Complex left = b.call(ComplexOp::Sqrt, minus);
  Complex right = b.call(ComplexOp::Sqrt, plus);
  return b.mul(left, right);
}

template <class B>
typename B::Complex complexInverse(B &b, typename B::Complex z) {
  typename B::Complex unit = b.constant(1, 0);
  return b.div(unit, z);
}

/// Of operations of two operands.
template <class B>
typename B::Complex complexFactorOfTwo(ComplexOp op, B &b,
                                       typename B::Operands &x, int i) {
  using Complex = typename B::Complex;
  if (op == ComplexOp::Mul)
    return x.in(1 - i);
  if (op == ComplexOp::Div) {
    Complex down = complexInverse(b, x.in(1));
    return i == 0 ? down : b.neg(b.mul(x.out(), down));
  }
  // a^c: constant in a where c is 0, and in c where the power is 0.
  Complex base = x.in(0);
  if (i == 0) {
    Complex exponent = x.in(1);
    Complex lower = b.plus(exponent, -1);
    Complex power = b.call(ComplexOp::Pow, base, lower);
    Complex product = b.mul(exponent, power);
    return b.zeroWhere(exponent, product);
  }
  Complex f = x.out();
  Complex logarithm = b.call(ComplexOp::Log, base);
  Complex product = b.mul(f, logarithm);
  return b.zeroWhere(f, product);
}

/// Of the inverse trigonometric and hyperbolic functions.
template <class B>
typename B::Complex complexFactorOfInverse(ComplexOp op, B &b,
                                           typename B::Operands &x) {
  using Complex = typename B::Complex;
  using enum ComplexOp;
  switch (op) {
  case Asin:
    return complexInverse(b, complexLeg(b, x.in(0)));
  case Acos:
    return b.neg(complexInverse(b, complexLeg(b, x.in(0))));
  case Asinh: // asinh z = -i asin(iz)
    return complexInverse(b, complexLeg(b, b.timesI(x.in(0))));
  case Acosh: {
    Complex z = x.in(0);
    Complex left = b.call(Sqrt, b.plus(z, -1));
    Complex right = b.call(Sqrt, b.plus(z, 1));
    return complexInverse(b, b.mul(left, right));
  }
  default: {
    // Atanh; of Atan, 1 + z^2 = (1 - iz)(1 + iz).
    Complex z = op == Atan ? b.timesI(x.in(0)) : x.in(0);
    Complex minus = b.plus(b.neg(z), 1);
    return complexInverse(b, b.mul(minus, b.plus(z, 1)));
  }
  }
}

/// The factor of operand \p i.
template <class B>
typename B::Complex complexFactor(ComplexOp op, B &b, typename B::Operands &x,
                                  int i) {
  using Complex = typename B::Complex;
  using enum ComplexOp;
  switch (op) {
  case Mul:
  case Div:
  case Pow:
    return complexFactorOfTwo(op, b, x, i);
  case Conj:
  case Proj: // but for what is infinite
  case Real:
    return b.constant(1, 0);
  case Imag:
    return b.constant(0, 1);
  case Abs: // z/|z|; undefined at the origin
    return b.scaleDown(x.in(0), x.out());
  case Arg: { // i/conj(z)
    Complex z = b.conj(x.in(0));
    return b.div(b.constant(0, 1), z);
  }
  case Exp:
    return x.out();
  case Log:
    return complexInverse(b, x.in(0));
  case Sqrt: {
    Complex f = x.out();
    return complexInverse(b, b.add(f, f));
  }
  case Sin:
    return b.call(Cos, x.in(0));
  case Cos:
    return b.neg(b.call(Sin, x.in(0)));
  case Tan: {
    Complex f = x.out();
    return b.plus(b.mul(f, f), 1);
  }
  case Sinh:
    return b.call(Cosh, x.in(0));
  case Cosh:
    return b.call(Sinh, x.in(0));
  case Tanh: {
    Complex f = x.out();
    return b.plus(b.neg(b.mul(f, f)), 1);
  }
  case Asin:
  case Acos:
  case Asinh:
  case Acosh:
  case Atan:
  case Atanh:
    return complexFactorOfInverse(op, b, x);
  case None:
    break;
  }
  std::abort(); // a caller asked for the derivative of nothing
}

/// The builder that notes what a factor reads.
struct ComplexUses {
  struct Complex {};
  struct Operands {
    bool operand = false, result = false;
    Complex in(int) {
      operand = true;
      return {};
    }
    Complex out() {
      result = true;
      return {};
    }
  };
  Complex constant(double, double) { return {}; }
  Complex add(Complex, Complex) { return {}; }
  Complex neg(Complex) { return {}; }
  Complex mul(Complex, Complex) { return {}; }
  Complex div(Complex, Complex) { return {}; }
  Complex conj(Complex) { return {}; }
  Complex plus(Complex, double) { return {}; }
  Complex timesI(Complex) { return {}; }
  Complex scaleDown(Complex, Complex) { return {}; }
  Complex call(ComplexOp, Complex) { return {}; }
  Complex call(ComplexOp, Complex, Complex) { return {}; }
  Complex zeroWhere(Complex, Complex) { return {}; }
};

/// Whether the derivative reads the operands, and whether the result.
inline ComplexUses::Operands complexUsesOf(ComplexOp op) {
  ComplexUses b;
  ComplexUses::Operands x;
  for (int i = 0; i < arityOf(op); ++i)
    complexFactor(op, b, x, i);
  return x;
}

} // namespace retro::rules

#endif // RETROGRADE_RULES_COMPLEX_H
