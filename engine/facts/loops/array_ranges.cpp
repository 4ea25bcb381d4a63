// Input: the loads of a function that the reverse pass cannot repeat. Output:
// the ranges that those read whose addresses are sums over the counters of a
// nest, from places to places that are known before it. All of a range is
// memory that some iteration reads, or lies between such, so that it can be
// copied: a range that reached further would make the derivative read what the
// program does not have.
#include "facts/loops/array_ranges.h"

#include "base/scev.h"
#include "front/known/known_functions.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace retro {
namespace {

double tripsOf(const UnitFunction &UF, const BasicBlock *Header) {
  auto *N = dyn_cast<ConstantInt>(UF.loopAt(Header).Trips);
  return N ? std::max<double>(1, static_cast<double>(N->getZExtValue()))
           : UnknownSize;
}

/// Loads of numbers, each as many bytes as it has in memory.
bool isOfNumbers(const LoadInst &L) {
  Type *T = L.getType();
  const DataLayout &DL = L.getDataLayout();
  return L.isSimple() && (T->isIntOrIntVectorTy() || T->isFPOrFPVectorTy()) &&
         !DL.getTypeStoreSize(T).isScalable() &&
         DL.getTypeStoreSizeInBits(T) == DL.getTypeSizeInBits(T);
}

/// Constant addresses are those of variables.
bool isBase(const Value &V) {
  return !isa<Constant>(V) || isa<GlobalVariable>(V);
}

} // namespace

double expectedSize(const SCEV *S) {
  double Sum = 0, Product = 1;
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &C = cast<SCEVConstant>(S)->getAPInt();
    return C.getSignificantBits() > 62
               ? static_cast<double>(int64_t(1) << 62)
               : std::abs(static_cast<double>(C.getSExtValue()));
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
    return expectedSize(cast<SCEVCastExpr>(S)->getOperand());
  case scAddExpr:
    for (const SCEV *O : S->operands())
      Sum += expectedSize(O);
    return Sum;
  case scMulExpr:
    for (const SCEV *O : S->operands())
      Product *= expectedSize(O);
    return Product;
  default:
    return UnknownSize;
  }
}

ArrayRanges::ArrayRanges(UnitFunction &UF, const Unit &U,
                         OverwriteAnalysis &Overwrite)
    : UF(UF), Overwrite(Overwrite),
      SE(U.FAM.getResult<ScalarEvolutionAnalysis>(*UF.F)),
      LI(U.FAM.getResult<LoopAnalysis>(*UF.F)) {
  for (const Instruction &I : instructions(*UF.F))
    if (auto *L = dyn_cast<LoadInst>(&I))
      if (std::optional<ArrayRange> R = describe(*L))
        add(*L, *R);
}

const CopiedLoad *ArrayRanges::find(const LoadInst &L) const {
  auto It = Loads.find(&L);
  return It == Loads.end() ? nullptr : &It->second;
}

/// Does each iteration that begins come to its end, in a loop that is left
/// behind its last one alone?
bool ArrayRanges::isRunThrough(const Loop &L) {
  auto [It, New] = RunThrough.try_emplace(&L, false);
  if (!New)
    return It->second;
  auto ComesThrough = [](const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    return isGuaranteedToTransferExecutionToSuccessor(&I) ||
           (C && C->doesNotThrow() && knownCall(*C).Kind == KnownKind::Math);
  };
  const bool Is = L.getLoopPreheader() && L.getLoopLatch() &&
                  L.getExitingBlock() == L.getLoopLatch() &&
                  all_of(L.blocks(), [&](const BasicBlock *B) {
                    return all_of(*B, ComesThrough);
                  });
  return RunThrough[&L] = Is;
}

/// Are the trips of all loops known before the nest?
bool ArrayRanges::areTripsKnown(const ArrayRange &R, const Loop &Nest) const {
  return all_of(R.Loops, [&](const auto &L) {
    const CanonicalLoop &C = UF.loopAt(L.first);
    return C.Trips && UF.LI.getLoopFor(C.KnownBefore)->contains(&Nest);
  });
}

/// Is S computed by plain arithmetic from values that are known before the
/// nest? With Fixed these values must not change in the loops around it,
/// either.
bool ArrayRanges::isPlain(const SCEV *S, const Loop &Nest, bool Fixed) const {
  return SE.isAvailableAtLoopEntry(S, LI.getLoopFor(Nest.getHeader())) &&
         !SCEVExprContains(S, [&](const SCEV *X) {
           auto *Around = dyn_cast<SCEVAddRecExpr>(X);
           return Around ? Fixed || !Around->isAffine()
                         : !isa<SCEVConstant, SCEVUnknown, SCEVAddExpr,
                                SCEVMulExpr, SCEVIntegralCastExpr>(X);
         });
}

/// Makes Next, the next loop outwards, the outermost of the nest. False: it
/// can't be.
bool ArrayRanges::addLoop(const LoadInst &L, const Loop &Next, ArrayRange &R) {
  if (!isRunThrough(Next) || !UF.loopAt(Next.getHeader()).Trips)
    return false;
  const SCEV *Step = nullptr;
  if (auto *Row = dyn_cast<SCEVAddRecExpr>(R.Start);
      Row && Row->getLoop()->getHeader() == Next.getHeader()) {
    if (!Row->isAffine())
      return false;
    Step = Row->getStepRecurrence(SE);
    R.Start = Row->getStart();
  }
  R.Nest = Next.getHeader();
  R.Loops.insert(R.Loops.begin(), {R.Nest, Step});
  auto IsStep = [&](const auto &X) {
    return !X.second || isPlain(X.second, Next, true);
  };
  return areTripsKnown(R, Next) && all_of(R.Loops, IsStep) &&
         isPlain(R.Start, Next, false) &&
         SE.isAvailableAtLoopEntry(scevOf(SE, R.Base), LI.getLoopFor(R.Nest)) &&
         Overwrite.isUnchangedIn(L, Next);
}

/// The range that a load reads in the nest for which a copy costs least; none
/// if it would cost no less to keep what the load gives.
std::optional<ArrayRange> ArrayRanges::describe(const LoadInst &L) {
  const Loop *Inner = UF.LI.getLoopFor(L.getParent());
  if (!Inner || !Inner->getLoopLatch() || !isOfNumbers(L) ||
      !UF.DT.dominates(L.getParent(), Inner->getLoopLatch()) ||
      Overwrite.stabilityOf(L).Stable)
    return {};
  const SCEV *P = scevOf(SE, L.getPointerOperand());
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(P));
  const SCEV *Offset = SE.removePointerBase(P);
  if (!Base || !isBase(*Base->getValue()) ||
      !Offset->getType()->isIntegerTy(64))
    return {};
  ArrayRange R;
  R.Base = Base->getValue();
  R.Start = Offset;
  R.Size = L.getDataLayout().getTypeStoreSize(L.getType());
  R.Alignment = L.getAlign();
  R.Apart = {SE.getZero(Offset->getType())};
  std::optional<ArrayRange> Best;
  double Least = 0;
  for (const Loop *X = Inner; X && addLoop(L, *X, R); X = X->getParentLoop()) {
    const double Cost = std::ldexp(static_cast<double>(cost(R)),
                                   4 * static_cast<int>(X->getLoopDepth() - 1));
    // A larger copy that is made once is better than many.
    if (Best && Cost > Least * 1.125)
      continue;
    Best = R;
    Least = Cost;
  }
  return Best;
}

uint64_t ArrayRanges::cost(const ArrayRange &R) const {
  const double Size = static_cast<double>(R.Size);
  double Apart = 0, Bytes = Size, Loaded = 1;
  bool Again = false; // is one place read in several iterations?
  for (const SCEV *S : R.Apart)
    Apart = std::max(Apart, expectedSize(S));
  // Steps that are not known are no measure beside trips that are.
  const bool IsKnown = all_of(R.Loops, [](const auto &L) {
    return !L.second || isa<SCEVConstant>(L.second);
  });
  for (auto &[Header, Step] : R.Loops) {
    const double Trips = IsKnown ? tripsOf(UF, Header) : UnknownSize;
    Loaded *= Trips;
    Bytes += Step ? expectedSize(Step) * (Trips - 1) : 0;
    Again |= !Step || count_if(R.Loops, [&](const auto &L) {
                        return L.second == Step;
                      }) > 1;
  }
  // Where no place is read twice, the range is at least as long as all that is
  // loaded, even if a step that is not known hides that. To copy it costs more
  // than to keep what each load gives.
  if (!Again)
    Bytes = 1.25 * std::max(Bytes, Size * Loaded);
  // An iteration that reads what another one does keeps it once more, if only
  // in the same place.
  const double Kept = std::ldexp(1.0, 4 * static_cast<int>(R.Loops.size()));
  return static_cast<uint64_t>(std::clamp(
      Kept * (Bytes + Apart) / Loaded - Again, 1.0, std::ldexp(1.0, 40)));
}

/// Are two addresses so near that a range of both has little that none reads?
bool ArrayRanges::isNear(const SCEV *Distance, const ArrayRange &R) const {
  const int64_t Far = 64 * static_cast<int64_t>(R.Size);
  auto IsSmall = [&](const SCEV *S) {
    auto *C = dyn_cast<SCEVConstant>(S);
    return C && C->getAPInt().getSignificantBits() < 63 &&
           std::abs(C->getAPInt().getSExtValue()) <= Far;
  };
  if (IsSmall(Distance))
    return true;
  return any_of(R.Loops, [&](const auto &L) {
    return L.second && (IsSmall(SE.getMinusSCEV(Distance, L.second)) ||
                        IsSmall(SE.getAddExpr(Distance, L.second)));
  });
}

void ArrayRanges::add(const LoadInst &L, const ArrayRange &R) {
  for (auto &[First, X] : Ranges) {
    if (X.Nest != R.Nest || X.Base != R.Base || X.Loops != R.Loops)
      continue;
    const SCEV *Distance = SE.getMinusSCEV(R.Start, X.Start);
    if (!isPlain(Distance, *UF.LI.getLoopFor(R.Nest), true) ||
        !isNear(Distance, X))
      continue;
    if (!is_contained(X.Apart, Distance))
      X.Apart.push_back(Distance);
    X.Size = std::max(X.Size, R.Size);
    X.Alignment = std::min(X.Alignment, R.Alignment);
    Loads[&L] = {First, Distance};
    return;
  }
  Ranges[&L] = R;
  Loads[&L] = {&L, R.Apart.front()};
}

void ArrayRanges::leaves(const SCEV *S, SmallVectorImpl<const Value *> &Out) {
  SCEVExprContains(S, [&](const SCEV *X) {
    if (auto *V = dyn_cast<SCEVUnknown>(X))
      Out.push_back(V->getValue());
    return false;
  });
}

} // namespace retro
