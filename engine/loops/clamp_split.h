// Splits loops where an index begins to be clamped, so that the reverse of each
// part has no choices.
#ifndef RETRO_LOOPS_CLAMP_SPLIT_H
#define RETRO_LOOPS_CLAMP_SPLIT_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Splits innermost loops where a clamped index starts to clamp, or a periodic
/// one goes on at the other end. Returns how many. First iterations are left to
/// peeling.
unsigned splitClampedLoops(llvm::Function &F,
                           llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
