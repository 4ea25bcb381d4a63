#include "front/wrappers.h"

#include "front/request.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// A request is passed on to callers that pass it on, and so forth.
constexpr unsigned Rounds = 32;

bool isWrapper(Function &F) {
  for (CallBase *C : requestsIn(F)) {
    if (F.hasFnAttribute(Attribute::AlwaysInline))
      return true;
    Value *Target = targetOperand(*C);
    if (Target && argumentBehind(Target))
      return true;
  }
  return false;
}

SmallVector<CallBase *> callsOf(Function &F) {
  SmallVector<CallBase *> Out;
  for (User *U : F.users())
    if (auto *C = dyn_cast<CallBase>(U);
        C && C->getCalledOperand() == &F &&
        C->getFunctionType() == F.getFunctionType() && C->getFunction() != &F)
      Out.push_back(C);
  return Out;
}

} // namespace

void inlineRequestWrappers(Module &M, FunctionAnalysisManager &FAM) {
  SmallPtrSet<Function *, 8> Wrappers;
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    bool Changed = false;
    for (Function &F : M) {
      if (F.isDeclaration() || !isWrapper(F))
        continue;
      Wrappers.insert(&F);
      for (CallBase *C : callsOf(F)) {
        Function *Caller = C->getFunction();
        InlineFunctionInfo Info;
        if (!InlineFunction(*C, Info).isSuccess())
          continue;
        FAM.invalidate(*Caller, PreservedAnalyses::none());
        Changed = true;
      }
    }
    if (!Changed)
      break;
  }
  // Nobody is left to say what they are to differentiate.
  for (Function *F : Wrappers) {
    F->removeDeadConstantUsers();
    if (!F->use_empty() || !F->isDefTriviallyDead())
      continue;
    FAM.clear(*F, F->getName());
    F->eraseFromParent();
  }
}

} // namespace retro
