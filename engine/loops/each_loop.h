// Changes of innermost loops, one after the other.
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

} // namespace retro

#endif
