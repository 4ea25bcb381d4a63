// Input: a loop, what follows it, and the plan so far. Output: whether the
// adjoints of its results are found while it runs. A loop whose result
// something needed before would be reversed with a wrong adjoint.
#include "facts/reversal/fusion.h"
#include "facts/activity/transfer_layout.h"

#include "base/scev.h"
#include "facts/parallel/forks.h"
#include "front/known/known_functions.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

namespace {

/// More pairs of accesses than this are not looked at.
constexpr size_t MostPairs = 16384;
/// More summands than this are not looked through.
constexpr size_t MostParts = 64;

/// A function of its arguments, whatever it does to errno.
bool isMath(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  return C && knownCall(*C).isPure();
}

/// Does I tell a thread of a team what to do, or is told that it is done?
bool staysWithThread(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  return C && knownCall(*C).isOfThread() &&
         knownCall(*C).Kind != KnownKind::Share;
}

} // namespace

SmallVector<const Value *, 2> addedTo(const Instruction &I) {
  auto *C = dyn_cast<IntrinsicInst>(&I);
  if (I.getOpcode() == Instruction::FAdd)
    return {I.getOperand(0), I.getOperand(1)};
  if (I.getOpcode() == Instruction::FSub)
    return {I.getOperand(0)};
  if (C && (C->getIntrinsicID() == Intrinsic::fmuladd ||
            C->getIntrinsicID() == Intrinsic::fma))
    return {C->getArgOperand(2)};
  return {};
}

SmallSetVector<const Instruction *, 8> summands(const PHINode &Sum,
                                                const Loop &L) {
  const Value *Next = Sum.getIncomingValueForBlock(L.getLoopLatch());
  SmallSetVector<const Instruction *, 8> Chain;
  Chain.insert(&Sum);
  for (size_t N = 0; N < Chain.size(); ++N)
    for (const User *U : Chain[N]->users()) {
      auto *X = cast<Instruction>(U);
      if (X == &Sum || (!L.contains(X) && Chain[N] == Next))
        continue;
      if (!L.contains(X) ||
          !(isa<PHINode>(X) || is_contained(addedTo(*X), Chain[N])))
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

LoopFusion::LoopFusion(UnitFunction &UF, const ActivityAnalysis &Act,
                       const FunctionPlan &P)
    : UF(UF), Act(Act), P(P), AA(Act.unit().FAM.getResult<AAManager>(*UF.F)),
      SE(Act.unit().FAM.getResult<ScalarEvolutionAnalysis>(*UF.F)) {}

/// Do iterations hand each other nothing active but sums, and what follows the
/// loop nothing active but these?
bool LoopFusion::onlySumsUp(const Loop &L) const {
  SmallPtrSet<const Instruction *, 16> Sums;
  for (const PHINode &X : L.getHeader()->phis()) {
    if (!Act.active(&X))
      continue;
    auto Chain = summands(X, L);
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

/// The load of the place stored to that all of this begins with, if what is
/// stored is what was there and something more.
const LoadInst *LoopFusion::summedUp(const StoreInst &S) const {
  SmallVector<const Value *> Work{S.getValueOperand()};
  for (size_t N = 0; N < Work.size() && N < MostParts; ++N) {
    auto *I = dyn_cast<Instruction>(Work[N]);
    if (!I || I->getParent() != S.getParent() || !I->hasOneUse() ||
        !I->getType()->isFloatingPointTy())
      continue;
    auto *L = dyn_cast<LoadInst>(I);
    if (L && L->getPointerOperand() == S.getPointerOperand() && L->isSimple())
      return L;
    append_range(Work, addedTo(*I));
  }
  return nullptr;
}

/// Does the loop do nothing but compute, read and store, or read and call? What
/// calls read is not among Loads: it is the same whenever they run.
bool LoopFusion::findAccesses(const Loop &L) {
  bool Calls = false, Writes = false;
  Loads.clear();
  Stores.clear();
  Sums.clear();
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (isa<DbgInfoIntrinsic>(I) || isMath(I))
        continue;
      if (auto *C = dyn_cast<CallBase>(&I); C && P.AtOnce.contains(C)) {
        Calls = true;
        continue;
      }
      auto *S = dyn_cast<StoreInst>(&I);
      auto *M = dyn_cast<MemSetInst>(&I);
      Writes |= S || M;
      if (S && writesHalves(Act, I)) // there may be adjoints already
        return false;
      if (S && S->isSimple())
        Stores.push_back(S);
      else if (M && !M->isVolatile() && isRenewed(M->getDest(), I, L))
        continue;
      else if (I.mayHaveSideEffects() || I.isVolatile() || I.isAtomic())
        return false;
      else if (isa<LoadInst>(I))
        Loads.push_back(&I);
      else if (I.mayReadFromMemory())
        return false;
    }
  for (const Instruction *I : Stores)
    if (auto *From = summedUp(*cast<StoreInst>(I)))
      Sums.insert_range(ArrayRef<const Instruction *>{I, From});
  return !(Calls && Writes) &&
         Stores.size() * (Stores.size() + Loads.size()) <= MostPairs;
}

/// Do two pointers never lead to the same object?
bool LoopFusion::areApart(const Value *A, const Value *B) const {
  SmallVector<const Value *> Of, And;
  getUnderlyingObjects(A, Of, &UF.LI, /*MaxLookup=*/0);
  getUnderlyingObjects(B, And, &UF.LI, /*MaxLookup=*/0);
  auto IsOutside = [&](const Value *O) {
    auto *I = dyn_cast<Instruction>(O);
    return !I || !UF.LI.getLoopFor(I->getParent());
  };
  return all_of(Of, [&](const Value *X) {
    return IsOutside(X) && all_of(And, [&](const Value *Y) {
             return IsOutside(Y) &&
                    AA.isNoAlias(MemoryLocation::getBeforeOrAfter(X),
                                 MemoryLocation::getBeforeOrAfter(Y));
           });
  });
}

/// Does Ptr lead, at this access, to a variable that the iteration has begun
/// anew? What the one before has left there nobody reads, and nobody else has
/// heard of it.
bool LoopFusion::isRenewed(const Value *Ptr, const Instruction &At,
                           const Loop &L) const {
  auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(Ptr, /*MaxLookup=*/0));
  auto It = find_if(UF.Lives, [&](auto &X) { return X.first == A; });
  if (!A || It == UF.Lives.end() || !It->second)
    return false;
  auto *Begins = cast<BasicBlock>(static_cast<Value *>(It->second));
  return L.contains(Begins) && UF.DT.dominates(Begins, At.getParent()) &&
         !PointerMayBeCaptured(A, /*ReturnCaptures=*/true,
                               /*MaxUsesToExplore=*/1 << 20);
}

/// Does each iteration store to places that no other one stores to, and that
/// none reads, or all of them only add to them? Else an iteration would take
/// the adjoints of another one.
bool LoopFusion::storesApart(const Loop &L) const {
  const DataLayout &DL = UF.F->getDataLayout();
  auto Place = [&](const Instruction *S) {
    auto *R =
        dyn_cast<SCEVAddRecExpr>(scevOf(SE, getLoadStorePointerOperand(S)));
    // The analysis has loops of its own.
    return R && R->isAffine() && R->getLoop()->getHeader() == L.getHeader()
               ? R
               : nullptr;
  };
  auto OwnPlaces = [&](const Instruction *S, const Instruction *O) {
    auto *At = Place(S), *Other = Place(O);
    auto *Step =
        At ? dyn_cast<SCEVConstant>(At->getStepRecurrence(SE)) : nullptr;
    if (!Step || !Other || Other->getStepRecurrence(SE) != Step ||
        Step->getAPInt().getSignificantBits() > 32)
      return false;
    auto *D = dyn_cast<SCEVConstant>(
        SE.getMinusSCEV(Other->getStart(), At->getStart()));
    if (!D || D->getAPInt().getSignificantBits() > 32)
      return false;
    const int64_t From = D->getAPInt().getSExtValue();
    auto Bytes = [&](const Instruction *X) {
      return static_cast<int64_t>(DL.getTypeStoreSize(getLoadStoreType(X)));
    };
    return std::max(Bytes(S), From + Bytes(O)) - std::min<int64_t>(0, From) <=
           std::abs(Step->getAPInt().getSExtValue());
  };
  return all_of(Stores, [&](const Instruction *S) {
    const Value *To = getLoadStorePointerOperand(S);
    if (isRenewed(To, *S, L))
      return all_of(Loads, [&](const Instruction *X) {
        const Value *From = getLoadStorePointerOperand(X);
        return isRenewed(From, *X, L) || areApart(To, From);
      });
    auto IsAlike = [&](const Instruction *X) {
      return (Sums.contains(X) && getLoadStoreType(X) == getLoadStoreType(S)) ||
             areApart(To, getLoadStorePointerOperand(X));
    };
    // Other stores there are told apart from the loads of these.
    if (Sums.contains(S) && all_of(Loads, IsAlike))
      return true;
    return none_of(Loads,
                   [&](const Instruction *X) {
                     return !areApart(To, getLoadStorePointerOperand(X));
                   }) &&
           all_of(Stores, [&](const Instruction *O) {
             return OwnPlaces(S, O) ||
                    (S != O && areApart(To, getLoadStorePointerOperand(O)));
           });
  });
}

/// Is I, behind the loop, of no effect that anybody waits for?
bool LoopFusion::isUnneeded(const Instruction &I) const {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return P.DroppedStores.contains(S);
  if (isa<ReturnInst>(I))
    return UF.Root ? !Act.unit().ResultWanted : !P.GivesResult;
  // Numbers are not what they would be: nothing may come of that.
  return (isa<PHINode>(I) || isMath(I) || isSafeToSpeculativelyExecute(&I)) &&
         (isMath(I) || !I.mayReadOrWriteMemory()) &&
         !I.getType()->isPtrOrPtrVectorTy();
}

/// Does nothing behind the loop read what comes of it, but to compute what is
/// not needed either?
bool LoopFusion::resultsAreUnneeded(const Loop &L,
                                    const SetVector<Item> &Read) const {
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
    if (!isUnneeded(*Work[N]) || Read.contains({Item::Primal, Work[N]}))
      return false;
    for (const User *U : Work[N]->users())
      Work.insert(cast<Instruction>(U));
  }
  return true;
}

/// May an instruction behind the loop see whether that has run yet, or change
/// what it does?
bool LoopFusion::meets(const Instruction &Later) const {
  auto *S = dyn_cast<StoreInst>(&Later);
  if (!Later.mayReadOrWriteMemory() || isMath(Later) ||
      staysWithThread(Later) || (S && P.DroppedStores.contains(S)))
    return false;
  auto *C = dyn_cast<CallBase>(&Later);
  if (C && knownCall(*C).Kind == KnownKind::Free &&
      Act.isFreedLate(
          C->getArgOperand(static_cast<unsigned>(knownCall(*C).Row->A))))
    return false;
  auto Anywhere = [](const Instruction *I) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(I));
  };
  return any_of(Loads,
                [&](const Instruction *I) {
                  return isModSet(AA.getModRefInfo(&Later, Anywhere(I)));
                }) ||
         any_of(Stores, [&](const Instruction *I) {
           return isModOrRefSet(AA.getModRefInfo(&Later, Anywhere(I)));
         });
}

LoopFusion::Blocks LoopFusion::blocksBehind(const Loop &L) const {
  const Loop *Around = L.getParentLoop();
  Blocks Behind;
  if (const BasicBlock *Exit = L.getUniqueExitBlock())
    Behind.insert(Exit);
  for (size_t N = 0; N < Behind.size(); ++N)
    for (const BasicBlock *X : successors(Behind[N]))
      if (!Around || (Around->contains(X) && X != Around->getHeader()))
        Behind.insert(X);
  return Behind;
}

bool LoopFusion::nothingMeetsLater(const Loop &L) const {
  size_t Pairs = 0;
  for (const BasicBlock *B : blocksBehind(L))
    for (const Instruction &I : *B)
      if ((Pairs += Loads.size() + Stores.size()) > MostPairs || meets(I))
        return false;
  return true;
}

bool LoopFusion::isUnwritten(const LoadInst &I, const Blocks &Behind) const {
  const MemoryLocation From =
      MemoryLocation::getBeforeOrAfter(I.getPointerOperand());
  auto Keeps = [&](const Instruction &X) {
    return !X.mayWriteToMemory() || isMath(X) ||
           !isModSet(AA.getModRefInfo(&X, From));
  };
  auto AllKeep = [&](const BasicBlock *B) { return all_of(*B, Keeps); };
  return all_of(Candidate->blocks(), AllKeep) && all_of(Behind, AllKeep);
}

/// Can an iteration be reversed before the next one runs?
bool LoopFusion::canBeFused(const Loop &L) {
  Candidate = &L;
  return P.ReversedLoops.contains(L.getHeader()) && L.getLoopLatch() &&
         L.getExitingBlock() == L.getLoopLatch() && L.getUniqueExitBlock() &&
         UF.loop(&L) && UF.loop(&L)->Trips && onlySumsUp(L) &&
         findAccesses(L) && storesApart(L);
}

bool LoopFusion::canWait(const Loop &L, const SetVector<Item> &Read) {
  return canBeFused(L) && resultsAreUnneeded(L, Read) && nothingMeetsLater(L);
}

bool LoopFusion::canBeAwaited(const Loop &L, const Blocks &Behind) {
  auto IsPlain = [](const Instruction &I) {
    if (auto *S = dyn_cast<StoreInst>(&I))
      return S->isSimple() &&
             !S->getValueOperand()->getType()->isPtrOrPtrVectorTy();
    if (auto *Ld = dyn_cast<LoadInst>(&I))
      return Ld->isSimple();
    auto *A = dyn_cast<AtomicRMWInst>(&I);
    return isa<DbgInfoIntrinsic>(I) || isMath(I) || staysWithThread(I) ||
           (A && isCommutingSum(*A)) ||
           isa<BranchInst, SwitchInst, ReturnInst>(I) ||
           (!I.mayReadOrWriteMemory() && !I.mayHaveSideEffects() &&
            !I.isTerminator());
  };
  return all_of(Behind, [&](auto *B) { return all_of(*B, IsPlain); }) &&
         canBeFused(L);
}

} // namespace retro
