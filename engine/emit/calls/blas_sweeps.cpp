// Calls of BLAS and LAPACK in the sweeps: where their derivatives find what
// they read, and the copies that the plan keeps for them.
#include "emit/calls/blas_derivative.h"
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "facts/activity/blas_calls.h"

using namespace llvm;

namespace retro {
namespace {

/// The shadow of an array, or memory of no consequence where it is found to be
/// constant when the program runs.
BlasView shadowOf(BlasOps &Ops, const BlasRoutine &R, BlasSlot S,
                  Value *Inactive, Value *Shadow) {
  if (!Inactive)
    return {Shadow, Ops.array(S).Step};
  for (const BlasArray &A : R.Arrays)
    if (A.Slot == S)
      return {Ops.choose(Inactive, Ops.newShadow(A, Inactive).P, Shadow),
              Ops.array(S).Step};
  return {};
}

unsigned numberOf(const BlasRoutine &R, BlasSlot S) {
  return static_cast<unsigned>(
      find_if(R.Arrays, [&](const BlasArray &A) { return A.Slot == S; }) -
      R.Arrays.begin());
}

} // namespace

/// Copies what the reverse pass will read and would no longer find.
void ForwardSweep::keepArrays(CallBase &C) {
  auto It = P.Kept.find(&C);
  if (It == P.Kept.end())
    return;
  E.useArena();
  IRBuilder<> B(cloned(C));
  auto Values = [&](const Value *V) { return primal(V); };
  BlasOps Before(B, C, Values);
  Value *Buffer =
      E.RT.allocate(B, Arena, Before.keptBytes(It->second), E.R.ownerText(C));
  Before.keep(It->second, false, Buffer);
  store({Item::Tape, &C}, Buffer, B);
  if (!It->second.After)
    return;
  IRBuilder<> AB = after(C);
  BlasOps After(AB, C, Values);
  After.keep(It->second, true, Buffer);
}

void ReverseSweep::blasAdjoint(CallBase &C) {
  BlasCall Call(C);
  if (!Call)
    return E.R.error(Diag::NoDerivative, &C,
                     {C.getCalledOperand()->getName().str()});
  const BlasRoutine &R = Call.routine();
  BlasOps Ops(B, C, [&](const Value *V) -> Value * {
    return V->getType()->isPointerTy() ? PoisonValue::get(V->getType())
                                       : primal(V);
  });
  FunctionPlan::KeptArrays Kept = P.Kept.lookup(&C);
  BlasReads Reads = blasReads(Act, C);
  Value *Buffer = Kept.Before | Kept.After ? lookup({Item::Tape, &C}) : nullptr;
  DenseMap<unsigned, BlasView> Shadows;
  auto Shadow = [&](BlasSlot S) -> BlasView {
    if (!blasActive(Act, Call, S))
      return {};
    auto [It, New] = Shadows.try_emplace(static_cast<unsigned>(S));
    Value *V = Call.operand(S);
    if (New)
      It->second = shadowOf(Ops, R, S, guard(V).inactive(), shadow(V));
    return It->second;
  };
  for (const BlasArray &A : R.Arrays)
    Shadow(A.Slot);
  auto Primal = [&](BlasSlot S, bool After) -> BlasView {
    unsigned N = numberOf(R, S);
    if (!(((After ? Reads.After : Reads.Before) >> N) & 1)) {
      E.R.error(Diag::Internal, &C,
                {UF.Source->getName().str(), "an array is not planned"});
      return {PoisonValue::get(B.getPtrTy()), Ops.array(S).Step};
    }
    if (((After ? Kept.After : Kept.Before) >> N) & 1)
      return Ops.kept(Kept, N, After, Buffer);
    return {primal(Call.operand(S)), Ops.array(S).Step};
  };
  auto Active = [&](BlasSlot S) { return blasActive(Act, Call, S); };
  auto Result = [&] { return primal(&C); };
  auto Add = [&](BlasSlot S, Value *G) { addAdjoint(Call.operand(S), G); };
  BlasDerivative::Access From{Shadow, Primal, Active, Result};
  bool Number = R.Result == BlasRoutine::Number;
  BlasAdjoint(Ops, From, Add).emit(Number ? takeAdjoint(&C) : nullptr);
}

void TangentSweep::blasTangent(CallBase &C) {
  BlasCall Call(C);
  if (!Call)
    return E.R.error(Diag::NoDerivative, &C,
                     {C.getCalledOperand()->getName().str()});
  if (Tape)
    return E.R.error(Diag::UnsupportedMode, &C,
                     {"forward split mode for calls of BLAS and LAPACK"});
  const BlasRoutine &R = Call.routine();
  auto Emit = [&](IRBuilder<> B, bool After) -> Value * {
    BlasOps Ops(B, C, [&](const Value *V) { return primal(V); });
    DenseMap<unsigned, BlasView> Found;
    auto Shadow = [&](BlasSlot S) -> BlasView {
      if (!blasActive(Act, Call, S))
        return {};
      auto [It, New] = Found.try_emplace(static_cast<unsigned>(S));
      Value *V = Call.operand(S);
      if (New)
        It->second = shadowOf(Ops, R, S, guard(B, V).inactive(), shadow(V));
      return It->second;
    };
    for (const BlasArray &A : R.Arrays)
      Shadow(A.Slot);
    auto Primal = [&](BlasSlot S, bool) { return Ops.array(S); };
    auto Active = [&](BlasSlot S) { return blasActive(Act, Call, S); };
    auto Result = [&] { return primal(&C); };
    auto Scalar = [&](BlasSlot S) { return tangent(Call.operand(S)); };
    BlasDerivative::Access From{Shadow, Primal, Active, Result};
    BlasTangent D(Ops, From, Scalar);
    if (After)
      return D.emitAfter();
    D.emitBefore();
    return nullptr;
  };
  Emit(IRBuilder<>(cloned(C)), false);
  Value *D = Emit(after(C), true);
  if (D && Act.active(&C))
    Tangents[&C] = D;
}

} // namespace retro
