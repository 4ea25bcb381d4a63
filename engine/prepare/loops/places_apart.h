// Accesses of a loop to one array that never meet in it.
#ifndef RETRO_PREPARE_LOOPS_PLACES_APART_H
#define RETRO_PREPARE_LOOPS_PLACES_APART_H

#include "base/plan.h"

#include "llvm/IR/PassManager.h"

namespace retro {

/// Declares scopes for accesses of innermost loops that their indices tell
/// apart. Bounded: arguments that are numbers within bounds (later_places.h).
/// Returns how many loops have such scopes.
unsigned markPlacesApart(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                         const NumberBounds &Bounded);

} // namespace retro

#endif
