// Loops that would only add zeros are not run.
#ifndef RETRO_POLISH_IDLE_LOOPS_H
#define RETRO_POLISH_IDLE_LOOPS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Puts a branch around loops in which the adjoint that they hand on is chosen
/// to be zero. Returns how many there are.
unsigned skipIdleLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
