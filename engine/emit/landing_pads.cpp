// Exceptions in what is emitted: calls that may throw get the landing pads that
// preparation took away (prepare/exceptions/exceptions.h), and a derivative
// that an exception leaves releases its tape, which nobody else could. Without
// it a handler of the program would find no frame to return through. Members of
// UnitEmitter (emit/common/unit_emitter.h).
#include "emit/common/unit_emitter.h"
#include "front/names/foreign.h"
#include "front/names/runtime.h"

#include "front/known/exceptions.h"
#include "prepare/exceptions/exceptions.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// Of what is emitted, the functions that an exception may leave.
SmallPtrSet<const Function *, 8> UnitEmitter::findThrowing() const {
  SmallPtrSet<const Function *, 8> Throwing;
  const SmallPtrSet<const Function *, 8> New(NewFunctions.begin(),
                                             NewFunctions.end());
  auto Throws = [&](const Instruction &I) {
    auto *C = dyn_cast<CallInst>(&I);
    if (!C || (isExceptionMark(*C) && !isMark(*C, marks::Resume)))
      return false;
    const Function *G = C->getCalledFunction();
    return G && New.contains(G) ? Throwing.contains(G) : mayUnwind(*C);
  };
  for (bool Again = true; Again;) {
    Again = false;
    for (const Function *F : NewFunctions)
      if (!Throwing.contains(F) && any_of(instructions(*F), Throws))
        Again = Throwing.insert(F).second;
  }
  return Throwing;
}

/// Shadows of what was thrown end with the derivative T.
void UnitEmitter::forgetExceptions(Function &T) {
  const Function *New = M.getFunction(nameOf(Rt::exception_shadow));
  if (!New || none_of(New->users(), [&](const User *U) {
        return is_contained(NewFunctions, cast<Instruction>(U)->getFunction());
      }))
    return;
  IRBuilder<> B(&T.getEntryBlock(), T.getEntryBlock().getFirstInsertionPt());
  Value *First = callRuntime(B, Rt::exceptions, {});
  for (BasicBlock &Block : T)
    if (auto *Ret = dyn_cast<ReturnInst>(Block.getTerminator())) {
      B.SetInsertPoint(Ret);
      callRuntime(B, Rt::forget_exceptions, {First});
    }
}

/// What handles exceptions in this module; null where none does.
Constant *UnitEmitter::personality() const {
  for (const auto &UF : Act.unit().Functions)
    if (keepsHandlers(*UF->F))
      return UF->F->getPersonalityFn();
  for (const Function &F : M)
    if (keepsHandlers(F))
      return F.getPersonalityFn();
  if (none_of(M, [](const Function &F) {
        return isA(F.getName(), NameKind::Throws);
      }))
    return nullptr;
  return cast<Constant>(
      foreignCallee(M, Foreign::__gxx_personality_v0).getCallee());
}

/// Gives what is emitted its landing pads, and releases the tape where an
/// exception leaves all of it.
void UnitEmitter::raise() {
  auto Throwing = findThrowing();
  auto Leaves = [&](const CallBase &C) {
    const Function *G = C.getCalledFunction();
    return !G || !is_contained(NewFunctions, G) || Throwing.contains(G);
  };
  Constant *Handles = isGpu(M) ? nullptr : personality();
  RaiseWith With;
  for (Function *F : NewFunctions)
    if (any_of(instructions(*F),
               [](const Instruction &I) { return isMark(I, marks::Pass); }))
      With.Passing.insert(F);
  for (Function *F : NewFunctions) {
    auto Leave = WhenLeft.find(F);
    const bool Clean =
        Handles && Leave != WhenLeft.end() && Throwing.contains(F);
    if (Clean && !F->hasPersonalityFn())
      F->setPersonalityFn(Handles);
    With.Leave = nullptr;
    With.May = Leaves;
    if (Clean)
      With.Leave = Leave->second;
    if (!raiseExceptions(*F, With))
      R.error(Diag::Internal, nullptr,
              {F->getName().str(), "marks of exceptions that were moved"});
  }
}

} // namespace retro
