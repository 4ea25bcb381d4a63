// Input: an innermost loop that LLVM would run in vectors if the running
// program finds its arrays apart, in a loop that counts down, as those of a
// reverse pass do. Output: the loop around has its counter from a function
// through which LLVM does not look. LLVM compares the arrays in front of the
// loop around, where it can, with ranges that are right if that counts up, and
// with the answer no where it counts down: without this file no such loop ever
// runs in vectors. What hides the counter makes LLVM compare in front of the
// innermost loop.
#include "polish/row_checks.h"

#include "base/scev.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace retro {
namespace {

class RowChecks {
public:
  RowChecks(Function &F, FunctionAnalysisManager &FAM)
      : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Accesses(FAM.getResult<LoopAccessAnalysis>(F)) {}

  bool isComparedWrongly(Loop &L);
  void hideCounters(const Loop &L);

private:
  bool mayCountDown(const SCEV *S, const Loop &L) const;
  bool hasCounterDown(const Loop &L) const;

  ScalarEvolution &SE;
  LoopAccessInfoManager &Accesses;
};

bool RowChecks::mayCountDown(const SCEV *S, const Loop &L) const {
  auto *R = dyn_cast<SCEVAddRecExpr>(S);
  return R && R->getLoop() == &L && R->isAffine() &&
         !SE.isKnownNonNegative(R->getStepRecurrence(SE));
}

bool RowChecks::hasCounterDown(const Loop &L) const {
  return any_of(L.getHeader()->phis(), [&](PHINode &P) {
    return P.getType()->isIntegerTy() && mayCountDown(scevOf(SE, &P), L);
  });
}

/// Would LLVM compare what the loop accesses in front of the loop around, which
/// counts down?
bool RowChecks::isComparedWrongly(Loop &L) {
  const Loop *Around = L.getParentLoop();
  if (!Around || !hasCounterDown(*Around) || !L.isLoopSimplifyForm())
    return false;
  const LoopAccessInfo &Info = Accesses.getInfo(L);
  const RuntimePointerChecking &Checks = *Info.getRuntimePointerChecking();
  return Info.canVectorizeMemory() && Checks.Need &&
         any_of(Checks.CheckingGroups, [&](const auto &Group) {
           return mayCountDown(Group.Low, *Around) &&
                  mayCountDown(Group.High, *Around);
         });
}

/// What the addresses of the loop are computed from in the loop around reads
/// the counters of that through an expectation, which says nothing here.
void RowChecks::hideCounters(const Loop &L) {
  const Loop &Around = *L.getParentLoop();
  SmallSetVector<Instruction *, 16> Work;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (const Value *Ptr = getLoadStorePointerOperand(&I))
        if (auto *At = dyn_cast<Instruction>(const_cast<Value *>(Ptr)))
          Work.insert(At);
  DenseMap<PHINode *, Value *> Hidden;
  for (size_t N = 0; N < Work.size(); ++N)
    for (Use &U : Work[N]->operands()) {
      auto *Of = dyn_cast<Instruction>(U.get());
      auto *Counter = dyn_cast_or_null<PHINode>(Of);
      if (!Of || !Around.contains(Of) || isa<LoadInst>(Of))
        continue;
      if (!Counter || Counter->getParent() != Around.getHeader()) {
        if (!Counter)
          Work.insert(Of);
        continue;
      }
      if (!Counter->getType()->isIntegerTy() ||
          !mayCountDown(scevOf(SE, Counter), Around))
        continue;
      Value *&V = Hidden[Counter];
      if (!V) {
        BasicBlock &Header = *Around.getHeader();
        IRBuilder<> IR(&Header, Header.getFirstInsertionPt());
        V = IR.CreateIntrinsic(
            Intrinsic::expect, Counter->getType(),
            {Counter, Constant::getNullValue(Counter->getType())});
      }
      U.set(V);
    }
}

} // namespace

unsigned compareByRow(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  RowChecks Checks(F, FAM);
  SmallVector<Loop *> Found;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (L->isInnermost() && Checks.isComparedWrongly(*L))
      Found.push_back(L);
  for (const Loop *L : Found)
    Checks.hideCounters(*L);
  if (!Found.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
  return static_cast<unsigned>(Found.size());
}

} // namespace retro
