// Recognizes requests by the names of what they call, and finds the function
// that a request names. A call that is not recognized here stays in the
// program, which then does not link.
#include "front/known/entry_points.h"

#include "front/known/operands.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace retro {
namespace {

struct EntryName {
  const char *Text;
  Entry Kind;
};
// The first of these texts that a function's name contains decides.
const EntryName EntryNames[] = {
    {"__enzyme_autodiff", Entry::Autodiff},
    {"__enzyme_fwddiff", Entry::Fwddiff},
    {"__enzyme_fwdsplit", Entry::FwdSplit},
    {"__enzyme_augmentfwd", Entry::AugmentFwd},
    {"__enzyme_augmentsize", Entry::AugmentSize},
    {"__enzyme_poolsize", Entry::PoolSize},
    {"__enzyme_reverse", Entry::Reverse},
    {"__enzyme_batch", Entry::Batch},
    {"__enzyme_virtualreverse", Entry::VirtualReverse},
};

} // namespace

Entry entryOf(const CallBase &Call) {
  const auto *F =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || !F->isDeclaration())
    return Entry::None;
  for (const EntryName &E : EntryNames)
    if (F->getName().contains(E.Text))
      return E.Kind;
  return Entry::None;
}

Function *functionBehind(Value *V) { return dyn_cast<Function>(originOf(V)); }

Argument *argumentBehind(Value *V) { return dyn_cast<Argument>(originOf(V)); }

bool isSparseShadow(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return F && F->isDeclaration() && F->getName().contains("__enzyme_todense");
}

bool isRequest(const CallBase &Call) { return entryOf(Call) != Entry::None; }

std::vector<CallBase *> requestsIn(Function &F) {
  std::vector<CallBase *> Out;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<CallBase>(&I))
      if (isRequest(*C))
        Out.push_back(C);
  return Out;
}

Value *targetOperand(const CallBase &Call) {
  unsigned I = Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet);
  return I < Call.arg_size() ? Call.getArgOperand(I) : nullptr;
}

Function *targetOf(const CallBase &Call) {
  Value *V = targetOperand(Call);
  return V ? functionBehind(V) : nullptr;
}

} // namespace retro
