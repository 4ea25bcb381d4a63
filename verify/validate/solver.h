// Expressions and conditions as questions for Z3.
#ifndef RETROGRADE_VERIFY_VALIDATE_SOLVER_H
#define RETROGRADE_VERIFY_VALIDATE_SOLVER_H

#include "expression.h"

#include <optional>
#include <z3++.h>

namespace retro::validate {

using Point = std::map<std::string, double>;

class Solver {
public:
  explicit Solver(unsigned timeoutMs) : timeout(timeoutMs) {}

  /// Can all conditions hold? Where Z3 does not know, they can.
  bool feasible(const std::vector<Expr> &conditions);
  /// A value of an expression where the conditions hold.
  std::optional<double> valueOf(Expr e, const std::vector<Expr> &conditions);

  enum class Answer { Proved, Refuted, Unknown };
  struct Result {
    Answer answer;
    Point point;        ///< Refuted: where the two differ
    std::string reason; ///< Unknown
  };
  /// Are a and b equal wherever the conditions hold and all that they are made
  /// of is defined? `smt2`: the question as text, if wanted.
  Result equal(Expr a, Expr b, const std::vector<Expr> &conditions,
               std::string *smt2 = nullptr);

private:
  bool isIdentity(const z3::expr &difference);
  z3::expr translate(Expr e);
  z3::expr number(double v);
  /// What is true of the functions in these expressions, and where they are
  /// defined.
  void assume(z3::solver &s, const std::vector<Expr> &roots);

  z3::context c;
  unsigned timeout;
  std::map<Expr, z3::expr> known;
};

/// Where the functions in it are defined, and the denominators are not 0.
std::vector<Expr> domainOf(Expressions &e, const std::vector<Expr> &roots);

} // namespace retro::validate

#endif
