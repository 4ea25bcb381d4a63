#include "analyses/loop_order.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

LoopOrder::LoopOrder(UnitFunction &UF, ActivityAnalysis &Act, const Needs &N)
    : UF(UF), Act(Act), N(N),
      SE(Act.unit().FAM.getResult<ScalarEvolutionAnalysis>(*UF.F)),
      AA(Act.unit().FAM.getResult<AAManager>(*UF.F)) {}

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

uint64_t LoopOrder::sizeOf(const Instruction &I) const {
  return UF.F->getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
}

const SCEV *LoopOrder::distance(const Loop &L, const Instruction &I,
                                const Instruction &From, int64_t &Step) {
  auto Recurrence = [&](const Instruction &X) {
    auto *R = dyn_cast<SCEVAddRecExpr>(
        SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&X))));
    // The analysis has loops of its own.
    return R && R->getLoop()->getHeader() == L.getHeader() && R->isAffine()
               ? R
               : nullptr;
  };
  auto *A = Recurrence(I), *B = Recurrence(From);
  if (!A || !B || A->getStepRecurrence(SE) != B->getStepRecurrence(SE))
    return nullptr;
  auto *S = dyn_cast<SCEVConstant>(A->getStepRecurrence(SE));
  if (!S || S->getAPInt().getSignificantBits() > 32 || S->isZero())
    return nullptr;
  Step = S->getAPInt().getSExtValue();
  const SCEV *D = SE.getMinusSCEV(A, B);
  return isa<SCEVCouldNotCompute>(D) ? nullptr : D;
}

/// Is all that A touches in one iteration apart from all that B touches in
/// another?
bool LoopOrder::apart(const Loop &L, const Instruction &A,
                      const Instruction &B) {
  auto Anywhere = [](const Instruction &I) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                            I.getAAMetadata());
  };
  BatchAAResults Any(AA); // of whatever iterations
  Any.enableCrossIterationMode();
  if (&A != &B && Any.isNoAlias(Anywhere(A), Anywhere(B)))
    return true;
  int64_t Step;
  const SCEV *D = distance(L, A, B, Step);
  if (!D)
    return false;
  if (farApart(L, D, std::abs(Step), sizeOf(A), sizeOf(B)))
    return true;
  auto *C = dyn_cast<SCEVConstant>(D);
  if (!C || C->getAPInt().getSignificantBits() > 40)
    return false;
  const int64_t From = C->getAPInt().getSExtValue();
  // They can only meet where A comes near B: some iterations later, or earlier.
  for (int64_t K = -From / Step - 2; K <= -From / Step + 2; ++K) {
    int64_t At = From + K * Step;
    if (K != 0 && At < static_cast<int64_t>(sizeOf(B)) &&
        At + static_cast<int64_t>(sizeOf(A)) > 0)
      return false;
  }
  return true;
}

/// A distance that is more than the loop goes.
bool LoopOrder::farApart(const Loop &L, const SCEV *Distance, int64_t Step,
                         uint64_t SizeA, uint64_t SizeB) {
  const auto &LI = Act.unit().FAM.getResult<LoopAnalysis>(*UF.F);
  const SCEV *Taken = SE.getBackedgeTakenCount(LI.getLoopFor(L.getHeader()));
  Type *T = Distance->getType();
  if (isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > SE.getTypeSizeInBits(T))
    return false;
  auto Number = [&](uint64_t X) { return SE.getConstant(T, X); };
  const SCEV *Span = SE.getMulExpr(SE.getZeroExtendExpr(Taken, T),
                                   Number(static_cast<uint64_t>(Step)));
  auto Reaches = [&](const SCEV *D, uint64_t Size) {
    return SE.isKnownNonNegative(
        SE.getMinusSCEV(D, SE.getAddExpr(Span, Number(Size))));
  };
  return Reaches(Distance, SizeB) ||
         Reaches(SE.getNegativeSCEV(Distance), SizeA);
}

bool LoopOrder::iterationsCommute(const Loop &L) {
  if (!L.isInnermost() || !L.getLoopLatch() ||
      L.getExitingBlock() != L.getLoopLatch() || !UF.loop(&L) ||
      !UF.loop(&L)->Trips)
    return false;
  SmallVector<const Instruction *> Loads, Stores;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (!mayMove(L, I))
        return false;
      if (isa<PHINode>(I) || !N.hasWork(const_cast<Instruction &>(I)))
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
    auto Apart = [&](const Instruction *X) { return apart(L, *S, *X); };
    return all_of(Loads, Apart) && all_of(Stores, Apart);
  });
}

bool LoopOrder::isStencil(const Loop &L) {
  SmallVector<const Instruction *> Loads;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (isa<LoadInst>(I) && N.hasWork(const_cast<Instruction &>(I)))
        Loads.push_back(&I);
  if (Loads.size() > 40)
    return false;
  for (size_t A = 0; A < Loads.size(); ++A)
    for (size_t B = 0; B < A; ++B) {
      int64_t Step;
      auto *D = dyn_cast_or_null<SCEVConstant>(
          distance(L, *Loads[A], *Loads[B], Step));
      if (D && !D->isZero() && D->getAPInt().getSignificantBits() <= 40 &&
          D->getAPInt().getSExtValue() % Step == 0 &&
          sizeOf(*Loads[A]) == sizeOf(*Loads[B]))
        return true;
    }
  return false;
}

} // namespace retro
