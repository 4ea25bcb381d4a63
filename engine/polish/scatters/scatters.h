// Loops that store to places which they look up.
#ifndef RETRO_POLISH_SCATTERS_SCATTERS_H
#define RETRO_POLISH_SCATTERS_SCATTERS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Tells LLVM which of these loops it may run in vectors, since what they store
/// depends on the place alone. This is done where it pays. Returns how many
/// there are.
unsigned markScatters(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
