#include "analyses/fusion.h"

#include "front/known_functions.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

/// More pairs of accesses than this are not looked at.
constexpr size_t MostPairs = 4096;

LoopFusion::LoopFusion(UnitFunction &UF, ActivityAnalysis &Act,
                       const FunctionPlan &P)
    : UF(UF), Act(Act), P(P), AA(Act.unit().FAM.getResult<AAManager>(*UF.F)) {}

namespace {

/// A function of its arguments, whatever it does to errno.
bool isMath(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  return C && knownCall(*C).isPure();
}

/// All values of the loop that Sum of its header goes through on its way to the
/// next iteration, each of them what it was before and something more; empty if
/// it is used for anything else. All have the adjoint of the sum.
SmallSetVector<const Instruction *, 8> chainOf(const PHINode &Sum,
                                               const Loop &L) {
  const Value *Next = Sum.getIncomingValueForBlock(L.getLoopLatch());
  SmallSetVector<const Instruction *, 8> Chain;
  auto MayAdd = [](const Instruction &X, const Instruction *To) {
    if (auto *C = dyn_cast<IntrinsicInst>(&X))
      return (C->getIntrinsicID() == Intrinsic::fmuladd ||
              C->getIntrinsicID() == Intrinsic::fma) &&
             C->getArgOperand(2) == To;
    return isa<PHINode>(X) || X.getOpcode() == Instruction::FAdd ||
           (X.getOpcode() == Instruction::FSub && X.getOperand(0) == To);
  };
  Chain.insert(&Sum);
  for (size_t N = 0; N < Chain.size(); ++N)
    for (const User *U : Chain[N]->users()) {
      auto *X = cast<Instruction>(U);
      if (X == &Sum || (!L.contains(X) && Chain[N] == Next))
        continue;
      if (!L.contains(X) || !MayAdd(*X, Chain[N]))
        return {};
      Chain.insert(X);
    }
  auto IsOfIt = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && Chain.contains(I);
  };
  for (const Instruction *I : Chain)
    if (I == &Sum         ? !IsOfIt(Next)
        : isa<PHINode>(I) ? !all_of(I->operands(), IsOfIt)
                          : count_if(I->operands(), IsOfIt) != 1)
      return {};
  return Chain;
}

} // namespace

/// Do iterations hand each other nothing active but sums, and what follows the
/// loop nothing active but these?
bool LoopFusion::onlySumsUp(const Loop &L) const {
  SmallPtrSet<const Instruction *, 16> Sums;
  for (const PHINode &X : L.getHeader()->phis()) {
    if (!Act.active(&X))
      continue;
    auto Chain = chainOf(X, L);
    if (Chain.empty())
      return false;
    Sums.insert(Chain.begin(), Chain.end());
  }
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (Act.active(&I) && !Sums.contains(&I) &&
          !all_of(I.users(), [&](const User *U) {
            return L.contains(cast<Instruction>(U));
          }))
        return false;
  return true;
}

/// Does the loop do nothing but compute?
bool LoopFusion::onlyReads(const Loop &L) {
  Loads.clear();
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (isa<DbgInfoIntrinsic>(I) || isMath(I))
        continue;
      if (I.mayHaveSideEffects() || I.isVolatile() || I.isAtomic())
        return false;
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
      else if (I.mayReadFromMemory())
        return false;
    }
  return true;
}

/// Is I, behind the loop, of no effect that anybody waits for?
bool LoopFusion::isUnneeded(const Instruction &I) const {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return P.DroppedStores.contains(S);
  if (isa<ReturnInst>(I))
    return !Act.unit().ResultWanted;
  return !I.isTerminator() && !isa<LoadInst>(I) &&
         (isMath(I) || !I.mayHaveSideEffects()) &&
         !I.getType()->isPtrOrPtrVectorTy();
}

/// Does nothing behind the loop read what comes of it, but to compute what is
/// not needed either?
bool LoopFusion::resultsAreUnneeded(const Loop &L,
                                    const SetVector<Item> &Asked) const {
  const BasicBlock *Exit = L.getUniqueExitBlock();
  SmallSetVector<const Instruction *, 16> Work;
  for (const PHINode &X : Exit->phis())
    Work.insert(&X);
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      for (const User *U : I.users())
        if (auto *X = cast<Instruction>(U); !L.contains(X))
          if (!isa<PHINode>(X) || X->getParent() != Exit)
            return false;
  for (size_t N = 0; N < Work.size(); ++N) {
    if (!isUnneeded(*Work[N]) || Asked.contains({Item::Primal, Work[N]}))
      return false;
    for (const User *U : Work[N]->users())
      Work.insert(cast<Instruction>(U));
  }
  return true;
}

/// Is what the loop reads the same when the primal has ended?
bool LoopFusion::nothingWritesLater(const Loop &L) {
  SmallSetVector<const BasicBlock *, 16> Later;
  Later.insert(L.getUniqueExitBlock());
  size_t Pairs = 0;
  for (size_t N = 0; N < Later.size(); ++N) {
    for (const Instruction &I : *Later[N]) {
      auto *S = dyn_cast<StoreInst>(&I);
      if (!I.mayWriteToMemory() || isMath(I) ||
          (S && P.DroppedStores.contains(S)))
        continue;
      auto *C = dyn_cast<CallBase>(&I);
      if (C && knownCall(*C).Kind == KnownKind::Free &&
          Act.isFreedLate(
              C->getArgOperand(static_cast<unsigned>(knownCall(*C).Row->A))))
        continue;
      if ((Pairs += Loads.size()) > MostPairs ||
          any_of(Loads, [&](const LoadInst *Load) {
            return isModSet(AA.getModRefInfo(&I, MemoryLocation::get(Load)));
          }))
        return false;
    }
    Later.insert(succ_begin(Later[N]), succ_end(Later[N]));
  }
  return true;
}

bool LoopFusion::canWait(const Loop &L, const SetVector<Item> &Asked) {
  if (L.getParentLoop() || !P.ReversedLoops.contains(L.getHeader()) ||
      !L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch() ||
      !L.getUniqueExitBlock() || !UF.loop(&L) || !UF.loop(&L)->Trips)
    return false;
  return onlySumsUp(L) && onlyReads(L) && resultsAreUnneeded(L, Asked) &&
         nothingWritesLater(L);
}

} // namespace retro
