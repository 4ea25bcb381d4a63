// Calls of BLAS and LAPACK in the sweeps: where their derivatives find what
// they read, and the copies that the plan keeps for them. A derivative that
// read the user's array instead would see what the program has written there
// since. Members of ForwardSweep, ReverseSweep and TangentSweep (emit/common/).
#include "emit/calls/blas_derivative.h"
#include "emit/common/forward_sweep.h"
#include "emit/common/reverse_sweep.h"
#include "emit/common/tangent_sweep.h"
#include "facts/activity/blas_calls.h"

using namespace llvm;

namespace retro {
namespace {

/// The shadows of a call's active arrays; memory of no consequence where an
/// array is found to be constant when the program runs.
class ShadowArrays {
public:
  /// Find: is the array at the address inactive (null: it is not), and where is
  /// its shadow?
  ShadowArrays(const ActivityAnalysis &Act, BlasOps &Ops, const BlasCall &Call,
               function_ref<std::pair<Value *, Value *>(Value *)> Find) {
    for (const BlasArray &A : Call.routine().Arrays) {
      if (!blasActive(Act, Call, A.Slot))
        continue;
      auto [Inactive, Shadow] = Find(Call.operand(A.Slot));
      if (Inactive)
        Shadow = Ops.choose(Inactive, Ops.newShadow(A, Inactive).P, Shadow);
      Found[static_cast<unsigned>(A.Slot)] = {Shadow, Ops.array(A.Slot).Step};
    }
  }
  BlasView operator()(BlasSlot S) const {
    return Found.lookup(static_cast<unsigned>(S));
  }

private:
  DenseMap<unsigned, BlasView> Found;
};

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
  const BlasRoutine &R = Call.routine();
  BlasOps Ops(B, C, [&](const Value *V) -> Value * {
    return V->getType()->isPointerTy() && V != Call.operand(BlasSlot::Handle)
               ? PoisonValue::get(V->getType())
               : primal(V);
  });
  FunctionPlan::KeptArrays Kept = P.Kept.lookup(&C);
  BlasReads Reads = blasReads(Act, C);
  Value *Buffer = Kept.Before | Kept.After ? lookup({Item::Tape, &C}) : nullptr;
  ShadowArrays Shadow(Act, Ops, Call, [&](Value *V) {
    return std::pair<Value *, Value *>{guard(V).inactive(), shadow(V)};
  });
  auto Primal = [&](BlasSlot S, bool After) -> BlasView {
    unsigned N = numberOf(R, S);
    retroAssert(((After ? Reads.After : Reads.Before) >> N) & 1, "emit", UF.F,
                "an array that an adjoint reads is one that it needs");
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
  auto Emit = [&](IRBuilder<> B, bool After) -> Value * {
    BlasOps Ops(B, C, [&](const Value *V) { return primal(V); });
    ShadowArrays Shadow(Act, Ops, Call, [&](Value *V) {
      return std::pair<Value *, Value *>{guard(B, V).inactive(), shadow(V)};
    });
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
