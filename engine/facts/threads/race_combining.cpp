// Where many threads add to the same places, a thread may add up its own part
// and hand it over later: before it stores to the place itself, and before it
// meets other threads. Until then nobody else can look, or the primal has a
// race.
#include "facts/threads/race_combining.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// Is UF the body of teams alone, none of them in another one? What is added up
/// is handed over at the end of the team that runs UF.
static bool isOutermostRegion(const UnitFunction &UF, const Unit &U) {
  bool Forked = false;
  for (const User *V : UF.F->users()) {
    auto *C = dyn_cast<CallBase>(V);
    if (!C || C->getCalledFunction() != UF.F)
      return false;
    UnitFunction *Caller = U.find(C->getFunction());
    if (!Caller || Caller->Concurrent)
      return false;
    Forked |= isFork(*C);
  }
  return Forked;
}

/// Do threads meet in F itself at anything but the team's barriers?
static bool meetsDirectly(Function &F) {
  return any_of(instructions(F), [](Instruction &I) {
    if (I.isAtomic() && !isa<LoadInst, StoreInst>(I))
      if (auto *A = dyn_cast<AtomicRMWInst>(&I);
          !A || A->getOrdering() != AtomicOrdering::Monotonic)
        return true;
    if (auto *L = dyn_cast<LoadInst>(&I);
        L && isStrongerThanMonotonic(L->getOrdering()))
      return true;
    if (auto *S = dyn_cast<StoreInst>(&I);
        S && isStrongerThanMonotonic(S->getOrdering()))
      return true;
    auto *C = dyn_cast<CallBase>(&I);
    if (!C)
      return false;
    KnownCall K = knownCall(*C);
    if (syncOf(*C) == Sync::Barrier)
      return false;
    return K.Kind == KnownKind::Synchronize || K.Kind == KnownKind::Parallel ||
           K.Kind == KnownKind::Model ||
           (K.Kind == KnownKind::Inactive &&
            (K.Row->Effects & (CallsBack | WritesState)));
  });
}

/// Do threads meet so in what UF calls?
static bool meetsElsewhere(UnitFunction &UF, const Unit &U) {
  SmallSetVector<UnitFunction *, 8> Called;
  Called.insert(&UF);
  for (size_t N = 0; N < Called.size(); ++N) {
    if (meetsDirectly(*Called[N]->F))
      return true;
    for (Instruction &I : instructions(*Called[N]->F))
      if (auto *C = dyn_cast<CallBase>(&I))
        if (UnitFunction *G = U.callee(*C))
          Called.insert(G);
  }
  return false;
}

/// Does I store the address of memory that its thread may have made?
static bool storesOwnAddress(const Instruction &I) {
  auto IsOlder = [](const Value *V) {
    SmallVector<const Value *> Objects;
    getUnderlyingObjects(V, Objects);
    return all_of(Objects,
                  [](const Value *O) { return isa<LoadInst, Constant>(O); });
  };
  if (auto *C = dyn_cast<PtrToIntInst>(&I)) // and then anything
    return !IsOlder(C->getPointerOperand());
  const Value *V = nullptr;
  if (auto *S = dyn_cast<StoreInst>(&I))
    V = S->getValueOperand();
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    V = A->getValOperand();
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    V = X->getNewValOperand();
  if (!V)
    return false;
  if (V->getType()->isAggregateType())
    return !isa<LoadInst, Constant>(V);
  return V->getType()->isPtrOrPtrVectorTy() && !IsOlder(V);
}

/// Can what the unit's threads load as a pointer lead to memory that one of
/// them made?
static bool publishesMemory(const Unit &U) {
  return any_of(U.Functions, [](const auto &F) {
    return F->Concurrent && any_of(instructions(*F->F), [](Instruction &I) {
             auto *C = dyn_cast<CallBase>(&I);
             return C ? knownCall(*C).isAllocation() : storesOwnAddress(I);
           });
  });
}

Combining::Combining(UnitFunction &UF, const ActivityAnalysis &Act,
                     const WriteSummary &Summary)
    : UF(UF), Act(Act), AA(Act.unit().FAM.getResult<AAManager>(*UF.F)) {
  AA.enableCrossIterationMode();
  const Unit &U = Act.unit();
  Possible = isOutermostRegion(UF, U) && none_of(U.Functions, [](auto &F) {
               return any_of(instructions(*F->F), [](Instruction &I) {
                 auto *C = dyn_cast<CallBase>(&I);
                 return C && isSpawn(*C);
               });
             });
  if (!Possible)
    return;
  OnlyBarriers = !meetsElsewhere(UF, U);
  LoadedIsOlder = !publishesMemory(U);
  for (Instruction &I : instructions(*UF.F)) {
    if (!I.mayWriteToMemory())
      continue;
    Writer W{&I, {}, false};
    auto *C = dyn_cast<CallBase>(&I);
    if (UnitFunction *G = C ? Act.unit().callee(*C) : nullptr)
      W.Classes.append(Summary.writtenBy(*G).begin(),
                       Summary.writtenBy(*G).end());
    else
      WriteSummary::directWrites(I, Act, W.Classes, W.Unknown);
    if (W.Unknown || !W.Classes.empty())
      Writers.push_back(std::move(W));
  }
}

/// Was all memory that Ptr may point to there before the region?
bool Combining::isOlder(const Value *Ptr) const {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Ptr, Objects, &UF.LI, /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *O) {
    if (auto *A = dyn_cast<Argument>(O))
      return A->getArgNo() >= 2;
    if (auto *G = dyn_cast<GlobalVariable>(O))
      return !G->isThreadLocal();
    return isa<LoadInst>(O) && LoadedIsOlder;
  });
}

/// May W write the place of Ptr, in whichever iteration and by whichever
/// thread?
bool Combining::mayWrite(const Writer &W, const Value *Ptr) const {
  if (W.Unknown)
    return true;
  const MemoryShape &Shape = Act.shape();
  unsigned Read = Shape.classId(Ptr);
  if (none_of(W.Classes,
              [&](unsigned C) { return Shape.mayCoincide(C, Read); }))
    return false;
  const Value *At = getLoadStorePointerOperand(W.I);
  if (auto *A = dyn_cast<AtomicRMWInst>(W.I))
    At = A->getPointerOperand();
  return !At || !AA.isNoAlias(MemoryLocation::getBeforeOrAfter(At),
                              MemoryLocation::getBeforeOrAfter(Ptr));
}

bool Combining::allows(const LoadInst &L, Writes &Settled) const {
  Type *T = L.getType()->getScalarType();
  const Value *Ptr = L.getPointerOperand();
  if (!Possible || !L.isSimple() || !(T->isFloatTy() || T->isDoubleTy()) ||
      isa<ScalableVectorType>(L.getType()) ||
      L.getAlign().value() <
          L.getDataLayout().getTypeStoreSize(T).getFixedValue() ||
      !isOlder(Ptr))
    return false;
  Writes Combined;
  for (const Writer &W : Writers) {
    if (!mayWrite(W, Ptr))
      continue;
    if (W.Unknown || !OnlyBarriers)
      return false;
    Combined.insert(W.I);
  }
  Settled.insert(Combined.begin(), Combined.end());
  return true;
}

} // namespace retro
