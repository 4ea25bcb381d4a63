// Recognizes *Ptr += something in a block: a load, a few steps, and a store to
// the same place. Rewrites of sums rest on it; it must not overlook that
// something else writes to the place in between, or an addition would be lost.
#include "loops/accumulation.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace retro {
namespace {

/// Finds the load at the store's own place from which V starts, and the steps
/// between the two, the last one first.
bool findLoad(Accumulation &A, Value *V, size_t MostSteps,
              ScalarEvolution &SE) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != A.Store->getParent() || !I->hasOneUse())
    return false;
  if (auto *L = dyn_cast<LoadInst>(I)) {
    A.Load = L;
    return L->isSimple() &&
           L->getType() == A.Store->getValueOperand()->getType() &&
           SE.getSCEV(L->getPointerOperand()) ==
               SE.getSCEV(A.Store->getPointerOperand());
  }
  if (A.Steps.size() == MostSteps)
    return false;
  A.Steps.push_back(I);
  if (auto *C = dyn_cast<IntrinsicInst>(I);
      C &&
      (C->getIntrinsicID() == Intrinsic::fmuladd ||
       C->getIntrinsicID() == Intrinsic::fma) &&
      findLoad(A, C->getArgOperand(2), MostSteps, SE))
    return true;
  if (I->getOpcode() == Instruction::FAdd ||
      I->getOpcode() == Instruction::FSub)
    for (Value *O : I->operands())
      if (findLoad(A, O, MostSteps, SE))
        return true;
  A.Steps.pop_back();
  return false;
}

} // namespace

bool isOfAdjoints(const Instruction &I) {
  const MDNode *List = I.getMetadata(LLVMContext::MD_alias_scope);
  return List && any_of(List->operands(), [](const MDOperand &X) {
           const AliasScopeNode Scope(cast<MDNode>(X));
           if (Scope.getName() != ShadowScopeName || !Scope.getDomain())
             return false;
           const MDNode *Domain = Scope.getDomain();
           auto *Name = Domain->getNumOperands() > 1
                            ? dyn_cast<MDString>(Domain->getOperand(1))
                            : nullptr;
           return Name && Name->getString() == RolesName;
         });
}

std::optional<Accumulation> accumulationOf(StoreInst &S, size_t MostSteps,
                                           ScalarEvolution &SE, AAResults &AA) {
  Accumulation A;
  A.Store = &S;
  if (!S.isSimple() || !S.getValueOperand()->getType()->isFloatingPointTy() ||
      !findLoad(A, S.getValueOperand(), MostSteps, SE) || A.Steps.empty())
    return std::nullopt;
  for (Instruction *N = A.Load->getNextNode(); N != &S; N = N->getNextNode())
    if (N->mayWriteToMemory() && !isa<NoAliasScopeDeclInst>(N) &&
        isModSet(AA.getModRefInfo(N, MemoryLocation::get(A.Load))))
      return std::nullopt;
  std::reverse(A.Steps.begin(), A.Steps.end());
  return A;
}

} // namespace retro
