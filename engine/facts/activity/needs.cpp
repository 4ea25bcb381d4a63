// Input: an instruction with something to do in the reverse pass. Output: the
// items that its adjoint reads. The plan keeps or computes again what is named
// here, and an emitter finds nothing else.
#include "facts/activity/needs.h"

#include "facts/activity/transfer_layout.h"

#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/parallel/atomic_choices.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "front/known/exceptions.h"
#include "rules/complex.h"
#include "rules/uses.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

using rules::RuleId;

std::optional<RuleId> ruleOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FNeg:
    return RuleId::Neg;
  case Instruction::FAdd:
    return RuleId::Add;
  case Instruction::FSub:
    return RuleId::Sub;
  case Instruction::FMul:
    return RuleId::Mul;
  case Instruction::FDiv:
    return RuleId::Div;
  case Instruction::FRem:
    return RuleId::Remainder;
  default:
    break;
  }
  if (auto *C = dyn_cast<CallBase>(&I)) {
    KnownCall K = knownCall(*C);
    if (K.isRule())
      return K.Row->Rule;
  }
  return std::nullopt;
}

bool transferIsActive(const ActivityAnalysis &Act, const CallBase &C) {
  KnownCall K = knownCall(C);
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  if (!Act.shadowed(Arg(K.Row->A)))
    return false;
  for (const Cell *X : Act.shape().cellsIn(
           Arg(K.Row->A), MemoryShape::constantSize(Arg(K.Row->C))))
    if (X->Kind == CellKind::Float && X->active())
      return true;
  return false;
}

bool Needs::hasWork(const Instruction &I) const {
  if (isa<DbgInfoIntrinsic>(I))
    return false;
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Act.touchesActive(*S);
  if (auto *C = dyn_cast<CallBase>(&I)) {
    if (UnitFunction *G = Act.unit().callee(*C))
      return functionHasWork(*G);
    KnownCall K = knownCall(*C);
    if (K.isCopy() || K.Kind == KnownKind::Set)
      return transferIsActive(Act, *C);
    if (K.Kind == KnownKind::Custom)
      return carriesDerivative(Act, *C);
    if (K.Kind == KnownKind::Blas)
      return blasHasWork(Act, *C);
    if (K.Kind == KnownKind::Synchronize)
      return true;
    if (K.Kind == KnownKind::Mpi)
      return mpiHasWork(*C);
    for (unsigned N = 0; N < C->arg_size(); ++N)
      if (Type *T = K.outputType(*C, N))
        if (Act.touchesActive(C->getArgOperand(N), T))
          return true;
    if (K.Kind == KnownKind::None &&
        !C->getCalledOperand()->getName().starts_with("llvm.")) {
      // No derivative of it is known: that is reported when the call is
      // emitted.
      for (Value *A : C->args())
        if (Act.active(A) || (Act.shadowed(A) && !onlyInspects(*C)))
          return true;
    }
  }
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    return Act.touchesActive(*A);
  return Act.active(&I);
}

void Needs::findWork() {
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &UF : Act.unit().Functions) {
      if (Working.contains(UF.get()))
        continue;
      bool Work =
          any_of(UF->F->args(), [&](Argument &A) { return Act.active(&A); });
      for (Instruction &I : instructions(*UF->F)) {
        if (Work)
          break;
        Work = hasWork(I);
      }
      if (Work)
        Again |= Working.insert(UF.get()).second;
    }
  }
}

/// The shadow of an accessed place, and what tells whether it is active.
void Needs::place(const Value *Ptr, function_ref<void(Item)> Need) const {
  Need({Item::Shadow, Ptr});
  if (Act.comparesShadow(Ptr))
    Need({Item::Primal, Ptr});
}

/// What the call of a function of the unit passes to its reverse pass.
void Needs::unitCall(const CallBase &C, const UnitFunction &G,
                     function_ref<void(Item)> Need) const {
  const FunctionPlan *P = Plans.lookup(&G);
  auto Reads = [&](BitVector FunctionPlan::*Set, unsigned N) {
    return !P || (N < (P->*Set).size() && (P->*Set)[N]);
  };
  // What a thread is given it keeps itself, so a spawn passes nothing on.
  for (unsigned N = 0; N < C.arg_size() && !isSpawn(C); ++N) {
    const Value *A = C.getArgOperand(N);
    if (Reads(&FunctionPlan::PrimalArgs, N))
      Need({Item::Primal, A});
    if (Act.shadowed(A) && Reads(&FunctionPlan::ShadowArgs, N))
      Need({Item::Shadow, A});
  }
  Need({Item::Tape, &C});
}

static void complexNeeds(const CallBase &C, const KnownCall &K,
                         function_ref<void(Item)> Need) {
  auto Uses = rules::complexUsesOf(K.Row->word<rules::ComplexOp>());
  for (Value *A : C.args())
    if (Uses.operand)
      Need({Item::Primal, A});
  if (Uses.result)
    Need({Item::Primal, &C});
}

static void reduceNeeds(const CallBase &C, const KnownCall &K,
                        function_ref<void(Item)> Need) {
  if (K.Row->Rule == RuleId::Add)
    return;
  for (Value *A : C.args())
    Need({Item::Primal, A});
  Need({Item::Primal, &C});
}

void Needs::sincos(const CallBase &C, const KnownCall &K,
                   function_ref<void(Item)> Need) const {
  if (Act.active(C.getArgOperand(0)))
    Need({Item::Primal, C.getArgOperand(0)});
  for (unsigned N = 0; N < C.arg_size(); ++N)
    if (K.outputType(C, N))
      place(C.getArgOperand(N), Need);
}

const CallBase *incompleteAt(const Unit &U, const CallBase &C) {
  UnitFunction *G = U.callee(C);
  return G && G->ReturnsExceptions ? nullptr : threwMark(C);
}

void Needs::call(const CallBase &C, function_ref<void(Item)> Need) const {
  auto Arg = [&](int N) { return C.getArgOperand(static_cast<unsigned>(N)); };
  auto Threw = [&] {
    if (const CallBase *Mark = incompleteAt(Act.unit(), C))
      Need({Item::Primal, Mark});
  };
  if (UnitFunction *G = Act.unit().callee(C)) {
    unitCall(C, *G, Need);
    return Threw();
  }
  KnownCall K = knownCall(C);
  switch (K.Kind) {
  case KnownKind::Copy:
  case KnownKind::Move:
    place(Arg(K.Row->A), Need);
    if (Act.shadowed(Arg(K.Row->B)))
      place(Arg(K.Row->B), Need);
    if (movesEither(Act, C))
      Need({Item::Tape, &C});
    return Need({Item::Primal, Arg(K.Row->C)});
  case KnownKind::Custom:
    Threw();
    return customNeeds(Act, C, Need);
  case KnownKind::Blas:
    return blasNeeds(Act, C, Need);
  case KnownKind::Mpi:
    return mpiNeeds(C, Need);
  case KnownKind::Set:
    place(Arg(K.Row->A), Need);
    return Need({Item::Primal, Arg(K.Row->C)});
  case KnownKind::Synchronize:
    if (Value *Of = syncOperand(C))
      Need({Item::Primal, Of});
    if (syncOf(C) == Sync::Release)
      Need({Item::Tape, &C});
    return;
  case KnownKind::Sincos:
  case KnownKind::Sincospi:
    return sincos(C, K, Need);
  case KnownKind::Complex:
    return complexNeeds(C, K, Need);
  case KnownKind::Shuffle:
    for (unsigned N = 0; N < C.arg_size(); ++N)
      if (static_cast<int>(N) != K.Row->A)
        Need({Item::Primal, C.getArgOperand(N)});
    return;
  case KnownKind::Reduce:
    return reduceNeeds(C, K, Need);
  default:
    return;
  }
}

void Needs::forEach(const Instruction &I, function_ref<void(Item)> Need) const {
  if (auto Use = ruleOf(I)) {
    for (int N = 0; N < rules::arityOf(*Use); ++N) {
      if (!Act.active(I.getOperand(static_cast<unsigned>(N))))
        continue;
      rules::UseSet S = rules::usesOf(*Use, N);
      for (int J = 0; J < rules::arityOf(*Use); ++J)
        if (S.readsOperand(J))
          Need({Item::Primal, I.getOperand(static_cast<unsigned>(J))});
      if (S.result)
        Need({Item::Primal, &I});
    }
    return;
  }
  if (auto *C = dyn_cast<CallBase>(&I))
    return call(*C, Need);
  switch (I.getOpcode()) {
  case Instruction::Load:
    place(I.getOperand(0), Need);
    break;
  case Instruction::Store:
    place(I.getOperand(1), Need);
    break;
  case Instruction::AtomicRMW:
    place(I.getOperand(0), Need);
    if (isCommutingChoice(cast<AtomicRMWInst>(I)))
      for (const Value *V : {static_cast<const Value *>(&I),
                             static_cast<const Value *>(I.getOperand(0)),
                             static_cast<const Value *>(I.getOperand(1))})
        Need({Item::Primal, V});
    break;
  case Instruction::Select:
    Need({Item::Primal, I.getOperand(0)});
    break;
  case Instruction::ExtractElement:
    Need({Item::Primal, I.getOperand(1)});
    break;
  case Instruction::InsertElement:
    Need({Item::Primal, I.getOperand(2)});
    break;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    // Of an operand that is combined with a mask of sign bits, the sign decides
    // the factor.
    Need({Item::Primal, I.getOperand(0)});
    Need({Item::Primal, I.getOperand(1)});
    break;
  default:
    break;
  }
}

Type *storedAdjointType(const ActivityAnalysis &Act, const StoreInst &S) {
  const Value *V = S.getValueOperand();
  if (Type *T = Act.adjointType(V))
    return T;
  // An integer constant written over floats.
  uint64_t Bits = V->getType()->getPrimitiveSizeInBits().getFixedValue();
  for (const Cell *C : Act.shape().cellsOf(S.getPointerOperand(), V->getType()))
    if (C->Kind == CellKind::Float && C->active()) {
      uint64_t F = C->FloatTy->getPrimitiveSizeInBits().getFixedValue();
      if (Bits && Bits % F == 0)
        return Bits == F ? C->FloatTy
                         : FixedVectorType::get(
                               C->FloatTy, static_cast<unsigned>(Bits / F));
    }
  return nullptr;
}

} // namespace retro
