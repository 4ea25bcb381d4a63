// Input: all that a unit writes. Output: whether a load can be repeated in the
// reverse pass. A write that is missed here gives the reverse pass another
// number than the primal had.
#include "facts/writes/overwrite.h"

#include "base/faults.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/memory/thrown_objects.h"
#include "facts/parallel/atomic_choices.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "front/known/blas.h"
#include "front/names/strings.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

namespace {

/// The classes that one instruction writes.
class DirectWrites {
public:
  DirectWrites(const ActivityAnalysis &Act, SmallVectorImpl<unsigned> &Classes)
      : Act(Act), Classes(Classes) {}

  /// False: it may write anything that others see, too.
  bool find(Instruction &I);

private:
  void add(const Value *Ptr);
  bool findCall(CallBase &C);
  bool findArrays(const BlasCall &C);
  bool findOther(CallBase &C, const KnownCall &K);
  void findString(CallBase &C, StringMember K);

  const ActivityAnalysis &Act;
  SmallVectorImpl<unsigned> &Classes;
};

void DirectWrites::add(const Value *Ptr) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Ptr));
  if (!isa<ConstantPointerNull, UndefValue>(Ptr) && !(G && G->isConstant()))
    Classes.push_back(Act.shape().classId(Ptr));
}

bool DirectWrites::find(Instruction &I) {
  if (auto *C = dyn_cast<CallBase>(&I))
    return Act.unit().callee(*C) || C->onlyReadsMemory() || findCall(*C);
  if (auto *S = dyn_cast<StoreInst>(&I))
    add(S->getPointerOperand());
  else if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    add(A->getPointerOperand());
  else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    add(X->getPointerOperand());
  return true;
}

bool DirectWrites::findCall(CallBase &C) {
  // A destructor may write and free what the exception leads to.
  if (endsCatch(C)) {
    Classes.append(Act.shape().reachedFrom(Act.shape().exceptions()));
    return true;
  }
  KnownCall K = knownCall(C);
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  switch (K.Kind) {
  case KnownKind::Copy:
  case KnownKind::Move:
  case KnownKind::Set:
    add(Arg(K.Row->A));
    return true;
  case KnownKind::Free:
    // Memory that the reverse pass reads is freed after it.
    if (!Act.isFreedLate(Arg(K.Row->A)))
      add(Arg(K.Row->A));
    return true;
  case KnownKind::Alloc:
  case KnownKind::AllocZero:
    return true;
  case KnownKind::None:
    return isa<DbgInfoIntrinsic>(C);
  case KnownKind::Mpi:
    mpiWrites(Act, C, Classes);
    return true;
  case KnownKind::Custom:
    customWrites(Act, C, Classes);
    return C.onlyAccessesArgMemory();
  case KnownKind::Blas:
    if (BlasCall X(C); X)
      return findArrays(X);
    return findOther(C, K);
  default:
    return findOther(C, K);
  }
}

bool DirectWrites::findArrays(const BlasCall &C) {
  for (const BlasArray &A : C.routine().Arrays)
    if (A.writes())
      add(C.operand(A.Slot));
  return true;
}

/// A string's function: it writes strings and their characters, to which the
/// first word of each leads.
void DirectWrites::findString(CallBase &C, StringMember K) {
  const bool ReturnsObject = C.hasStructRetAttr();
  for (const Use &A : C.args()) {
    const bool This = A.getOperandNo() == (ReturnsObject ? 1 : 0);
    if (!A->getType()->isPointerTy() || (This && K == StringMember::Reads))
      continue;
    add(A);
    for (const Cell *X : Act.shape().cellsIn(A, 8))
      if (X->Kind == CellKind::Pointer)
        Classes.push_back(Act.shape().targetOf(*X));
  }
}

/// A call of which the tables say what it does.
bool DirectWrites::findOther(CallBase &C, const KnownCall &K) {
  if (Act.unit().Registered.of(C) && (K.Row->Effects & WritesArgs)) {
    customWrites(Act, C, Classes);
    return C.onlyAccessesArgMemory();
  }
  const Function *F = C.getCalledFunction();
  if (auto S = F ? stringMember(F->getName()) : StringMember();
      isLeftToLibrary(S))
    findString(C, S);
  else if (K.Row->Effects & (WritesArgs | WritesState))
    for (Value *A : C.args())
      if (A->getType()->isPointerTy())
        add(A);
  return !(K.Row->Effects & CallsBack);
}

} // namespace

void WriteSummary::directWrites(Instruction &I, const ActivityAnalysis &Act,
                                SmallVectorImpl<unsigned> &Classes,
                                bool &Unknown) {
  Unknown = !DirectWrites(Act, Classes).find(I);
}

bool WriteSummary::mayChange(unsigned Class, const MemoryShape &Shape) const {
  return any_of(All, [&](unsigned W) { return Shape.mayCoincide(W, Class); });
}

bool WriteSummary::unitMayChange(unsigned Class,
                                 const MemoryShape &Shape) const {
  return any_of(OfUnit,
                [&](unsigned W) { return Shape.mayCoincide(W, Class); });
}

/// What code outside the unit can reach: what exists before the unit is
/// entered, and what Classes lead to.
static DenseSet<unsigned> reachable(const MemoryShape &Shape,
                                    SmallVector<unsigned> Classes) {
  for (unsigned Id = 0; Id < Shape.numClasses(); ++Id)
    if (Shape.isRepresentative(Id) && Shape.classAt(Id).fromOutside())
      Classes.push_back(Id);
  DenseSet<unsigned> Seen;
  while (!Classes.empty()) {
    unsigned Id = Classes.pop_back_val();
    if (!Seen.insert(Id).second)
      continue;
    SmallVector<Cell> Cells(Shape.classAt(Id).Cells.begin(),
                            Shape.classAt(Id).Cells.end());
    for (const Cell &C : Cells)
      if (C.Kind == CellKind::Pointer)
        Classes.push_back(Shape.targetOf(C));
  }
  return Seen;
}

WriteSummary::WriteSummary(Unit &U, const ActivityAnalysis &Act) {
  // An unknown function may write what it or another one was ever given.
  SmallVector<unsigned> Given;
  SmallSetVector<UnitFunction *, 4> CallUnknown;
  DenseMap<UnitFunction *, SmallSetVector<UnitFunction *, 4>> Callers;
  for (auto &UF : U.Functions) {
    auto &Set = Written[UF.get()];
    for (Instruction &I : instructions(*UF->F)) {
      SmallVector<unsigned> Classes;
      bool Unknown;
      directWrites(I, Act, Classes, Unknown);
      Set.insert(Classes.begin(), Classes.end());
      if (auto *C = dyn_cast<CallBase>(&I))
        if (UnitFunction *G = U.callee(*C); G && G != UF.get())
          Callers[G].insert(UF.get());
      if (!Unknown)
        continue;
      CallUnknown.insert(UF.get());
      for (Value *A : cast<CallBase>(I).args())
        if (A->getType()->isPointerTy() && !isa<Constant>(A))
          Given.push_back(Act.shape().classId(A));
    }
  }
  if (!CallUnknown.empty()) {
    DenseSet<unsigned> Exposed = reachable(Act.shape(), Given);
    for (UnitFunction *F : CallUnknown)
      Written[F].insert(Exposed.begin(), Exposed.end());
  }
  addToCallers(U, Callers);
  for (auto &[F, Set] : Written)
    All.insert(Set.begin(), Set.end());
  OfUnit = All;
  if (U.Split)
    addCallersWrites(U, Act.shape());
}

/// A function that writes more than it did tells its callers, from the last of
/// the unit on: callees mostly stand behind their callers.
void WriteSummary::addToCallers(
    const Unit &U,
    const DenseMap<UnitFunction *, SmallSetVector<UnitFunction *, 4>>
        &Callers) {
  SetVector<UnitFunction *> Told;
  for (auto &UF : U.Functions)
    Told.insert(UF.get());
  while (!Told.empty()) {
    UnitFunction *Callee = Told.pop_back_val();
    auto Of = Callers.find(Callee);
    if (Of == Callers.end())
      continue;
    const DenseSet<unsigned> &Set = Written.at(Callee);
    for (UnitFunction *Caller : Of->second) {
      auto &Its = Written.find(Caller)->second;
      const auto Before = Its.size();
      Its.insert(Set.begin(), Set.end());
      if (Its.size() != Before)
        Told.insert(Caller);
    }
  }
}

/// Between the passes of split mode the caller may write whatever it can
/// reach: through arguments, globals, and what is stored or returned there.
void WriteSummary::addCallersWrites(Unit &U, const MemoryShape &Shape) {
  SmallVector<unsigned> Returned;
  for (BasicBlock &B : *U.root().F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      if (Value *V = Ret->getReturnValue(); V && V->getType()->isPointerTy())
        Returned.push_back(Shape.classId(V));
  DenseSet<unsigned> Reached = reachable(Shape, Returned);
  All.insert(Reached.begin(), Reached.end());
}

OverwriteAnalysis::OverwriteAnalysis(UnitFunction &UF,
                                     const ActivityAnalysis &Act,
                                     const WriteSummary &Writes,
                                     FunctionAnalysisManager &FAM)
    : UF(UF), Act(Act), Writes(Writes), FAM(FAM),
      AA(FAM.getResult<AAManager>(*UF.F)), BatchAA(AA) {
  // Values of one iteration are compared with values of another.
  BatchAA.enableCrossIterationMode();
  Late = findLateStores(UF, Act, AA);
  for (Instruction &I : instructions(*UF.F)) {
    Writer W{&I, {}, false};
    WriteSummary::directWrites(I, Act, W.Classes, W.Unknown);
    if (auto *C = dyn_cast<CallBase>(&I))
      if (UnitFunction *G = Act.unit().callee(*C))
        W.Classes.append(Writes.writtenBy(*G).begin(),
                         Writes.writtenBy(*G).end());
    if (!W.Classes.empty() || W.Unknown)
      Writers.push_back(std::move(W));
  }
  for (auto &G : Act.unit().Functions)
    OtherThreadsFollow |=
        UF.Concurrent && any_of(instructions(*G->F), [](Instruction &I) {
          auto *C = dyn_cast<CallBase>(&I);
          return C && syncOf(*C) != Sync::None;
        });
  for (BasicBlock &B : *UF.F)
    BlockNumber.try_emplace(&B, BlockNumber.size());
  Reach.assign(BlockNumber.size(),
               BitVector(static_cast<unsigned>(BlockNumber.size())));
  for (bool Again = true; Again;) {
    Again = false;
    for (BasicBlock &B : reverse(*UF.F)) {
      BitVector &R = Reach[BlockNumber[&B]];
      unsigned Before = R.count();
      for (BasicBlock *S : successors(&B)) {
        R.set(BlockNumber[S]);
        R |= Reach[BlockNumber[S]];
      }
      Again |= R.count() != Before;
    }
  }
}

bool OverwriteAnalysis::mayFollow(const Instruction *First,
                                  const Instruction *Second) const {
  const BasicBlock *A = First->getParent(), *B = Second->getParent();
  if (A == B && First->comesBefore(Second))
    return true;
  auto Number = [&](const BasicBlock *X) {
    return promised(BlockNumber, X, "plan", UF.F,
                    "writes are compared in one function");
  };
  return Reach[Number(A)].test(Number(B));
}

bool OverwriteAnalysis::mayWrite(const Writer &W, const Look &L) {
  if (UF.Root && isa<LoadInst>(L.At) &&
      getLoadStorePointerOperand(L.At) == L.Ptr && areApart(*L.At, *W.I))
    return false;
  unsigned Class = Act.shape().classId(L.Ptr);
  const MemoryShape &Shape = Act.shape();
  if (!W.Unknown && none_of(W.Classes, [&](unsigned C) {
        return Shape.mayCoincide(C, Class);
      }))
    return false;
  // The unit's own callees are judged by class alone.
  if (auto *C = dyn_cast<CallBase>(W.I); C && Act.unit().callee(*C))
    return true;
  if (auto *S = dyn_cast<StoreInst>(W.I); S && L.T) {
    // Different fields of one class that is never indexed. Where in an object
    // pointers from outside point is not known, but a number's place is not a
    // pointer's.
    const MemoryClass &M = Shape.classAt(Class);
    bool OtherKind =
        L.T->isPointerTy() != S->getValueOperand()->getType()->isPointerTy();
    if (!M.Stride && (!M.fromOutside() || OtherKind) &&
        is_contained(W.Classes, Class)) {
      const DataLayout &DL = UF.F->getDataLayout();
      Address A = Act.shape().addressOf(L.Ptr);
      Address B = Act.shape().addressOf(S->getPointerOperand());
      int64_t SizeA =
          static_cast<int64_t>(DL.getTypeStoreSize(L.T).getFixedValue());
      int64_t SizeB = static_cast<int64_t>(
          DL.getTypeStoreSize(S->getValueOperand()->getType()).getFixedValue());
      if (A.Offset + SizeA <= B.Offset || B.Offset + SizeB <= A.Offset)
        return false;
    }
  }
  // Behind a barrier comes what other threads write, at their addresses: that
  // this thread writes elsewhere in the object says nothing.
  MemoryLocation Location = L.Location;
  if (OtherThreadsFollow && !isOwn(L.Ptr))
    Location = MemoryLocation::getBeforeOrAfter(getUnderlyingObject(L.Ptr),
                                                L.Location.AATags);
  return isModSet(BatchAA.getModRefInfo(W.I, Location));
}

/// Has the loop, whenever the store follows the load, come to other places?
bool OverwriteAnalysis::goesElsewhere(const Writer &W, const Look &L) {
  auto *Load = dyn_cast<LoadInst>(L.At);
  return Load && L.T && L.Ptr == Load->getPointerOperand() && !UF.Concurrent &&
         LaterPlaces::isPlaced(*W.I) && laterPlaces().areApart(*Load, *W.I);
}

LaterPlaces &OverwriteAnalysis::laterPlaces() {
  if (!Later)
    Later.emplace(*UF.F, FAM, UF.Root ? Act.unit().Bounded : NumberBounds());
  return *Later;
}

/// Memory that no other thread knows.
bool OverwriteAnalysis::isOwn(const Value *Ptr) const {
  const Value *Object = getUnderlyingObject(Ptr);
  return isa<AllocaInst>(Object) &&
         !PointerMayBeCaptured(Object, /*ReturnCaptures=*/false);
}

/// A thread that was started may write at any time.
static bool isThread(const Instruction &I) {
  auto *C = dyn_cast<CallBase>(&I);
  return C && isSpawn(*C);
}

Stability OverwriteAnalysis::stabilityOf(const Look &L, Order By) {
  const Value *Object = getUnderlyingObject(L.Ptr);
  if (auto *G = dyn_cast<GlobalVariable>(Object); G && G->isConstant())
    return {true};
  unsigned Class = Act.shape().classId(L.Ptr);
  // A function that is called may be followed by any write of its callers,
  // but for its own stack, which is kept on the tape.
  if (!UF.Root && !isa<AllocaInst>(Object) &&
      Writes.mayChange(Class, Act.shape()))
    return {};
  Stability Out{true};
  for (const Writer &W : Writers)
    if ((mayFollow(L.At, W.I) || isThread(*W.I)) && mayWrite(W, L) &&
        (By == Order::Any || !goesElsewhere(W, L))) {
      auto *S = dyn_cast<StoreInst>(W.I);
      if (!S || !Late.contains(S))
        return {};
      Out.IfLateStoresWait = true;
    }
  return Out;
}

Stability OverwriteAnalysis::stabilityAt(const Instruction &At,
                                         const Value *Ptr) {
  return stabilityOf({&At, Ptr, nullptr, MemoryLocation::getAfter(Ptr)},
                     Order::Any);
}

bool OverwriteAnalysis::isStable(const AtomicRMWInst &Choice) {
  Look L{&Choice, Choice.getPointerOperand(), Choice.getType(),
         MemoryLocation::get(&Choice)};
  if (!UF.Root && Writes.mayChange(Act.shape().classId(L.Ptr), Act.shape()))
    return false;
  return none_of(Writers, [&](const Writer &W) {
    auto *A = dyn_cast<AtomicRMWInst>(W.I);
    bool Same = A && isCommutingChoice(*A) &&
                A->getOperation() == Choice.getOperation();
    const Value *At =
        A ? A->getPointerOperand() : getLoadStorePointerOperand(W.I);
    if (At && isApartInBlock(Choice, *At))
      return false;
    return !Same && (mayFollow(&Choice, W.I) || isThread(*W.I)) &&
           mayWrite(W, L);
  });
}

Stability OverwriteAnalysis::compute(const LoadInst &L, Order By) {
  if (L.isVolatile() || L.isAtomic())
    return {};
  if (L.hasMetadata(LLVMContext::MD_invariant_load))
    return {true};
  return stabilityOf(lookOf(L), By);
}

OverwriteAnalysis::Look OverwriteAnalysis::lookOf(const LoadInst &L) const {
  MemoryLocation Loc = MemoryLocation::get(&L);
  Loc.AATags.Scope = Loc.AATags.NoAlias = nullptr;
  return {&L, L.getPointerOperand(), L.getType(), Loc};
}

Stability OverwriteAnalysis::stabilityOf(const LoadInst &L) {
  if (isPlanted(Fault::StaleReload))
    return {true};
  auto [It, New] = Known.try_emplace(&L);
  if (New)
    It->second = compute(L, Order::OfIterations); // asks for no other load
  return It->second;
}

bool OverwriteAnalysis::isInput(const LoadInst &L) {
  if (isPlanted(Fault::StaleInput))
    return true;
  if (L.isVolatile() || L.isAtomic())
    return false;
  const Value *Object = getUnderlyingObject(L.getPointerOperand());
  auto *G = dyn_cast<GlobalVariable>(Object);
  if (L.hasMetadata(LLVMContext::MD_invariant_load) || (G && G->isConstant()))
    return true;
  Look At = lookOf(L);
  unsigned Class = Act.shape().classId(At.Ptr);
  if (!UF.Root && !UF.Seeded)
    return !Writes.unitMayChange(Class, Act.shape());
  // Wherever in the object another thread writes, at whatever time.
  At.T = nullptr;
  At.Location = MemoryLocation::getBeforeOrAfter(Object, At.Location.AATags);
  return none_of(Writers, [&](const Writer &W) { return mayWrite(W, At); });
}

bool OverwriteAnalysis::computeUnchanged(const LoadInst &I, const Loop &L) {
  // A late store is in no loop: whether it waits makes no difference here. What
  // is not written behind the load may have been before, in another iteration.
  if (isPlanted(Fault::StaleReload) || compute(I, Order::Any).Stable)
    return true;
  if (I.isVolatile() || I.isAtomic())
    return false;
  Look At = lookOf(I);
  // Other threads write when they come to it, wherever that stands.
  if (UF.Concurrent && !isOwn(At.Ptr))
    return false;
  return none_of(Writers, [&](const Writer &W) {
    return (L.contains(W.I) || isThread(*W.I)) && !areApartIn(L, I, *W.I) &&
           mayWrite(W, At) &&
           !(L.contains(W.I) && L.contains(&I) && !UF.Concurrent &&
             LaterPlaces::isPlaced(*W.I) &&
             laterPlaces().areApartIn(*L.getHeader(), I, *W.I));
  });
}

bool OverwriteAnalysis::isUnchangedIn(const LoadInst &I, const Loop &L) {
  auto [It, New] = Unchanged.try_emplace({&I, &L}, false);
  if (!New)
    return It->second;
  return Unchanged[{&I, &L}] = computeUnchanged(I, L);
}

BitVector inputsOf(Function &F, OverwriteAnalysis &Overwrite) {
  BitVector Inputs(static_cast<unsigned>(F.arg_size()));
  for (Argument &A : F.args())
    Inputs[A.getArgNo()] = A.getType()->isPointerTy();
  for (Instruction &I : instructions(F))
    if (auto *L = dyn_cast<LoadInst>(&I))
      if (auto *A = dyn_cast<Argument>(
              getUnderlyingObject(L->getPointerOperand(), 0));
          A && !Overwrite.isInput(*L))
        Inputs.reset(A->getArgNo());
  return Inputs;
}

} // namespace retro
