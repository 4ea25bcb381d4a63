// Input: a call of BLAS or LAPACK. Output, by the routine's row: what it does
// to activity, and which arrays its adjoint reads. What is missing here would
// not be kept for the reverse pass.
#include "facts/activity/blas_calls.h"

using namespace llvm;

namespace retro {

bool blasActive(const ActivityAnalysis &Act, const BlasCall &C, BlasSlot S) {
  const Value *V = C.operand(S);
  if (!V || S == BlasSlot::Handle)
    return false;
  if (V->getType()->isPointerTy())
    return Act.shadowed(V) && Act.touchesActive(V, C.number());
  return Act.active(V);
}

bool blasHasWork(const ActivityAnalysis &Act, const CallBase &Call) {
  BlasCall C(Call);
  if (!C)
    return false;
  return Act.active(&Call) || any_of(C.routine().Arrays, [&](auto &A) {
           return A.writes() && blasActive(Act, C, A.Slot);
         });
}

BlasReads blasReads(const ActivityAnalysis &Act, const CallBase &Call) {
  BlasCall C(Call);
  unsigned Active = 0;
  for (unsigned S = 0; S < static_cast<unsigned>(BlasSlot::None); ++S)
    if (blasActive(Act, C, static_cast<BlasSlot>(S)))
      Active |= 1u << S;
  BlasReads R;
  for (unsigned I = 0; I < C.routine().Arrays.size(); ++I) {
    const BlasArray &A = C.routine().Arrays[I];
    R.Before |= (A.Before & Active ? 1u : 0u) << I;
    R.After |= (A.After & Active ? 1u : 0u) << I;
  }
  return R;
}

void blasNeeds(const ActivityAnalysis &Act, const CallBase &Call,
               function_ref<void(Item)> Need) {
  BlasCall C(Call);
  BlasReads R = blasReads(Act, Call);
  for (const Value *V : Call.args())
    if (!V->getType()->isPointerTy() || V == C.operand(BlasSlot::Handle))
      Need({Item::Primal, V});
  for (unsigned I = 0; I < C.routine().Arrays.size(); ++I) {
    const Value *V = C.operand(C.routine().Arrays[I].Slot);
    bool Active = blasActive(Act, C, C.routine().Arrays[I].Slot);
    if (((R.Before | R.After) >> I) & 1u || (Active && Act.comparesShadow(V)))
      Need({Item::Primal, V});
    if (Active)
      Need({Item::Shadow, V});
  }
  if (C.routine().Id == BlasId::Nrm2)
    Need({Item::Primal, &Call});
  Need({Item::Tape, &Call});
}

//===----------------------------------------------------------------------===//

bool ActivityAnalysis::variedBlas(CallBase &Call) {
  BlasCall C(Call);
  if (!C)
    return false;
  auto Varies = [&](BlasSlot S) {
    const Value *V = C.operand(S);
    if (!V->getType()->isPointerTy())
      return Varied.contains(V);
    return any_of(Shape.cellsOf(V, C.number()),
                  [](const Cell *X) { return X->FloatTy && X->Varied; });
  };
  bool Any = any_of(C.routine().Operands, Varies);
  if (!Any)
    return false;
  bool Changed = vary(&Call);
  for (const BlasArray &A : C.routine().Arrays) {
    // A call that swaps vectors makes each what the other was. So whatever goes
    // in anywhere is taken to come out everywhere.
    if (!A.writes() || A.Form == BlasArray::PivotVector)
      continue;
    for (Cell *X : Shape.cellsOf(C.operand(A.Slot), C.number()))
      if (X->Kind == CellKind::Float && !X->Varied)
        X->Varied = Changed = true;
  }
  return Changed;
}

bool ActivityAnalysis::usefulBlas(CallBase &Call) {
  BlasCall C(Call);
  if (!C)
    return false;
  bool Out = Useful.contains(&Call);
  for (const BlasArray &A : C.routine().Arrays)
    if (A.writes())
      for (const Cell *X : Shape.cellsOf(C.operand(A.Slot), C.number()))
        Out |= X->Kind == CellKind::Float && X->Useful;
  if (!Out)
    return false;
  bool Changed = false;
  for (BlasSlot S : C.routine().Operands) {
    const Value *V = C.operand(S);
    if (!V->getType()->isPointerTy()) {
      Changed |= use(V);
      continue;
    }
    for (Cell *X : Shape.cellsOf(V, C.number()))
      if (X->Kind == CellKind::Float && !X->Useful)
        X->Useful = Changed = true;
  }
  return Changed;
}

} // namespace retro
