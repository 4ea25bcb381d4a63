// Memory on the stack that is no variable of the entry block.
#ifndef RETRO_PREPARE_STACK_MEMORY_H
#define RETRO_PREPARE_STACK_MEMORY_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace retro {

/// Metadata of a call that allocates: nothing frees the memory but the
/// derivative, at its end.
inline constexpr llvm::StringLiteral FreedAtEnd = "retro.freed.late";

/// Stack memory of a size or number that is known at run time becomes memory of
/// the heap, with its frees. In forward mode what a loop takes, and no
/// iteration gives back, stays on the stack.
void lowerStackMemory(llvm::Function &F, bool Forward);

/// Does I note how far the stack has grown, or give back what it grew since?
bool isStackScope(const llvm::Instruction &I);

} // namespace retro

#endif
