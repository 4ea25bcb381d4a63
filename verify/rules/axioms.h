//===- axioms.h - What the proofs of the rules take for granted -----------===//
//
// The trusted base, besides the solver, the sum, product, quotient and chain
// rules (jet.h) and the definitions of the functions (definitions.cpp):
//
//   exp      exp(t) > 0; exp(0) = 1; exp(s + t) = exp(s) exp(t); exp' = exp
//   log      exp(log t) = t for t > 0
//   sin cos  sin^2 + cos^2 = 1; sin' = cos, cos' = -sin
//   roots    sqrt(t) >= 0 and sqrt(t)^2 = t for t >= 0; cbrt(t)^3 = t
//   round    round(t) is an integer, |t - round(t)| <= 1/2; of trunc(t),
//            |t - trunc(t)| < 1 and |trunc(t)| <= |t|; two integers that are
//            less than 1 apart are equal
//   powers   a^0 = 1, and a^n = a a^(n-1) for integers n >= 1, for all n if
//            a != 0
//   erf      erf' = 2/sqrt(pi) exp(-t^2), its definition as an integral
//   J Y      2 C'(n) = C(n-1) - C(n+1), x (C(n-1) + C(n+1)) = 2 n C(n), and
//            C(-1) = -C(1); proved in lemmas.cpp from the power series of J,
//            which may be differentiated term by term, and the definition of Y
//
// An axiom is not quantified: it is instantiated at each term that occurs.
//
//===----------------------------------------------------------------------===//

#ifndef RETROGRADE_VERIFY_RULES_AXIOMS_H
#define RETROGRADE_VERIFY_RULES_AXIOMS_H

#include <map>
#include <string>
#include <vector>
#include <z3++.h>

namespace retro::proofs {

/// A real number of the solver as a fraction, and the condition under which
/// the computation that gave it is defined (no division by 0, no root of a
/// negative number): what is not defined is infinite or NaN in the code.
struct Real {
  z3::expr num, den, defined;
  /// Whether the seed of a rule is part of it.
  bool seeded = false;
};

/// One instance of the reals: symbols, and the axioms about those that occur.
class World {
public:
  explicit World(z3::context &c) : c(c) {}
  World(const World &) = delete;

  z3::context &c;
  std::vector<z3::expr> facts;

  Real variable(const std::string &name);
  Real of(const z3::expr &value) const;
  Real constant(double value) const;
  /// The number that hi + lo approximates: ln 2, pi, ...
  Real constant(double hi, double lo);
  Real undefined() const;

  Real neg(const Real &) const;
  Real add(const Real &, const Real &) const;
  Real sub(const Real &, const Real &) const;
  Real mul(const Real &, const Real &) const;
  Real div(const Real &, const Real &) const;
  Real select(const z3::expr &, const Real &, const Real &) const;
  z3::expr eq(const Real &, const Real &) const;
  z3::expr lt(const Real &, const Real &) const;
  z3::expr le(const Real &, const Real &) const;

  Real exp(const Real &);
  Real log(const Real &);
  Real sin(const Real &);
  Real cos(const Real &);
  Real sqrt(const Real &);
  Real cbrt(const Real &);
  Real round(const Real &);
  Real trunc(const Real &);
  Real fabs(const Real &);
  /// a^n with an integer n, and 2^n.
  Real powi(const Real &a, const z3::expr &n);
  Real exp2i(const z3::expr &n);
  /// The cylinder function J or Y of integer order, and its derivative.
  Real cylinder(char kind, const z3::expr &n, const Real &x);
  Real cylinderSlope(char kind, const z3::expr &n, const Real &x);
  /// A number of which only the name is known: the same for the same key.
  Real named(const std::string &key);
  std::size_t symbolCount() const { return symbols.size(); }

  void assume(const z3::expr &fact) { facts.push_back(fact); }
  void integer(const z3::expr &);
  /// exp(s + t) = exp(s) exp(t), for all that occur.
  void addExponents();

  std::string key(const Real &) const;
  std::string key(const z3::expr &) const;
  /// As key, but short: it tells terms apart that are written differently.
  std::string identity(const Real &);

private:
  struct Power {
    Real argument, value;
  };
  z3::expr normal(const z3::expr &) const;
  bool known(const std::string &key, Real &found) const;
  Real remember(const std::string &key, const Real &argument);

  std::map<std::string, Real> symbols;
  std::vector<Power> powers;
  std::vector<z3::expr> integers, identified;
};

/// The decimal rational of a double.
std::string rational(double);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_AXIOMS_H
