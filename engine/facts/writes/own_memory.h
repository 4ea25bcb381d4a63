// Memory that a unit takes from the heap for itself.
#ifndef RETRO_FACTS_WRITES_OWN_MEMORY_H
#define RETRO_FACTS_WRITES_OWN_MEMORY_H

#include "facts/activity/activity.h"

#include "llvm/ADT/DenseSet.h"

namespace retro {

/// The classes of memory with shadows that is allocated in the unit and that
/// nobody else sees: neither the caller, nor a static variable, nor a function
/// that is called, but for those that allocate, free, copy and fill memory.
/// Their objects end with the derivative at the latest, whoever frees them.
llvm::DenseSet<unsigned> findOwnMemory(const ActivityAnalysis &Act);

} // namespace retro

#endif
