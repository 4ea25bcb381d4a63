// What an operation on the bits of floats does to an adjoint or a tangent.
#ifndef RETRO_EMIT_WORDS_SIGN_MASK_H
#define RETRO_EMIT_WORDS_SIGN_MASK_H

#include "facts/reversal/sign_effects.h"

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// Applies the effect to the bits of an adjoint or tangent.
llvm::Value *applySign(llvm::IRBuilder<> &B, SignEffect S, llvm::Value *Bits,
                       llvm::Value *Operand, llvm::Value *Other, llvm::Type *F);

} // namespace retro

#endif
