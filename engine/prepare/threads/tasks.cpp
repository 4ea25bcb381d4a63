// Input: a call of std::async. Output: a call of a copy that makes a deferred
// task, and completes it before it returns. A task that runs in a thread of its
// own may wait for others by memory alone, and the reverse pass could not keep
// their order; the standard leaves it to the library when a task runs, unless
// the policy is launch::async alone, and then whoever asks for the result, or
// destroys the future, waits for it. So the derivative of tasks is not
// parallel, and a task must not wait for what its caller does later.
#include "prepare/threads/tasks.h"

#include "front/names/foreign.h"
#include "front/requests/request.h"
#include "prepare/threads/pool_calls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace retro {

/// std::launch::deferred
constexpr uint64_t Deferred = 2;
/// The place of _M_complete_async among the virtual functions of the state that
/// a future leads to: behind two destructors.
constexpr unsigned CompleteAt = 2;

bool startsTask(const Function &F) {
  return !F.isDeclaration() && isA(F.getName(), NameKind::StartsTask) &&
         F.getName().contains("ESt6launchO") && F.arg_size() > 1 &&
         F.hasStructRetAttr() && F.getArg(0)->hasStructRetAttr() &&
         F.getArg(1)->getType()->isIntegerTy(32);
}

/// What keepTasks has marked.
constexpr const char *KeptTask = "retro-kept-task";

bool keepTasks(Module &M) {
  if (none_of(M, [](Function &F) { return hasRequests(F); }))
    return false;
  SmallVector<GlobalValue *> Kept;
  for (Function &F : M)
    if (startsTask(F) && !F.hasFnAttribute(Attribute::NoInline)) {
      F.addFnAttr(Attribute::NoInline);
      F.addFnAttr(KeptTask);
      Kept.push_back(&F);
    }
  for (Function *F : makeSerialForms(M)) {
    if (!isSerialForm(*F) && !F->hasFnAttribute(Attribute::NoInline)) {
      F->addFnAttr(Attribute::NoInline);
      F->addFnAttr(KeptTask);
    }
    Kept.push_back(F);
  }
  appendToCompilerUsed(M, Kept);
  return !Kept.empty();
}

bool releaseTasks(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (F.hasFnAttribute(KeptTask)) {
      F.removeFnAttr(KeptTask);
      F.removeFnAttr(Attribute::NoInline);
      removeFromUsedLists(M, [&](Constant *C) { return C == &F; });
      Changed = true;
    }
  dropSerialForms(M);
  return Changed;
}

Function *runTask(Function &F) {
  ValueToValueMapTy VM;
  Function *New = CloneFunction(&F, VM);
  New->setLinkage(GlobalValue::InternalLinkage);
  New->setComdat(nullptr);
  New->removeFnAttr(Attribute::NoInline);
  New->removeFnAttr(KeptTask);
  New->setVisibility(GlobalValue::DefaultVisibility);
  Argument *Future = New->getArg(0), *Policy = New->getArg(1);
  Policy->replaceAllUsesWith(ConstantInt::get(Policy->getType(), Deferred));
  for (BasicBlock &BB : *New)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
      IRBuilder<> B(Return);
      Value *State = B.CreateLoad(B.getPtrTy(), Future, "state");
      Value *Virtual = B.CreateLoad(B.getPtrTy(), State, "virtual");
      Value *Complete = B.CreateLoad(
          B.getPtrTy(),
          B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Virtual, CompleteAt));
      B.CreateCall(FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false),
                   Complete, {State});
    }
  return New;
}

} // namespace retro
