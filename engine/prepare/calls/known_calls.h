#ifndef RETRO_PREPARE_CALLS_KNOWN_CALLS_H
#define RETRO_PREPARE_CALLS_KNOWN_CALLS_H

#include "llvm/IR/Function.h"

namespace retro {

/// Of a copy that realloc has become: it moves all that the allocator has at
/// the source, which is more than the program asked for, and may be more than
/// the allocator has at the source's shadow.
inline constexpr llvm::StringLiteral MovesBlock = "retro.moves-block";

/// Calls in steps that the engine knows: realloc as allocation, copy and free;
/// posix_memalign as an allocation that is stored; the largest, smallest or
/// product of the lanes of a vector as operations on the lanes.
void lowerCalls(llvm::Function &F);

/// Where one of several pointers is chosen as an integer, it is chosen as a
/// pointer: only then has it a shadow. What is loaded as an integer and used as
/// a pointer or number is loaded as such.
void choosePointers(llvm::Function &F);

/// Numbers that the primal may leave undefined, for it does not use them, are
/// 0: the adjoint multiplies with them, if only by 0.
void definePoison(llvm::Function &F);

} // namespace retro

#endif
