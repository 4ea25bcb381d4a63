// Is a gradient, as compiled, the derivative of its primal, as compiled?
#ifndef RETROGRADE_VERIFY_VALIDATE_VALIDATE_H
#define RETROGRADE_VERIFY_VALIDATE_VALIDATE_H

#include "machine.h"
#include "solver.h"

namespace retro::validate {

struct Limits {
  unsigned paths = 256;       ///< of the primal, and of the gradient for each
  uint64_t steps = 2'000'000; ///< of one path
  unsigned solverMs = 10'000; ///< of one question
  double seconds = 120;       ///< of all branches: then paths are cut
};

/// void primal(const double *x, double *y);
/// void reverse(const double *x, const double *w, double *g, double *y);
/// with g = Jᵀw, in modules of their own.
struct Question {
  llvm::Module &primal, &reverse;
  unsigned inputs, outputs;
  std::vector<bool> active; ///< has x[i] a place in g?
  bool unitWeight = false;  ///< w[0] is 1, whatever is passed
  std::string smt2;         ///< folder for the questions, or ""
};

struct Report {
  enum Verdict { Proved, Refuted, Unknown } verdict = Proved;
  unsigned paths = 0, cut = 0; ///< of the primal; left out for their length
  unsigned proved = 0, refuted = 0, unknown = 0; ///< equalities
  std::vector<std::string> reasons;              ///< of what is not known
  std::string entry;                             ///< the refuted one
  Point point;
  double claimed = 0, right = 0; ///< at the point
};

Report validate(const Question &q, const Limits &limits);

} // namespace retro::validate

#endif
