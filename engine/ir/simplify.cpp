// Simplifies one function by LLVM's own pipeline. AD on simplified code has
// less to compute and less to keep. Without it derivatives would keep and
// compute what no result needs.
#include "ir/simplify.h"

#include "base/toggles.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace retro {

void simplifyFunction(Function &F, FunctionAnalysisManager &FAM, bool Unroll) {
  PipelineTuningOptions PTO;
  PTO.LoopUnrolling = Unroll;
  PassBuilder PB(nullptr, PTO);
  FunctionPassManager FPM = PB.buildFunctionSimplificationPipeline(
      OptimizationLevel::O2, ThinOrFullLTOPhase::None);
  FAM.invalidate(F, PreservedAnalyses::none());
  auto Loops = [&] {
    return FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder().size();
  };
  size_t Before = Loops();
  PreservedAnalyses PA = FPM.run(F, FAM);
  FAM.invalidate(F, PA);
  size_t After = Loops();
  if (Unroll && After < Before)
    counters().unroll += static_cast<unsigned>(Before - After);
}

void deleteDeadPhis(Function &F) {
  SmallVector<WeakTrackingVH> Phis;
  for (BasicBlock &B : F)
    for (PHINode &P : B.phis())
      Phis.push_back(&P);
  for (WeakTrackingVH &V : Phis)
    if (auto *P = dyn_cast_or_null<PHINode>(V))
      RecursivelyDeleteDeadPHINode(P);
}

} // namespace retro
