// Input: a value that the optimizer keeps from one iteration for the next (x[i]
// is the last x[i + 1]). It cannot be computed from its iteration's counter
// alone, so it would go on the tape. Output: where memory does not change, the
// value is loaded again.
#include "prepare/loops/reload.h"

#include "front/known/known_functions.h"
#include "loops/each_loop.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace retro {
namespace {

class Reloader {
public:
  Reloader(Function &F, FunctionAnalysisManager &FAM)
      : F(F), LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)) {}
  unsigned run();

private:
  bool isConstant(const LoadInst &L) const;
  bool reload(PHINode &P, const Loop &L);

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  AAResults &AA;
};

/// Does nothing in the function write what L loads?
bool Reloader::isConstant(const LoadInst &L) const {
  return none_of(instructions(F), [&](Instruction &I) {
    if (!I.mayWriteToMemory())
      return false;
    auto *C = dyn_cast<CallBase>(&I);
    return !(C && knownCall(*C).isPure()) &&
           isModSet(AA.getModRefInfo(&I, MemoryLocation::get(&L)));
  });
}

/// Replaces P, which is at first *A0 and then what the last iteration loaded
/// from A, by a load from where A was one step before.
bool Reloader::reload(PHINode &P, const Loop &L) {
  auto *First =
      dyn_cast<LoadInst>(P.getIncomingValueForBlock(L.getLoopPreheader()));
  auto *Next = dyn_cast<LoadInst>(P.getIncomingValueForBlock(L.getLoopLatch()));
  if (!First || !Next || !First->isSimple() || !Next->isSimple() ||
      !L.contains(Next))
    return false;
  auto *A = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Next->getPointerOperand()));
  if (!A || A->getLoop() != &L || !A->isAffine())
    return false;
  const SCEV *Step = A->getStepRecurrence(SE);
  const SCEV *A0 = SE.getSCEV(First->getPointerOperand());
  if (SE.getMinusSCEV(A->getStart(), A0) != Step || !isConstant(*Next))
    return false;
  const SCEV *At = SE.getAddRecExpr(A0, Step, &L, SCEV::FlagAnyWrap);
  SCEVExpander Expand(SE, "reload");
  if (!Expand.isSafeToExpand(At))
    return false;
  BasicBlock::iterator Where = L.getHeader()->getFirstInsertionPt();
  Value *Ptr = Expand.expandCodeFor(At, First->getPointerOperandType(), Where);
  auto *New = cast<LoadInst>(Next->clone());
  New->setOperand(LoadInst::getPointerOperandIndex(), Ptr);
  New->setAlignment(std::min(First->getAlign(), Next->getAlign()));
  New->insertBefore(L.getHeader()->getFirstInsertionPt() == Where
                        ? Where
                        : std::next(cast<Instruction>(Ptr)->getIterator()));
  P.replaceAllUsesWith(New);
  P.eraseFromParent();
  return true;
}

unsigned Reloader::run() {
  unsigned Done = 0;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->isLoopSimplifyForm())
      continue;
    for (PHINode &P : make_early_inc_range(L->getHeader()->phis()))
      Done += reload(P, *L);
  }
  return Done;
}

} // namespace

unsigned reloadCarried(Function &F, FunctionAnalysisManager &FAM) {
  return changeLoops<Reloader>(F, FAM);
}

} // namespace retro
