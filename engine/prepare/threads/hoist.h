// Parallel value hoisting: what every thread of a team would compute alike, in
// each iteration of a shared-out loop, is computed before the team is forked
// and given to it. For what the region is given by reference, and nobody
// writes while it runs, it is given the value.
#ifndef RETRO_PREPARE_THREADS_HOIST_H
#define RETRO_PREPARE_THREADS_HOIST_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace retro {

/// Hoists out of the region that Fork, a call in a unit's clone, starts. The
/// region is changed in place (InPlace) or copied first. Returns the function
/// that is called then, or null if there is nothing to hoist. New gets further
/// functions that were made.
llvm::Function *hoistFromRegion(llvm::CallBase &Fork, bool InPlace,
                                llvm::FunctionAnalysisManager &FAM,
                                llvm::SmallVectorImpl<llvm::Function *> &New);

} // namespace retro

#endif
