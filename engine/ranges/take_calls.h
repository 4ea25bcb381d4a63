// All that a unit does as one function, for questions of which memory it
// accesses.
#ifndef RETRO_RANGES_TAKE_CALLS_H
#define RETRO_RANGES_TAKE_CALLS_H

#include "base/unit.h"

namespace retro {

/// Takes into Q, a copy of the root, all functions of the unit that it calls.
/// What a thread has of a loop's iterations is two numbers (share_bounds.h); Q
/// is not to be run. False: there is too much of it, or recursion.
bool takeCallsInto(llvm::Function &Q, const Unit &U);

} // namespace retro

#endif
