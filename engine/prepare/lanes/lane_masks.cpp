// Input: bit operations with a word that changes or drops only the signs of
// numbers, in all lanes or in some, or that sets lanes to zero. Output:
// negations, absolute values and selects of numbers, which have derivatives.
// Without it these would be operations on integers, which have none.
#include "prepare/lanes/lane_masks.h"

#include "facts/memory/sign_bits.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Numbers that words become are looked for among so many values.
constexpr size_t MostLooked = 32;

bool movesBits(const Value *V) {
  return isa<BitCastInst, PHINode, SelectInst, FreezeInst>(V);
}

/// The types of the numbers that Word is the bits of, where I makes bits of
/// such numbers of it, as the casts around say: first those of the result.
/// Other arithmetic on the word says nothing: it may be an integer that becomes
/// the mantissa of a number.
SmallSetVector<Type *, 2> numberTypes(const BinaryOperator &I,
                                      const Value *Word) {
  SmallSetVector<Type *, 2> Out;
  const TypeSize Size = I.getType()->getPrimitiveSizeInBits();
  auto Take = [&](const Value *V) {
    Type *T = V->getType();
    const bool Is = T->isFPOrFPVectorTy() && !isa<ScalableVectorType>(T) &&
                    T->getPrimitiveSizeInBits() == Size &&
                    T->getScalarType()->isIEEELikeFPTy();
    if (Is)
      Out.insert(T);
    return Is;
  };
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&I);
  for (size_t N = 0; N < Seen.size() && N < MostLooked; ++N)
    for (const User *U : Seen[N]->users())
      if (movesBits(U) && !Take(U))
        Seen.insert(U);
  Seen.clear();
  Seen.insert(Word);
  for (size_t N = 0; N < Seen.size() && N < MostLooked; ++N)
    if (!Take(Seen[N]) && movesBits(Seen[N]))
      for (const Value *O : cast<Instruction>(Seen[N])->operands())
        Seen.insert(O);
  return Out;
}

/// Numbers of type T, combined with a mask of the sign bits of some lanes.
class Lowering {
public:
  Lowering(BinaryOperator &I, unsigned MaskOperand, Type *T)
      : I(I), Mask(I.getOperand(MaskOperand)),
        Word(I.getOperand(1 - MaskOperand)), T(T) {}
  bool possible();
  Value *numbers(IRBuilder<> &B) const;

private:
  bool any(LaneEffect E) const { return is_contained(Effects, E); }
  Value *lanes(IRBuilder<> &B, LaneEffect E) const;
  Value *changed(IRBuilder<> &B, Value *X) const;

  BinaryOperator &I;
  Value *Mask, *Word;
  Type *T;
  SmallVector<LaneEffect, 8> Effects;
};

bool Lowering::possible() {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  for (unsigned L = 0; L < (Vector ? Vector->getNumElements() : 1); ++L) {
    Effects.push_back(laneEffect(I.getOpcode(), Mask, L,
                                 T->getScalarSizeInBits(), I.getDataLayout()));
    if (Effects.back() == LaneEffect::Other)
      return false;
  }
  return true;
}

/// Which lanes have effect E, as the condition of a select.
Value *Lowering::lanes(IRBuilder<> &B, LaneEffect E) const {
  SmallVector<Constant *, 8> Chosen;
  for (LaneEffect X : Effects)
    Chosen.push_back(B.getInt1(X == E));
  return T->isVectorTy() ? ConstantVector::get(Chosen) : Chosen.front();
}

Value *Lowering::changed(IRBuilder<> &B, Value *X) const {
  if (I.getOpcode() != Instruction::Xor)
    X = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  return I.getOpcode() == Instruction::And ? X : B.CreateFNeg(X);
}

Value *Lowering::numbers(IRBuilder<> &B) const {
  Value *X = B.CreateBitCast(Word, T), *R = X;
  if (any(LaneEffect::Either)) {
    // The mask's sign bit chooses, also in lanes where it is known.
    Type *Int = T->getWithNewType(B.getIntNTy(T->getScalarSizeInBits()));
    Value *M = B.CreateBitCast(Mask, Int);
    Constant *Zero = Constant::getNullValue(Int);
    Value *Is = I.getOpcode() == Instruction::And ? B.CreateICmpSGE(M, Zero)
                                                  : B.CreateICmpSLT(M, Zero);
    R = B.CreateSelect(Is, changed(B, X), X);
  } else if (any(LaneEffect::Change)) {
    R = B.CreateSelect(lanes(B, LaneEffect::Change), changed(B, X), X);
  }
  if (any(LaneEffect::Zero))
    R = B.CreateSelect(lanes(B, LaneEffect::Zero), Constant::getNullValue(T),
                       R);
  return R;
}

bool lower(BinaryOperator &I, unsigned MaskOperand) {
  const Value *Word = I.getOperand(1 - MaskOperand);
  for (Type *T : numberTypes(I, Word)) {
    // Two masks that are combined make another mask: numbers are combined with
    // that.
    if (hasOnlySigns(Word, T->getScalarSizeInBits(), I.getDataLayout()))
      continue;
    Lowering L(I, MaskOperand, T);
    if (!L.possible())
      continue;
    IRBuilder<> B(&I);
    Value *R = L.numbers(B);
    // Where the bits are cast back to a number, the number is used itself.
    for (User *U : make_early_inc_range(I.users()))
      if (auto *C = dyn_cast<BitCastInst>(U); C && C->getType() == T)
        C->replaceAllUsesWith(R);
    I.replaceAllUsesWith(B.CreateBitCast(R, I.getType()));
    return true;
  }
  return false;
}

} // namespace

void lowerLaneMasks(Function &F) {
  SmallVector<BinaryOperator *> Work;
  for (Instruction &I : instructions(F))
    if (auto *B = dyn_cast<BinaryOperator>(&I);
        B && B->isBitwiseLogicOp() && !isa<ScalableVectorType>(B->getType()))
      Work.push_back(B);
  for (BinaryOperator *I : Work)
    if (!lower(*I, 1))
      lower(*I, 0);
}

} // namespace retro
