// Sorting and searching by a callback. In the unit a sort is a call that finds
// the order, and a loop that moves the elements, which has a derivative like
// any loop; a search is a call that finds the number of an element.
#ifndef RETRO_PREPARE_CALLS_SORTING_H
#define RETRO_PREPARE_CALLS_SORTING_H

#include "front/known/known_functions.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

bool canonicalizeSort(llvm::CallBase &C, KnownCall K);
void expandSort(llvm::CallBase &C, KnownCall K);
bool canonicalizeSearch(llvm::CallBase &C, KnownCall K);
void expandSearch(llvm::CallBase &C, KnownCall K);

} // namespace retro

#endif
