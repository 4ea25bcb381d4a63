// Addresses that are computed with integers.
#ifndef RETRO_PREPARE_WORDS_POINTER_ARITHMETIC_H
#define RETRO_PREPARE_WORDS_POINTER_ARITHMETIC_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Writes addresses that are computed with integers as offsets from pointers.
void followPointerArithmetic(llvm::Function &F);

} // namespace retro

#endif
