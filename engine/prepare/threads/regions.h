// Brings parallel constructs to the form that analyses and emission read: a
// region of a team of threads is a direct call of its body, marked as a fork.
#ifndef RETRO_PREPARE_THREADS_REGIONS_H
#define RETRO_PREPARE_THREADS_REGIONS_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace retro {

struct Unit;

/// Makes calls that open parallel regions in F direct calls of the regions'
/// bodies, and calls that start threads direct calls of what the threads run.
void lowerForks(llvm::Function &F);

/// Runs atomic operations on numbers in turns, as ordinary ones, where their
/// order matters to a derivative (atomics.cpp). The unit's functions are
/// simplified.
void lowerAtomics(Unit &U);

/// Makes loops in F that compare and swap the atomic operations that they are
/// (atomic_updates.cpp).
void nameAtomicUpdates(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Finds out which functions of the unit several threads may run at once.
void findConcurrent(Unit &U);

} // namespace retro

#endif
