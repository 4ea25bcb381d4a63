// Memory of C++'s memory resources (std::pmr). A resource gives back all of its
// memory when it is destroyed, which for a gradient is too early: its reverse
// pass still reads it. There such memory comes from the heap.
#ifndef RETRO_PREPARE_MEMORY_MEMORY_RESOURCES_H
#define RETRO_PREPARE_MEMORY_MEMORY_RESOURCES_H

#include "llvm/IR/Function.h"

namespace retro {

/// Does F ask a resource for memory, give it back, or compare resources?
bool isOfResource(const llvm::Function &F);

/// Sends such calls of F, a function of a unit, to functions that are
/// differentiated: in forward mode the resource is asked for shadows as well,
/// else memory is the heap's until the derivative ends. A resource that the
/// program defines itself is asked as ever. Returns whether there were such
/// calls.
bool lowerMemoryResources(llvm::Function &F, bool Forward);

/// Puts the resource's own functions in the place of what stood for them, when
/// all derivatives have been emitted.
void restoreMemoryResources(llvm::Module &M);

} // namespace retro

#endif
