// Input: a loop around an innermost one. Output: what its iterations have in
// common, what is a number of each, and what has to hold so that some of them
// may run side by side. If an access were taken for apart that is not, an
// adjoint would be added to what another iteration has not written yet.
#include "polish/nests/lane_nest.h"

#include "base/scev.h"
#include "loops/scopes.h"
#include "loops/vector_loop.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// More comparisons are not emitted, and more accesses not compared.
constexpr size_t MostCompared = 12, MostAccesses = 24;
/// With more numbers at a time the lanes do not fit the registers.
constexpr unsigned MostNumbers = 16;
constexpr int64_t CacheLine = 64; ///< bytes

bool isNumber(const Value &V) { return V.getType()->isFloatingPointTy(); }

/// Is it arithmetic that a vector unit has, and not a call?
bool isArithmetic(const Instruction &I) {
  if (auto *C = dyn_cast<IntrinsicInst>(&I))
    switch (C->getIntrinsicID()) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
    case Intrinsic::fabs:
    case Intrinsic::sqrt:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::copysign:
      return true;
    default:
      return false;
    }
  return isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst>(I) ||
         (isa<CastInst>(I) && !I.getType()->isPointerTy() &&
          !I.getOperand(0)->getType()->isPointerTy());
}

/// May it run ahead of what is in front of it, once for each lane? What is said
/// of memory in one iteration does not hold for several.
bool isCopied(const Instruction &I) {
  if (isAssumeLikeIntrinsic(&I))
    return !isa<NoAliasScopeDeclInst>(I);
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple();
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->isSimple();
  return !I.mayHaveSideEffects() && !I.mayReadFromMemory() &&
         !isa<AllocaInst, CallBrInst>(I) &&
         (!isa<CallBase>(I) || !cast<CallBase>(I).isConvergent());
}

int64_t sizeOf(const Instruction &I) {
  return static_cast<int64_t>(
      I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)));
}

} // namespace

/// Three blocks, of which the second is the inner loop; both are counted, and
/// the inner one as often in each iteration of the outer one.
bool LaneNest::hasShape() {
  if (Outer.getNumBlocks() != 3 || Outer.getSubLoops().size() != 1 ||
      !Outer.isLoopSimplifyForm() || !Outer.getExitBlock() ||
      Outer.getExitingBlock() != Outer.getLoopLatch())
    return false;
  const Loop &Inner = *Outer.getSubLoops().front();
  Body = Inner.getHeader();
  if (Inner.getNumBlocks() != 1 || head()->getSingleSuccessor() != Body ||
      Inner.getExitBlock() != tail() || tail()->getSinglePredecessor() != Body)
    return false;
  OuterTaken = SE.getBackedgeTakenCount(&Outer);
  InnerTaken = SE.getBackedgeTakenCount(&Inner);
  return !isa<SCEVCouldNotCompute>(OuterTaken) &&
         !isa<SCEVCouldNotCompute>(InnerTaken) &&
         SE.isLoopInvariant(InnerTaken, &Outer) &&
         SE.getTypeSizeInBits(OuterTaken->getType()) <= 64 &&
         SE.getTypeSizeInBits(InnerTaken->getType()) <= 64;
}

/// Is anything that the nest computes in registers used behind it?
bool LaneNest::hasResults() const {
  for (const BasicBlock *B : Outer.blocks())
    for (const Instruction &I : *B)
      if (any_of(I.users(), [&](const User *U) {
            return !Outer.contains(cast<Instruction>(U)->getParent());
          }))
        return true;
  return any_of(Outer.getExitBlock()->phis(), [&](const PHINode &P) {
    return !Outer.isLoopInvariant(P.getIncomingValueForBlock(tail()));
  });
}

/// Is all that the outer loop carries a counter?
bool LaneNest::findCounters() const {
  return all_of(head()->phis(), [&](PHINode &P) {
    if (!SE.isSCEVable(P.getType()))
      return false;
    auto *R = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P));
    return R && R->getLoop() == &Outer && R->isAffine() &&
           SE.getTypeSizeInBits(P.getType()) <= 64;
  });
}

bool LaneNest::findPlace(const Instruction &I) {
  const Loop &Inner = *Outer.getSubLoops().front();
  const SCEV *At = scevOf(SE, getLoadStorePointerOperand(&I));
  const SCEV *InnerStep = SE.getZero(SE.getEffectiveSCEVType(At->getType()));
  if (auto *R = dyn_cast<SCEVAddRecExpr>(At); R && R->getLoop() == &Inner) {
    if (!R->isAffine())
      return false;
    InnerStep = R->getStepRecurrence(SE);
    At = R->getStart();
  }
  int64_t OuterStep = 0;
  if (auto *R = dyn_cast<SCEVAddRecExpr>(At); R && R->getLoop() == &Outer) {
    auto *Step = R->isAffine()
                     ? dyn_cast<SCEVConstant>(R->getStepRecurrence(SE))
                     : nullptr;
    if (!Step || Step->getAPInt().getSignificantBits() > 32)
      return false;
    OuterStep = Step->getAPInt().getSExtValue();
    At = R->getStart();
  }
  if (!SE.isLoopInvariant(At, &Outer) || !SE.isLoopInvariant(InnerStep, &Outer))
    return false;
  Places[&I] = Place{At, InnerStep, OuterStep};
  return true;
}

bool LaneNest::findPlaces() {
  for (BasicBlock *B : Outer.blocks())
    for (Instruction &I : *B) {
      if (isa<PHINode>(I) || I.isTerminator())
        continue;
      if (!isCopied(I))
        return false;
      // In front and behind, a place that is not known may do.
      if (getLoadStorePointerOperand(&I) && !findPlace(I) && B == Body)
        return false;
    }
  return Places.size() <= MostAccesses;
}

const Use *LaneNest::addendOf(const StoreInst &S) {
  auto *Sum = dyn_cast<BinaryOperator>(S.getValueOperand());
  if (!Sum || !Sum->hasOneUse() || Sum->getParent() != S.getParent() ||
      (Sum->getOpcode() != Instruction::FAdd &&
       Sum->getOpcode() != Instruction::FSub))
    return nullptr;
  const unsigned Last = Sum->getOpcode() == Instruction::FAdd ? 2 : 1;
  for (unsigned N = 0; N < Last; ++N)
    if (auto *L = dyn_cast<LoadInst>(Sum->getOperand(N));
        L && L->hasOneUse() && L->getParent() == S.getParent() &&
        L->getPointerOperand() == S.getPointerOperand())
      return &Sum->getOperandUse(1 - N);
  return nullptr;
}

LaneNest::Kind LaneNest::kindOf(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Outer.contains(I))
    return Kind::Same;
  if (I->getParent() == Body)
    return Kinds.lookup(I);
  if (SE.isSCEVable(I->getType()) && SE.isLoopInvariant(scevOf(SE, I), &Outer))
    return Kind::Same;
  return I->getType()->isPointerTy() || I->getType()->isIntegerTy()
             ? Kind::Address
             : Kind::Number;
}

std::optional<LaneNest::Kind> LaneNest::kindOfPhi(const PHINode &P) const {
  if (isNumber(P))
    return Kind::Number;
  if (!SE.isSCEVable(P.getType()))
    return std::nullopt;
  auto *R = dyn_cast<SCEVAddRecExpr>(scevOf(SE, &P));
  if (!R || R->getLoop()->getHeader() != Body || !R->isAffine() ||
      !SE.isLoopInvariant(R->getStepRecurrence(SE), &Outer))
    return std::nullopt;
  // A pointer that goes along a row of each lane is none of all lanes.
  if (!SE.isLoopInvariant(R->getStart(), &Outer))
    return std::nullopt;
  return Kind::Same;
}

std::optional<LaneNest::Kind>
LaneNest::kindOfOther(const Instruction &I) const {
  if (isa<LoadInst>(I)) {
    const int64_t Step = placeOf(I).OuterStep;
    if (Step == 0)
      return Kind::Same;
    if (!isNumber(I) || std::abs(Step) != sizeOf(I))
      return std::nullopt;
    return Kind::Number;
  }
  bool Addresses = false, Numbers = false;
  for (const Value *O : I.operands()) {
    Addresses |= kindOf(O) == Kind::Address;
    Numbers |= kindOf(O) == Kind::Number;
  }
  if (!Addresses && !Numbers)
    return Kind::Same;
  if (Addresses && Numbers)
    return std::nullopt;
  if (Numbers)
    return isArithmetic(I) && (isNumber(I) || isa<CmpInst>(I))
               ? std::optional(Kind::Number)
               : std::nullopt;
  // A counter of the outer loop may become a number in front of the inner one,
  // but not in it.
  return isa<GetElementPtrInst>(I) || (!isNumber(I) && isArithmetic(I))
             ? std::optional(Kind::Address)
             : std::nullopt;
}

/// Are there only addresses computed from it, of accesses in the inner loop?
bool LaneNest::isForAddresses(const Instruction &I) const {
  return all_of(I.users(), [&](const User *U) {
    auto *J = cast<Instruction>(U);
    if (J->getParent() != Body)
      return false;
    if (auto *S = dyn_cast<StoreInst>(J))
      return S->getValueOperand() != &I;
    return isa<LoadInst>(J) || Kinds.lookup(J) == Kind::Address;
  });
}

bool LaneNest::findKinds() {
  unsigned Numbers = 0;
  for (const Instruction &I : *Body) {
    if (I.isTerminator() || isa<StoreInst>(I) || isAssumeLikeIntrinsic(&I))
      continue;
    auto *P = dyn_cast<PHINode>(&I);
    std::optional<Kind> K = P ? kindOfPhi(*P) : kindOfOther(I);
    if (!K)
      return false;
    Kinds[&I] = *K;
    Numbers += *K == Kind::Number;
  }
  for (const Instruction &I : *Body) {
    if (Kinds.lookup(&I) == Kind::Address && !isForAddresses(I))
      return false;
    auto *S = dyn_cast<StoreInst>(&I);
    if (!S)
      continue;
    const int64_t Step = placeOf(*S).OuterStep;
    if (!isNumber(*S->getValueOperand()) ||
        (Step == 0 ? !addendOf(*S) : std::abs(Step) != sizeOf(*S)))
      return false;
  }
  auto *Back = dyn_cast<BranchInst>(Body->getTerminator());
  return Back && Back->isConditional() && Numbers <= MostNumbers &&
         kindOf(Back->getCondition()) == Kind::Same;
}

/// Two accesses of the inner loop at one place: does it matter in which order
/// iterations of the nest make them?
bool LaneNest::keepsOrderOfSame(const Instruction &A, const Instruction &B) {
  const Place &P = placeOf(A);
  auto *Step = dyn_cast<SCEVConstant>(P.InnerStep);
  if (P.OuterStep == 0) {
    // A sum of the lanes' addends for each iteration of the inner loop: they
    // are added in the old order if that moves on.
    auto IsSum = [](const Instruction &I) {
      auto *S = dyn_cast<StoreInst>(&I);
      return S ? addendOf(*S) != nullptr : any_of(I.users(), [](const User *U) {
        auto *To =
            U->hasOneUse() ? dyn_cast<StoreInst>(*U->user_begin()) : nullptr;
        return To && addendOf(*To);
      });
    };
    return IsSum(A) && IsSum(B) && SE.isKnownNonZero(P.InnerStep);
  }
  // The lanes are at places of their own until the inner loop has gone past
  // them.
  if (Step)
    return Step->getAPInt().abs().uge(leastStep());
  if (!is_contained(Wide, P.InnerStep))
    Wide.push_back(P.InnerStep);
  return true;
}

/// Are the places apart in all of the nest, or are they not? Nothing if only
/// the program knows.
std::optional<bool> LaneNest::areApart(const Instruction &A,
                                       const Instruction &B) const {
  const Place &P = placeOf(A), &Q = placeOf(B);
  auto *Between = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Q.Start, P.Start));
  if (!Between)
    return std::nullopt;
  auto *Outermost = dyn_cast<SCEVConstant>(OuterTaken),
       *Innermost = dyn_cast<SCEVConstant>(InnerTaken);
  auto *StepP = dyn_cast<SCEVConstant>(P.InnerStep),
       *StepQ = dyn_cast<SCEVConstant>(Q.InnerStep);
  if (!Outermost || !Innermost || !StepP || !StepQ)
    return P.OuterStep == Q.OuterStep && P.InnerStep == Q.InnerStep
               ? std::optional(false)
               : std::nullopt;
  auto RangeOf = [&](const APInt &Start, int64_t OuterStep,
                     const SCEVConstant *InnerStep, const Instruction &I) {
    constexpr unsigned Bits = 256; // no product of these numbers overflows
    ConstantRange R(Start.sext(Bits), Start.sext(Bits) + sizeOf(I));
    auto Move = [&](const APInt &Step, const APInt &Taken) {
      APInt By = Step.sext(Bits) * Taken.zext(Bits);
      R = R.unionWith(ConstantRange(R.getLower() + By, R.getUpper() + By),
                      ConstantRange::Signed);
    };
    Move(APInt(64, static_cast<uint64_t>(OuterStep)), Outermost->getAPInt());
    Move(InnerStep->getAPInt(), Innermost->getAPInt());
    return R;
  };
  const APInt &Distance = Between->getAPInt();
  return RangeOf(APInt::getZero(Distance.getBitWidth()), P.OuterStep, StepP, A)
      .intersectWith(RangeOf(Distance, Q.OuterStep, StepQ, B))
      .isEmptySet();
}

bool LaneNest::keepsOrder(const Instruction &A, const Instruction &B) {
  const BasicBlock *InA = A.getParent(), *InB = B.getParent();
  if (InA == InB && InA != Body)
    return true;
  auto OfA = Places.find(&A), OfB = Places.find(&B);
  if (OfA == Places.end() || OfB == Places.end())
    return false;
  if (InA == Body && InB == Body &&
      getLoadStorePointerOperand(&A) == getLoadStorePointerOperand(&B))
    return keepsOrderOfSame(A, B);
  if (std::optional<bool> Apart = areApart(A, B))
    return *Apart;
  Compared.push_back({&A, &B});
  return Compared.size() <= MostCompared;
}

bool LaneNest::findOrder() {
  SmallVector<const Instruction *> All;
  for (const BasicBlock *B : Outer.blocks())
    for (const Instruction &I : *B)
      if (getLoadStorePointerOperand(&I))
        All.push_back(&I);
  DeclaredScopes Declared(Outer.getBlocks());
  for (size_t X = 0; X < All.size(); ++X)
    for (size_t Y = X; Y < All.size(); ++Y)
      if ((isa<StoreInst>(All[X]) || isa<StoreInst>(All[Y])) &&
          (X == Y || !Declared.areApart(AA, *All[X], *All[Y])) &&
          !keepsOrder(*All[X], *All[Y]))
        return false;
  return true;
}

/// Is there a column along which the inner loop goes, and no row along which
/// the outer one does not?
bool LaneNest::pays() const {
  bool Column = false;
  for (auto &[I, P] : Places) {
    if (I->getParent() != Body)
      continue;
    auto *Step = dyn_cast<SCEVConstant>(P.InnerStep);
    Column |=
        P.OuterStep != 0 && (!Step || Step->getAPInt().abs().ugt(sizeOf(*I)));
  }
  auto *Taken = dyn_cast<SCEVConstant>(OuterTaken);
  return Column && (!Taken || Taken->getAPInt().uge(Lanes - 1));
}

bool LaneNest::find() {
  if (!hasShape() || hasResults() || !findCounters() || !findPlaces())
    return false;
  for (auto &[I, P] : Places)
    if (I->getParent() == Body && P.OuterStep != 0)
      Bytes = std::max(Bytes, sizeOf(*I));
  if (Bytes == 0 || Bytes > 8)
    return false;
  Lanes = static_cast<unsigned>(CacheLine / Bytes);
  return findKinds() && pays() && findOrder();
}

} // namespace retro
