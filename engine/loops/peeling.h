// Keeps LLVM from taking iterations out of loops while nests over grids have to
// be whole.
#ifndef RETRO_LOOPS_PEELING_H
#define RETRO_LOOPS_PEELING_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Keeps LLVM from taking iterations out of F's loops, until allowPeeling.
void forbidPeeling(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// The same, if F has nests and indices that may clamp, as the front end or
/// LLVM made it. Returns whether it has.
bool keepNests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

bool allowPeeling(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

bool isPeelingForbidden(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Peels the first iteration off each loop, of any size, with an index that
/// clamps in that iteration alone. Returns how many loops it peeled.
unsigned peelClampedLoops(llvm::Function &F,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
