// Input: a fork and its region. Output: answers for code that is moved out of
// the region. A write that is missed here would be read too early.
#include "facts/threads/region_facts.h"

#include "base/scev.h"
#include "base/uniqued.h"
#include "facts/parallel/synchronization.h"
#include "front/known/known_functions.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

RegionFacts::RegionFacts(CallBase &Fork, Function &Region,
                         FunctionAnalysisManager &FAM)
    : LI(FAM.getResult<LoopAnalysis>(Region)),
      DT(FAM.getResult<DominatorTreeAnalysis>(Region)), Fork(Fork),
      Region(Region), AA(FAM.getResult<AAManager>(Region)),
      OuterAA(FAM.getResult<AAManager>(*Fork.getFunction())),
      PDT(FAM.getResult<PostDominatorTreeAnalysis>(Region)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(Region)) {
  collect();
  findGuard();
}

//===----------------------------------------------------------------------===//
// Memory

/// Does F read memory and return, and no more?
static bool onlyReads(const Function *F, unsigned Depth = 0) {
  if (!F || F->isDeclaration() || F->isInterposable() || Depth > 4)
    return false;
  return all_of(instructions(F), [&](const Instruction &I) {
    if (auto *S = dyn_cast<StoreInst>(&I))
      return S->isSimple() &&
             isa<AllocaInst>(getUnderlyingObject(S->getPointerOperand()));
    auto *C = dyn_cast<CallBase>(&I);
    if (C && (isAssumeLikeIntrinsic(C) || knownCall(*C).isPure()))
      return true;
    if (C && !isa<IntrinsicInst>(C))
      return onlyReads(C->getCalledFunction(), Depth + 1);
    return !I.mayWriteToMemory() && !I.mayThrow();
  });
}

void RegionFacts::collect() {
  for (const Instruction &I : instructions(Region)) {
    if (I.isAtomic() && !isa<LoadInst>(I) && !isa<StoreInst>(I) &&
        !isa<AtomicRMWInst>(I) && !isa<AtomicCmpXchgInst>(I))
      Synchronizes = true;
    if (auto *C = dyn_cast<CallBase>(&I)) {
      KnownCall K = knownCall(*C);
      if (K.Kind == KnownKind::Share) {
        if (!hasValues(K.Row->word<ShareForm>()))
          for (int N : {K.Row->A, K.Row->B, K.Row->C})
            if (N >= 0)
              Bounds.insert(C->getArgOperand(static_cast<unsigned>(N)));
        if (K.Row->says(ShareForm::Next))
          Bounds.insert(C);
        else
          Shares.push_back(C);
        continue;
      }
      if (syncOf(*C) == Sync::Barrier || K.isPure() ||
          isAssumeLikeIntrinsic(C) ||
          (!K.Row && onlyReads(C->getCalledFunction())))
        continue;
      if (K.Kind == KnownKind::Inactive) {
        // The runtime's calls of the team.
        Synchronizes |= (K.Row->Effects & (CallsBack | WritesState)) != 0;
        MayStop |= (K.Row->Effects & (NoReturn | MayThrow)) != 0;
        if (K.Row->Effects & WritesArgs)
          Writers.push_back(C);
        continue;
      }
      Synchronizes |= K.Kind == KnownKind::Synchronize ||
                      K.Kind == KnownKind::Parallel ||
                      K.Kind == KnownKind::Model;
      if (K.Kind == KnownKind::Synchronize)
        continue;
      MayStop |= !isa<IntrinsicInst>(C) && !K.isRule() &&
                 !(C->doesNotThrow() && C->hasFnAttr(Attribute::WillReturn));
    }
    if (I.mayWriteToMemory())
      Writers.push_back(&I);
  }
}

Value *RegionFacts::outside(const Value *V) const {
  if (auto *C = dyn_cast<Constant>(V))
    return uniqued(C);
  if (Value *O = Known.lookup(V))
    return O;
  auto *A = dyn_cast<Argument>(V);
  // The first two parameters are each thread's own, and stand for nothing
  // outside.
  return A && A->getArgNo() >= 2 ? Fork.getArgOperand(A->getArgNo()) : nullptr;
}

/// The caller's name of an object of the region.
const Value *RegionFacts::placeOutside(const Value *Object) const {
  return isa<Constant>(Object) ? Object : outside(Object);
}

/// A variable of the caller whose address nobody has but this region.
bool RegionFacts::isUnknownToOthers(const Value *Object) const {
  return isa<AllocaInst>(Object) &&
         !PointerMayBeCaptured(Object, /*ReturnCaptures=*/false);
}

/// Are the objects that P and Q point into different ones, in all threads and
/// iterations?
bool RegionFacts::areApart(const Value *P, const Value *Q) const {
  SmallVector<const Value *> Ps, Qs;
  getUnderlyingObjects(P, Ps);
  getUnderlyingObjects(Q, Qs);
  auto Apart = [&](const Value *A, const Value *B) {
    bool OwnA = isa<AllocaInst>(A) && !Known.count(A);
    bool OwnB = isa<AllocaInst>(B) && !Known.count(B);
    const Value *OA = placeOutside(A), *OB = placeOutside(B);
    if ((OwnA && OB) || (OwnB && OA))
      return true;
    if (OA && OB)
      return OuterAA.isNoAlias(MemoryLocation::getBeforeOrAfter(OA),
                               MemoryLocation::getBeforeOrAfter(OB));
    // What is loaded cannot be the address of what nobody has heard of.
    return (OA && isa<LoadInst>(B) &&
            isUnknownToOthers(getUnderlyingObject(OA))) ||
           (OB && isa<LoadInst>(A) &&
            isUnknownToOthers(getUnderlyingObject(OB)));
  };
  return all_of(Ps, [&](const Value *A) {
    return all_of(Qs, [&](const Value *B) { return Apart(A, B); });
  });
}

bool RegionFacts::writes(const Instruction &I, const MemoryLocation &Read,
                         BatchAAResults &Any) const {
  // Of whole objects: another iteration, or thread, writes elsewhere in it.
  auto Meets = [&](const Value *Ptr, AAMDNodes Tags) {
    return !areApart(Ptr, Read.Ptr) &&
           !Any.isNoAlias(MemoryLocation::getBeforeOrAfter(Ptr, Tags), Read);
  };
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Meets(S->getPointerOperand(), S->getAAMetadata());
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    return Meets(A->getPointerOperand(), A->getAAMetadata());
  if (auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
    return Meets(A->getPointerOperand(), A->getAAMetadata());
  if (auto *M = dyn_cast<AnyMemIntrinsic>(&I))
    return Meets(M->getRawDest(), M->getAAMetadata());
  auto *C = dyn_cast<CallBase>(&I);
  if (!C)
    return true;
  MemoryEffects Other = C->getMemoryEffects()
                            .getWithoutLoc(IRMemLocation::ArgMem)
                            .getWithoutLoc(IRMemLocation::ErrnoMem)
                            .getWithoutLoc(IRMemLocation::InaccessibleMem);
  // Of a variable that nobody else has heard of it knows what it is given.
  const Value *Place = placeOutside(getUnderlyingObject(Read.Ptr));
  bool OnlyArgs = knownCall(*C).Kind == KnownKind::Inactive ||
                  Other.onlyReadsMemory() ||
                  (Place && isUnknownToOthers(getUnderlyingObject(Place)));
  if (OnlyArgs)
    return any_of(C->args(), [&](const Use &A) {
      return A->getType()->isPointerTy() &&
             !C->onlyReadsMemory(C->getArgOperandNo(&A)) &&
             Meets(A, AAMDNodes());
    });
  return isModSet(Any.getModRefInfo(C, Read));
}

bool RegionFacts::isWritten(const MemoryLocation &Read) const {
  // Who takes a lock looks for what others have written.
  if (Synchronizes) {
    const Value *O = placeOutside(getUnderlyingObject(Read.Ptr));
    if (!O || !isUnknownToOthers(getUnderlyingObject(O)))
      return true;
  }
  BatchAAResults Any(AA); // of whatever iterations
  Any.enableCrossIterationMode();
  return any_of(Writers,
                [&](const Instruction *I) { return writes(*I, Read, Any); });
}

//===----------------------------------------------------------------------===//
// Control flow

/// Does a block lead out of the region, and is nothing done there but waiting?
static bool onlyLeaves(const BasicBlock &B) {
  return isa<ReturnInst>(B.getTerminator()) &&
         all_of(B, [](const Instruction &I) {
           auto *C = dyn_cast<CallBase>(&I);
           return !I.mayHaveSideEffects() ||
                  (C &&
                   (isAssumeLikeIntrinsic(C) || syncOf(*C) == Sync::Barrier));
         });
}

/// A branch at the entry past all that the region does, as at loops that may
/// have no iterations.
void RegionFacts::findGuard() {
  Start = &Region.getEntryBlock();
  auto *Br = dyn_cast<BranchInst>(Start->getTerminator());
  if (!Br || !Br->isConditional() || any_of(*Start, [](const Instruction &I) {
        return I.mayHaveSideEffects() && !isAssumeLikeIntrinsic(&I);
      }))
    return;
  for (unsigned N = 0; N < 2; ++N) {
    const BasicBlock *Past = Br->getSuccessor(1 - N);
    if (Br->getSuccessor(N) == Past || !onlyLeaves(*Past) ||
        !Br->getSuccessor(N)->getSinglePredecessor())
      continue;
    Guard = Br;
    Start = Br->getSuccessor(N);
    return;
  }
}

/// Is there an iteration to share out?
bool RegionFacts::isNonEmpty(const CallBase &Init) const {
  KnownCall K = knownCall(Init);
  const Value *Ends[2] = {Init.getArgOperand(static_cast<unsigned>(K.Row->A)),
                          Init.getArgOperand(static_cast<unsigned>(K.Row->B))};
  for (const Value *&End : Ends) {
    if (!End->getType()->isPointerTy())
      continue;
    const Value *Place = End;
    End = nullptr;
    for (const Instruction &I : *Init.getParent()) {
      if (&I == &Init)
        break;
      if (auto *S = dyn_cast<StoreInst>(&I);
          S && S->getPointerOperand() == Place)
        End = S->getValueOperand();
    }
    if (!End)
      return false;
  }
  auto Pred = isUnsigned(K.Row->word<ShareForm>()) ? CmpInst::ICMP_ULE
                                                   : CmpInst::ICMP_SLE;
  const SCEV *First = scevOf(SE, Ends[0]);
  const SCEV *Last = scevOf(SE, Ends[1]);
  return SE.isKnownPredicateAt(Pred, First, Last, &Init) ||
         SE.isBasicBlockEntryGuardedByCond(Init.getParent(), Pred, First, Last);
}

/// Does this depend on the share that the runtime gave, and on nothing else
/// that differs from thread to thread?
bool RegionFacts::followsShare(const Value *Condition) const {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work{Condition};
  bool Share = false;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || outside(V))
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return false;
    if (Bounds.contains(I)) {
      Share = true;
      continue;
    }
    if (auto *L = dyn_cast<LoadInst>(I)) {
      if (!Bounds.contains(L->getPointerOperand()))
        return false;
      Share = true;
      continue;
    }
    if (!isa<IntrinsicInst>(I) &&
        (isa<CallBase>(I) || I->mayReadOrWriteMemory()))
      return false;
    Work.append(I->value_op_begin(), I->value_op_end());
  }
  return Share;
}

/// Does the loop run until the thread's share is done?
bool RegionFacts::endsWithShare(const Loop &L) const {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  return !Exiting.empty() && all_of(Exiting, [&](const BasicBlock *B) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    return Br && Br->isConditional() && followsShare(Br->getCondition());
  });
}

/// In the loop of a shared-out iteration space that is not empty, what every
/// iteration runs some thread runs.
bool RegionFacts::isRunByTeam(const BasicBlock &B) const {
  if (MayStop || !DT.isReachableFromEntry(&B))
    return false;
  if (PDT.dominates(&B, Start))
    return true;
  const CallBase *Init = nullptr;
  for (const CallBase *C : Shares)
    if (DT.properlyDominates(C->getParent(), &B) &&
        (!Init || DT.dominates(Init, C)))
      Init = C;
  if (!Init || !PDT.dominates(Init->getParent(), Start) || !isNonEmpty(*Init))
    return false;
  const Loop *Inner = LI.getLoopFor(&B);
  for (const Loop *L = Inner; L && !L->contains(Init); L = L->getParentLoop())
    if (!endsWithShare(*L))
      return false;
  if (Inner && Inner->contains(Init))
    Inner = nullptr;
  if (Inner) {
    SmallVector<BasicBlock *> Latches;
    Inner->getLoopLatches(Latches);
    if (!all_of(Latches, [&](auto *X) { return DT.dominates(&B, X); }))
      return false;
  }
  const BasicBlock *Below = Inner ? Inner->getHeader() : &B;
  while (Below != Init->getParent()) {
    const BasicBlock *Above = DT.getNode(Below)->getIDom()->getBlock();
    auto *Br = dyn_cast<BranchInst>(Above->getTerminator());
    if (!PDT.dominates(Below, Above) &&
        !(Br && Br->isConditional() && followsShare(Br->getCondition())))
      return false;
    Below = Above;
  }
  return true;
}

} // namespace retro
