// Which functions of the unit have a derivative, and what it returns. Calls of
// all others enter the user's function: without the distinction every function
// that a program calls would be emitted again, and called with shadows that it
// never reads.
#include "emit/common/unit_emitter.h"

#include "base/toggles.h"
#include "facts/activity/mpi_calls.h"
#include "facts/parallel/synchronization.h"
#include "facts/types/declared_types.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

bool UnitEmitter::returnsActive(const UnitFunction &F) const {
  if (F.Seeded)
    if (ReturnInst *Ret = returnOf(*F.F);
        Ret && Ret->getReturnValue() && Act.active(Ret->getReturnValue()))
      return true;
  for (BasicBlock &B : *F.F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      if (Ret->getReturnValue())
        for (auto *U : F.F->users())
          if (auto *C = dyn_cast<CallBase>(U);
              C && Act.unit().callee(*C) == &F && Act.active(C))
            return true;
  return false;
}

bool UnitEmitter::returnsShadow(const UnitFunction &F) const {
  for (BasicBlock &B : *F.F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      return Ret->getReturnValue() && Act.shadowed(Ret->getReturnValue());
  return false;
}

void UnitEmitter::refuse(const Instruction &I) const {
  if (isa<AtomicCmpXchgInst>(I))
    return R.error(Diag::Atomic, &I);
  R.error(I.getType()->isIntOrIntVectorTy() ? Diag::BitArithmetic
                                            : Diag::UnknownInstruction,
          &I, {I.getOpcodeName()});
}

bool UnitEmitter::checksActivity() const {
  return checkPlanRequested() && !Act.unit().KeepAccumulations &&
         none_of(Act.unit().Functions,
                 [](const auto &F) { return F->Concurrent; });
}

/// Does I touch shadows or adjoints?
bool UnitEmitter::isDerived(const Instruction &I) const {
  bool Yes = Act.active(&I) || Act.shadowed(&I);
  if (auto *S = dyn_cast<StoreInst>(&I))
    Yes |= Act.shadowed(S->getPointerOperand());
  if (auto *C = dyn_cast<CallBase>(&I)) {
    Yes |= syncOf(*C) != Sync::None || mpiHasWork(*C);
    if (const UnitFunction *G = Act.unit().callee(*C))
      Yes |= Derived.contains(G);
    else
      for (const Value *A : C->args())
        Yes |= A->getType()->isPointerTy() && Act.shadowed(A);
  }
  return Yes;
}

/// Functions that touch shadows or adjoints, directly or in what they call.
void UnitEmitter::findDerived() {
  auto Touches = [&](const UnitFunction &UF) {
    // An instrumented pass is instrumented throughout.
    return (checksActivity() && !UF.F->isVarArg()) ||
           // What one of them takes from the heap another one gives back.
           UF.F->hasFnAttribute(OfResource) ||
           any_of(UF.F->args(),
                  [&](const Argument &A) {
                    return Act.active(&A) || Act.shadowed(&A);
                  }) ||
           any_of(instructions(UF.F),
                  [&](const Instruction &I) { return isDerived(I); });
  };
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : Act.unit().Functions)
      if (!Derived.contains(UF.get()) && Touches(*UF))
        Again |= Derived.insert(UF.get()).second;
  }
}

} // namespace retro
