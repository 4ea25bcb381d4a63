// Stack memory that is no variable of the entry block.
#ifndef RETRO_PREPARE_MEMORY_STACK_MEMORY_H
#define RETRO_PREPARE_MEMORY_STACK_MEMORY_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace retro {

/// Marks a call that allocates: the derivative frees the memory at its end, and
/// nothing else does.
inline constexpr llvm::StringLiteral FreedAtEnd = "retro.freed.late";

/// Moves stack memory whose size or number is known at run time alone to the
/// heap, and frees it. In forward mode, memory that a loop takes and that no
/// iteration gives back stays on the stack.
void lowerStackMemory(llvm::Function &F, bool Forward);

/// Does I note how far the stack has grown, or give back what has grown since?
bool isStackScope(const llvm::Instruction &I);

} // namespace retro

#endif
