// Arrays whose elements are computed again where they are read.
#ifndef RETRO_PREPARE_LOOPS_CONTRACT_H
#define RETRO_PREPARE_LOOPS_CONTRACT_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Removes arrays of the function's own that one loop fills from memory that
/// does not change: loops that read them compute each element where they read
/// it. Returns how many arrays there were.
unsigned contractArrays(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
