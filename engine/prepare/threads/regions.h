// Brings parallel constructs to the form that analyses and emission read: a
// region of a team of threads is a direct call of its body, marked as a fork.
#ifndef RETRO_PREPARE_THREADS_REGIONS_H
#define RETRO_PREPARE_THREADS_REGIONS_H

#include "base/unit.h"

namespace retro {

/// Makes calls that open parallel regions in F direct calls of the regions'
/// bodies, and calls that start threads direct calls of what the threads run.
void lowerForks(llvm::Function &F);

/// Finds out which functions of the unit several threads may run at once.
void findConcurrent(Unit &U);

} // namespace retro

#endif
