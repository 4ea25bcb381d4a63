// Numbers in memory of bytes, at places that depend on the input: messages that
// are packed, records in a buffer. The reverse pass notes where it adds to
// their adjoints, and finds them when it comes to a copy of the bytes.
#ifndef RETRO_FACTS_ACTIVITY_NOTED_PLACES_H
#define RETRO_FACTS_ACTIVITY_NOTED_PLACES_H

#include "facts/activity/activity.h"

namespace retro {

/// Does a load, or a copy whose layout is known, read numbers from bytes where
/// places are noted?
bool readsNoted(const ActivityAnalysis &Act, const llvm::Instruction &I);

/// Does a store or copy write to where places are noted among pointers?
bool writesAmongPointers(const ActivityAnalysis &Act,
                         const llvm::Instruction &I);

/// Does a store of an active number, or a copy whose layout is known, write to
/// where places are noted among pointers? What is not noted in the shadow is no
/// adjoint of it.
bool writesNoted(const ActivityAnalysis &Act, const llvm::Instruction &I);

} // namespace retro

#endif
