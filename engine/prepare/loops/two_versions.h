// Loops of which there are two versions, with a comparison by the program
// before them.
#ifndef RETRO_PREPARE_LOOPS_TWO_VERSIONS_H
#define RETRO_PREPARE_LOOPS_TWO_VERSIONS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Loops with a recurrence that the reverse pass can run again, if it may go
/// from the first iteration to the last: where ranges of memory that may meet
/// decide that, the loop is there twice, and the program compares. Returns how
/// many loops more there are.
unsigned versionLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
