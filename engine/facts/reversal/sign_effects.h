// Operations on the bits of floats that change only the sign, round, or keep or
// drop whole numbers: fabs, copysign and selections as compilers write them.
// All other arithmetic on bits is refused.
#ifndef RETRO_FACTS_REVERSAL_SIGN_EFFECTS_H
#define RETRO_FACTS_REVERSAL_SIGN_EFFECTS_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"

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

/// The sign bits of an integer type that carries floats of type F.
llvm::Constant *signMask(llvm::Type *IntTy, llvm::Type *F);

} // namespace retro

#endif
