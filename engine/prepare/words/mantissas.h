// Numbers that are taken apart by bit operations.
#ifndef RETRO_PREPARE_WORDS_MANTISSAS_H
#define RETRO_PREPARE_WORDS_MANTISSAS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Turns bit operations that take a mantissa into arithmetic.
void lowerMantissas(llvm::Function &F);

} // namespace retro

#endif
