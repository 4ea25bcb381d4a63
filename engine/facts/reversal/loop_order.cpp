// Input: a loop. Output: whether no iteration touches active memory of another
// one. In the primal's order an adjoint would else be read before all is added
// to it.
#include "facts/reversal/loop_order.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

LoopOrder::LoopOrder(UnitFunction &UF, const ActivityAnalysis &Act,
                     const Needs &N)
    : UF(UF), Act(Act), N(N), Places(*UF.F, Act.unit().FAM) {}

/// A sum into which each iteration adds: whatever the order, the adjoint of
/// each part is that of the sum.
bool LoopOrder::isSum(const Loop &L, const PHINode &P) const {
  auto *Next =
      dyn_cast<Instruction>(P.getIncomingValueForBlock(L.getLoopLatch()));
  if (!Next || !P.hasOneUse() || *P.user_begin() != Next)
    return false;
  if (auto *C = dyn_cast<IntrinsicInst>(Next))
    return (C->getIntrinsicID() == Intrinsic::fmuladd ||
            C->getIntrinsicID() == Intrinsic::fma) &&
           C->getArgOperand(2) == &P;
  return Next->getOpcode() == Instruction::FAdd ||
         (Next->getOpcode() == Instruction::FSub && Next->getOperand(0) == &P);
}

/// May the iterations change places, as far as the value of I goes? Not if an
/// active value passes from one to the next, or out of the last, save in sums.
bool LoopOrder::mayMove(const Loop &L, const Instruction &I) const {
  auto IsSumOf = [&](const User *U) {
    auto *P = dyn_cast<PHINode>(U);
    return P && P->getParent() == L.getHeader() && isSum(L, *P);
  };
  if (auto *P = dyn_cast<PHINode>(&I); P && P->getParent() == L.getHeader())
    return !Act.active(P) || isSum(L, *P);
  if (!Act.active(&I))
    return true;
  bool Sum = any_of(I.users(), IsSumOf);
  return all_of(I.users(), [&](const User *U) {
    auto *X = cast<Instruction>(U);
    return Sum ? !L.contains(X) || IsSumOf(U) : L.contains(X);
  });
}

bool LoopOrder::iterationsCommute(const Loop &L) {
  if (!L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch() ||
      !UF.loop(&L) || !UF.loop(&L)->Trips)
    return false;
  SmallVector<const Instruction *> Loads, Stores;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (!mayMove(L, I))
        return false;
      if (isa<PHINode>(I) || !N.hasWork(I))
        continue;
      auto *C = dyn_cast<CallBase>(&I);
      if (C && knownCall(*C).Kind != KnownKind::Math)
        return false;
      if (!I.mayReadOrWriteMemory() || C)
        continue;
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!(Load && Load->isSimple()) && !(Store && Store->isSimple()))
        return false;
      (Load ? Loads : Stores).push_back(&I);
    }
  // Much memory is not looked at pair by pair.
  if (Stores.size() * (Loads.size() + Stores.size()) > 400)
    return false;
  return all_of(Stores, [&](const Instruction *S) {
    auto Apart = [&](const Instruction *X) { return Places.apart(L, *S, *X); };
    return all_of(Loads, Apart) && all_of(Stores, Apart);
  });
}

bool LoopOrder::isStencil(const Loop &L) {
  if (Places.readsNeighbours(L))
    return true;
  SmallVector<const Instruction *> Loads;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (isa<LoadInst>(I) && N.hasWork(I))
        Loads.push_back(&I);
  if (Loads.size() > 40)
    return false;
  for (size_t A = 0; A < Loads.size(); ++A)
    for (size_t B = 0; B < A; ++B) {
      int64_t Step;
      auto *D = dyn_cast_or_null<SCEVConstant>(
          Places.distance(L, *Loads[A], *Loads[B], Step));
      if (D && !D->isZero() && D->getAPInt().getSignificantBits() <= 40 &&
          D->getAPInt().getSExtValue() % Step == 0 &&
          Places.sizeOf(*Loads[A]) == Places.sizeOf(*Loads[B]))
        return true;
    }
  return false;
}

} // namespace retro
