// Input: an addition or subtraction. Output: whether it only rounds, by the
// size of a number that is added and taken away, a constant or one that has a
// constant's size and another sign. By the rule of a sum its derivative would
// be 1, where it is 0 but for jumps.
#include "facts/activity/rounding.h"

#include "base/uniqued.h"

#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace retro {
namespace {

/// Choices and changes of signs are followed so deep.
constexpr unsigned Deepest = 4;

/// Do numbers of this size have no digits after the point?
bool hasNoFraction(const APFloat &K) {
  const fltSemantics &S = K.getSemantics();
  return K.isFiniteNonZero() &&
         ilogb(K) >= static_cast<int>(APFloat::semanticsPrecision(S)) - 1;
}

/// Is V, in each of its lanes, such a number, of whichever sign?
bool isLarge(const Value *V, unsigned Depth = 0) {
  if (auto *C = dyn_cast<Constant>(V)) {
    auto *T = dyn_cast<FixedVectorType>(C->getType());
    for (unsigned N = 0; N < (T ? T->getNumElements() : 1); ++N) {
      auto *K = dyn_cast_or_null<ConstantFP>(T ? C->getAggregateElement(N) : C);
      if (!K || !hasNoFraction(K->getValueAPF()))
        return false;
    }
    return true;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == Deepest)
    return false;
  auto Of = [&](unsigned N) { return isLarge(I->getOperand(N), Depth + 1); };
  if (isa<SelectInst>(I))
    return Of(1) && Of(2);
  auto *C = dyn_cast<IntrinsicInst>(I);
  const bool OfSign = C && (C->getIntrinsicID() == Intrinsic::copysign ||
                            C->getIntrinsicID() == Intrinsic::fabs);
  return (OfSign || I->getOpcode() == Instruction::FNeg) && Of(0);
}

/// The large number that I adds to what else it computes, or takes from it.
struct Addend {
  const Value *Large = nullptr;
  bool Minus = false;
};

/// X + K, X - K and X * Y + K.
Addend addendOf(const Instruction &I) {
  const bool Minus = I.getOpcode() == Instruction::FSub;
  if (auto *C = dyn_cast<IntrinsicInst>(&I);
      C && C->getIntrinsicID() != Intrinsic::fma &&
      C->getIntrinsicID() != Intrinsic::fmuladd)
    return {};
  if (isa<IntrinsicInst>(I))
    return isLarge(I.getOperand(2)) ? Addend{I.getOperand(2)} : Addend();
  if (!Minus && I.getOpcode() != Instruction::FAdd)
    return {};
  for (unsigned N : {1, 0})
    if ((N == 1 || !Minus) && isLarge(I.getOperand(N)))
      return {I.getOperand(N), Minus};
  return {};
}

/// Is A the same number as B, or where Negated says so, minus that?
bool isSame(const Value *A, const Value *B, bool Negated) {
  if (!Negated)
    return A == B;
  auto *C = dyn_cast<Constant>(A), *D = dyn_cast<Constant>(B);
  return match(A, m_FNeg(m_Specific(B))) || match(B, m_FNeg(m_Specific(A))) ||
         (C && D &&
          ConstantFoldUnaryInstruction(Instruction::FNeg, uniqued(C)) == D);
}

/// Does J take away again what I added, A? K - (X + K) does, too.
bool takesAway(const Instruction &J, const Instruction &I, const Addend &A) {
  if (J.getOpcode() == Instruction::FAdd)
    return any_of(J.operands(), [&](const Use &U) {
      return U.get() != &I && isSame(U, A.Large, !A.Minus);
    });
  if (J.getOpcode() != Instruction::FSub)
    return false;
  const unsigned N = J.getOperand(0) == &I ? 1 : 0;
  return isSame(J.getOperand(N), A.Large, A.Minus);
}

/// Is I an addition of a large number that J takes away again?
bool isUndone(const Instruction &I, const Instruction &J) {
  const Addend A = addendOf(I);
  return A.Large && takesAway(J, I, A);
}

} // namespace

bool roundsToInteger(const Instruction &I) {
  if (!I.getType()->isFPOrFPVectorTy())
    return false;
  for (const Value *O : I.operands())
    if (auto *A = dyn_cast<Instruction>(O);
        A && A->getType() == I.getType() && isUndone(*A, I))
      return true;
  if (!addendOf(I).Large)
    return false;
  return any_of(I.users(), [&](const User *U) {
    auto *J = cast<Instruction>(U);
    return isUndone(I, *J) ||
           (isa<BitCastInst>(J) && J->getType()->isIntOrIntVectorTy());
  });
}

} // namespace retro
