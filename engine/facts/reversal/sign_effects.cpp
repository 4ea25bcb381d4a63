// Which operations on the bits of floats only change a sign, round a number or
// choose one, recognized by their masks. Without it such an operation would be
// one on integers, which has no derivative.
#include "facts/reversal/sign_effects.h"

#include "facts/memory/sign_bits.h"

using namespace llvm;

namespace retro {

Constant *signMask(Type *IntTy, Type *F) {
  unsigned Bits = static_cast<unsigned>(
      F->getScalarType()->getPrimitiveSizeInBits().getFixedValue());
  unsigned W = IntTy->getScalarSizeInBits();
  APInt M(W, 0);
  for (unsigned B = Bits - 1; B < W; B += Bits)
    M.setBit(B);
  return ConstantInt::get(IntTy, M);
}

namespace {

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

} // namespace retro
