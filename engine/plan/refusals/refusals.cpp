// Input: the plan of a unit. Output: an error at each operation, copy, tape and
// result that a pass has work for and no rule says how. Emission relies on it
// that there is none left: it would find out when half of a derivative is
// there.
#include "plan/refusals/refusals.h"

#include "facts/activity/blas_calls.h"
#include "facts/activity/custom_calls.h"
#include "facts/activity/mpi_calls.h"
#include "facts/activity/transfer_layout.h"
#include "facts/parallel/atomic_choices.h"
#include "facts/parallel/forks.h"
#include "facts/parallel/synchronization.h"
#include "facts/reversal/sign_effects.h"
#include "front/registered/launches.h"
#include "front/requests/request.h"
#include "plan/planner.h"
#include "plan/refusals/refused_shadows.h"
#include "plan/refusals/refused_tapes.h"

#include "llvm/ADT/PostOrderIterator.h"

using namespace llvm;

namespace retro {
namespace {

/// Of one function.
class Refusals {
public:
  Refusals(const ActivityAnalysis &Act, const UnitPlan &Plan,
           const UnitFunction &UF, Reporter &R)
      : Act(Act), Plan(Plan), UF(UF), R(R) {}
  void run() const;

private:
  void firstPass(Instruction &I) const;
  void reversePass() const;
  void tangent(Instruction &I) const;
  void tangentOfCall(CallBase &C) const;
  void adjoint(Instruction &I) const;
  void adjointOfCall(CallBase &C) const;
  void moved(Instruction &I) const;
  void mask(Instruction &I) const;
  void tapedVariable(AllocaInst &A) const;
  void transfer(CallBase &C) const;
  bool isForward() const { return Act.unit().DerivMode == Mode::Forward; }
  void noDerivative(const CallBase &C, StringRef Name) const {
    R.error(Diag::NoDerivative, &C, {Name.str()});
  }

  const ActivityAnalysis &Act;
  const UnitPlan &Plan;
  const UnitFunction &UF;
  Reporter &R;
};

/// An operation that is neither a rule's nor moves numbers.
void refuse(const Instruction &I, Reporter &R) {
  if (isa<AtomicCmpXchgInst>(I))
    return R.error(Diag::Atomic, &I);
  R.error(I.getType()->isIntOrIntVectorTy() ? Diag::BitArithmetic
                                            : Diag::UnknownInstruction,
          &I, {I.getOpcodeName()});
}

/// Operations on the bits of numbers of which none changes more than signs.
void Refusals::mask(Instruction &I) const {
  for (unsigned N = 0; N < 2; ++N)
    if (Act.active(I.getOperand(N)) &&
        signEffect(I, N, Act.adjointType(&I)) == SignEffect::None)
      R.error(Diag::BitArithmetic, &I, {I.getOpcodeName()});
}

/// An operation without a rule: numbers go through it as they are.
void Refusals::moved(Instruction &I) const {
  if (isa<BitCastInst>(I)) {
    Type *From = Act.adjointType(I.getOperand(0)), *To = Act.adjointType(&I);
    if (!From || !To || From->getScalarType() != To->getScalarType())
      R.error(Diag::UnknownInstruction, &I, {"bitcast between float types"});
    return;
  }
  if (I.isBitwiseLogicOp())
    return mask(I);
  if (!isa<LoadInst, PHINode, FPExtInst, FPTruncInst, FreezeInst, SelectInst,
           ExtractElementInst, InsertElementInst, ShuffleVectorInst,
           ExtractValueInst, InsertValueInst>(I))
    refuse(I, R);
}

/// A variable of a called function that lies on the tape. That is not where a
/// device keeps local variables.
void Refusals::tapedVariable(AllocaInst &A) const {
  const FunctionPlan &P = Plan.of(UF);
  const bool IsTaped = !UF.Root && !P.Combined &&
                       (P.TapedAllocas.contains(&A) || Act.shadowed(&A));
  if (IsTaped && any_of(A.users(), [](const User *U) {
        auto *X = dyn_cast<AddrSpaceCastInst>(U);
        return X && X->getDestAddressSpace() != 0;
      }))
    R.error(Diag::UnsupportedMode, &A,
            {"a local variable whose private address is passed on and that the "
             "reverse pass of another function reads"});
}

/// A copy or fill, word by word, of memory of which nothing says what the words
/// are. Copies of active numbers are losses (facts/losses).
void Refusals::transfer(CallBase &C) const {
  const KnownCall K = knownCall(C);
  if (!K.isCopy() && K.Kind != KnownKind::Set)
    return;
  auto Operand = [&](int N) {
    return C.getArgOperand(static_cast<unsigned>(N));
  };
  const Value *To = Operand(K.Row->A);
  if (!Act.shadowed(To) || transferLayout(Act, C))
    return;
  bool Pointers = false, Numbers = false;
  for (const Cell *X :
       Act.shape().cellsIn(To, MemoryShape::constantSize(Operand(K.Row->C)))) {
    Pointers |= X->Kind == CellKind::Pointer;
    Numbers |= X->Kind == CellKind::Float;
  }
  const bool IsWordByWord =
      K.isCopy() ? isForward() && Numbers && Act.shadowed(Operand(K.Row->B)) &&
                       Act.comparesShadow(Operand(K.Row->B)) &&
                       (Pointers || transferIsActive(Act, C))
                 : !isForward() && Pointers && transferIsActive(Act, C) &&
                       Plan.of(UF).SeenByCaller.contains(&C);
  if (IsWordByWord)
    R.error(Diag::UnknownType, &C);
}

/// What the pass that runs the primal does for I in either mode.
void Refusals::firstPass(Instruction &I) const {
  auto *C = dyn_cast<CallBase>(&I);
  if (C && C->isInlineAsm() && !isForward() && any_of(C->args(), [&](Value *A) {
        return Act.active(A) || Act.shadowed(A);
      }))
    R.error(Diag::InlineAsm, C);
  if (auto *A = dyn_cast<AllocaInst>(&I); A && !isForward())
    tapedVariable(*A);
  refuseShadow(I, Act, R);
  if (C)
    transfer(*C);
}

void Refusals::tangentOfCall(CallBase &C) const {
  const KnownCall K = knownCall(C);
  if (Act.unit().callee(C) || mpiHasWork(C) || isCustom(C) ||
      K.Kind == KnownKind::Free || K.isCopy() || K.Kind == KnownKind::Sincos)
    return;
  if (K.Kind == KnownKind::Blas && blasHasWork(Act, C)) {
    if (!BlasCall(C))
      return noDerivative(C, C.getCalledOperand()->getName());
    if (Act.unit().Split)
      R.error(Diag::UnsupportedMode, &C,
              {"forward split mode for calls of BLAS and LAPACK"});
    return;
  }
  const bool IsGiven = any_of(C.args(), [&](Value *A) {
    return Act.active(A) ||
           (A->getType()->isPointerTy() && Act.shadowed(A) && !onlyInspects(C));
  });
  if (!Act.active(&C)) {
    if (K.Kind == KnownKind::None && !isa<IntrinsicInst>(C) && IsGiven)
      reportNoDerivative(C, R);
    return;
  }
  if (ruleOf(C) || K.Kind == KnownKind::Shuffle)
    return;
  if (K.Kind == KnownKind::Complex && !K.Canonical)
    return noDerivative(C, K.Row->Name);
  if (K.Kind != KnownKind::Complex &&
      !(K.Kind == KnownKind::Reduce && K.Row->Rule == rules::RuleId::Add))
    noDerivative(C, C.getCalledOperand()->getName());
}

void Refusals::tangent(Instruction &I) const {
  if (auto *C = dyn_cast<CallBase>(&I))
    return tangentOfCall(*C);
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (Act.touchesActive(*S) && !storedAdjointType(Act, *S))
      R.error(Diag::UnknownType, S);
    return;
  }
  if (auto *A = dyn_cast<AtomicRMWInst>(&I); A && Act.touchesActive(*A)) {
    if (!isCommutingChoice(*A) && !isCommutingSum(*A))
      R.error(Diag::Atomic, A);
    return;
  }
  // What rounds is active where errors are estimated.
  if (Act.active(&I) && !ruleOf(I) && !isa<SIToFPInst, UIToFPInst>(I))
    moved(I);
}

void Refusals::adjointOfCall(CallBase &C) const {
  if (Act.unit().callee(C) || syncOf(C) != Sync::None || ruleOf(C))
    return;
  const KnownCall K = knownCall(C);
  switch (K.Kind) {
  case KnownKind::Copy:
  case KnownKind::Move:
  case KnownKind::Set:
  case KnownKind::Custom:
  case KnownKind::Mpi:
  case KnownKind::Sincos:
    return;
  case KnownKind::Complex:
    if (!K.Canonical)
      noDerivative(C, K.Row->Name);
    return;
  case KnownKind::Blas:
    if (!BlasCall(C))
      noDerivative(C, C.getCalledOperand()->getName());
    return;
  case KnownKind::Reduce:
    if (K.Row->Rule != rules::RuleId::Add)
      noDerivative(C, K.Row->Name);
    return;
  case KnownKind::Shuffle:
    if (Type *T = Act.adjointType(&C); !T->isFloatTy() && !T->isDoubleTy())
      noDerivative(C, K.Row->Name);
    return;
  default:
    return reportNoDerivative(C, R);
  }
}

void Refusals::adjoint(Instruction &I) const {
  if (auto *C = dyn_cast<CallBase>(&I))
    return adjointOfCall(*C);
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (!storedAdjointType(Act, *S))
      R.error(Diag::UnknownType, S);
  } else if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
    if (!isCommutingChoice(*A) && !isCommutingSum(*A))
      R.error(Diag::Atomic, A);
  } else if (!ruleOf(I)) {
    moved(I);
  }
}

void Refusals::reversePass() const {
  refuseTapes(UF, Plan, R);
  for (auto &[Block, V] : Plan.of(UF).Blocks)
    for (Instruction &I : reverse(*UF.DT.getNode(Block)->getBlock()))
      if (!isa<PHINode>(I) && Plan.needs().hasWork(I))
        adjoint(I);
}

void Refusals::run() const {
  ReversePostOrderTraversal<Function *> RPO(UF.F);
  for (BasicBlock *B : RPO)
    for (Instruction &I : *B) {
      firstPass(I);
      if (isForward())
        tangent(I);
    }
  if (!isForward())
    reversePass();
}

/// The gradient is that of one number.
void refuseResult(const ActivityAnalysis &Act, Reporter &R) {
  const UnitFunction &Root = Act.unit().root();
  for (BasicBlock &B : *Root.F) {
    auto *Ret = dyn_cast<ReturnInst>(B.getTerminator());
    const Value *V = Ret ? Ret->getReturnValue() : nullptr;
    if (V && Act.active(V) && !Act.adjointType(V)->isFloatingPointTy())
      R.error(
          Diag::BadReturn, Ret,
          {Root.Source->getName().str(), "it returns more than one number"});
  }
}

} // namespace

void reportRefusals(const Request &Req, const ActivityAnalysis &Act,
                    const UnitPlan &Plan, Reporter &R) {
  for (auto &UF : Act.unit().Functions)
    if (!UF->Root && Plan.needsDerived(*UF))
      Refusals(Act, Plan, *UF, R).run();
  Unit &U = Act.unit();
  Refusals(Act, Plan, U.root(), R).run();
  if (U.DerivMode == Mode::Reverse && !U.Split)
    refuseResult(Act, R);
  refuseVariables(Act, Plan, R);
  refuseMemory(Req, Act, Plan, R);
}

} // namespace retro
