// Input: an array of the function's own that one loop fills from memory which
// nothing changes, and that others read element by element. Output: the readers
// compute the elements themselves, and the array is gone. Else the tape would
// keep what costs next to nothing to compute again.
#include "prepare/loops/contract.h"

#include "front/known/known_functions.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// At most this many operations and loads are computed anew for each element.
constexpr unsigned MostOperations = 4, MostLoads = 3;

class Contraction {
public:
  Contraction(Function &F, FunctionAnalysisManager &FAM)
      : F(F), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)) {}

  /// Contracts one array, if it can be done.
  bool contract(Instruction &Array);

private:
  bool findAccesses(Instruction &Array);
  bool findFilling();
  bool findParts(Value *V);
  const SCEV *elementOf(LoadInst &L);
  bool isUnchanged(LoadInst &L);
  void replace(LoadInst &L, const SCEV *Element);

  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  SmallVector<LoadInst *> Loads;
  StoreInst *Store = nullptr;
  Loop *Filling = nullptr;
  const SCEVAddRecExpr *Place = nullptr; ///< of the store
  SmallSetVector<LoadInst *, 4> Sources; ///< what elements are computed from
  SmallSetVector<Instruction *, 8> Operations; ///< in order
  SmallPtrSet<Instruction *, 4>
      Given; ///< values from before the loop that these use
};

/// Finds the accesses: one store, and loads. The address goes nowhere else.
bool Contraction::findAccesses(Instruction &Array) {
  SmallVector<Instruction *> Work{&Array};
  while (!Work.empty()) {
    Instruction *Ptr = Work.pop_back_val();
    for (Use &U : Ptr->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (auto *L = dyn_cast<LoadInst>(I); L && L->isSimple()) {
        Loads.push_back(L);
      } else if (auto *S = dyn_cast<StoreInst>(I);
                 S && S->isSimple() && U.getOperandNo() == 1 && !Store) {
        Store = S;
      } else if (isa<GetElementPtrInst>(I) && U.getOperandNo() == 0) {
        Work.push_back(I);
      } else if (auto *C = dyn_cast<CallBase>(I);
                 !C || (knownCall(*C).Kind != KnownKind::Free &&
                        !C->isLifetimeStartOrEnd())) {
        return false;
      }
    }
  }
  return Store && !Loads.empty();
}

/// Finds the loop that fills the array, with the store in every iteration.
bool Contraction::findFilling() {
  Filling = LI.getLoopFor(Store->getParent());
  if (!Filling || !Filling->isInnermost() || !Filling->getExitBlock() ||
      Filling->getExitingBlock() != Filling->getLoopLatch() ||
      !DT.dominates(Store->getParent(), Filling->getLoopLatch()))
    return false;
  Place = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Store->getPointerOperand()));
  Type *T = Store->getValueOperand()->getType();
  return Place && Place->getLoop() == Filling && Place->isAffine() &&
         T->isFloatingPointTy() &&
         Place->getStepRecurrence(SE) ==
             SE.getSizeOfExpr(Place->getStepRecurrence(SE)->getType(), T) &&
         !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(Filling));
}

/// Collects what V is computed from: a few operations, loads at places that
/// move evenly, and values that the loop does not change. False if there is
/// more.
bool Contraction::findParts(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Operations.contains(I))
    return true;
  if (!Filling->contains(I)) {
    Given.insert(I);
    return true;
  }
  if (auto *L = dyn_cast<LoadInst>(I)) {
    auto *At = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(L->getPointerOperand()));
    if (!L->isSimple() || !At || At->getLoop() != Filling || !At->isAffine())
      return false;
    Sources.insert(L);
    return Sources.size() <= MostLoads;
  }
  switch (I->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    break;
  default:
    return false;
  }
  if (!all_of(I->operands(), [&](Value *O) { return findParts(O); }))
    return false;
  Operations.insert(I);
  return Operations.size() <= MostOperations;
}

/// Does nothing in the function write where L reads?
bool Contraction::isUnchanged(LoadInst &L) {
  MemoryLocation Anywhere = MemoryLocation::getBeforeOrAfter(
      L.getPointerOperand(), L.getAAMetadata());
  // Alias scopes hold for the call that was inlined, not for all of the
  // function.
  Anywhere.AATags.Scope = Anywhere.AATags.NoAlias = nullptr;
  return none_of(instructions(F), [&](Instruction &I) {
    return I.mayWriteToMemory() && &I != Store &&
           isModSet(AA.getModRefInfo(&I, Anywhere));
  });
}

/// The number of the element that L reads, as a function of the counter of L's
/// loop. Null if L may read an element that was not filled.
const SCEV *Contraction::elementOf(LoadInst &L) {
  Loop *OuterLoop = Filling->getParentLoop();
  // The element must not be computed more often than before.
  if (LI.getLoopDepth(L.getParent()) > Filling->getLoopDepth())
    return nullptr;
  if (L.getType() != Store->getValueOperand()->getType() ||
      !DT.dominates(Filling->getExitBlock(), L.getParent()) ||
      (OuterLoop && !OuterLoop->contains(&L)))
    return nullptr;
  const SCEV *From =
      SE.getMinusSCEV(SE.getSCEV(L.getPointerOperand()), Place->getStart());
  if (isa<SCEVCouldNotCompute>(From))
    return nullptr;
  const SCEV *Taken = SE.getBackedgeTakenCount(Filling);
  if (From->isZero())
    return SE.getZero(From->getType());
  auto *R = dyn_cast<SCEVAddRecExpr>(From);
  if (!R || !R->isAffine() || !R->getStart()->isZero() ||
      R->getStepRecurrence(SE) != Place->getStepRecurrence(SE) ||
      R->getLoop() == OuterLoop ||
      (OuterLoop && !OuterLoop->contains(R->getLoop())) ||
      SE.getBackedgeTakenCount(R->getLoop()) != Taken)
    return nullptr;
  return SE.getAddRecExpr(SE.getZero(From->getType()),
                          SE.getOne(From->getType()), R->getLoop(),
                          SCEV::FlagAnyWrap);
}

void Contraction::replace(LoadInst &L, const SCEV *Element) {
  IRBuilder<> B(&L);
  SCEVExpander Exp(SE, "element");
  DenseMap<Value *, Value *> New;
  for (LoadInst *S : Sources) {
    auto *At = cast<SCEVAddRecExpr>(SE.getSCEV(S->getPointerOperand()));
    const SCEV *Step = At->getStepRecurrence(SE);
    const SCEV *Ptr = SE.getAddExpr(
        At->getStart(), SE.getMulExpr(Step, SE.getTruncateOrSignExtend(
                                                Element, Step->getType())));
    Value *P =
        Exp.expandCodeFor(Ptr, S->getPointerOperandType(), L.getIterator());
    LoadInst *Again = B.CreateAlignedLoad(S->getType(), P, S->getAlign());
    Again->setMetadata(LLVMContext::MD_tbaa,
                       S->getMetadata(LLVMContext::MD_tbaa));
    Again->setDebugLoc(L.getDebugLoc());
    New[S] = Again;
  }
  for (Instruction *I : Operations) {
    Instruction *C = B.Insert(I->clone());
    for (Use &U : C->operands())
      if (Value *V = New.lookup(U))
        U = V;
    C->setDebugLoc(L.getDebugLoc());
    New[I] = C;
  }
  Value *V = New.lookup(Store->getValueOperand());
  L.replaceAllUsesWith(V ? V : Store->getValueOperand());
}

bool Contraction::contract(Instruction &Array) {
  if (!findAccesses(Array) || !findFilling() ||
      !findParts(Store->getValueOperand()))
    return false;
  // A value that is computed only where the filling loop is entered may be
  // missing where L is.
  for (LoadInst *L : Loads)
    if (any_of(Given, [&](Instruction *I) { return !DT.dominates(I, L); }))
      return false;
  SmallVector<const SCEV *> Elements;
  for (LoadInst *L : Loads)
    if (const SCEV *E = elementOf(*L))
      Elements.push_back(E);
    else
      return false;
  if (!all_of(Sources, [&](LoadInst *S) { return isUnchanged(*S); }))
    return false;
  SCEVExpander Exp(SE, "element");
  for (LoadInst *L : Loads)
    for (LoadInst *S : Sources) {
      auto *At = cast<SCEVAddRecExpr>(SE.getSCEV(S->getPointerOperand()));
      if (!Exp.isSafeToExpandAt(At->getStart(), L) ||
          !Exp.isSafeToExpandAt(At->getStepRecurrence(SE), L))
        return false;
    }
  for (auto [L, E] : zip(Loads, Elements))
    replace(*L, E);
  for (LoadInst *L : Loads)
    L->eraseFromParent();
  Store->eraseFromParent();
  return true;
}

} // namespace

unsigned contractArrays(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<Instruction *> Arrays;
  for (Instruction &I : instructions(F))
    if (isa<AllocaInst>(I) ||
        (isa<CallInst>(I) && isNoAliasCall(&I) && I.getType()->isPointerTy()))
      Arrays.push_back(&I);
  unsigned Count = 0;
  for (Instruction *A : Arrays)
    if (Contraction(F, FAM).contract(*A)) {
      ++Count;
      PreservedAnalyses Kept;
      Kept.preserveSet<CFGAnalyses>();
      FAM.invalidate(F, Kept);
    }
  return Count;
}

} // namespace retro
