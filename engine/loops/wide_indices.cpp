// Input: code that computes a[i * n + j] with int, as the front end or LLVM's
// first passes left it. Output: the same with 64-bit numbers. That such a sum
// does not wrap is said of the very operations that the program wrote; LLVM
// changes their order, factors them and moves parts of them out of loops, after
// which a part might wrap for all that is known. An address is then no sum of
// numbers of iterations any more: nobody can tell which memory a loop reads,
// whether arrays overlap, or what is stored to again. All of it would be kept
// on the tape, for each iteration.
#include "loops/wide_indices.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {
namespace {

/// What is longer is no index that a program writes.
constexpr unsigned MostDeep = 8;

/// Is V the same when it is computed with more bits?
bool canBeWidened(const Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  return I && isa<OverflowingBinaryOperator>(I) && I->hasNoSignedWrap() &&
         I->getOpcode() != Instruction::Shl;
}

/// V as a wide number. Sums and products that may not wrap are computed wide.
Value *widened(Value *V, Type *Wide, Instruction *Before, unsigned Deep = 0) {
  IRBuilder<> IR(Before);
  if (!canBeWidened(V) || Deep > MostDeep)
    return IR.CreateSExt(V, Wide);
  auto *I = cast<BinaryOperator>(V);
  Value *A = widened(I->getOperand(0), Wide, Before, Deep + 1);
  Value *B = widened(I->getOperand(1), Wide, Before, Deep + 1);
  Value *New = IR.CreateBinOp(I->getOpcode(), A, B);
  if (auto *Op = dyn_cast<BinaryOperator>(New))
    Op->setHasNoSignedWrap();
  return New;
}

} // namespace

bool widenIndices(Function &F) {
  SmallVector<SExtInst *> Extensions;
  for (Instruction &I : instructions(F))
    if (auto *X = dyn_cast<SExtInst>(&I); X && X->getType()->isIntegerTy(64) &&
                                          X->getSrcTy()->isIntegerTy(32) &&
                                          canBeWidened(X->getOperand(0)))
      Extensions.push_back(X);
  for (SExtInst *X : Extensions) {
    X->replaceAllUsesWith(widened(X->getOperand(0), X->getType(), X));
    RecursivelyDeleteTriviallyDeadInstructions(X);
  }
  return !Extensions.empty();
}

bool widenRemainders(Function &F) {
  SmallVector<Instruction *> Remainders;
  for (Instruction &I : instructions(F))
    if (I.getOpcode() == Instruction::SRem && I.getType()->isIntegerTy(32) &&
        canBeWidened(I.getOperand(0)))
      Remainders.push_back(&I);
  Type *Wide = Type::getInt64Ty(F.getContext());
  for (Instruction *R : Remainders) {
    IRBuilder<> IR(R);
    Value *New = IR.CreateSRem(widened(R->getOperand(0), Wide, R),
                               widened(R->getOperand(1), Wide, R));
    R->replaceAllUsesWith(IR.CreateTrunc(New, R->getType(), "", false, true));
    RecursivelyDeleteTriviallyDeadInstructions(R);
  }
  return !Remainders.empty();
}

} // namespace retro
