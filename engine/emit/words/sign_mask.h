// Operations on the bits of floats that change only the sign, round, or keep or
// drop whole numbers: fabs, copysign and selections as compilers write them.
// Adjoints and tangents go through the same operation; all other arithmetic on
// bits is refused.
#ifndef RETRO_EMIT_WORDS_SIGN_MASK_H
#define RETRO_EMIT_WORDS_SIGN_MASK_H

#include "llvm/IR/IRBuilder.h"

namespace retro {

/// What a bit operation on the words of floats does to operand N.
enum class SignEffect {
  None,       ///< something else: not differentiable
  Round,      ///< a with fewer digits
  Flat,       ///< the result does not vary with it
  Absolute,   ///< |a|
  MinusAbs,   ///< -|a|
  Negate,     ///< -a
  TakeSign,   ///< -a, where the other operand has its sign bit set
  GainSign,   ///< -|a|, where the other operand has its sign bit set
  ChooseMask, ///< a or 0, by a mask of all ones or zeros
};
SignEffect signEffect(const llvm::Instruction &I, unsigned N, llvm::Type *F);

/// Applies the effect to the bits of an adjoint or tangent.
llvm::Value *applySign(llvm::IRBuilder<> &B, SignEffect S, llvm::Value *Bits,
                       llvm::Value *Operand, llvm::Value *Other, llvm::Type *F);

} // namespace retro

#endif
