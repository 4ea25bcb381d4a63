// Input: bit operations with a word that changes or drops only the signs of
// numbers, in all lanes or in some, that sets lanes to zero, or that chooses
// between two numbers in each lane. Output: negations, absolute values and
// selects of numbers, which have derivatives. Without it these would be
// operations on integers, which have none.
#include "prepare/lanes/lane_masks.h"

#include "facts/memory/sign_bits.h"
#include "prepare/lanes/uniform_lanes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

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

/// Puts the number R in the place of the word I, which has its bits.
void replaceBits(BinaryOperator &I, Value *R, IRBuilder<> &B) {
  // Where the bits are cast back to a number, the number is used itself.
  for (User *U : make_early_inc_range(I.users()))
    if (auto *C = dyn_cast<BitCastInst>(U); C && C->getType() == R->getType())
      C->replaceAllUsesWith(R);
  I.replaceAllUsesWith(B.CreateBitCast(R, I.getType()));
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
    replaceBits(I, L.numbers(B), B);
    return true;
  }
  return false;
}

/// In each lane one of two words is chosen: Set where the mask has all bits,
/// Clear where it has none.
struct Choice {
  Value *Set = nullptr, *Clear = nullptr, *Mask = nullptr;
};

/// (Clear & ~Mask) | (Set & Mask), and Clear ^ ((Clear ^ Set) & Mask).
std::optional<Choice> choiceIn(BinaryOperator &I) {
  Choice C;
  if (match(&I, m_c_Xor(m_Value(C.Clear),
                        m_c_And(m_c_Xor(m_Deferred(C.Clear), m_Value(C.Set)),
                                m_Value(C.Mask)))))
    return C;
  if (I.getOpcode() == Instruction::And)
    return std::nullopt;
  for (unsigned N : {0, 1})
    if (match(I.getOperand(N),
              m_c_And(m_Value(C.Clear), m_Not(m_Value(C.Mask)))) &&
        match(I.getOperand(1 - N), m_c_And(m_Value(C.Set), m_Specific(C.Mask))))
      return C;
  return std::nullopt;
}

bool choose(BinaryOperator &I, const Choice &C) {
  for (Type *T : numberTypes(I, C.Set)) {
    const unsigned Bits = T->getScalarSizeInBits();
    const DataLayout &DL = I.getDataLayout();
    // Two masks make a mask, and numbers are combined with that.
    if (!hasUniformLanes(C.Mask, Bits, DL) ||
        (hasUniformLanes(C.Set, Bits, DL) &&
         hasUniformLanes(C.Clear, Bits, DL)))
      continue;
    IRBuilder<> B(&I);
    Value *M = B.CreateBitCast(C.Mask, T->getWithNewType(B.getIntNTy(Bits)));
    Value *Is = B.CreateICmpSLT(M, Constant::getNullValue(M->getType()));
    replaceBits(I,
                B.CreateSelect(Is, B.CreateBitCast(C.Set, T),
                               B.CreateBitCast(C.Clear, T)),
                B);
    return true;
  }
  return false;
}

/// Numbers, or zero, by a mask.
bool chooseOrZero(BinaryOperator &I) {
  if (I.getOpcode() != Instruction::And)
    return false;
  Constant *Zero = Constant::getNullValue(I.getType());
  Value *A = I.getOperand(0), *B = I.getOperand(1);
  return choose(I, {A, Zero, B}) || choose(I, {B, Zero, A});
}

SmallVector<BinaryOperator *> bitOperations(Function &F) {
  SmallVector<BinaryOperator *> Out;
  for (Instruction &I : instructions(F))
    if (auto *B = dyn_cast<BinaryOperator>(&I);
        B && B->isBitwiseLogicOp() && !isa<ScalableVectorType>(B->getType()))
      Out.push_back(B);
  return Out;
}

} // namespace

void lowerLaneMasks(Function &F) {
  // What two masked words make is looked at before each of them.
  SmallVector<WeakTrackingVH> Chosen;
  for (BinaryOperator *I : bitOperations(F))
    if (auto C = choiceIn(*I); C && choose(*I, *C))
      Chosen.push_back(I);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Chosen);
  for (BinaryOperator *I : bitOperations(F))
    if (!lower(*I, 1) && !lower(*I, 0))
      chooseOrZero(*I);
}

} // namespace retro
