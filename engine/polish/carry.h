// Sums that consecutive iterations add to one place are carried in registers.
#ifndef RETRO_POLISH_CARRY_H
#define RETRO_POLISH_CARRY_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Sums what consecutive iterations add to one place in registers, and adds it
/// to memory once. Returns how many such sums were made.
unsigned carrySums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
