// What orders threads, and what threads add to one place, in each pass. The
// reverse pass runs barriers as they are and takes locks in the opposite order:
// without that one thread would read an adjoint that another has not yet added
// to. Members of ForwardSweep, ReverseSweep and TangentSweep (emit/common/).
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "emit/threads/choices.h"
#include "emit/threads/open_team.h"
#include "facts/parallel/atomic_choices.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "front/names/runtime.h"
#include "ir/device_code.h"

using namespace llvm;

namespace retro {

/// The ticket is taken by who holds the lock.
void ForwardSweep::synchronize(CallBase &C) {
  if (syncOf(C) != Sync::Release)
    return;
  IRBuilder<> B(cloned(C));
  store({Item::Tape, &C},
        callRuntime(B, Rt::omp_ticket, primal(syncOperand(C))), B);
}

/// The reverse pass takes locks where the primal gives them back.
void ReverseSweep::syncAdjoint(CallBase &C) {
  auto Call = [&](Rt F, ArrayRef<Value *> Args) { callRuntime(B, F, Args); };
  Value *Of = syncOperand(C);
  const bool Open = Act.unit().opensTeams();
  switch (syncOf(C)) {
  case Sync::Barrier:
    return Open ? emitOpenBarrier(B) : Call(Rt::omp_barrier, {});
  case Sync::BlockBarrier:
    return emitBlockBarrier(B, C);
  case Sync::Release:
    return Call(Rt::omp_await, {primal(Of), lookup({Item::Tape, &C})});
  case Sync::Acquire:
    return Call(Rt::omp_pass, {primal(Of)});
  case Sync::Sequential:
    return Open ? emitOpenSequential(B, primal(Of), true)
                : Call(Rt::omp_end_sequential, {primal(Of)});
  case Sync::EndSequential:
    return Open ? emitOpenSequential(B, primal(Of), false)
                : Call(Rt::omp_sequential, {primal(Of)});
  case Sync::Join:
    return Call(Rt::thread_restart, {primal(Of)});
  case Sync::None:
    return;
  }
}

/// The adjoint of the value that a maximum or minimum left in its place is the
/// thread's whose value it is; else nobody's here. What was there before has
/// none.
void ReverseSweep::visitAtomicRMWInst(AtomicRMWInst &I) {
  Value *Ptr = I.getPointerOperand(), *V = I.getValOperand();
  ActivityGuard Guard = guard(Ptr);
  if (isCommutingChoice(I)) {
    Type *Number = Act.adjointType(Act.active(V) ? V : &I);
    if (!isPlaceOfBlock(*Ptr))
      emitOneBlock(B);
    Value *New = primal(V);
    Value *Taken = B.CreateAnd(emitReplaced(B, I, primal(&I), New),
                               emitHolds(B, primal(Ptr), New, I.getAlign()));
    Value *At = Guard.place(shadow(Ptr), Number, I.getAlign(), EntryPoint);
    At = E.noteShadow(emitTakenPlace(B, Taken, At, Number, EntryPoint));
    // Atomic, so that LLVM reads the shadow in no thread that takes nothing.
    LoadInst *L = B.CreateAlignedLoad(Number, At, I.getAlign());
    L->setAtomic(AtomicOrdering::Monotonic);
    Value *G = Guard.value(L);
    B.CreateAlignedStore(Constant::getNullValue(Number), At, I.getAlign())
        ->setAtomic(AtomicOrdering::Monotonic);
    if (Act.active(V))
      addAdjoint(V, G);
    return;
  }
  if (!Act.active(V))
    return;
  // What is added has the sum's adjoint, which nobody changes meanwhile.
  Value *At = Guard.place(shadow(Ptr), I.getType(), I.getAlign(), EntryPoint);
  Value *G = Guard.value(B.CreateAlignedLoad(I.getType(), At, I.getAlign()));
  addAdjoint(V, I.getOperation() == AtomicRMWInst::FSub ? B.CreateFNeg(G) : G);
}

void TangentSweep::atomicTangent(AtomicRMWInst &I) {
  Value *Ptr = I.getPointerOperand(), *V = I.getValOperand();
  if (isCommutingChoice(I)) {
    IRBuilder<> B = after(I);
    Type *Number = Act.adjointType(Act.active(V) ? V : &I);
    Value *D = Act.active(V) ? tangent(V) : Constant::getNullValue(Number);
    Value *At =
        guard(B, Ptr).place(shadow(Ptr), Number, I.getAlign(), entryPoint());
    return emitTakeTangent(B, emitReplaced(B, I, primal(&I), primal(V)),
                           primal(Ptr), primal(V), At, D, I.getAlign());
  }
  const bool Rounds = Act.unit().Errors;
  if (!Act.active(V) && !Rounds)
    return;
  IRBuilder<> B = after(I);
  ActivityGuard Guard = guard(B, Ptr);
  Value *At = Guard.place(shadow(Ptr), I.getType(), I.getAlign(), entryPoint());
  B.CreateAtomicRMW(Rounds ? AtomicRMWInst::FAdd : I.getOperation(), At,
                    Rounds ? sumError(I, B) : tangent(V), I.getAlign(),
                    I.getOrdering(), I.getSyncScopeID());
}

} // namespace retro
