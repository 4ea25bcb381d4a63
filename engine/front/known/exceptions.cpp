// Reads the marks by which calls that may throw stand in a unit, and decides
// which calls may. A call that is taken not to throw would lead past its
// handler in the derivative.
#include "front/known/exceptions.h"

#include "base/scalars.h"
#include "front/known/known_functions.h"
#include "front/names/foreign.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

bool isMark(const Value &I, StringRef Name) {
  auto *C = dyn_cast<CallInst>(&I);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  return F && F->isDeclaration() && F->getName() == Name;
}

bool isExceptionMark(StringRef Name) {
  using namespace marks;
  return is_contained(
      {Try, Threw, Throws, Exception, Selector, TypeId, Resume, Pass}, Name);
}

bool isExceptionMark(const Value &I) {
  auto *C = dyn_cast<CallInst>(&I);
  const Function *F = C ? C->getCalledFunction() : nullptr;
  return F && F->isDeclaration() && isExceptionMark(F->getName());
}

bool keepsHandlers(const Function &F) {
  return F.hasPersonalityFn() &&
         !F.getPersonalityFn()->getName().contains("rust_eh_personality");
}

bool mayUnwind(const CallBase &C) {
  if (C.doesNotThrow() || C.isInlineAsm() || isa<IntrinsicInst>(C))
    return false;
  if (const Function *F = C.getCalledFunction(); F && isRuntime(*F))
    return false;
  KnownCall K = knownCall(C);
  if (!K.Row || K.Kind == KnownKind::Custom)
    return true;
  // Of the allocators, C++'s operators throw, unless they are declared not to.
  if (K.isAllocation())
    return K.Row->Name.starts_with("_Zn");
  return K.Kind == KnownKind::Inactive &&
         (K.Row->Effects & (MayThrow | CallsBack));
}

bool asksException(const CallBase &Call) {
  if (Call.arg_empty() || containsFloat(Call.getType()) ||
      any_of(drop_begin(Call.args()), [](const Use &A) {
        return A->getType()->isPointerTy() || containsFloat(A->getType());
      }))
    return false;
  auto *Of = dyn_cast<CallBase>(getUnderlyingObject(Call.getArgOperand(0)));
  return Of && isA(Of->getCalledOperand()->getName(), NameKind::BeginsCatch);
}

/// The mark of this name behind I, if one way leads there and no other call
/// with a handler begins before it; or null.
static const CallBase *nextMark(const Instruction *I, StringRef Name) {
  const BasicBlock *In = I->getParent();
  for (unsigned Blocks = 0; In && Blocks < 64; ++Blocks) {
    for (; I; I = I->getNextNode()) {
      if (isMark(*I, Name))
        return cast<CallBase>(I);
      if (isMark(*I, marks::Try) || isMark(*I, marks::Throws))
        return nullptr;
    }
    In = In->getSingleSuccessor();
    I = In ? &In->front() : nullptr;
  }
  return nullptr;
}

const CallBase *threwMark(const CallBase &C) {
  const Function *F = C.getCalledFunction();
  if ((F && F->getName().starts_with("retro.")) || !mayUnwind(C))
    return nullptr;
  return nextMark(C.getNextNode(), marks::Threw);
}

BasicBlock *handlerOf(const CallBase &Mark) {
  for (const User *U : Mark.users())
    if (auto *Br = dyn_cast<BranchInst>(U); Br && Br->isConditional())
      return Br->getSuccessor(0);
  return nullptr;
}

} // namespace retro
