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

/// Finds the atomic operations on numbers or their bits: when variables have
/// become values, and before what is loaded and cast is loaded as an integer.
void markNumbers(llvm::Function &F);

/// Where the adjoint of such a place comes from outside, every thread of the
/// block has to have given its value before the first looks who won. The
/// functions of the unit are in canonical form.
void awaitChoices(Unit &U);

} // namespace retro

#endif
