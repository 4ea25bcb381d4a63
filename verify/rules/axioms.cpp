#include "axioms.h"

#include <cmath>

namespace retro::proofs {

std::string rational(double value) {
  int exponent;
  double fraction = std::frexp(value, &exponent);
  long long num = static_cast<long long>(std::ldexp(fraction, 53));
  exponent -= 53;
  for (; num != 0 && num % 2 == 0 && exponent < 0; ++exponent)
    num /= 2;
  std::string text = std::to_string(num);
  if (exponent == 0 || num == 0)
    return text;
  // 2^|exponent| in decimal.
  std::string power = "1";
  for (int k = 0; k < std::abs(exponent); ++k) {
    int carry = 0;
    for (auto digit = power.rbegin(); digit != power.rend(); ++digit) {
      int twice = 2 * (*digit - '0') + carry;
      *digit = static_cast<char>('0' + twice % 10);
      carry = twice / 10;
    }
    if (carry)
      power.insert(power.begin(), '1');
  }
  return exponent < 0 ? text + "/" + power : text + "*" + power;
}

namespace {

bool isOne(const z3::expr &e) {
  int64_t value;
  return e.is_numeral_i64(value) && value == 1;
}

z3::expr times(const z3::expr &a, const z3::expr &b) {
  return isOne(a) ? b : isOne(b) ? a : a * b;
}

z3::expr both(const z3::expr &a, const z3::expr &b) {
  return a.is_true() ? b : b.is_true() ? a : a && b;
}

} // namespace

Real World::of(const z3::expr &value) const {
  return {value, c.real_val(1), c.bool_val(true)};
}

Real World::variable(const std::string &name) {
  return of(c.real_const(name.c_str()));
}

Real World::constant(double value) const {
  std::string text = rational(value);
  std::size_t star = text.find('*');
  if (star == std::string::npos)
    return of(c.real_val(text.c_str()));
  return of((c.real_val(text.substr(0, star).c_str()) *
             c.real_val(text.substr(star + 1).c_str()))
                .simplify());
}

Real World::undefined() const {
  return {c.real_val(0), c.real_val(1), c.bool_val(false)};
}

Real World::neg(const Real &a) const {
  return {-a.num, a.den, a.defined, a.seeded};
}

Real World::add(const Real &a, const Real &b) const {
  z3::expr defined = both(a.defined, b.defined);
  bool seeded = a.seeded || b.seeded;
  if (z3::eq(a.den, b.den))
    return {a.num + b.num, a.den, defined, seeded};
  return {times(a.num, b.den) + times(b.num, a.den), times(a.den, b.den),
          defined, seeded};
}

Real World::sub(const Real &a, const Real &b) const { return add(a, neg(b)); }

Real World::mul(const Real &a, const Real &b) const {
  return {times(a.num, b.num), times(a.den, b.den), both(a.defined, b.defined),
          a.seeded || b.seeded};
}

Real World::div(const Real &a, const Real &b) const {
  z3::expr defined = both(both(a.defined, b.defined), b.num != 0);
  return {times(a.num, b.den), times(a.den, b.num), defined,
          a.seeded || b.seeded};
}

Real World::select(const z3::expr &p, const Real &a, const Real &b) const {
  auto choose = [&](const z3::expr &left, const z3::expr &right) {
    return z3::eq(left, right) ? left : z3::ite(p, left, right);
  };
  return {choose(a.num, b.num), choose(a.den, b.den),
          choose(a.defined, b.defined), a.seeded || b.seeded};
}

z3::expr World::eq(const Real &a, const Real &b) const {
  if (z3::eq(a.den, b.den))
    return a.num == b.num;
  return times(a.num, b.den) == times(b.num, a.den);
}

z3::expr World::lt(const Real &a, const Real &b) const {
  Real d = sub(b, a);
  return isOne(d.den) ? d.num > 0 : d.num * d.den > 0;
}

z3::expr World::le(const Real &a, const Real &b) const {
  Real d = sub(b, a);
  return isOne(d.den) ? d.num >= 0 : d.num * d.den >= 0;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

z3::expr World::normal(const z3::expr &e) const {
  z3::params p(c);
  p.set("som", true);
  return e.simplify(p);
}

std::string World::key(const z3::expr &e) const {
  return normal(e).to_string();
}

std::string World::key(const Real &a) const {
  std::string text = key(a.num);
  if (!isOne(a.den))
    text += " / " + key(a.den);
  return text;
}

std::string World::identity(const Real &a) {
  identified.push_back(a.num); // A term that is kept keeps its number.
  identified.push_back(a.den);
  return std::to_string(Z3_get_ast_id(c, a.num)) + "/" +
         std::to_string(Z3_get_ast_id(c, a.den));
}

bool World::known(const std::string &key, Real &found) const {
  auto at = symbols.find(key);
  if (at == symbols.end())
    return false;
  found = at->second;
  return true;
}

/// A new symbol; it is defined where \p argument is.
Real World::remember(const std::string &key, const Real &argument) {
  Real r = of(c.real_const(key.c_str()));
  r.defined = argument.defined;
  symbols.emplace(key, r);
  return r;
}

Real World::named(const std::string &key) {
  Real r = undefined();
  return known(key, r) ? r : remember(key, of(c.real_val(0)));
}

void World::integer(const z3::expr &n) {
  for (const z3::expr &m : integers)
    assume(z3::implies(m - n < 1 && n - m < 1, m == n));
  integers.push_back(n);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Real World::exp(const Real &t) {
  std::string name = "exp(" + key(t) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, t);
  assume(r.num > 0);
  assume(z3::implies(t.num == 0, r.num == 1));
  powers.push_back({t, r});
  return r;
}

void World::addExponents() {
  auto same = [&](const Real &a, const Real &b) {
    Real d = sub(a, b);
    return normal(d.num).is_numeral() && normal(d.num == 0).is_true();
  };
  for (std::size_t i = 0; i < powers.size(); ++i)
    for (std::size_t j = i; j < powers.size(); ++j) {
      Real sum = add(powers[i].argument, powers[j].argument);
      z3::expr product = powers[i].value.num * powers[j].value.num;
      if (same(sum, constant(0)))
        assume(product == 1);
      for (const Power &whole : powers)
        if (same(sum, whole.argument))
          assume(product == whole.value.num);
    }
}

Real World::log(const Real &t) {
  std::string name = "log(" + key(t) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  Real argument = t;
  argument.defined = both(t.defined, lt(constant(0), t));
  r = remember(name, argument);
  Real free = r;
  free.defined = c.bool_val(true);
  assume(z3::implies(lt(constant(0), t), eq(exp(free), t)));
  return r;
}

Real World::sin(const Real &t) {
  std::string name = "sin(" + key(t) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, t);
  Real other = remember("cos(" + key(t) + ")", t);
  assume(r.num * r.num + other.num * other.num == 1);
  return r;
}

Real World::cos(const Real &t) {
  sin(t);
  return symbols.at("cos(" + key(t) + ")");
}

Real World::sqrt(const Real &t) {
  std::string name = "sqrt(" + key(t) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  Real argument = t;
  z3::expr inside = le(constant(0), t);
  argument.defined = both(t.defined, inside);
  r = remember(name, argument);
  assume(z3::implies(inside, r.num >= 0 && eq(mul(r, r), t)));
  return r;
}

Real World::cbrt(const Real &t) {
  std::string name = "cbrt(" + key(t) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, t);
  assume(eq(mul(mul(r, r), r), t));
  return r;
}

Real World::round(const Real &t) {
  std::string name = "round(" + key(t) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, t);
  integer(r.num);
  Real d = sub(t, r);
  assume(z3::implies(t.defined, le(d, constant(0.5)) && le(constant(-0.5), d)));
  return r;
}

Real World::trunc(const Real &t) {
  std::string name = "trunc(" + key(t) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, t);
  integer(r.num);
  Real size = fabs(t);
  assume(z3::implies(t.defined,
                     lt(fabs(sub(t, r)), constant(1)) && le(fabs(r), size)));
  return r;
}

Real World::fabs(const Real &t) {
  return select(lt(t, constant(0)), neg(t), t);
}

Real World::powi(const Real &a, const z3::expr &n) {
  auto at = [&](const z3::expr &order) {
    std::string name = key(a) + "^(" + key(order) + ")";
    Real r = undefined();
    if (known(name, r))
      return r;
    r = remember(name, a);
    r.defined = both(a.defined, a.num != 0 || order >= 0);
    symbols.at(name) = r;
    assume(z3::implies(order == 0, r.num == 1));
    assume(z3::implies(order == 1, eq(r, a)));
    return r;
  };
  Real r = at(n), below = at(n - 1);
  assume(z3::implies(a.num != 0 || n >= 1, eq(r, mul(a, below))));
  return r;
}

Real World::exp2i(const z3::expr &n) {
  std::string name = "2^(" + key(n) + ")";
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, of(n));
  assume(r.num > 0);
  return r;
}

Real World::cylinder(char kind, const z3::expr &n, const Real &x) {
  std::string name = kind + ("(" + key(n) + ", " + key(x) + ")");
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, x);
  if (kind == 'Y') {
    r.defined = both(r.defined, lt(constant(0), x));
    symbols.at(name) = r;
  }
  return r;
}

Real World::cylinderSlope(char kind, const z3::expr &n, const Real &x) {
  std::string name = kind + ("'(" + key(n) + ", " + key(x) + ")");
  Real r = undefined();
  if (known(name, r))
    return r;
  r = remember(name, x);
  Real below = cylinder(kind, n - 1, x), above = cylinder(kind, n + 1, x);
  Real here = cylinder(kind, n, x);
  assume(2 * r.num == below.num - above.num);
  assume(z3::implies(n == 0, below.num + above.num == 0));
  assume(eq(mul(x, add(below, above)), mul(of(2 * n), here)));
  return r;
}

/// The constants of rules/constants.h by their leading part. constants.cpp
/// proves that each is the number given here to 105 bits.
Real World::constant(double hi, double lo) {
  Real r = undefined();
  auto define = [&](const char *name, auto property) {
    if (!known(name, r)) {
      r = remember(name, of(c.real_val(0)));
      assume(r.num > 0);
      property();
    }
    return r;
  };
  if (hi == 0x1.62e42fefa39efp-1)
    return define("ln2", [&] { assume(exp(r).num == 2); });
  if (hi == 0x1.26bb1bbb55516p+1)
    return define("ln10", [&] { assume(exp(r).num == 10); });
  if (hi == 0x1.71547652b82fep+0) {
    Real ln2 = constant(0x1.62e42fefa39efp-1, 0);
    return define("log2e", [&] { assume(r.num * ln2.num == 1); });
  }
  if (hi == 0x1.bcb7b1526e50ep-2) {
    Real ln10 = constant(0x1.26bb1bbb55516p+1, 0);
    return define("log10e", [&] { assume(r.num * ln10.num == 1); });
  }
  if (hi == 0x1.921fb54442d18p+1)
    return define("pi", [&] { assume(r.num > 3 && r.num < 4); });
  if (hi == 0x1.20dd750429b6dp+0) {
    Real pi = constant(0x1.921fb54442d18p+1, 0);
    return define("2/sqrt(pi)", [&] { assume(r.num * r.num * pi.num == 4); });
  }
  return add(constant(hi), constant(lo));
}

} // namespace retro::proofs
