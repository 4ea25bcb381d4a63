#include "complex_functions/complex_rules.h"

#include "complex_functions/complex_mutation.h"
#include "complex_functions/complex_ops.h"
#include "complex_numbers.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace retro::proofs {
namespace {

/// A complex number, and its derivative along a line: the sum, product,
/// quotient and chain rules over complex numbers.
struct Jet {
  ComplexOps *b;
  Complex v, d;
};
Jet operator+(const Jet &x, const Jet &y) {
  return {x.b, x.b->add(x.v, y.v), x.b->add(x.d, y.d)};
}
Jet operator-(const Jet &x) { return {x.b, x.b->neg(x.v), x.b->neg(x.d)}; }
Jet operator-(const Jet &x, const Jet &y) { return x + -y; }
Jet operator*(const Jet &x, const Jet &y) {
  ComplexOps &b = *x.b;
  return {&b, b.mul(x.v, y.v), b.add(b.mul(x.d, y.v), b.mul(x.v, y.d))};
}
Jet inverse(const Jet &x) {
  ComplexOps &b = *x.b;
  Complex v = b.div(b.constant(1, 0), x.v);
  return {&b, v, b.neg(b.mul(b.mul(v, v), x.d))};
}
Jet exp(const Jet &x) {
  Complex e = x.b->exp(x.v);
  return {x.b, e, x.b->mul(e, x.d)};
}
/// The l with e^l = x.
Jet log(const Jet &x) { return {x.b, x.b->log(x.v), x.b->div(x.d, x.v)}; }
Jet timesI(const Jet &x) { return {x.b, x.b->timesI(x.v), x.b->timesI(x.d)}; }
Jet half(const Jet &x) {
  ComplexOps &b = *x.b;
  Complex k = b.constant(0.5, 0);
  return {&b, b.mul(k, x.v), b.mul(k, x.d)};
}
Jet sinh(const Jet &x) {
  Jet e = exp(x);
  return half(e - inverse(e));
}
Jet cosh(const Jet &x) {
  Jet e = exp(x);
  return half(e + inverse(e));
}
Jet sin(const Jet &x) { return -timesI(sinh(timesI(x))); }
Jet cos(const Jet &x) { return cosh(timesI(x)); }

/// The function of a holomorphic \p op as F(z, c, y) = 0; the branch is
/// assumed.
Jet definition(ComplexOp op, const Jet &z, const Jet &c, const Jet &y) {
  ComplexOps &b = *z.b;
  World &w = b.w;
  auto K = [&](const z3::expr &fact) { w.assume(fact); };
  auto rightHalf = [&](const Jet &x) { K(w.lt(w.constant(0), x.v.re)); };
  switch (op) {
  case ComplexOp::Mul:
    return y - z * c;
  case ComplexOp::Div:
    K(!b.isZero(c.v));
    return y * c - z;
  case ComplexOp::Pow: { // e^(c l), of which pow is a symbol
    K(!b.isZero(z.v));
    Complex p = b.call(ComplexOp::Pow, z.v, c.v);
    Jet exponent = c * log(z);
    return y - Jet{&b, p, b.mul(p, exponent.d)};
  }
  case ComplexOp::Exp:
    return y - exp(z);
  case ComplexOp::Log:
    K(!b.isZero(z.v));
    return exp(y) - z;
  case ComplexOp::Sqrt:
    K(!b.isZero(z.v));
    return y * y - z;
  case ComplexOp::Sin:
    return y - sin(z);
  case ComplexOp::Cos:
    return y - cos(z);
  case ComplexOp::Tan:
    K(!b.isZero(cos(z).v));
    return y * cos(z) - sin(z);
  case ComplexOp::Sinh:
    return y - sinh(z);
  case ComplexOp::Cosh:
    return y - cosh(z);
  case ComplexOp::Tanh:
    K(!b.isZero(cosh(z).v));
    return y * cosh(z) - sinh(z);
  case ComplexOp::Asin:
    rightHalf(cos(y));
    return sin(y) - z;
  case ComplexOp::Acos:
    rightHalf(sin(y));
    return cos(y) - z;
  case ComplexOp::Atan:
    K(!b.isZero(cos(y).v));
    return sin(y) - z * cos(y);
  case ComplexOp::Asinh:
    rightHalf(cosh(y));
    return sinh(y) - z;
  case ComplexOp::Acosh:
    K(!b.isZero(sinh(y).v));
    K(b.norm(exp(y).v).num > 1);
    return cosh(y) - z;
  case ComplexOp::Atanh:
    K(!b.isZero(cosh(y).v));
    return sinh(y) - z * cosh(y);
  default: // proj, but for what is infinite
    return y - z;
  }
}

bool isRealLinear(ComplexOp op) {
  return rules::isReal(op) || op == ComplexOp::Conj;
}

/// The roots that a rule multiplies are those of 1 - t and 1 + t (acosh: of
/// z - 1 and z + 1), where t is z or iz.
struct Roots {
  Complex left, right, other; ///< `other`: what their product is said to be.
};

std::optional<Roots> rootsOf(ComplexOp op, const Jet &z, const Jet &y) {
  ComplexOps &b = *z.b;
  auto of = [&](const Complex &t, const Jet &other) {
    Complex minus = b.plus(b.neg(t), 1), plus = b.plus(t, 1);
    return Roots{b.sqrt(minus), b.sqrt(plus), other.v};
  };
  switch (op) {
  case ComplexOp::Asin:
    return of(z.v, cos(y));
  case ComplexOp::Acos:
    return of(z.v, sin(y));
  case ComplexOp::Asinh:
    return of(b.timesI(z.v), cosh(y));
  case ComplexOp::Acosh: {
    Complex minus = b.plus(z.v, -1), plus = b.plus(z.v, 1);
    return Roots{b.sqrt(minus), b.sqrt(plus), sinh(y).v};
  }
  default:
    return std::nullopt;
  }
}

struct Scene {
  World w;
  ComplexOps b;
  ComplexOps::Operands x;
  explicit Scene(z3::context &c)
      : w(c), b(w), x{{b.variable("z"), b.variable("c")}, b.variable("y")} {}
};

/// Real f, and conj: the tangent along a step (p, q) of z, against real
/// equations for f.
Obligation realLinear(z3::context &c, ComplexOp op, Mutation m) {
  Scene s(c);
  World &w = s.w;
  Real zero = w.constant(0);
  if (rules::isReal(op))
    s.x.f.im = zero;
  Complex z = s.x.z[0], y = s.x.f, step = s.b.variable("step");
  if (op == ComplexOp::Abs) {
    w.assume(y.re.num > 0);
    w.assume(w.eq(w.mul(y.re, y.re), s.b.norm(z)));
  }
  Complex d = complexFactorWith(op, s.b, s.x, 0, m);
  Real along = w.add(w.mul(d.re, step.re), w.mul(d.im, step.im));
  z3::expr claim = c.bool_val(true);
  switch (op) {
  case ComplexOp::Real:
    claim = w.eq(along, step.re);
    break;
  case ComplexOp::Imag:
    claim = w.eq(along, step.im);
    break;
  case ComplexOp::Abs: // y y' = Re z Re z' + Im z Im z'
    claim = w.eq(w.mul(y.re, along),
                 w.add(w.mul(z.re, step.re), w.mul(z.im, step.im)));
    break;
  case ComplexOp::Arg: { // z = r e^(iy): z' = (r'/r + i y') z
    Real r = w.variable("r'/r");
    w.assume(!s.b.isZero(z));
    Complex turn{r, along};
    Complex moved = s.b.mul(turn, z);
    // For the r'/r that makes the real parts of z'/z agree.
    Complex ratio = s.b.div(step, z);
    w.assume(w.eq(r, ratio.re));
    claim = w.eq(moved.re, step.re) && w.eq(moved.im, step.im);
    break;
  }
  default: // conj: the engine conjugates the tangent; its factor is 1
    claim = w.eq(d.re, w.constant(1)) && w.eq(d.im, zero);
    break;
  }
  return {"derivative", w.facts, s.b.isDefined(d) && claim};
}

/// The product of the roots is cos y, sin y, cosh y or sinh y: by its square,
/// and because both lie in the right half plane. Of acosh, both are the s for
/// which |z + s| > 1.
void branch(z3::context &c, ComplexOp op, std::vector<Obligation> &all) {
  {
    Scene s(c); // cos^2 y = 1 - sin^2 y, cosh^2 y = 1 + sinh^2 y
    Jet y{&s.b, s.x.f, s.b.constant(0, 0)};
    bool circular = op == ComplexOp::Asin || op == ComplexOp::Acos;
    Jet first = circular ? cos(y) : cosh(y),
        second = circular ? sin(y) : sinh(y);
    Jet rest =
        first * first + (circular ? second * second : -(second * second));
    all.push_back({"sum of squares", s.w.facts,
                   s.w.eq(rest.v.re, s.w.constant(1)) &&
                       s.w.eq(rest.v.im, s.w.constant(0))});
  }
  Scene s(c);
  ComplexOps &b = s.b;
  World &w = s.w;
  Complex left = b.variable("left"), right = b.variable("right");
  Complex squareL = b.mul(left, left), squareR = b.mul(right, right),
          product = b.mul(left, right);
  bool outer = op == ComplexOp::Acosh;
  w.assume(left.re.num > 0 && right.re.num > 0); // off the cuts
  w.assume(w.eq(squareR.im, outer ? squareL.im : w.neg(squareL.im)));
  z3::expr side = product.re.num >= 0;
  if (outer) { // |z + s| >= |z - s| for z = (left^2 + right^2)/2
    Complex twice = b.add(squareL, squareR);
    Complex along = b.mul(twice, b.conj(product));
    side = along.re.num >= 0;
  }
  all.push_back(
      {"the product of the roots lies on the right side", w.facts, side});

  Scene t(c); // of the two numbers with one square, one lies there
  World &v = t.w;
  Complex p = t.b.variable("product"), r = t.b.variable("root"),
          z = t.b.variable("z");
  Complex pp = t.b.mul(p, p), rr = t.b.mul(r, r);
  v.assume(v.eq(pp.re, rr.re) && v.eq(pp.im, rr.im));
  auto sideOf = [&](const Complex &q) {
    return outer ? t.b.mul(z, t.b.conj(q)).re : q.re;
  };
  v.assume(v.le(v.constant(0), sideOf(p)) && v.lt(v.constant(0), sideOf(r)));
  all.push_back({"one root lies on the right side", v.facts,
                 v.eq(p.re, r.re) && v.eq(p.im, r.im)});
}

/// The inverse of a function with roots in its derivative: once the product of
/// the roots is known, by branch(), the equation decides.
Obligation byRoots(z3::context &c, ComplexOp op, Mutation m) {
  Scene s(c);
  ComplexOps &b = s.b;
  World &w = s.w;
  Complex one = b.constant(1, 0);
  Jet z{&b, s.x.z[0], one}, y{&b, s.x.f, b.constant(0, 0)};
  Roots roots = *rootsOf(op, z, y);
  // The symbols alone: that they are roots, and of what, branch() has used.
  w.facts.clear();
  Complex product = b.mul(roots.left, roots.right), other = b.variable("other");
  w.assume(product.re.num == other.re.num && product.im.num == other.im.num);
  w.assume(b.norm(other).num > 0);
  Complex d = complexFactorWith(op, b, s.x, 0, m);
  // sin' = cos, sinh' = cosh, cosh' = sinh, cos' = -sin: d times this is 1.
  Complex slope = op == ComplexOp::Acos ? b.neg(other) : other;
  Complex unit = b.mul(d, slope);
  return {"derivative by z", w.facts,
          b.isDefined(d) && w.eq(unit.re, w.constant(1)) &&
              w.eq(unit.im, w.constant(0)),
          false, false};
}

} // namespace

std::vector<Obligation> complexCalculus(z3::context &c, ComplexOp op,
                                        Mutation m) {
  std::vector<Obligation> all;
  if (isRealLinear(op))
    return {realLinear(c, op, m)};
  if (op == ComplexOp::Asin || op == ComplexOp::Acos ||
      op == ComplexOp::Asinh || op == ComplexOp::Acosh) {
    if (m.site < 0)
      branch(c, op, all);
    all.push_back(byRoots(c, op, m));
    return all;
  }
  for (int i = 0; i < rules::arityOf(op); ++i) {
    if (m.site >= 0 && m.operand != i)
      continue;
    Scene s(c);
    ComplexOps &b = s.b;
    Complex zero = b.constant(0, 0), one = b.constant(1, 0);
    // z = tan y and z = tanh y are solved for z already.
    Jet result{&b, s.x.f, zero};
    if (op == ComplexOp::Atan)
      s.x.z[0] = b.div(sin(result).v, cos(result).v);
    if (op == ComplexOp::Atanh)
      s.x.z[0] = b.div(sinh(result).v, cosh(result).v);
    Jet z{&b, s.x.z[0], i == 0 ? one : zero},
        other{&b, s.x.z[1], i == 1 ? one : zero};
    Complex d = complexFactorWith(op, b, s.x, i, m);
    Jet equation = definition(op, z, other, {&b, s.x.f, d});
    if (op != ComplexOp::Atan && op != ComplexOp::Atanh)
      s.w.assume(b.isZero(equation.v));
    all.push_back({std::string("derivative by ") + (i ? "c" : "z"), s.w.facts,
                   b.isDefined(d) && b.isZero(equation.d)});
    if (op == ComplexOp::Atan || op == ComplexOp::Atanh) {
      Complex y = s.x.f;
      Complex e = b.exp(op == ComplexOp::Atan ? b.timesI(y) : y);
      all.back().witness = {e.re.num == 2, e.im.num == 1, y.re.num == 1,
                            y.im.num == 0};
    }
  }
  return all;
}

std::vector<Obligation> complexEquality(z3::context &c, ComplexOp op,
                                        Mutation m) {
  Scene s(c);
  Complex right = complexFactorWith(op, s.b, s.x, m.operand, {});
  Complex wrong = complexFactorWith(op, s.b, s.x, m.operand, m);
  s.w.assume(s.b.isDefined(right));
  return {{"equal to the rule", s.w.facts,
           s.b.isDefined(wrong) && s.w.eq(wrong.re, right.re) &&
               s.w.eq(wrong.im, right.im)}};
}

/// Holomorphic f: the tangent d z', the adjoint conj(d) g. conj: conj(z') and
/// conj(g). Real f: Re d Re z' + Im d Im z', and g d. In each case the real
/// inner products agree.
std::vector<Obligation> complexAdjoints(z3::context &c) {
  Scene s(c);
  World &w = s.w;
  ComplexOps &b = s.b;
  Complex d = s.x.f, step = s.x.z[0], g = s.x.z[1];
  auto inner = [&](const Complex &p, const Complex &q) {
    return w.add(w.mul(p.re, q.re), w.mul(p.im, q.im));
  };
  std::vector<Obligation> all;
  all.push_back(
      {"holomorphic functions",
       {},
       w.eq(inner(g, b.mul(d, step)), inner(b.mul(b.conj(d), g), step))});
  all.push_back(
      {"conj", {}, w.eq(inner(g, b.conj(step)), inner(b.conj(g), step))});
  Complex scaled{w.mul(g.re, d.re), w.mul(g.re, d.im)};
  all.push_back({"real functions",
                 {},
                 w.eq(w.mul(g.re, inner(d, step)), inner(scaled, step))});
  return all;
}

std::vector<Met> complexMistakesOf(ComplexOp op, int operand) {
  rules::ComplexUses b;
  rules::ComplexUses::Operands x;
  std::vector<Met> met;
  complexFactorWith(op, b, x, operand, {}, &met);
  return met;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {

using Wide = std::complex<long double>;

std::vector<Wide> points() {
  return {{0.7L, 1.2L},   {-0.4L, 2}, {1.5L, -0.3L},  {-1.1L, -0.8L},
          {0.2L, 0.05L},  {3, 4},     {-0.3L, 1e-3L}, {0.01L, 0.02L},
          {-2.5L, -0.5L}, {0, 0}};
}

template <class T>
std::complex<T> factorAt(ComplexOp op, std::complex<T> z, std::complex<T> c,
                         int i, Mutation m = {}) {
  rules::test::ComplexNumbers<T> b;
  typename rules::test::ComplexNumbers<T>::Operands x{
      {z, c}, rules::test::evaluate<T>(op, z, c)};
  return complexFactorWith(op, b, x, i, m);
}

} // namespace

std::string complexDiffersAt(ComplexOp op, Mutation m) {
  const std::complex<double> second[] = {{0.6, -0.9}, {2, 0}, {0, 0}};
  for (Wide at : points())
    for (std::complex<double> c : second) {
      std::complex<double> z(at);
      auto right = factorAt<double>(op, z, c, m.operand);
      auto wrong = factorAt<double>(op, z, c, m.operand, m);
      bool bothNaN = right != right && wrong != wrong;
      if (bothNaN || std::abs(wrong - right) <= 1e-9 * std::abs(right))
        continue;
      std::ostringstream text;
      text << z << ", " << c;
      return text.str();
    }
  return "";
}

Evidence complexEvidence(ComplexOp op) {
  Evidence e;
  const Wide other(0.6L, -0.9L);
  for (Wide z : points())
    for (int i = 0; i < rules::arityOf(op); ++i) {
      if (z == Wide())
        continue;
      auto at = [&](Wide h) {
        return i == 0 ? rules::test::evaluate<long double>(op, z + h, other)
                      : rules::test::evaluate<long double>(op, other, z + h);
      };
      long double h = 1e-3L * std::min(1.0L, std::abs(z));
      auto along = [&](Wide unit) { // of order 6
        return (45.0L * (at(h * unit) - at(-h * unit)) -
                9.0L * (at(2 * h * unit) - at(-2 * h * unit)) +
                (at(3 * h * unit) - at(-3 * h * unit))) /
               (60 * h);
      };
      Wide d = i == 0 ? factorAt<long double>(op, z, other, 0)
                      : factorAt<long double>(op, other, z, 1);
      for (Wide unit : {Wide(1, 0), Wide(0, 1)}) {
        Wide want = op == ComplexOp::Conj ? std::conj(unit)
                    : rules::isReal(op)   ? Wide((std::conj(d) * unit).real())
                                          : d * unit;
        long double error = std::abs(along(unit) - want);
        e.error = std::max(
            e.error,
            static_cast<double>(error / std::max(1.0L, std::abs(want))));
        ++e.partials;
      }
    }
  return e;
}

std::pair<const char *, const char *> complexStatementOf(ComplexOp op) {
  switch (op) {
  case ComplexOp::Mul:
    return {"all", "y = z c"};
  case ComplexOp::Div:
    return {"c != 0", "y c = z"};
  case ComplexOp::Pow:
    return {"z != 0", "y = e^(c l) with e^l = z"};
  case ComplexOp::Conj:
    return {"all", "y = Re z - i Im z"};
  case ComplexOp::Proj:
    return {"finite z", "y = z"};
  case ComplexOp::Real:
    return {"all", "y = Re z"};
  case ComplexOp::Imag:
    return {"all", "y = Im z"};
  case ComplexOp::Abs:
    return {"z != 0", "y^2 = (Re z)^2 + (Im z)^2, y > 0"};
  case ComplexOp::Arg:
    return {"z != 0, off the cut", "z = r e^(iy)"};
  case ComplexOp::Exp:
    return {"all", "y = e^z"};
  case ComplexOp::Log:
    return {"z != 0, off the cut", "e^y = z"};
  case ComplexOp::Sqrt:
    return {"z != 0, off the cut", "y^2 = z"};
  case ComplexOp::Sin:
    return {"all", "2i y = e^(iz) - e^(-iz)"};
  case ComplexOp::Cos:
    return {"all", "2 y = e^(iz) + e^(-iz)"};
  case ComplexOp::Tan:
    return {"cos z != 0", "y cos z = sin z"};
  case ComplexOp::Sinh:
    return {"all", "2 y = e^z - e^-z"};
  case ComplexOp::Cosh:
    return {"all", "2 y = e^z + e^-z"};
  case ComplexOp::Tanh:
    return {"cosh z != 0", "y cosh z = sinh z"};
  case ComplexOp::Asin:
    return {"off the cuts", "sin y = z, Re cos y > 0"};
  case ComplexOp::Acos:
    return {"off the cuts", "cos y = z, Re sin y > 0"};
  case ComplexOp::Atan:
    return {"z^2 != -1, off the cuts", "sin y = z cos y"};
  case ComplexOp::Asinh:
    return {"off the cuts", "sinh y = z, Re cosh y > 0"};
  case ComplexOp::Acosh:
    return {"off the cut", "cosh y = z, |e^y| > 1"};
  case ComplexOp::Atanh:
    return {"z^2 != 1, off the cuts", "sinh y = z cosh y"};
  case ComplexOp::None:
    break;
  }
  return {"", ""};
}

} // namespace retro::proofs
