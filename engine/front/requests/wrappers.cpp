// Input: functions that make a request for their callers, with the target as a
// parameter. Output: they are inlined until each request names its target. Else
// the request could not be answered where it stands.
#include "front/requests/wrappers.h"

#include "front/known/entry_points.h"
#include "front/known/replaceable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

/// A wrapper may be called by wrappers, so it is inlined in rounds.
constexpr unsigned Rounds = 32;

bool isInlinedFirst(Function &F) {
  return isRequestWrapper(F) ||
         (F.hasFnAttribute(Attribute::AlwaysInline) && hasRequests(F));
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

bool isRequestWrapper(Function &F) {
  return any_of(requestsIn(F), [](CallBase *C) {
    Value *Target = targetOperand(*C);
    return Target && argumentBehind(Target);
  });
}

void inlineRequestWrappers(Module &M, FunctionAnalysisManager &FAM) {
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    bool Changed = false;
    for (Function &F : M) {
      if (F.isDeclaration() || isReplaceable(F) || !isInlinedFirst(F))
        continue;
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
  dropRequestWrappers(M, FAM);
}

void dropRequestWrappers(Module &M, FunctionAnalysisManager &FAM) {
  dropUnused(M, FAM, isInlinedFirst);
}

void dropUnused(Module &M, FunctionAnalysisManager &FAM,
                function_ref<bool(Function &)> IsOfKind) {
  for (Function &F : make_early_inc_range(M)) {
    if (F.isDeclaration() || !IsOfKind(F))
      continue;
    F.removeDeadConstantUsers();
    if (!F.use_empty() || !F.isDefTriviallyDead())
      continue;
    FAM.clear(F, F.getName());
    F.eraseFromParent();
  }
}

} // namespace retro
