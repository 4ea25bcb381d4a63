// Values that a loop over a grid carries from place to place are loaded again;
// carried, they would have to be kept.
#ifndef RETRO_PREPARE_LOOPS_RELOAD_H
#define RETRO_PREPARE_LOOPS_RELOAD_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Loads again what one iteration keeps for the next, of memory that does not
/// change. Returns how many such values there were.
unsigned reloadCarried(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
