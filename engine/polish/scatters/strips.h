// Loops that scatter, for vector units.
#ifndef RETRO_POLISH_SCATTERS_STRIPS_H
#define RETRO_POLISH_SCATTERS_STRIPS_H

#include "llvm/IR/PassManager.h"

namespace retro {

/// An iteration that adds to places which are looked up cannot be run beside
/// the next, which may add to the same places. Runs such loops in strips: some
/// iterations compute and put what they add aside, in vectors if LLVM sees fit,
/// and then it is added, in the order of before. Where that pays, by the
/// target's costs. Returns how many additions are deferred.
unsigned deferAdditions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Tells LLVM which loops that store to places that are looked up it may run in
/// vectors: what they store depends on the place alone. Where that pays.
/// Returns how many there are.
unsigned markScatters(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
