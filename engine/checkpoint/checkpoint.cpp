// Input: a request for a function with a marked loop. Output: a request for a
// copy of the function, in which a call stands for each marked loop. Without
// it, a loop of many steps would tape all of them.
#include "checkpoint/checkpoint.h"

#include "base/call_chain.h"

#include "checkpoint/outline_loop.h"
#include "front/requests/checkpoint_marks.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace retro {
namespace {

CallInst *firstMark(Function &F) {
  for (Instruction &I : instructions(F))
    if (isCheckpointMark(I))
      return cast<CallInst>(&I);
  return nullptr;
}

} // namespace

bool Checkpoints::isNested(Function &F) {
  return F.hasFnAttribute(StepAttribute) && firstMark(F);
}

Function *Checkpoints::copyOf(Function &F) {
  ValueToValueMapTy VM;
  Function *Copy = CloneFunction(&F, VM);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setComdat(nullptr);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  Copy->setName(F.getName() + StepsSuffix);
  return Copy;
}

void Checkpoints::add(OutlinedLoop Loop) {
  Requesters.push_back(Loop.Requester);
  Loops.push_back(Loop.Registered.Primal);
  Registered.add(std::move(Loop.Registered));
}

Function *Checkpoints::prepare(const Request &Req, Reporter &R) {
  Function *F = Req.Target;
  if (Req.mode() != Mode::Reverse || F->isDeclaration() || !firstMark(*F))
    return F;
  if (Req.Width != 1 || Req.isSplit()) {
    R.error(Diag::Checkpoint, firstMark(*F),
            {"the request is one in vector or split mode",
             "request the gradient in one piece"});
    return nullptr;
  }
  auto [It, New] = Copies.try_emplace({F, Req.activities()});
  if (!New)
    return It->second;
  Function *Copy = copyOf(*F);
  while (CallInst *Mark = firstMark(*Copy)) {
    auto Out = outlineLoop(*Copy, *Mark, Req.activities(), R);
    if (!Out)
      return nullptr;
    add(std::move(*Out));
  }
  return It->second = Copy;
}

Checkpoints::~Checkpoints() {
  for (auto &[K, F] : Copies)
    if (F && F->use_empty())
      F->eraseFromParent();
  for (Function *F : Loops) {
    Registered.remove(F);
    if (F->use_empty())
      F->eraseFromParent();
  }
}

bool dropCheckpointMarks(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isAnyCheckpointMark(I)) {
        I.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace retro
