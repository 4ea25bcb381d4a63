// Input: an integer phi of a loop. Output: its value as a polynomial of the
// loop's counter, if its steps grow by the same number each time. Without it
// the reverse pass would tape the positions in packed triangular matrices, or
// run such a loop forwards first.
#include "prepare/recurrences.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

class Recurrence {
public:
  Recurrence(PHINode &P, Loop &L, ScalarEvolution &SE, const DominatorTree &DT)
      : P(P), L(L), SE(SE), DT(DT) {}

  /// What an iteration adds to P, as a function of the loop's counter, or null.
  const SCEV *step() {
    return difference(P.getIncomingValueForBlock(L.getLoopLatch()), 2);
  }

private:
  const SCEV *difference(Value *V, unsigned Depth);
  const SCEV *ofMerge(PHINode &Merge, unsigned Depth);
  bool nothingLeft(const BranchInst &Br, bool Taken, const SCEV *Added);
  bool endsAtZero(const SCEVAddRecExpr &StepsLeft, const SCEV *Added,
                  const SCEV *A, const SCEV *B);
  bool isFunctionOfCounter(const SCEV *S) const {
    if (auto *R = dyn_cast<SCEVAddRecExpr>(S))
      return R->getLoop() == &L && R->isAffine() &&
             SE.isLoopInvariant(R->getStepRecurrence(SE), &L) &&
             SE.isLoopInvariant(R->getStart(), &L);
    return SE.isLoopInvariant(S, &L);
  }

  PHINode &P;
  Loop &L;
  ScalarEvolution &SE;
  const DominatorTree &DT;
};

/// V minus P, as a function of the counter; null if it is not known.
const SCEV *Recurrence::difference(Value *V, unsigned Depth) {
  const SCEV *D = SE.getMinusSCEV(SE.getSCEVAtScope(V, &L), SE.getSCEV(&P));
  if (!isa<SCEVCouldNotCompute>(D) && isFunctionOfCounter(D))
    return D;
  auto *Merge = dyn_cast<PHINode>(V);
  return Merge && Depth && Merge->getParent() != L.getHeader() &&
                 L.contains(Merge)
             ? ofMerge(*Merge, Depth - 1)
             : nullptr;
}

/// V is a merge of two ways of which one adds nothing to P. The result is what
/// the other way adds, if that is zero too in every iteration in which it is
/// skipped.
const SCEV *Recurrence::ofMerge(PHINode &Merge, unsigned Depth) {
  if (Merge.getNumIncomingValues() != 2)
    return nullptr;
  auto *Br = dyn_cast<BranchInst>(
      DT.getNode(Merge.getParent())->getIDom()->getBlock()->getTerminator());
  if (!Br || !Br->isConditional())
    return nullptr;
  for (unsigned Skip : {0u, 1u}) {
    const SCEV *Nothing = difference(Merge.getIncomingValue(Skip), Depth),
               *Added = difference(Merge.getIncomingValue(1 - Skip), Depth);
    if (!Nothing || !Added || !Nothing->isZero())
      continue;
    // The way that adds nothing must be the edge from the branch straight to
    // the merge.
    if (Merge.getIncomingBlock(Skip) != Br->getParent())
      continue;
    if (nothingLeft(*Br, Br->getSuccessor(0) == Merge.getParent(), Added))
      return Added;
  }
  return nullptr;
}

/// Is Added zero wherever the branch skips the addition (Taken: where its
/// condition holds)? It is if the condition says A >= B there, and Added is B -
/// A, which counts down to 0 in the last iteration.
bool Recurrence::nothingLeft(const BranchInst &Br, bool Taken,
                             const SCEV *Added) {
  auto *Compare = dyn_cast<ICmpInst>(Br.getCondition());
  if (!Compare || !SE.isSCEVable(Compare->getOperand(0)->getType()) ||
      !Compare->getOperand(0)->getType()->isIntegerTy())
    return false;
  CmpInst::Predicate Pred =
      Taken ? Compare->getPredicate() : Compare->getInversePredicate();
  const SCEV *A = SE.getSCEV(Compare->getOperand(0)),
             *B = SE.getSCEV(Compare->getOperand(1));
  if (Pred == CmpInst::ICMP_ULE || Pred == CmpInst::ICMP_SLE) {
    std::swap(A, B);
    Pred = CmpInst::getSwappedPredicate(Pred);
  }
  if (Pred != CmpInst::ICMP_UGE && Pred != CmpInst::ICMP_SGE &&
      Pred != CmpInst::ICMP_EQ)
    return false;
  auto *StepsLeft = dyn_cast<SCEVAddRecExpr>(SE.getMinusSCEV(B, A));
  if (!StepsLeft ||
      SE.getTypeSizeInBits(StepsLeft->getType()) <
          SE.getTypeSizeInBits(Added->getType()) ||
      SE.getTruncateOrNoop(StepsLeft, Added->getType()) != Added)
    return false;
  if (Pred == CmpInst::ICMP_EQ)
    return true;
  // The numbers are small enough for B = A + StepsLeft to hold without
  // overflow.
  auto *Most = dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(&L));
  const unsigned Bits =
      static_cast<unsigned>(SE.getTypeSizeInBits(StepsLeft->getType()));
  return StepsLeft->getLoop() == &L && StepsLeft->isAffine() &&
         StepsLeft->getStepRecurrence(SE)->isAllOnesValue() && Most &&
         Most->getAPInt().getActiveBits() <= Bits - 2 &&
         SE.getUnsignedRangeMax(A).getActiveBits() <= Bits - 2 &&
         endsAtZero(*StepsLeft, Added, A, B);
}

/// Is StepsLeft = B - A zero in the last iteration? In the type of Added this
/// may be provable where it is not in a wider one; that is enough if A and B
/// fit in the type of Added.
bool Recurrence::endsAtZero(const SCEVAddRecExpr &StepsLeft, const SCEV *Added,
                            const SCEV *A, const SCEV *B) {
  const SCEV *Last = SE.getBackedgeTakenCount(&L);
  auto IsZero = [&](const SCEVAddRecExpr *R) {
    return R && R->evaluateAtIteration(
                     SE.getTruncateOrZeroExtend(Last, R->getType()), SE)
                    ->isZero();
  };
  if (SE.getTypeSizeInBits(Last->getType()) >
      SE.getTypeSizeInBits(StepsLeft.getType()))
    return false;
  auto Fits = [&](const SCEV *S) {
    const uint64_t Bits = SE.getTypeSizeInBits(Added->getType());
    return SE.getSignedRangeMin(S).getSignificantBits() <= Bits &&
           SE.getSignedRangeMax(S).getSignificantBits() <= Bits;
  };
  return IsZero(&StepsLeft) ||
         (Fits(A) && Fits(B) && IsZero(dyn_cast<SCEVAddRecExpr>(Added)));
}

} // namespace

Value *polynomialOf(PHINode &P, Loop &L, Value *Counter, IRBuilder<> &B,
                    ScalarEvolution &SE, const DominatorTree &DT) {
  Type *T = P.getType();
  if (T->getIntegerBitWidth() > 64)
    return nullptr;
  const SCEV *Step = Recurrence(P, L, SE, DT).step();
  if (!Step)
    return nullptr;
  auto *R = dyn_cast<SCEVAddRecExpr>(Step);
  const SCEV *First = R ? R->getStart() : Step,
             *Growth = R ? R->getStepRecurrence(SE) : SE.getZero(T);
  SCEVExpander Exp(SE, "step");
  Instruction *Pre = L.getLoopPreheader()->getTerminator();
  if (!Exp.isSafeToExpandAt(First, Pre) || !Exp.isSafeToExpandAt(Growth, Pre))
    return nullptr;
  Value *F = Exp.expandCodeFor(First, T, Pre->getIterator());
  Value *G = Exp.expandCodeFor(Growth, T, Pre->getIterator());
  // After n steps the value is n F + n (n - 1) / 2 G. Of n and n - 1 the even
  // one is halved, so that nothing is rounded.
  Value *N = Counter, *One = ConstantInt::get(N->getType(), 1);
  Value *Pairs =
      B.CreateMul(B.CreateLShr(N, One), B.CreateOr(B.CreateSub(N, One), One));
  Value *Sum = B.CreateAdd(B.CreateMul(B.CreateTrunc(N, T), F),
                           B.CreateMul(B.CreateTrunc(Pairs, T), G));
  return B.CreateAdd(Sum, P.getIncomingValueForBlock(L.getLoopPreheader()),
                     P.getName());
}

} // namespace retro
