// The SMT solver Z3, where it is there when the compiler runs.
#ifndef RETRO_FACTS_THREADS_SOLVER_H
#define RETRO_FACTS_THREADS_SOLVER_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace retro {

enum class Answer {
  Unsat,
  Sat,
  Unknown,  ///< given up: the limit of steps, which is the same everywhere
  NoSolver, ///< no Z3 is in this process, and no library of it is found
};
/// Has the SMT-LIB2 script, which ends in (check-sat), a model?
Answer solve(const std::string &Script);
llvm::StringRef nameOf(Answer A);

/// Writes a script into the folder of -retro-write-proofs, if one is given.
void writeProof(llvm::StringRef Name, const std::string &Script, Answer Is);

} // namespace retro

#endif
