// Makes loops that add to places which they look up fit for vector units.
#ifndef RETRO_POLISH_SCATTERS_STRIPS_H
#define RETRO_POLISH_SCATTERS_STRIPS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// Runs loops in strips that add to places which they look up: one iteration
/// may add to the place of the next, so they cannot run beside each other. Some
/// iterations compute what they add and put it aside, in vectors if LLVM sees
/// fit, and then it is added in the old order. This is done where it pays by
/// the target's costs. Returns how many additions are deferred.
unsigned deferAdditions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
