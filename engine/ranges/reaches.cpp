// Input: a function. Output: for each of its arguments, the first and the last
// byte that it accesses through it, as expressions of the arguments. What is
// not known for certain makes all of it unknown: a range that is too small
// would let a derivative overwrite what it still reads.
#include "ranges/reaches.h"

#include "facts/parallel/synchronization.h"
#include "front/known/known_functions.h"
#include "ranges/remainders.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// Within these bounds nothing overflows: bytes of one step, steps (or bytes of
/// one copy), loops around each other, and MostOffset.
constexpr int64_t MostStep = int64_t(1) << 25, MostCount = int64_t(1) << 32;
constexpr unsigned MostDeep = 6;
/// A bound on values that are looked up is of use only if it is as close as
/// this.
constexpr int64_t MostLookedUp = 1 << 20;
/// Longer offsets are not computed, and more arrays are not compared.
constexpr unsigned MostTerms = 32, MostArrays = 16;

/// Is it memory that no argument points to?
bool isOwn(const Value *Ptr) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Ptr, Objects);
  return all_of(Objects, [](const Value *O) {
    auto *G = dyn_cast<GlobalVariable>(O);
    auto *C = dyn_cast<CallBase>(O);
    return isa<AllocaInst>(O) || (G && G->isConstant()) ||
           (C && isNoAliasCall(C) && knownCall(*C).isAllocation());
  });
}

} // namespace

/// Is S known where the question is asked? A thread's share counts as known.
bool Reaches::isKnownBefore(const SCEV *S) const {
  return !SCEVExprContains(S, [&](const SCEV *X) {
    auto *V = dyn_cast<SCEVUnknown>(X);
    auto *I = V ? dyn_cast<Instruction>(V->getValue()) : nullptr;
    auto *By = dyn_cast<SCEVUDivExpr>(X);
    return isa<SCEVAddRecExpr, SCEVCouldNotCompute>(X) ||
           (By && !isa<SCEVConstant>(By->getRHS())) ||
           (I && !ShareBounds::isShare(I) &&
            !(I->getParent() == At.getParent() && I->comesBefore(&At)));
  });
}

/// The least or the greatest of the terms, whatever the shares are; null if
/// unknown.
const SCEV *Reaches::extreme(const Terms &Of, bool Most) {
  SmallVector<const SCEV *> Ends;
  for (const SCEV *S : Of)
    if (const SCEV *End = Shares.extreme(S, Most, Counts, Steps))
      Ends.push_back(End);
    else
      return nullptr;
  return Most ? SE.getSMaxExpr(Ends) : SE.getSMinExpr(Ends);
}

Reaches::Terms Reaches::sums(const Terms &A, const Terms &B) const {
  Terms All;
  for (const SCEV *X : A)
    for (const SCEV *Y : B)
      All.insert(SE.getAddExpr(X, Y));
  return All;
}

/// The most iterations that follow the first, as i64, if that is known. For a
/// loop that is not reached it may be negative.
std::optional<Reaches::Terms> Reaches::mostTaken(const Loop &L, unsigned Deep) {
  const SCEV *S = SE.getBackedgeTakenCount(&L), *Zero = SE.getZero(I64);
  if (isa<SCEVCouldNotCompute>(S))
    S = SE.getSymbolicMaxBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(S) || SE.getTypeSizeInBits(S->getType()) > 64)
    return {};
  const SCEV *Share = Shares.mostTaken(L, S);
  S = Share ? Share : SE.getNoopOrZeroExtend(S, I64);
  auto Of = rangeOf(S, Deep);
  const SCEV *Least = Of ? extreme(Of->Low, false) : nullptr,
             *Most = Of ? extreme(Of->High, true) : nullptr;
  if (!Least || !Most)
    return {};
  // A number that is nonnegative only in this context may be any number for a
  // loop that is left another way. One that is left there alone is not reached
  // where it is negative, or never left.
  if (Share || SE.isKnownNonNegative(S) ||
      SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE, S, Zero)) {
    Counts.insert(SE.getSMaxExpr(Most, Zero));
  } else if (!isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L))) {
    Counts.insert(SE.getSMaxExpr(Most, Zero));
    Counts.insert(SE.getSMaxExpr(SE.getNegativeSCEV(Least), Zero));
  } else {
    Counts.insert(Most);
    Counts.insert(Least);
  }
  return Of->High;
}

/// The range of what a row is in its last iteration. In a triangle that depends
/// on the iteration around, as where the row begins does: the sum of the ranges
/// of both would be twice as long.
std::optional<Reaches::Range> Reaches::rangeOfEnd(const SCEVAddRecExpr &Row,
                                                  unsigned Deep) {
  const SCEV *Taken = SE.getBackedgeTakenCount(Row.getLoop());
  if (isa<SCEVCouldNotCompute>(Taken) || isKnownBefore(Taken) ||
      Shares.mostTaken(*Row.getLoop(), Taken))
    return {};
  return rangeOf(
      SE.getAddExpr(Row.getStart(),
                    SE.getMulExpr(Row.getStepRecurrence(SE),
                                  SE.getNoopOrZeroExtend(Taken, I64))),
      Deep);
}

std::optional<Reaches::Range> Reaches::rangeOfRow(const SCEVAddRecExpr &Row,
                                                  unsigned Deep) {
  const SCEV *Step = Row.isAffine() ? Row.getStepRecurrence(SE) : nullptr;
  if (!Step || Deep > MostDeep || !isKnownBefore(Step) || Shares.contains(Step))
    return {};
  auto First = rangeOf(Row.getStart(), Deep + 1);
  auto Times = First ? mostTaken(*Row.getLoop(), Deep + 1) : std::nullopt;
  if (!Times)
    return {};
  Steps.insert(Step);
  const bool Grows = SE.isKnownNonNegative(Step),
             Falls = SE.isKnownNonPositive(Step);
  // Where a loop is not reached its end lies before where it begins, which is
  // no place that is accessed.
  if (auto Last = Grows || Falls ? rangeOfEnd(Row, Deep + 1) : std::nullopt)
    return Grows ? Range{First->Low, Last->High}
                 : Range{Last->Low, First->High};
  Terms Down, Up;
  if (Grows || !Falls)
    Down.insert(SE.getZero(I64));
  if (Falls || !Grows)
    Up.insert(SE.getZero(I64));
  for (const SCEV *T : *Times) {
    const SCEV *Far = SE.getMulExpr(Step, T);
    if (!Grows)
      Down.insert(Far);
    if (!Falls)
      Up.insert(Far);
  }
  Range R{sums(First->Low, Down), sums(First->High, Up)};
  return R.Low.size() <= MostTerms && R.High.size() <= MostTerms
             ? std::optional(R)
             : std::nullopt;
}

/// The range of a choice of several numbers. A number may come from another
/// share than the one that the thread has where it is used.
std::optional<Reaches::Range> Reaches::rangeOfChoice(const PHINode &P,
                                                     unsigned Deep) {
  Range R;
  if (Deep > MostDeep)
    return {};
  for (Value *V : P.incoming_values()) {
    auto Of = rangeOf(SE.getSCEV(V), Deep + 1);
    const SCEV *Low = Of ? extreme(Of->Low, false) : nullptr,
               *High = Of ? extreme(Of->High, true) : nullptr;
    if (!Low || !High)
      return {};
    R.Low.insert(Low);
    R.High.insert(High);
  }
  return R;
}

/// The range of a remainder, wherever what is divided comes from.
std::optional<Reaches::Range> Reaches::rangeOfRemainder(const SCEV *S) {
  auto X = remainderOf(S);
  if (!X)
    return {};
  const bool Signed = X->Of->getOpcode() == Instruction::SRem;
  const SCEV *By = SE.getSCEV(X->Of->getOperand(1));
  // Without a sign in between, a negative one would be large.
  if (!isKnownBefore(By) || Shares.contains(By) ||
      (Signed && !X->SignExtended && By->getType() != I64))
    return {};
  // A divisor that is negative as a signed number is out of bounds.
  By = X->SignExtended ? SE.getSignExtendExpr(By, I64)
                       : SE.getNoopOrZeroExtend(By, I64);
  Counts.insert(By);
  const SCEV *Most =
      SE.getMulExpr(SE.getConstant(I64, static_cast<uint64_t>(X->Scale)),
                    SE.getAddExpr(By, SE.getMinusOne(I64)));
  Range R;
  R.Low.insert(Signed ? SE.getNegativeSCEV(Most) : SE.getZero(I64));
  R.High.insert(Most);
  return R;
}

/// The least and the greatest value of S (i64) where it is used.
std::optional<Reaches::Range> Reaches::rangeOf(const SCEV *S, unsigned Deep) {
  auto Between = [](const SCEV *Low, const SCEV *High) {
    Range R;
    R.Low.insert(Low);
    R.High.insert(High);
    return R;
  };
  if (isKnownBefore(S))
    return Between(S, S);
  if (auto *Row = dyn_cast<SCEVAddRecExpr>(S))
    return rangeOfRow(*Row, Deep);
  if (auto R = rangeOfRemainder(S))
    return R;
  auto *Sum = dyn_cast<SCEVAddExpr>(S);
  if (Sum && Sum->getNumOperands() <= MostDeep) {
    Range R = Between(SE.getZero(I64), SE.getZero(I64));
    for (const SCEV *Term : Sum->operands()) {
      auto Of = rangeOf(Term, Deep + 1);
      if (!Of)
        return {};
      R = {sums(R.Low, Of->Low), sums(R.High, Of->High)};
      if (R.Low.size() > MostTerms || R.High.size() > MostTerms)
        return {};
    }
    return R;
  }
  auto *Unknown = dyn_cast<SCEVUnknown>(S);
  if (auto *P = Unknown ? dyn_cast<PHINode>(Unknown->getValue()) : nullptr)
    return rangeOfChoice(*P, Deep);
  // What is done with a value that is looked up may bound it.
  ConstantRange Limits = SE.getSignedRange(S);
  if (Limits.getSignedMin().slt(-MostLookedUp) ||
      Limits.getSignedMax().sgt(MostLookedUp))
    return {};
  return Between(SE.getConstant(Limits.getSignedMin()),
                 SE.getConstant(Limits.getSignedMax()));
}

bool Reaches::add(Value *Ptr, const SCEV *Bytes, bool Writes) {
  if (isOwn(Ptr))
    return true;
  const SCEV *P = SE.getSCEV(Ptr);
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(P));
  auto *A = Base ? dyn_cast<Argument>(Base->getValue()) : nullptr;
  auto Of = A ? rangeOf(SE.removePointerBase(P)) : std::nullopt;
  const SCEV *Low = Of ? extreme(Of->Low, false) : nullptr,
             *High = Of ? extreme(Of->High, true) : nullptr;
  if (!Low || !High)
    return false;
  Reach &R = All[A];
  R.Low.insert(Low);
  R.High.insert(SE.getAddExpr(High, Bytes));
  R.Written |= Writes;
  return R.Low.size() <= MostTerms && R.High.size() <= MostTerms;
}

bool Reaches::add(Instruction &I) {
  if (!I.mayReadOrWriteMemory() || isAssumeLikeIntrinsic(&I))
    return true;
  auto *L = dyn_cast<LoadInst>(&I);
  auto *S = dyn_cast<StoreInst>(&I);
  if ((L && L->isSimple()) || (S && S->isSimple())) {
    TypeSize N = F.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
    return !N.isScalable() &&
           add(getLoadStorePointerOperand(&I),
               SE.getConstant(I64, N.getFixedValue()), S != nullptr);
  }
  if (auto *M = dyn_cast<MemIntrinsic>(&I)) {
    const SCEV *N = SE.getNoopOrZeroExtend(SE.getSCEV(M->getLength()), I64);
    auto Of = M->isVolatile() ? std::nullopt : rangeOf(N);
    const SCEV *Bytes = Of ? extreme(Of->High, true) : nullptr;
    auto *From = dyn_cast<MemTransferInst>(M);
    if (!Bytes)
      return false;
    Counts.insert(Bytes);
    return add(M->getRawDest(), Bytes, true) &&
           (!From || add(From->getRawSource(), Bytes, false));
  }
  auto *C = dyn_cast<CallBase>(&I);
  if (!C)
    return false;
  KnownCall Callee = knownCall(*C);
  if (Callee.isOfThread() || syncOf(*C) == Sync::Barrier)
    return all_of(C->args(), [](const Use &X) {
      return !X->getType()->isPointerTy() || isa<ConstantPointerNull>(X) ||
             isOwn(X);
    });
  // Memory that mathematical functions have for themselves is no array.
  return Callee.isPure() || Callee.Kind == KnownKind::Math ||
         Callee.isAllocation() ||
         (Callee.Kind == KnownKind::Free && isOwn(C->getArgOperand(0)));
}

bool Reaches::find() {
  return F.getDataLayout().getPointerSizeInBits(0) == 64 &&
         all_of(instructions(F), [&](Instruction &I) { return add(I); }) &&
         !All.empty() && All.size() <= MostArrays;
}

std::optional<Value *> Reaches::emit(const SCEV *S, IRBuilder<> &B) {
  SCEVExpander Expand(SE, "reach");
  Instruction *At = &*B.GetInsertPoint();
  if (!Expand.isSafeToExpandAt(S, At))
    return {};
  return Expand.expandCodeFor(S, I64, At->getIterator());
}

std::optional<std::pair<Value *, Value *>> Reaches::emit(const Reach &R,
                                                         IRBuilder<> &B) {
  SmallVector<const SCEV *> Low(R.Low.begin(), R.Low.end()),
      High(R.High.begin(), R.High.end());
  auto From = emit(SE.getSMinExpr(Low), B), To = emit(SE.getSMaxExpr(High), B);
  if (!From || !To)
    return {};
  return std::pair(*From, *To);
}

Value *isWithin(Value *V, int64_t Most, IRBuilder<> &B) {
  return B.CreateAnd(B.CreateICmpSGE(V, B.getInt64(uint64_t(-Most))),
                     B.CreateICmpSLE(V, B.getInt64(uint64_t(Most))));
}

std::optional<Value *> Reaches::emitBounds(IRBuilder<> &B) {
  Value *All = B.getTrue();
  for (const SCEV *S : Counts) {
    auto V = emit(S, B);
    if (!V)
      return {};
    All = B.CreateAnd(All, B.CreateICmpULE(*V, B.getInt64(MostCount)));
  }
  for (const SCEV *S : Steps) {
    auto V = emit(S, B);
    if (!V)
      return {};
    All = B.CreateAnd(All, isWithin(*V, MostStep, B));
  }
  return All;
}

} // namespace retro
