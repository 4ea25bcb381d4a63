// Calls and words in steps that emission knows.
#ifndef RETRO_PREPARE_CALLS_KNOWN_CALLS_H
#define RETRO_PREPARE_CALLS_KNOWN_CALLS_H

#include "llvm/IR/Function.h"

namespace retro {

/// Marks a copy that realloc has become. It moves all that the allocator has at
/// the source, which is more than the program asked for, and may be more than
/// the allocator has at the source's shadow.
inline constexpr llvm::StringLiteral MovesBlock = "retro.moves-block";

/// Replaces calls by steps that the engine knows: realloc by allocation, copy
/// and free; posix_memalign by an allocation that is stored; the largest,
/// smallest or product of a vector's lanes by operations on the lanes.
void lowerCalls(llvm::Function &F);

/// Chooses as a pointer what is chosen as an integer from several pointers,
/// since only a pointer has a shadow. Loads as a pointer or number what is
/// loaded as an integer and cast to one.
void choosePointers(llvm::Function &F);

/// Makes numbers 0 that the primal may leave undefined because it does not use
/// them. The adjoint multiplies by them, if only with 0.
void definePoison(llvm::Function &F);

} // namespace retro

#endif
