// Atomic maxima and minima of numbers on a device: which operations they are,
// and what is known of their places.
#ifndef RETRO_FACTS_PARALLEL_ATOMIC_CHOICES_H
#define RETRO_FACTS_PARALLEL_ATOMIC_CHOICES_H

#include "llvm/IR/Instructions.h"

namespace retro {

/// The metadata of atomic operations on numbers or their bits
/// (prepare/threads/number_marks.h).
inline constexpr const char *NumberMark = "retro.number";

/// Is I one of these?
bool isMarkedNumber(const llvm::Instruction &I);

/// The type of that number, where A operates on its bits; else A's own.
llvm::Type *operandType(const llvm::AtomicRMWInst &A);

/// Is A a maximum or minimum of these, and nobody looks at the value before?
bool isCommutingChoice(const llvm::AtomicRMWInst &A);

/// Is Place all threads' of one block, and nobody else's?
bool isPlaceOfBlock(const llvm::Value &Place);

/// Is A's place in a variable of the block of which Other is no part? Who does
/// not name such a variable does not know its address.
bool isApartInBlock(const llvm::AtomicRMWInst &A, const llvm::Value &Other);

} // namespace retro

#endif
