// Loops around innermost ones that go down the columns of a matrix.
#ifndef RETRO_POLISH_NESTS_OUTER_LANES_H
#define RETRO_POLISH_NESTS_OUTER_LANES_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Runs some iterations of such a loop side by side, in vectors along the
/// matrix's rows, where the program finds that they do not disturb each other.
/// LLVM runs innermost loops in vectors only, which here would have to gather
/// their elements. Returns how many loops there are.
unsigned runInOuterLanes(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
