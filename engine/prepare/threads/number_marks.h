// Atomic operations on the bits of numbers are marked before what is loaded and
// cast is loaded as an integer; and threads wait for each other before the
// first looks whose value a maximum or minimum has left.
#ifndef RETRO_PREPARE_THREADS_NUMBER_MARKS_H
#define RETRO_PREPARE_THREADS_NUMBER_MARKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

struct Unit;

/// Marks atomic operations on numbers or their bits. This comes when variables
/// have become values, and before numbers that are loaded and cast are loaded
/// as integers.
void markNumbers(llvm::Function &F);

/// Emits a barrier before the root's returns, if a maximum or minimum of memory
/// outside of the block is taken by atomic operations. All threads of the block
/// must have given their values before the first one looks whose value it was.
/// The unit's functions are in canonical form.
void awaitChoices(Unit &U);

} // namespace retro

#endif
