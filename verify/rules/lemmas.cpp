//===- lemmas.cpp - What the proofs use and prove once --------------------===//

#include "axioms.h"
#include "calculus.h"

namespace retro::proofs {

//===----------------------------------------------------------------------===//
// Bessel functions
//===----------------------------------------------------------------------===//

/// J(v, x) = sum over k >= 0 of c(k, v) (x/2)^(2k + v), where
/// c(k, v) = (-1)^k / (k! Gamma(k + v + 1)), for every real order v (DLMF
/// 10.2.2). From the factorials, with 1/Gamma(0) = 1/(-1)! = 0:
///   c(k, v - 1) = (k + v) c(k, v),   c(k - 1, v + 1) = -k c(k, v)
/// The coefficient of (x/2)^(2k + v - 1) in J'(v) is (2k + v)/2 c(k, v), in
/// J(v - 1) it is c(k, v - 1), in J(v + 1) it is c(k - 1, v + 1), and in
/// (2/x) J(v) it is c(k, v).
///
/// Y(v) = (J(v) cos v pi - J(-v)) / sin v pi, and its limit at integers v.
std::vector<Obligation> besselLemmas(z3::context &c) {
  std::vector<Obligation> all;
  z3::expr k = c.real_const("k"), v = c.real_const("v"),
           here = c.real_const("c(k, v)"), below = c.real_const("c(k, v - 1)"),
           above = c.real_const("c(k - 1, v + 1)");
  std::vector<z3::expr> given = {k >= 0, below == (k + v) * here,
                                 above == -k * here};
  all.push_back({"coefficients of 2 J'(v) = J(v-1) - J(v+1)", given,
                 (2 * k + v) * here == below - above});
  all.push_back({"coefficients of J(v-1) + J(v+1) = (2 v/x) J(v)", given,
                 v * here == below + above});

  // sin and cos of (v + 1) pi and (v - 1) pi are those of v pi, negated.
  z3::expr sine = c.real_const("sin v pi"), cosine = c.real_const("cos v pi"),
           x = c.real_const("x");
  auto J = [&](const char *order) {
    return c.real_const((std::string("J(") + order + ")").c_str());
  };
  auto Y = [&](const z3::expr &s, const z3::expr &t, const z3::expr &plus,
               const z3::expr &minus) { return (plus * t - minus) / s; };
  z3::expr slope = c.real_const("J'(v)"), mirrored = c.real_const("J'(-v)");
  z3::expr yBelow = Y(-sine, -cosine, J("v-1"), J("1-v"));
  z3::expr yAbove = Y(-sine, -cosine, J("v+1"), J("-v-1"));
  z3::expr yHere = Y(sine, cosine, J("v"), J("-v"));
  z3::expr ySlope = Y(sine, cosine, slope, mirrored);
  std::vector<z3::expr> recurrences = {
      sine != 0,
      x > 0,
      2 * slope == J("v-1") - J("v+1"),
      2 * mirrored == J("-v-1") - J("1-v"),
      x * (J("v-1") + J("v+1")) == 2 * v * J("v"),
      x * (J("-v-1") + J("1-v")) == -2 * v * J("-v")};
  all.push_back({"2 Y'(v) = Y(v-1) - Y(v+1)", recurrences,
                 2 * ySlope == yBelow - yAbove});
  all.push_back({"x (Y(v-1) + Y(v+1)) = 2 v Y(v)", recurrences,
                 x * (yBelow + yAbove) == 2 * v * yHere});
  return all;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {

/// An interval of rationals.
struct Enclosure {
  z3::expr low, high;
};

/// atan(1/m) from its alternating series: successive partial sums enclose it.
Enclosure atanOfReciprocal(z3::context &c, int m, int terms) {
  z3::expr sum = c.real_val(0), last = sum, power = c.real_val(1, m);
  for (int k = 0; k < terms; ++k) {
    last = sum;
    z3::expr term = power / (2 * k + 1);
    sum = (k % 2 ? sum - term : sum + term).simplify();
    power = (power / (m * m)).simplify();
  }
  return terms % 2 ? Enclosure{last, sum} : Enclosure{sum, last};
}

/// 2 atanh(1/m) = ln((m + 1)/(m - 1)): the terms left out sum to less than the
/// last one taken, as m >= 3.
Enclosure logOf(z3::context &c, int m, int terms) {
  z3::expr sum = c.real_val(0), term = sum, power = c.real_val(2, m);
  for (int k = 0; k < terms; ++k) {
    term = (power / (2 * k + 1)).simplify();
    sum = (sum + term).simplify();
    power = (power / (m * m)).simplify();
  }
  return {sum, (sum + term).simplify()};
}

} // namespace

std::vector<Obligation> constants(z3::context &c) {
  std::vector<Obligation> all;
  World w(c);
  auto sum = [&](double hi, double lo) {
    return (w.constant(hi).num + w.constant(lo).num).simplify();
  };
  // |value - number| <= 2^-105 number, where the number is in an interval that
  // is far narrower.
  z3::expr tolerance = w.constant(0x1p-105).num;
  auto within = [&](const z3::expr &value, const Enclosure &e) {
    return value >= e.high * (1 - tolerance) &&
           value <= e.low * (1 + tolerance);
  };
  auto claim = [&](const char *name, const z3::expr &e) {
    all.push_back({name, {}, e});
  };
  Enclosure fifth = atanOfReciprocal(c, 5, 40),
            far = atanOfReciprocal(c, 239, 14);
  // Machin: pi = 16 atan(1/5) - 4 atan(1/239).
  Enclosure pi = {16 * fifth.low - 4 * far.high, 16 * fifth.high - 4 * far.low};
  claim("pi", within(sum(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53), pi));
  // ln 2 = 2 atanh(1/3); ln 10 = 3 ln 2 + ln(10/8), and 10/8 = (9+1)/(9-1).
  Enclosure two = logOf(c, 3, 50), rest = logOf(c, 9, 40);
  Enclosure ten = {3 * two.low + rest.low, 3 * two.high + rest.high};
  claim("ln 2", within(sum(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56), two));
  claim("ln 10",
        within(sum(0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53), ten));
  Enclosure unit = {c.real_val(1), c.real_val(1)};
  auto inverse = [&](const Enclosure &e) {
    return Enclosure{unit.low / e.high, unit.low / e.low};
  };
  claim("log2 e",
        within(sum(0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56), inverse(two)));
  claim("log10 e",
        within(sum(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57), inverse(ten)));
  // (2/sqrt(pi))^2 = 4/pi, to twice the relative error.
  z3::expr root = sum(0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56);
  z3::expr square = root * root;
  claim("2/sqrt(pi)", square * pi.high >= 4 * (1 - tolerance) &&
                          square * pi.low <= 4 * (1 + tolerance));
  return all;
}

} // namespace retro::proofs
