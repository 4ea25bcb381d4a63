//===- obligation.h - A claim, and what the solver says of it -------------===//

#ifndef RETROGRADE_VERIFY_RULES_OBLIGATION_H
#define RETROGRADE_VERIFY_RULES_OBLIGATION_H

#include <string>
#include <vector>
#include <z3++.h>

namespace retro::proofs {

/// For all values of the symbols: if everything `given` holds, so does `claim`.
struct Obligation {
  std::string name;
  std::vector<z3::expr> given;
  z3::expr claim;
  bool floats = false; ///< Floating-point numbers, not reals.
  /// Whether a model is a counterexample. It is none where the claim is about
  /// more values than there are (an operation that was replaced by "any
  /// number").
  bool exact = true;
  /// A case of what is given, and the first place for a counterexample, where
  /// finding one is hard.
  std::vector<z3::expr> witness = {};
  /// A choice at a tie, a kink or a singular point.
  bool convention = false;
};

enum class Answer { Proved, Refuted, Unknown };

struct Verdict {
  Answer answer;
  std::string detail; ///< The counterexample, or why nothing is known.
};

struct Limits {
  unsigned milliseconds = 10000;
  std::string smt2; ///< A folder for the questions in SMT-LIB2, or "".
};

/// Proved only if what is given can hold at all.
Verdict check(const Obligation &o, const Limits &limits,
              const std::string &file = "");

/// Without the search for a model of what is given: for a mutant, of whose
/// rule the same was checked already.
Verdict refute(const Obligation &o, const Limits &limits);

} // namespace retro::proofs

#endif // RETROGRADE_VERIFY_RULES_OBLIGATION_H
