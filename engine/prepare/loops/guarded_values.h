// Values that are computed on one way to a block, and are a constant on the
// other one.
#ifndef RETRO_PREPARE_LOOPS_GUARDED_VALUES_H
#define RETRO_PREPARE_LOOPS_GUARDED_VALUES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Computes in a block what one way to it computes, where that is the constant
/// that comes by the other way. Returns how many values it computes so.
unsigned computeGuardedValues(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
