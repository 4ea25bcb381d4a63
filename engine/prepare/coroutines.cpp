// Input: a module that may have coroutines that are not split yet. Output: the
// same module with each of them split into functions by LLVM's own passes.
// Without this, a clone of an unsplit coroutine would have intrinsics that are
// valid in a coroutine alone.
#include "prepare/coroutines.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"

using namespace llvm;

namespace retro {

bool splitCoroutines(Module &M, ModuleAnalysisManager &MAM) {
  if (none_of(M, [](const Function &F) { return F.isPresplitCoroutine(); }))
    return false;
  ModulePassManager Passes;
  Passes.addPass(CoroEarlyPass());
  CGSCCPassManager Split;
  Split.addPass(CoroSplitPass());
  Passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(std::move(Split)));
  Passes.addPass(CoroCleanupPass());
  MAM.invalidate(M, Passes.run(M, MAM));
  return true;
}

} // namespace retro
