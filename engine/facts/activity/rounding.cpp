// Input: an addition or subtraction. Output: whether it only rounds, by the
// size of the constant. By the rule of a sum its derivative would be 1, where
// it is 0 but for jumps.
#include "facts/activity/rounding.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace retro {
namespace {

/// The constant that I adds to what else it computes, or null: X + K, X - K
/// (then -K) and X * Y + K.
std::optional<APFloat> addedConstant(const Instruction &I) {
  unsigned N = 1;
  bool Minus = I.getOpcode() == Instruction::FSub;
  if (auto *C = dyn_cast<IntrinsicInst>(&I)) {
    if (C->getIntrinsicID() != Intrinsic::fma &&
        C->getIntrinsicID() != Intrinsic::fmuladd)
      return std::nullopt;
    N = 2;
  } else if (I.getOpcode() == Instruction::FAdd) {
    N = isa<Constant>(I.getOperand(0)) ? 0 : 1;
  } else if (!Minus) {
    return std::nullopt;
  }
  auto *C = dyn_cast<Constant>(I.getOperand(N));
  auto *K = dyn_cast_or_null<ConstantFP>(
      C && C->getType()->isVectorTy() ? C->getSplatValue() : C);
  if (!K)
    return std::nullopt;
  APFloat V = K->getValueAPF();
  if (Minus)
    V.changeSign();
  return V;
}

/// Do numbers of this size have no digits after the point?
bool hasNoFraction(const APFloat &K) {
  const fltSemantics &S = K.getSemantics();
  return K.isFiniteNonZero() &&
         ilogb(K) >= static_cast<int>(APFloat::semanticsPrecision(S)) - 1;
}

/// Does J take away again what I added?
bool takesAway(const Instruction &J, const Instruction &I, const APFloat &K) {
  auto Back = addedConstant(J);
  if (!Back || isa<IntrinsicInst>(J) || !is_contained(J.operands(), &I))
    return false;
  Back->changeSign();
  return Back->bitwiseIsEqual(K);
}

} // namespace

bool roundsToInteger(const Instruction &I) {
  if (!I.getType()->isFPOrFPVectorTy())
    return false;
  auto K = addedConstant(I);
  if (!K || !hasNoFraction(*K))
    return false;
  for (const Value *O : I.operands())
    if (auto *A = dyn_cast<Instruction>(O);
        A && A->getType() == I.getType() && !isa<IntrinsicInst>(I))
      if (auto Added = addedConstant(*A); Added && takesAway(I, *A, *Added))
        return true;
  return any_of(I.users(), [&](const User *U) {
    auto *J = cast<Instruction>(U);
    return takesAway(*J, I, *K) ||
           (isa<BitCastInst>(J) && J->getType()->isIntOrIntVectorTy());
  });
}

} // namespace retro
