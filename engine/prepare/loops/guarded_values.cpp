// Input: a phi of i * n, from where a loop has run i times, and of 0, from
// where i is 0 and the loop does not run: LLVM has moved the product in front
// of the loop that used it, and knows it on the way around. Output: the product
// is computed where the ways meet. It is a number of iterations times a step,
// which a phi is not: nobody could tell which memory is behind such an index.
#include "prepare/loops/guarded_values.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// What is one number where From goes to To; null: nothing.
std::pair<Value *, Constant *> equalBetween(const BasicBlock &From,
                                            const BasicBlock &To) {
  auto *Br = dyn_cast<BranchInst>(From.getTerminator());
  auto *C = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                      : nullptr;
  auto *Number = C ? dyn_cast<ConstantInt>(C->getOperand(1)) : nullptr;
  if (!Number || !C->isEquality() || Br->getSuccessor(0) == Br->getSuccessor(1))
    return {};
  const unsigned Equal = C->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1;
  if (Br->getSuccessor(Equal) != &To)
    return {};
  return {C->getOperand(0), Number};
}

/// What is longer is not computed again.
constexpr unsigned MostDeep = 3;

/// Can V be computed where both ways lead, as a number there, too? What LLVM
/// promises of an operation may hold on the way that had no use for it.
bool isNumber(const Value &V, unsigned Deep = 0) {
  if (isGuaranteedNotToBePoison(&V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  return I && isa<CastInst, BinaryOperator>(I) && !I->isIntDivRem() &&
         !I->isShift() && Deep < MostDeep &&
         all_of(
             I->operands(),
             [&](const Use &U) { return isNumber(*U, Deep + 1); });
}

/// Computes it so.
Value *asNumber(Value &V, IRBuilder<> &IR) {
  if (isGuaranteedNotToBePoison(&V))
    return &V;
  Instruction *New = cast<Instruction>(V).clone();
  New->dropPoisonGeneratingFlags();
  for (Use &U : New->operands())
    U.set(asNumber(*U, IR));
  return IR.Insert(New);
}

/// The product or sum that P is on both ways, and the operand of it that the
/// ways are told apart by; nulls: it is none.
std::pair<BinaryOperator *, Value *> guardedValue(const PHINode &P,
                                                  const DominatorTree &DT,
                                                  const SimplifyQuery &Q) {
  if (P.getNumIncomingValues() != 2 || !P.getType()->isIntegerTy())
    return {};
  for (unsigned N = 0; N < 2; ++N) {
    auto *Known = dyn_cast<ConstantInt>(P.getIncomingValue(N));
    auto *I = dyn_cast<BinaryOperator>(P.getIncomingValue(1 - N));
    auto [Of, Number] = equalBetween(*P.getIncomingBlock(N), *P.getParent());
    if (!Known || !I || I->isIntDivRem() || !Of ||
        !is_contained(I->operands(), Of))
      continue;
    // What is multiplied with 0 must be a number there, too.
    const bool Computed = all_of(I->operands(), [&](const Use &U) {
      auto *D = dyn_cast<Instruction>(U.get());
      return (!D || DT.dominates(D, P.getParent())) &&
             (U.get() == Of || isNumber(*U));
    });
    if (Computed && simplifyWithOpReplaced(I, Of, Number, Q,
                                           /*AllowRefinement=*/true) == Known)
      return {I, Of};
  }
  return {};
}

} // namespace

unsigned computeGuardedValues(Function &F, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const SimplifyQuery Q(F.getDataLayout());
  SmallVector<PHINode *> Phis;
  for (Instruction &I : instructions(F))
    if (auto *P = dyn_cast<PHINode>(&I))
      Phis.push_back(P);
  unsigned Count = 0;
  for (PHINode *P : Phis)
    if (auto [I, Of] = guardedValue(*P, DT, Q); I) {
      IRBuilder<> IR(P->getParent(), P->getParent()->getFirstInsertionPt());
      Instruction *New = I->clone();
      New->dropPoisonGeneratingFlags();
      for (Use &U : New->operands())
        if (U.get() != Of)
          U.set(asNumber(*U, IR));
      IR.Insert(New)->setDebugLoc(P->getDebugLoc());
      P->replaceAllUsesWith(New);
      P->eraseFromParent();
      ++Count;
    }
  if (Count)
    FAM.invalidate(F, PreservedAnalyses::none());
  return Count;
}

} // namespace retro
