// Which operations on the bits of floats only change a sign, round a number or
// choose one, recognized by their masks, and what they do to an adjoint or a
// tangent. Without it such an operation would be one on integers, which has no
// derivative.
#include "emit/words/sign_mask.h"

#include "facts/memory/sign_bits.h"

using namespace llvm;

namespace retro {
namespace {

/// The sign bits of an integer type that carries floats of type F.
Constant *signMask(Type *IntTy, Type *F) {
  unsigned Bits = static_cast<unsigned>(
      F->getScalarType()->getPrimitiveSizeInBits().getFixedValue());
  unsigned W = IntTy->getScalarSizeInBits();
  APInt M(W, 0);
  for (unsigned B = Bits - 1; B < W; B += Bits)
    M.setBit(B);
  return ConstantInt::get(IntTy, M);
}

bool isBooleanMask(const Value *V) {
  auto *S = dyn_cast<SExtInst>(V);
  return S && S->getOperand(0)->getType()->getScalarType()->isIntegerTy(1);
}

} // namespace

SignEffect signEffect(const Instruction &I, unsigned N, Type *F) {
  const Value *A = I.getOperand(N), *M = I.getOperand(1 - N);
  if (roundsNumber(I, N))
    return SignEffect::Round;
  Constant *Sign = signMask(I.getType(), F);
  Constant *Rest = ConstantExpr::getNot(Sign);
  auto OnlySigns = [&](const Value *V) {
    return hasOnlySigns(V, F->getScalarSizeInBits(), I.getDataLayout());
  };
  switch (I.getOpcode()) {
  case Instruction::And:
    if (M == Rest)
      return SignEffect::Absolute;
    if (M == Sign)
      return SignEffect::Flat;
    return isBooleanMask(M) ? SignEffect::ChooseMask : SignEffect::None;
  case Instruction::Or:
    if (M == Sign)
      return SignEffect::MinusAbs;
    if (OnlySigns(A))
      return SignEffect::Flat;
    return OnlySigns(M) ? SignEffect::GainSign : SignEffect::None;
  case Instruction::Xor:
    if (M == Sign)
      return SignEffect::Negate;
    if (OnlySigns(A))
      return SignEffect::Flat;
    return OnlySigns(M) ? SignEffect::TakeSign : SignEffect::None;
  default:
    return SignEffect::None;
  }
}

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
