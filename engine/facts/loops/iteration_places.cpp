// Input: a loop and two of its accesses. Output: whether their places are
// known to be apart in different iterations. Loops are reordered, split and
// fused on that word, so what is not known means that they may meet.
#include "facts/loops/iteration_places.h"

#include "base/scev.h"
#include "base/unit.h"
#include "facts/loops/grid.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {

IterationPlaces::IterationPlaces(Function &F, FunctionAnalysisManager &FAM)
    : F(F), LI(FAM.getResult<LoopAnalysis>(F)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      AA(FAM.getResult<AAManager>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)) {}

const Loop *IterationPlaces::own(const Loop &L) const {
  return LI.getLoopFor(L.getHeader());
}

uint64_t IterationPlaces::sizeOf(const Instruction &I) const {
  return F.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
}

bool IterationPlaces::readsNeighbours(const Loop &L) {
  return retro::readsNeighbours(*LI.getLoopFor(L.getHeader()), SE, DT);
}

const SCEV *IterationPlaces::distance(const Loop &L, const Instruction &I,
                                      const Instruction &From, int64_t &Step) {
  auto Recurrence = [&](const Instruction &X) {
    auto *R =
        dyn_cast<SCEVAddRecExpr>(scevOf(SE, getLoadStorePointerOperand(&X)));
    return R && R->getLoop() == own(L) && R->isAffine() ? R : nullptr;
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

bool IterationPlaces::apart(const Loop &L, const Instruction &A,
                            const Instruction &B) {
  auto Anywhere = [](const Instruction &I) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                            I.getAAMetadata());
  };
  BatchAAResults Any(AA); // of whatever iterations
  Any.enableCrossIterationMode();
  if (&A != &B && (areApart(A, B) || areApartIn(L, A, B) ||
                   Any.isNoAlias(Anywhere(A), Anywhere(B))))
    return true;
  if (areFar(L, A, B))
    return true;
  int64_t Step;
  auto *C = dyn_cast_or_null<SCEVConstant>(distance(L, A, B, Step));
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

bool IterationPlaces::apartWithin(const Loop *L, const Instruction &A,
                                  const Instruction &B) {
  return areApart(A, B) ||
         AA.isNoAlias(MemoryLocation::get(&A), MemoryLocation::get(&B)) ||
         (L && areFar(*L, A, B));
}

/// Does the loop not go from one of them to the other at all?
bool IterationPlaces::areFar(const Loop &L, const Instruction &A,
                             const Instruction &B) {
  int64_t Step;
  const SCEV *D = distance(L, A, B, Step);
  return D && (isFar(L, D, std::abs(Step), sizeOf(B)) ||
               isFar(L, SE.getNegativeSCEV(D), std::abs(Step), sizeOf(A)));
}

/// The bytes from the begin of what an access touches in the first iteration to
/// the end of what it touches in the last.
const SCEV *IterationPlaces::reachOf(const Loop &L, Type *T, int64_t Step,
                                     uint64_t Size) {
  const SCEV *Taken = SE.getBackedgeTakenCount(own(L));
  if (isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > SE.getTypeSizeInBits(T))
    return nullptr;
  return SE.getAddExpr(
      SE.getMulExpr(SE.getNoopOrZeroExtend(Taken, T),
                    SE.getConstant(T, static_cast<uint64_t>(Step))),
      SE.getConstant(T, Size));
}

/// A distance that is more than the loop goes.
bool IterationPlaces::isFar(const Loop &L, const SCEV *Distance, int64_t Step,
                            uint64_t Size) {
  const SCEV *Reach = reachOf(L, Distance->getType(), Step, Size);
  return Reach && (SE.isKnownNonNegative(SE.getMinusSCEV(Distance, Reach)) ||
                   SE.isLoopEntryGuardedByCond(own(L), ICmpInst::ICMP_SGE,
                                               Distance, Reach));
}

std::optional<IterationPlaces::Condition>
IterationPlaces::apartIf(const Loop &L, const Instruction &A,
                         const Instruction &B) {
  int64_t Step;
  const SCEV *D = distance(L, A, B, Step);
  if (!D || isa<SCEVConstant>(D))
    return std::nullopt;
  // Which of the two lies ahead is asked the program, in one direction.
  const SCEV *Main = D;
  if (auto *Sum = dyn_cast<SCEVAddExpr>(D))
    Main = Sum->getOperand(Sum->getNumOperands() - 1);
  auto *Product = dyn_cast<SCEVMulExpr>(Main);
  auto *Factor =
      Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  const bool Behind = Factor && Factor->getAPInt().isNegative();
  const SCEV *Reach =
      reachOf(L, D->getType(), std::abs(Step), sizeOf(Behind ? A : B));
  if (!Reach)
    return std::nullopt;
  return Condition{Behind ? SE.getNegativeSCEV(D) : D, Reach};
}

} // namespace retro
