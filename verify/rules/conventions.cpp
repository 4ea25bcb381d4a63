//===- conventions.cpp - Ties, kinks and singular points ------------------===//
//
// What a rule yields where its function has no derivative, or where computing
// it meets infinities: for all numbers of each format. g is the seed, neither 0
// nor NaN unless a claim says otherwise.
//
//===----------------------------------------------------------------------===//

#include "floats/ieee.h"

#include <cmath>

namespace retro::proofs {
namespace {

/// Exactly one of the two operands of a minimum or maximum is the one whose
/// derivative is taken, and which one it is.
void choice(FloatScene &s, std::vector<Obligation> &all) {
  FloatOps &b = s.b;
  bool greatest = s.id == RuleId::Fmax || s.id == RuleId::Maximum;
  bool followsNaN = s.id == RuleId::Minimum || s.id == RuleId::Maximum;
  z3::expr first = s.pull(s.g, 0), second = s.pull(s.g, 1);
  z3::expr seed = !b.isZero(s.g) && !b.isNaN(s.g);
  z3::expr takesFirst = first == s.g && b.isZero(second);
  z3::expr takesSecond = b.isZero(first) && second == s.g;
  all.push_back(s.claim("one operand gets g, the other 0", seed,
                        takesFirst || takesSecond));
  z3::expr nanA = b.isNaN(s.a), nanB = b.isNaN(s.other);
  z3::expr numbers = !nanA && !nanB;
  z3::expr beyond = greatest ? s.a > s.other : s.a < s.other;
  z3::expr short_ = greatest ? s.a < s.other : s.a > s.other;
  all.push_back(s.claim(
      "the operand that is the result gets g", seed && numbers,
      z3::implies(beyond, takesFirst) && z3::implies(short_, takesSecond)));
  all.push_back(s.claim("at a tie, +0 and -0 included, b gets g",
                        seed && z3::fp_eq(s.a, s.other), takesSecond));
  if (followsNaN)
    all.push_back(s.claim("an operand that is NaN gets g (a, if both are)",
                          seed,
                          z3::implies(nanA, takesFirst) &&
                              z3::implies(!nanA && nanB, takesSecond)));
  else
    all.push_back(s.claim("an operand that is NaN gets 0 (b, if both are)",
                          seed,
                          z3::implies(nanB, takesFirst) &&
                              z3::implies(nanA && !nanB, takesSecond)));
}

void powerConventions(FloatScene &s, std::vector<Obligation> &all) {
  FloatOps &b = s.b;
  z3::expr a = s.a, c = s.other, g = s.g, zero = b.real(0), one = b.real(1);
  z3::expr seed = b.isFinite(g) && !b.isZero(g);
  z3::expr base = s.pull(g, 0);
  z3::expr scaled = s.product(g, c); // which may over- or underflow
  auto by = [&](const std::string &name, const z3::expr &given,
                const z3::expr &claim) {
    all.push_back(s.claim(name, seed && given, claim));
  };
  by("by a, b = 0: 0 for every a but NaN", b.isZero(c) && !b.isNaN(a),
     b.isZero(base));
  by("by a, b = 1: g for every a but NaN", c == one && !b.isNaN(a), base == g);
  by("by a, a = 0, b > 1: 0", b.isZero(a) && c > one && b.isFinite(scaled),
     b.isZero(base));
  by("by a, a = +0, 0 < b < 1: infinite, with the sign of g",
     a == zero && c > zero && c < one && !b.isZero(scaled),
     b.isInf(base) && b.isNegative(base) == b.isNegative(g));
  by("by a, a = +0, b < 0: infinite, with the other sign",
     a == zero && c < zero && !b.isZero(scaled),
     b.isInf(base) && b.isNegative(base) != b.isNegative(g));
  // Below 1, rounding b - 1 may make an integer of it.
  by("by a, a < 0, b > 1 and no integer: NaN",
     a < zero && b.isFinite(a) && b.isFinite(c) && !b.isInteger(c) && c > one,
     b.isNaN(base));
  by("by a, a = +infinity, b > 1: infinite, with the sign of g",
     b.isInf(a) && a > zero && c > one && !b.isZero(scaled),
     b.isInf(base) && b.isNegative(base) == b.isNegative(g));
  by("by a, a = +infinity, b < 1: 0",
     b.isInf(a) && a > zero && c < one && b.isFinite(scaled), b.isZero(base));

  z3::expr exponent = s.pull(g, 1);
  by("by b, a = 0, b >= 0: 0", b.isZero(a) && c >= zero, b.isZero(exponent));
  by("by b, a = +0, b < 0: infinite, with the other sign",
     a == zero && c < zero,
     b.isInf(exponent) && b.isNegative(exponent) != b.isNegative(g));
  by("by b, a = 1: 0 for every b", a == one, b.isZero(exponent));
  by("by b, a < 0: NaN", a < zero, b.isNaN(exponent));
}

} // namespace

void conventionsIn(FloatScene &s, std::vector<Obligation> &all) {
  FloatOps &b = s.b;
  z3::expr a = s.a, c = s.other, g = s.g, y = s.y;
  z3::expr zero = b.real(0), one = b.real(1);
  z3::expr seed = !b.isZero(g) && !b.isNaN(g);
  z3::expr negative = b.isNegative(g);
  auto claim = [&](const std::string &name, const z3::expr &given,
                   const z3::expr &statement) {
    all.push_back(s.claim(name, seed && given, statement));
  };
  z3::expr any = b.c.bool_val(true);
  auto infinite = [&](const z3::expr &e, const z3::expr &isNegative) {
    return b.isInf(e) && b.isNegative(e) == isNegative;
  };
  switch (s.id) {
  case RuleId::Flat:
    claim("0 everywhere", any, b.isZero(s.pull(g, 0)));
    break;
  case RuleId::Shift:
    claim("g everywhere", any, s.pull(g, 0) == g);
    break;
  case RuleId::Nextafter:
    claim("g by a and 0 by b everywhere", any,
          s.pull(g, 0) == g && b.isZero(s.pull(g, 1)));
    break;
  case RuleId::Fabs: {
    z3::expr p = s.pull(g, 0);
    z3::expr result = b.size(a);
    claim("away from 0: g where |a| is a, -g where it is -a",
          !b.isNaN(a) && !b.isZero(a), p == z3::ite(result == a, g, -g));
    claim("at +0 and -0: g", b.isZero(a), p == g);
    claim("at NaN: g", b.isNaN(a), p == g);
    break;
  }
  case RuleId::Copysign: {
    // The result is a or -a: whichever has the sign of b.
    z3::expr result = z3::ite(b.isNegative(a) == b.isNegative(c), a, -a);
    claim("g where the result is a, -g where it is -a, zeros included",
          !b.isNaN(a) && !b.isNaN(c),
          s.pull(g, 0) == z3::ite(result == a, g, -g));
    claim("0 by b everywhere", any, b.isZero(s.pull(g, 1)));
    break;
  }
  case RuleId::Fmin:
  case RuleId::Fmax:
  case RuleId::Minimum:
  case RuleId::Maximum:
    choice(s, all);
    break;
  case RuleId::Fdim: {
    z3::expr first = s.pull(g, 0), second = s.pull(g, 1);
    claim("a > b: g by a, -g by b", a > c, first == g && second == -g);
    claim("elsewhere, ties and NaN included: 0", !(a > c),
          b.isZero(first) && b.isZero(second));
    break;
  }
  case RuleId::Remainder: {
    z3::expr second = s.pull(g, 1);
    claim("g by a everywhere", any, s.pull(g, 0) == g);
    claim("0 by b where the result is a",
          b.isFinite(g) && b.isFinite(a) && y == a && !b.isNaN(c) &&
              !b.isZero(c),
          b.isZero(second));
    break;
  }
  case RuleId::Ldexp:
    claim("g where n = 0", s.n == 0, s.pull(g, 0) == g);
    break;
  case RuleId::Frexp:
    claim("at +0 and -0: g", b.isZero(a), s.pull(g, 0) == g);
    break;
  case RuleId::Sqrt: {
    z3::expr p = s.pull(g, 0);
    claim("at +0: infinite, with the sign of g", a == zero,
          infinite(p, negative));
    claim("at -0, where the result is -0: infinite, with the other sign",
          a == -zero, infinite(p, !negative));
    claim("below 0: NaN", a < zero, b.isNaN(p));
    claim("at +infinity: 0", b.isInf(a) && a > zero && b.isFinite(g),
          b.isZero(p));
    break;
  }
  case RuleId::Rsqrt: {
    z3::expr p = s.pull(g, 0);
    claim("at +0: infinite, with the other sign", a == zero,
          infinite(p, !negative));
    claim("below 0: NaN", a < zero, b.isNaN(p));
    claim("at +infinity: 0", b.isInf(a) && a > zero && b.isFinite(g),
          b.isZero(p));
    break;
  }
  case RuleId::Cbrt: {
    z3::expr p = s.pull(g, 0);
    claim("at +0 and -0: infinite, with the sign of g", b.isZero(a),
          infinite(p, negative));
    claim("at infinity: 0", b.isInf(a) && b.isFinite(g), b.isZero(p));
    break;
  }
  case RuleId::Hypot: {
    z3::expr first = s.pull(g, 0), second = s.pull(g, 1);
    claim("at the origin: NaN", b.isZero(a) && b.isZero(c),
          b.isNaN(first) && b.isNaN(second));
    claim("on the axis b = 0: g or -g by a, 0 by b",
          b.isFinite(a) && !b.isZero(a) && b.isZero(c) && b.isFinite(g),
          first == z3::ite(a > zero, g, -g) && b.isZero(second));
    break;
  }
  case RuleId::Hypot3:
    for (int i = 0; i < 3; ++i)
      if (s.m.site < 0 || s.m.operand == i)
        claim("at the origin: NaN, by " + std::string(1, "abc"[i]),
              b.isZero(a) && b.isZero(c) && b.isZero(s.third),
              b.isNaN(s.pull(g, i)));
    break;
  case RuleId::Pow:
    powerConventions(s, all);
    break;
  case RuleId::Powi: {
    z3::expr p = s.pull(g, 0);
    claim("n = 0: 0 for every a", s.n == 0, b.isZero(p));
    claim("n = 1: g for every a but NaN", s.n == 1 && !b.isNaN(a), p == g);
    claim("a = 0, n = 2: 0",
          b.isZero(a) && s.n == 2 && b.isFinite(g) && b.isFinite(g + g),
          b.isZero(p));
    claim("a = +0, n = -1: infinite, with the other sign",
          a == zero && s.n == -1, infinite(p, !negative));
    break;
  }
  case RuleId::Log:
    claim("at +0: infinite, with the sign of g", a == zero,
          infinite(s.pull(g, 0), negative));
    break;
  case RuleId::Log1p:
    claim("at -1: infinite, with the sign of g", a == -one,
          infinite(s.pull(g, 0), negative));
    break;
  case RuleId::Asin:
    claim("at 1 and -1: infinite, with the sign of g", b.size(a) == one,
          infinite(s.pull(g, 0), negative));
    break;
  case RuleId::Acos:
    claim("at 1 and -1: infinite, with the other sign", b.size(a) == one,
          infinite(s.pull(g, 0), !negative));
    break;
  case RuleId::Acosh:
    claim("at 1: infinite, with the sign of g", a == one,
          infinite(s.pull(g, 0), negative));
    break;
  case RuleId::Div:
    claim("by a, b = +0: infinite, with the sign of g", c == zero,
          infinite(s.pull(g, 0), negative));
    claim("by b, a > 0, b = 0: infinite, with the other sign",
          a > zero && b.isZero(c), infinite(s.pull(g, 1), !negative));
    break;
  case RuleId::J1:
    claim("at 0: half of g", b.isZero(a), s.pull(g, 0) == s.half(g));
    break;
  case RuleId::Atan2:
    claim("at the origin: NaN", b.isZero(a) && b.isZero(c),
          b.isNaN(s.pull(g, 0)) && b.isNaN(s.pull(g, 1)));
    break;
  default:
    break;
  }
}

} // namespace retro::proofs
