// Parallel constructs in the form that analyses and emission read: a region
// of a team of threads is a direct call of its body, marked as a fork.
#ifndef RETRO_PREPARE_THREADS_REGIONS_H
#define RETRO_PREPARE_THREADS_REGIONS_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace retro {

struct Unit;

/// Makes the calls that open parallel regions in F direct calls of the
/// regions' bodies; those that start threads, calls of what the threads run.
void lowerForks(llvm::Function &F);

/// Makes atomic operations on numbers whose order matters to a derivative
/// ordinary ones, in turns. The unit's functions are simplified.
void lowerAtomics(Unit &U);

/// Loops in F that compare and swap become the atomic operations that they are.
void nameAtomicUpdates(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Finds out which functions of the unit several threads may run at once.
void findConcurrent(Unit &U);

} // namespace retro

#endif
