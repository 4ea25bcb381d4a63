// Iterations that are taken out of loops: LLVM may not while nests over grids
// have to be whole.
#ifndef RETRO_LOOPS_PEELING_H
#define RETRO_LOOPS_PEELING_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Keeps LLVM from taking iterations out of loops, until that is allowed again
/// (peeling.cpp).
void forbidPeeling(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// The same of a function that has nests and indices that may clamp, as the
/// front end or LLVM made it. Returns whether it is one.
bool keepNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

bool allowPeeling(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

bool isPeelingForbidden(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Takes the first iteration out of loops of whatever size in which an index
/// clamps in it alone. Returns of how many.
unsigned peelClampedLoops(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
