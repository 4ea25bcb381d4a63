// Input: a module that may have coroutines that are not split yet. Output: the
// same module with each of them split into functions by LLVM's own passes.
// Without this, a clone of an unsplit coroutine would have intrinsics that are
// valid in a coroutine alone.
#include "prepare/coroutines.h"

#include "front/names/foreign.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"

using namespace llvm;

namespace retro {

/// libstdc++ resumes its coroutine that does nothing by a function without
/// parameters. It gets the parameter of all others, so that a call by address
/// finds it; other files call it as they did.
static void passFrameToNothing(Module &M) {
  SmallVector<Function *, 2> Found;
  for (Function &F : M)
    if (!F.isDeclaration() && F.arg_empty() &&
        isA(F.getName(), NameKind::NoCoroutine))
      Found.push_back(&F);
  for (Function *F : Found) {
    Type *Params[] = {PointerType::getUnqual(M.getContext())};
    auto *New =
        Function::Create(FunctionType::get(F->getReturnType(), Params, false),
                         F->getLinkage(), "", &M);
    New->takeName(F);
    New->copyAttributesFrom(F);
    New->setComdat(F->getComdat());
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", New));
    B.CreateRetVoid();
    F->replaceAllUsesWith(New);
    F->eraseFromParent();
  }
}

bool splitCoroutines(Module &M, ModuleAnalysisManager &MAM) {
  passFrameToNothing(M);
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
