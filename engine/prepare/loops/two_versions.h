// Makes two versions of a loop, with a comparison by the program before them.
#ifndef RETRO_PREPARE_LOOPS_TWO_VERSIONS_H
#define RETRO_PREPARE_LOOPS_TWO_VERSIONS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Doubles loops with a recurrence that the reverse pass can run again if it
/// may go from the first iteration to the last, where ranges of memory that may
/// overlap decide that; the program compares the ranges. Returns how many more
/// loops there are.
unsigned versionLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
