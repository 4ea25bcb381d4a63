// Loops whose iterations change nothing but local variables, and read nothing
// else that changes. Run again from the same variables, an iteration gives the
// same.
#ifndef RETRO_FACTS_LOOPS_LOCAL_LOOPS_H
#define RETRO_FACTS_LOOPS_LOCAL_LOOPS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace retro {

struct LocalLoop {
  llvm::Loop *L = nullptr;
  const llvm::SCEV *Backedge = nullptr;    ///< trips but one, known before it
  uint64_t StateBytes = 0, StateParts = 0; ///< at most
  /// The bytes of memory from outside that each iteration reads anew; nothing
  /// if that is not known.
  std::optional<uint64_t> FreshBytes;
};

/// May there be such a loop? A look at the kinds of instructions.
bool mayHaveLocalLoop(llvm::Function &F);

/// The outermost loops of F that are such: in simplified and LCSSA form, left
/// at the latch alone.
std::vector<LocalLoop> findLocalLoops(llvm::Function &F,
                                      llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
