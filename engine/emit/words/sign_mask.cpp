// Operations on the bits of floats that change only a sign, round a number or
// choose one (facts/reversal/sign_effects.h), applied to adjoints and tangents:
// these go through the same operation. Without it they would keep the sign that
// the primal lost.
#include "emit/words/sign_mask.h"

using namespace llvm;

namespace retro {

Value *applySign(IRBuilder<> &B, SignEffect S, Value *Bits, Value *Operand,
                 Value *Other, Type *F) {
  Constant *Sign = signMask(Bits->getType(), F);
  switch (S) {
  case SignEffect::Absolute:
    return B.CreateXor(Bits, B.CreateAnd(Operand, Sign));
  case SignEffect::MinusAbs:
    return B.CreateXor(Bits, B.CreateXor(B.CreateAnd(Operand, Sign), Sign));
  case SignEffect::Negate:
    return B.CreateXor(Bits, Sign);
  case SignEffect::TakeSign:
    return B.CreateXor(Bits, B.CreateAnd(Other, Sign));
  case SignEffect::GainSign:
    return B.CreateXor(
        Bits, B.CreateAnd(B.CreateAnd(Other, B.CreateNot(Operand)), Sign));
  case SignEffect::Round:
    return Bits;
  case SignEffect::ChooseMask:
    return B.CreateAnd(Bits, Other);
  default:
    return Constant::getNullValue(Bits->getType());
  }
}

} // namespace retro
