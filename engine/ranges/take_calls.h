// All that a unit does as one function, for questions about the memory that it
// accesses.
#ifndef RETRO_RANGES_TAKE_CALLS_H
#define RETRO_RANGES_TAKE_CALLS_H

#include "base/unit.h"

namespace retro {

/// Inlines all functions of the unit that Q, a copy of the root, calls. A
/// thread's share of a loop is two numbers (share_bounds.h), so Q must not run.
/// False if there is too much code, or recursion.
bool takeCallsInto(llvm::Function &Q, const Unit &U);

} // namespace retro

#endif
