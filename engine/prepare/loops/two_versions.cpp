// Input: a loop with a recurrence that the reverse pass could compute again
// step by step, if memory that only the running program can tell apart does not
// overlap. The two halves of an array, for example, are apart if its length is
// even. Output: two versions of the loop, and a comparison that chooses one;
// the tape of one version is empty.
#include "prepare/loops/two_versions.h"

#include "facts/loops/iteration_places.h"
#include "front/known/known_functions.h"
#include "loops/each_loop.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

/// With more pairs of accesses, none are compared.
constexpr size_t MostComparisons = 400;
/// With more ranges to compare, the program compares none.
constexpr size_t MostConditions = 8;

class Versioner {
public:
  Versioner(Loop &L, FunctionAnalysisManager &FAM)
      : L(L), B(L.getHeader()), Entry(L.getLoopPreheader()),
        Exit(L.getExitBlock()), Places(*B->getParent(), FAM),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(*B->getParent())) {}

  /// Returns the version for ranges that overlap, or null if there is nothing
  /// to do.
  BasicBlock *run();

private:
  bool isRecurrence(const PHINode &P) const;
  bool findConditions();
  Value *compare();

  Loop &L;
  BasicBlock *B, *Entry, *Exit;
  IterationPlaces Places;
  ScalarEvolution &SE;
  SmallVector<IterationPlaces::Condition> Conditions;
};

/// Is the phi computed by arithmetic alone, from itself and others of its kind?
bool Versioner::isRecurrence(const PHINode &P) const {
  if (!P.getType()->isFloatingPointTy())
    return false;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(P.getIncomingValueForBlock(B));
  for (size_t N = 0; N < Work.size(); ++N) {
    auto *I = dyn_cast<Instruction>(Work[N]);
    if (!I || !L.contains(I))
      continue;
    auto *X = dyn_cast<PHINode>(I);
    auto *C = dyn_cast<CallBase>(I);
    if (!I->getType()->isFloatingPointTy() ||
        (I->mayReadOrWriteMemory() && !(C && knownCall(*C).isPure())))
      return false;
    if (X)
      Work.insert(X->getIncomingValueForBlock(B));
    else if (C)
      Work.insert(C->arg_begin(), C->arg_end());
    else
      Work.insert(I->op_begin(), I->op_end());
  }
  return Work.contains(&P);
}

/// Finds what has to hold so that no iteration writes what another one
/// accesses. False if that is known to hold, or if no comparison would be
/// enough.
bool Versioner::findConditions() {
  SmallVector<const Instruction *> Accesses, Stores;
  for (const Instruction &I : *B) {
    auto *C = dyn_cast<CallBase>(&I);
    if (!I.mayReadOrWriteMemory() || (C && knownCall(*C).isPure()))
      continue;
    if (!isa<LoadInst, StoreInst>(I) || I.isVolatile() || I.isAtomic())
      return false;
    Accesses.push_back(&I);
    if (isa<StoreInst>(I))
      Stores.push_back(&I);
  }
  if (Stores.size() * Accesses.size() > MostComparisons)
    return false;
  for (const Instruction *S : Stores)
    for (const Instruction *X : Accesses) {
      if (Places.apart(L, *S, *X))
        continue;
      auto If = Places.apartIf(L, *S, *X);
      if (!If)
        return false;
      if (!is_contained(Conditions, *If))
        Conditions.push_back(*If);
    }
  return !Conditions.empty() && Conditions.size() <= MostConditions;
}

Value *Versioner::compare() {
  SCEVExpander Expand(SE, "apart");
  Instruction *At = Entry->getTerminator();
  if (any_of(Conditions, [&](auto &C) {
        return !Expand.isSafeToExpandAt(C.Distance, At) ||
               !Expand.isSafeToExpandAt(C.Needed, At);
      }))
    return nullptr;
  Value *All = nullptr;
  for (auto &C : Conditions) {
    Type *T = C.Distance->getType();
    Value *Is = Expand.expandCodeFor(C.Distance, T, At->getIterator());
    Value *Needed = Expand.expandCodeFor(C.Needed, T, At->getIterator());
    IRBuilder<> IR(At);
    Value *Far = IR.CreateICmpSGE(Is, Needed, "apart");
    All = All ? IR.CreateAnd(All, Far) : Far;
  }
  return All;
}

BasicBlock *Versioner::run() {
  if (!Entry || !Exit || L.getNumBlocks() != 1 || !L.isLoopSimplifyForm() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)) ||
      none_of(B->phis(), [&](PHINode &P) { return isRecurrence(P); }) ||
      !findConditions())
    return nullptr;
  Value *Apart = compare();
  if (!Apart)
    return nullptr;
  Function &F = *B->getParent();
  ValueToValueMapTy VM;
  BasicBlock *Meets = CloneBasicBlock(B, VM, ".meets", &F);
  VM[B] = Meets;
  for (Instruction &I : *Meets)
    RemapInstruction(&I, VM, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  for (PHINode &P : Exit->phis()) {
    Value *V = P.getIncomingValueForBlock(B);
    Value *Copy = VM.lookup(V);
    P.addIncoming(Copy ? Copy : V, Meets);
  }
  // Enters each version from a block of its own.
  auto EnterFrom = [&](BasicBlock *To) {
    BasicBlock *X = BasicBlock::Create(F.getContext(), "version", &F, To);
    BranchInst::Create(To, X);
    To->replacePhiUsesWith(Entry, X);
    return X;
  };
  Instruction *Old = Entry->getTerminator();
  BranchInst::Create(EnterFrom(B), EnterFrom(Meets), Apart, Entry);
  Old->eraseFromParent();
  return Meets;
}

} // namespace

unsigned versionLoops(Function &F, FunctionAnalysisManager &FAM) {
  SmallPtrSet<BasicBlock *, 8> Done; // what may meet does so still
  return changeInnermostLoops(F, FAM, [&](Loop &L) {
    BasicBlock *Meets =
        Done.contains(L.getHeader()) ? nullptr : Versioner(L, FAM).run();
    if (Meets)
      Done.insert(Meets);
    return Meets ? 1u : 0u;
  });
}

} // namespace retro
