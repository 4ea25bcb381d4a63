#ifndef RETRO_PREPARE_WORDS_MANTISSAS_H
#define RETRO_PREPARE_WORDS_MANTISSAS_H

namespace llvm {
class Function;
} // namespace llvm

namespace retro {

/// Mantissas that are taken by bit operations (mantissas.cpp).
void lowerMantissas(llvm::Function &F);

} // namespace retro

#endif
