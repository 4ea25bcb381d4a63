// Words that are combined with the bits of numbers, lane by lane: which of
// their bits are known.
#ifndef RETRO_FACTS_MEMORY_SIGN_BITS_H
#define RETRO_FACTS_MEMORY_SIGN_BITS_H

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Value.h"

namespace retro {

/// What a word does to a number whose bits it is combined with.
enum class LaneEffect {
  Other, ///< it may change more than the sign
  Keep,
  Zero,
  Change, ///< it changes the sign as the operation does
  Either, ///< Keep or Change, by the word's sign bit
};

/// The effect of Mask, in an operation of this opcode, on lane number Lane of
/// numbers of Bits bits. The lanes of Mask may be wider or narrower.
LaneEffect laneEffect(unsigned Opcode, const llvm::Value *Mask, unsigned Lane,
                      unsigned Bits, const llvm::DataLayout &DL);

/// Are all bits of V zero, other than the sign bits of numbers of Bits bits?
bool hasOnlySigns(const llvm::Value *V, unsigned Bits,
                  const llvm::DataLayout &DL);

/// Does combining the bits of a number with V leave a number: a mask of the
/// sign or of the rest, the sign of another number, or all bits or none?
bool keepsFloat(const llvm::Value *V);

/// Does I, an operation on the bits of a number that is its operand N, set or
/// clear constant ones of the lower half of its mantissa's word alone? That
/// rounds the number, as a conversion to fewer digits and back does.
bool roundsNumber(const llvm::Instruction &I, unsigned N);

} // namespace retro

#endif
