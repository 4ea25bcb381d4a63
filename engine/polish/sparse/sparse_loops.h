// Loops in which most iterations have no effect, as those of the derivative of
// a sum with respect to one of its summands.
#ifndef RETRO_POLISH_SPARSE_SPARSE_LOOPS_H
#define RETRO_POLISH_SPARSE_SPARSE_LOOPS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Restricts loops of F to iterations that have an effect. Returns how many it
/// restricted.
unsigned restrictLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
