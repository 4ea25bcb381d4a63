// Offers the innermost loops of a function to a rewrite, one after the other.
// After each change the list is made anew: the loops and analyses of before
// would describe code that is gone.
#include "loops/each_loop.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace retro {

unsigned changeInnermostLoops(Function &F, FunctionAnalysisManager &FAM,
                              function_ref<unsigned(Loop &)> Change) {
  FunctionPassManager Form;
  Form.addPass(LoopSimplifyPass());
  Form.addPass(LCSSAPass());
  FAM.invalidate(F, Form.run(F, FAM));
  unsigned Count = 0;
  SmallPtrSet<BasicBlock *, 8> Done;
  for (bool Again = true; Again;) {
    Again = false;
    LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
    for (Loop *L : LI.getLoopsInPreorder()) {
      if (!L->isInnermost() || !Done.insert(L->getHeader()).second)
        continue;
      if (unsigned N = Change(*L)) {
        Count += N;
        FAM.invalidate(F, PreservedAnalyses::none());
        Again = true;
        break;
      }
    }
  }
  return Count;
}

} // namespace retro
