// Changes of loops, one after the other.
#ifndef RETRO_LOOPS_EACH_LOOP_H
#define RETRO_LOOPS_EACH_LOOP_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
}

namespace retro {

/// Offers each innermost loop once, in simplified form, to Change, which says
/// how much it changed. Analyses are made anew after a change. Returns the sum.
unsigned
changeInnermostLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                     llvm::function_ref<unsigned(llvm::Loop &)> Change);

/// Runs a Change of all loops of F, for which analyses are made anew, and again
/// after it has changed something. Returns how much it changed.
template <class Change>
unsigned changeLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, llvm::PreservedAnalyses::none());
  const unsigned Done = Change(F, FAM).run();
  if (Done)
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
  return Done;
}

} // namespace retro

#endif
