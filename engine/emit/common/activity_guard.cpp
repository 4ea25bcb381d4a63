// Accesses whose activity is known when they run. Selects, not branches: the
// reverse pass keeps its blocks, and loops can still become vectors.
#include "emit/common/activity_guard.h"

#include "emit/common/unit_emitter.h"

using namespace llvm;

namespace retro {

ActivityGuard::ActivityGuard(UnitEmitter &E, IRBuilder<> &B, Value *Primal,
                             Value *Shadow)
    : E(E), B(B) {
  if (!Primal)
    return;
  if (Primal == Shadow)
    Inactive = B.getTrue();
  else if (Shadow->getType()->getPointerAddressSpace() == 0)
    Inactive = B.CreateICmpEQ(Primal, Shadow);
  // Else it is a GPU's variable, with a shadow of its own.
}

Value *ActivityGuard::place(Value *Shadow, Type *T, Align A,
                            Instruction *Entry) {
  if (!Inactive)
    return Shadow;
  IRBuilder<> EB(Entry);
  AllocaInst *Unused = EB.CreateAlloca(T, nullptr, "inactive");
  Unused->setAlignment(std::max(A, Unused->getAlign()));
  EB.CreateStore(Constant::getNullValue(T), Unused);
  if (Shadow->getType() != Unused->getType())
    return Unused;
  return E.noteShadow(B.CreateSelect(Inactive, Unused, Shadow));
}

Value *ActivityGuard::value(Value *V) {
  return Inactive
             ? B.CreateSelect(Inactive, Constant::getNullValue(V->getType()), V)
             : V;
}

} // namespace retro
