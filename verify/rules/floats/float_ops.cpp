//===- float_ops.cpp - IEEE 754 and the C library at special values -------===//
//
// Trusted: the facts about each operation that IEEE 754 gives, and those about
// the functions of the C library that its Annex F gives, or that follow from
// their ranges (|sin| <= 1, |tanh| <= 1, hypot(s, t) >= |s|, ...).
//
//===----------------------------------------------------------------------===//

#include "floats/float_ops.h"

#include <cmath>

namespace retro::proofs {

Float FloatOps::number(double v) {
  Z3_ast e = Z3_mk_fpa_numeral_double(c, v, sort);
  return {z3::to_expr(c, e), false, true};
}

z3::expr FloatOps::isNegative(const z3::expr &e) {
  return z3::to_expr(c, Z3_mk_fpa_is_negative(c, e));
}

z3::expr FloatOps::isInteger(const z3::expr &e) {
  z3::expr whole =
      z3::to_expr(c, Z3_mk_fpa_round_to_integral(c, Z3_mk_fpa_rtz(c), e));
  return isFinite(e) && z3::fp_eq(whole, e);
}

Float FloatOps::symbol(const std::string &op, std::vector<Float> operands,
                       bool &fresh) {
  std::string key = op;
  bool seeded = false;
  for (const Float &a : operands) {
    kept.push_back(a.e); // A term that is kept keeps its number.
    key += " " + std::to_string(Z3_get_ast_id(c, a.e));
    seeded |= a.seeded;
  }
  abstracted = true;
  auto [at, isNew] =
      symbols.try_emplace(key, Float{c.constant(key.c_str(), sort), seeded});
  fresh = isNew && !bare;
  return at->second;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Float FloatOps::add(const Float &a, const Float &b) {
  if (keep(a, b))
    return {a.e + b.e, a.seeded || b.seeded, a.literal && b.literal};
  bool fresh;
  Float r = symbol("add", {a, b}, fresh);
  if (!fresh)
    return r;
  z3::expr zero = real(0);
  z3::expr opposite = isInf(a.e) && isInf(b.e) && a.e != b.e;
  fact(isNaN(r.e) == (isNaN(a.e) || isNaN(b.e) || opposite));
  z3::expr valid = !isNaN(r.e);
  for (const auto &[x, y] : {std::pair(a.e, b.e), std::pair(b.e, a.e)}) {
    fact(valid && isInf(x), r.e == x);
    fact(valid && isZero(x) && !isZero(y), r.e == y);
    fact(valid && x >= zero, r.e >= y);
    fact(valid && x <= zero, r.e <= y);
  }
  fact(isFinite(a.e) && a.e == -b.e, r.e == zero);
  // Subtraction underflows gradually: it is 0 for equal numbers only.
  fact(valid, (r.e > zero) == (a.e > -b.e) && (r.e < zero) == (a.e < -b.e));
  fact(valid && isZero(a.e) && a.e == b.e, r.e == a.e);
  fact(size(a.e) <= real(1) && size(b.e) <= real(1), size(r.e) <= real(2));
  // x - 1 is exact for x >= 1.
  if (b.literal && z3::eq(b.e.simplify(), real(-1).simplify()))
    fact(a.e >= real(1), isInteger(r.e) == isInteger(a.e));
  return r;
}

Float FloatOps::mul(const Float &a, const Float &b) {
  if (keep(a, b))
    return {a.e * b.e, a.seeded || b.seeded, a.literal && b.literal};
  bool fresh;
  Float r = symbol("mul", {a, b}, fresh);
  if (!fresh)
    return r;
  fact(isNaN(r.e) == (isNaN(a.e) || isNaN(b.e) || (isZero(a.e) && isInf(b.e)) ||
                      (isInf(a.e) && isZero(b.e))));
  z3::expr valid = !isNaN(r.e);
  fact(valid, isNegative(r.e) == (isNegative(a.e) != isNegative(b.e)));
  for (const auto &[x, y] : {std::pair(a.e, b.e), std::pair(b.e, a.e)}) {
    fact(valid && isZero(x), isZero(r.e));
    fact(valid && isInf(x), isInf(r.e));
    fact(valid && size(x) <= real(1), size(r.e) <= size(y));
    fact(valid && size(x) >= real(1), size(r.e) >= size(y));
  }
  return r;
}

Float FloatOps::div(const Float &a, const Float &b) {
  if (keep(a, b))
    return {a.e / b.e, a.seeded || b.seeded, a.literal && b.literal};
  bool fresh;
  Float r = symbol("div", {a, b}, fresh);
  if (!fresh)
    return r;
  fact(isNaN(r.e) ==
       (isNaN(a.e) || isNaN(b.e) || (isZero(a.e) && isZero(b.e)) ||
        (isInf(a.e) && isInf(b.e))));
  z3::expr valid = !isNaN(r.e);
  fact(valid, isNegative(r.e) == (isNegative(a.e) != isNegative(b.e)));
  fact(valid && (isZero(a.e) || isInf(b.e)), isZero(r.e));
  fact(valid && (isInf(a.e) || isZero(b.e)), isInf(r.e));
  fact(valid && size(a.e) <= size(b.e), size(r.e) <= real(1));
  fact(valid && size(a.e) >= size(b.e), size(r.e) >= real(1));
  fact(valid && size(b.e) >= real(1), size(r.e) <= size(a.e));
  fact(valid && size(b.e) <= real(1), size(r.e) >= size(a.e));
  return r;
}

Float FloatOps::fromInt(const z3::expr &n, const Float &) {
  return {z3::to_expr(c, Z3_mk_fpa_to_fp_signed(c, Z3_mk_fpa_rne(c), n, sort))};
}

//===----------------------------------------------------------------------===//
// The C library
//===----------------------------------------------------------------------===//

Float FloatOps::call(Fn f, const Float &t) {
  if (f == Fn::Fabs)
    return {size(t.e), t.seeded, t.literal};
  bool fresh;
  Float r = symbol("call" + std::to_string(static_cast<int>(f)), {t}, fresh);
  if (!fresh)
    return r;
  z3::expr zero = real(0), one = real(1), nan = isNaN(t.e), valid = !isNaN(r.e);
  auto undefinedOnlyAt = [&](const z3::expr &where) {
    fact(isNaN(r.e) == where);
  };
  auto odd = [&] {
    fact(isZero(t.e), r.e == t.e);
    fact(valid, isNegative(r.e) == isNegative(t.e));
  };
  switch (f) {
  case Fn::Sqrt:
    undefinedOnlyAt(nan || t.e < zero);
    fact(isZero(t.e) || t.e == real(HUGE_VAL), r.e == t.e);
    fact(t.e > zero, r.e > zero);
    fact(isFinite(t.e) && valid, isFinite(r.e));
    break;
  case Fn::Cbrt:
    undefinedOnlyAt(nan);
    odd();
    fact(isInf(t.e), r.e == t.e);
    fact(isFinite(t.e), isFinite(r.e));
    fact(!nan && !isZero(t.e), !isZero(r.e));
    break;
  case Fn::Exp:
  case Fn::Exp2:
  case Fn::Exp10:
    undefinedOnlyAt(nan);
    fact(valid, !isNegative(r.e));
    fact(t.e <= zero, r.e <= one);
    fact(t.e >= zero, r.e >= one);
    fact(isInf(t.e) && t.e > zero, isInf(r.e));
    fact(isInf(t.e) && t.e < zero, isZero(r.e));
    break;
  case Fn::Expm1:
    undefinedOnlyAt(nan);
    odd();
    fact(valid, r.e >= -one);
    break;
  case Fn::Log:
    undefinedOnlyAt(nan || t.e < zero);
    fact(isZero(t.e), r.e == -real(HUGE_VAL));
    fact(t.e == one, r.e == zero);
    fact(t.e > zero && t.e < one, r.e < zero);
    fact(t.e > one, r.e > zero);
    fact(isFinite(t.e) && t.e > zero, isFinite(r.e));
    fact(isInf(t.e) && t.e > zero, isInf(r.e));
    break;
  case Fn::Log1p:
    undefinedOnlyAt(nan || t.e < -one);
    odd();
    break;
  case Fn::Sin:
  case Fn::Sinpi:
    undefinedOnlyAt(nan || isInf(t.e));
    fact(valid, size(r.e) <= one);
    fact(isZero(t.e), r.e == t.e);
    break;
  case Fn::Cos:
  case Fn::Cospi:
    undefinedOnlyAt(nan || isInf(t.e));
    fact(valid, size(r.e) <= one);
    fact(isZero(t.e), r.e == one);
    break;
  case Fn::Tan:
    undefinedOnlyAt(nan || isInf(t.e));
    break;
  case Fn::Sinh:
    undefinedOnlyAt(nan);
    odd();
    break;
  case Fn::Cosh:
    undefinedOnlyAt(nan);
    fact(valid, r.e >= one);
    break;
  case Fn::Tanh:
    undefinedOnlyAt(nan);
    odd();
    fact(valid, size(r.e) <= one);
    break;
  case Fn::Trunc:
  case Fn::Round:
    undefinedOnlyAt(nan);
    fact(size(t.e) < real(0.5), isZero(r.e));
    fact(isInf(t.e), r.e == t.e);
    fact(valid, isNegative(r.e) == isNegative(t.e));
    break;
  case Fn::J0:
    undefinedOnlyAt(nan);
    fact(valid, size(r.e) <= one);
    break;
  case Fn::J1:
    undefinedOnlyAt(nan);
    fact(valid, size(r.e) <= one && size(r.e) <= size(t.e));
    break;
  default: // nothing is known
    break;
  }
  return r;
}

Float FloatOps::call(Fn f, const Float &s, const Float &t) {
  return f == Fn::Pow ? pow(s, t) : hypot(s, t);
}

Float FloatOps::pow(const Float &s, const Float &t) {
  bool fresh;
  Float r = symbol("pow", {s, t}, fresh);
  if (!fresh)
    return r;
  z3::expr a = s.e, b = t.e, p = r.e, zero = real(0), one = real(1);
  z3::expr isOne = a == one || isZero(b) || (a == -one && isInf(b));
  fact(isOne, p == one);
  fact(!isOne && (isNaN(a) || isNaN(b)), isNaN(p));
  z3::expr plain = !isNaN(a) && !isNaN(b) && !isOne;
  fact(plain && a < zero && isFinite(a) && isFinite(b) && !isInteger(b),
       isNaN(p));
  fact(plain && (a >= zero || isInf(a) || isInf(b) || isInteger(b)), !isNaN(p));
  fact(plain && !isNegative(a), !isNegative(p));
  fact(plain && isZero(a) && b > zero, isZero(p));
  fact(plain && isZero(a) && b < zero, isInf(p));
  fact(plain && isInf(a) && b > zero, isInf(p));
  fact(plain && isInf(a) && b < zero, isZero(p));
  fact(plain && isInf(b) && (size(a) > one) == (b > zero), isInf(p));
  fact(plain && isInf(b) && (size(a) > one) != (b > zero), isZero(p));
  fact(plain && b == one, p == a);
  return r;
}

Float FloatOps::hypot(const Float &s, const Float &t) {
  bool fresh;
  Float r = symbol("hypot", {s, t}, fresh);
  if (!fresh)
    return r;
  z3::expr infinite = isInf(s.e) || isInf(t.e);
  fact(infinite, r.e == real(HUGE_VAL));
  fact(isNaN(r.e) == (!infinite && (isNaN(s.e) || isNaN(t.e))));
  z3::expr valid = !isNaN(r.e);
  fact(valid, !isNegative(r.e) && r.e >= size(s.e) && r.e >= size(t.e));
  fact(valid && isZero(s.e), r.e == size(t.e));
  fact(valid && isZero(t.e), r.e == size(s.e));
  return r;
}

Float FloatOps::callInt(Fn f, const Float &t, const z3::expr &n) {
  bool fresh;
  Float r =
      symbol("callInt" + std::to_string(static_cast<int>(f)), {t, {n}}, fresh);
  if (!fresh)
    return r;
  z3::expr zero = real(0), nan = isNaN(t.e);
  if (f == Fn::Ldexp) {
    fact(isNaN(r.e) == nan);
    fact(isZero(t.e) || isInf(t.e) || n == 0, r.e == t.e);
    fact(!nan, isNegative(r.e) == isNegative(t.e));
  } else if (f == Fn::Powi) {
    fact(n == 0, r.e == real(1));
    fact(n == 1, r.e == t.e);
    fact(n != 0, isNaN(r.e) == nan);
    fact(!nan && !isNegative(t.e), !isNegative(r.e));
    fact(isZero(t.e) && n > 0, isZero(r.e));
    fact(isZero(t.e) && n < 0, isInf(r.e));
  }
  return r;
}

} // namespace retro::proofs
