// Calls of message passing: each is a call of the runtime's function that does
// the same, is given the shadows of the buffers, and leaves what the reverse
// pass takes up. Messages of adjoints go the other way, so that without it each
// rank would wait for another one, or add to its own numbers alone. Members of
// ForwardSweep, ReverseSweep and TangentSweep (emit/common/).
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "facts/activity/mpi_calls.h"

using namespace llvm;

namespace retro {
namespace {

/// Puts the runtime's call in the place of Old, which is the call X in the
/// function that is emitted. Tape: where to leave it; null in forward mode.
CallInst *replaceCall(const MpiCall &X, CallBase &Old,
                      function_ref<Value *(const MpiBuffer &)> Shadow,
                      Value *Tape) {
  IRBuilder<> B(&Old);
  SmallVector<Value *> Args(Old.args());
  for (const MpiBuffer &Buffer : X.Buffers)
    Args.push_back(Shadow(Buffer));
  Args.push_back(Tape ? Tape : ConstantPointerNull::get(B.getPtrTy()));
  SmallVector<Type *> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  FunctionCallee F = Old.getModule()->getOrInsertFunction(
      X.runtime(X.Body), FunctionType::get(Old.getType(), Types, false));
  CallInst *New = B.CreateCall(F, Args);
  New->setDebugLoc(Old.getDebugLoc());
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
  return New;
}

} // namespace

void ForwardSweep::mpiCall(CallBase &C) {
  MpiCall X(C);
  IRBuilder<> EB(entryPoint());
  AllocaInst *Tape = EB.CreateAlloca(EB.getPtrTy());
  CallInst *New = replaceCall(
      X, *cast<CallBase>(cloned(C)),
      [&](const MpiBuffer &B) -> Value * {
        if (mpiTakesShadow(Act, X, B))
          return shadow(X.pointer(B));
        return ConstantPointerNull::get(EB.getPtrTy());
      },
      Tape);
  VM[&C] = New;
  IRBuilder<> B(New->getNextNode());
  if (P.Cached.count(Item{Item::Tape, &C}))
    store({Item::Tape, &C}, B.CreateLoad(B.getPtrTy(), Tape), B);
}

void ReverseSweep::mpiAdjoint(CallBase &C) {
  FunctionCallee F = C.getModule()->getOrInsertFunction(
      MpiCall(C).runtime("reverse"), B.getVoidTy(), B.getPtrTy());
  B.CreateCall(F, lookup({Item::Tape, &C}))->setDebugLoc(C.getDebugLoc());
}

void TangentSweep::mpiCall(CallBase &C) {
  MpiCall X(C);
  VM[&C] = replaceCall(
      X, *cast<CallBase>(cloned(C)),
      [&](const MpiBuffer &B) -> Value * {
        if (mpiTakesShadow(Act, X, B))
          return shadow(X.pointer(B));
        return ConstantPointerNull::get(PointerType::getUnqual(C.getContext()));
      },
      nullptr);
}

} // namespace retro
