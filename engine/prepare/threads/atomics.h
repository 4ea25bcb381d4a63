// Atomic operations on numbers, and loops that programs write in their place.
// atomics.cpp treats those whose intermediate values are read,
// atomic_updates.cpp the loops.
#ifndef RETRO_PREPARE_THREADS_ATOMICS_H
#define RETRO_PREPARE_THREADS_ATOMICS_H

#include "llvm/IR/PassManager.h"

namespace retro {

struct Unit;

/// Runs atomic operations whose intermediate values are read in turns, as
/// ordinary ones, where their order matters to a derivative. The unit's
/// functions are simplified.
void lowerAtomics(Unit &U);

/// Makes loops in F that compare and swap until no other thread came between
/// the atomic operations that they are.
void nameAtomicUpdates(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace retro

#endif
