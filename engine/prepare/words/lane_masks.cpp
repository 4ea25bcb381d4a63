// Input: bit operations with a constant that change the signs of some lanes of
// a vector of numbers, or set some lanes to zero. Output: negations and selects
// of numbers, which have derivatives.
#include "prepare/words/lane_masks.h"
#include "prepare/words/wide_words.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

enum class LaneEffect { Keep, Zero, Negate, Absolute, MinusAbsolute };

/// What does it do to a number to combine its bits with M?
std::optional<LaneEffect> effectOf(unsigned Opcode, const APInt &M) {
  using enum LaneEffect;
  switch (Opcode) {
  case Instruction::Xor:
    return M.isZero()       ? std::optional(Keep)
           : M.isSignMask() ? std::optional(Negate)
                            : std::nullopt;
  case Instruction::Or:
    return M.isZero()       ? std::optional(Keep)
           : M.isSignMask() ? std::optional(MinusAbsolute)
                            : std::nullopt;
  default:
    return M.isAllOnes()          ? std::optional(Keep)
           : M.isZero()           ? std::optional(Zero)
           : M.isMaxSignedValue() ? std::optional(Absolute)
                                  : std::nullopt;
  }
}

/// The type of the numbers whose bits I combines, as the casts around it say.
Type *numberType(const BinaryOperator &I) {
  auto Fits = [&](Type *T) {
    auto *V = dyn_cast<FixedVectorType>(T);
    return V && V->isFPOrFPVectorTy() &&
           V->getScalarSizeInBits() == I.getType()->getScalarSizeInBits();
  };
  for (const User *U : I.users())
    if (isa<BitCastInst>(U) && Fits(U->getType()))
      return U->getType();
  for (const Value *O : I.operands())
    if (auto *C = dyn_cast<BitCastInst>(O); C && Fits(C->getSrcTy()))
      return C->getSrcTy();
  return nullptr;
}

bool lower(BinaryOperator &I) {
  auto *T = cast<FixedVectorType>(I.getType());
  unsigned Lanes = T->getNumElements();
  Type *F = numberType(I);
  for (unsigned N = 0; N < 2 && F; ++N) {
    auto *Mask = dyn_cast<Constant>(I.getOperand(N));
    if (!Mask || Mask->getSplatValue())
      continue;
    Value *X = numbersMovedAs(I.getOperand(1 - N), F);
    if (!X)
      continue;
    IRBuilder<> B(&I);
    Value *R = X;
    for (auto E : {LaneEffect::Zero, LaneEffect::Negate, LaneEffect::Absolute,
                   LaneEffect::MinusAbsolute}) {
      SmallVector<Constant *> Chosen;
      bool Any = false;
      for (unsigned L = 0; L < Lanes; ++L) {
        auto *C = dyn_cast_or_null<ConstantInt>(Mask->getAggregateElement(L));
        auto Effect = C ? effectOf(I.getOpcode(), C->getValue()) : std::nullopt;
        if (!Effect)
          return false;
        Any |= *Effect == E;
        Chosen.push_back(B.getInt1(*Effect == E));
      }
      if (!Any)
        continue;
      Value *V = Constant::getNullValue(X->getType());
      if (E == LaneEffect::Negate)
        V = B.CreateFNeg(X);
      else if (E != LaneEffect::Zero)
        V = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
      if (E == LaneEffect::MinusAbsolute)
        V = B.CreateFNeg(V);
      R = B.CreateSelect(ConstantVector::get(Chosen), V, R);
    }
    // Where the bits are cast back to a number, the number is used itself.
    for (User *U : make_early_inc_range(I.users()))
      if (auto *C = dyn_cast<BitCastInst>(U); C && C->getType() == X->getType())
        C->replaceAllUsesWith(R);
    I.replaceAllUsesWith(B.CreateBitCast(R, T));
    return true;
  }
  return false;
}

} // namespace

void lowerLaneMasks(Function &F) {
  SmallVector<BinaryOperator *> Work;
  for (Instruction &I : instructions(F))
    if (I.isBitwiseLogicOp() && isa<FixedVectorType>(I.getType()))
      Work.push_back(cast<BinaryOperator>(&I));
  for (BinaryOperator *I : Work)
    lower(*I);
}

} // namespace retro
