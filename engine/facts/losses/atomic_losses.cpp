// Input: the atomic operations of a unit. Output: errors at those whose
// adjoint nobody can tell: neither sums nor choices. It would depend on the
// order in which the threads came.
#include "facts/losses/atomic_losses.h"

#include "facts/parallel/atomic_choices.h"
#include "facts/parallel/forks.h"
#include "facts/writes/overwrite.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {
namespace {

class AtomicCheck {
public:
  AtomicCheck(const ActivityAnalysis &Act, Reporter &R)
      : Act(Act), Shape(Act.shape()), R(R) {}

  void run() {
    for (auto &UF : Act.unit().Functions)
      for (Instruction &I : instructions(*UF->F))
        exchanged(I);
  }

private:
  void chosen(AtomicRMWInst &A);
  void exchanged(Instruction &I);

  const ActivityAnalysis &Act;
  const MemoryShape &Shape;
  Reporter &R;
  std::optional<WriteSummary> Writes; ///< made when it is first asked for
};

/// In the reverse pass the place tells whose value was the greatest.
void AtomicCheck::chosen(AtomicRMWInst &A) {
  Unit &U = Act.unit();
  UnitFunction *UF = U.find(A.getFunction());
  if (U.DerivMode != Mode::Reverse || !UF ||
      !Act.touchesActive(A.getPointerOperand(), A.getType()))
    return;
  if (!Writes)
    Writes.emplace(U, Act);
  if (!OverwriteAnalysis(*UF, Act, *Writes, U.FAM).isStable(A))
    R.error(Diag::Atomic, &A);
}

/// A number that is read and written at once, and whose value is used or
/// replaced: what it was depends on the other threads.
void AtomicCheck::exchanged(Instruction &I) {
  if (I.hasMetadata(ReferenceCount)) // an integer, whatever is beside it
    return;
  const Value *Ptr = nullptr;
  Type *T = nullptr;
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Ptr = X->getPointerOperand();
    T = X->getNewValOperand()->getType();
    if (isMarkedNumber(I) || Act.varied(X->getNewValOperand()))
      return R.error(Diag::Atomic, &I);
  } else if (auto *A = dyn_cast<AtomicRMWInst>(&I); A && !isCommutingSum(*A)) {
    if (isCommutingChoice(*A))
      return chosen(*A);
    if (A->getType()->isIntegerTy() &&
        (isMarkedNumber(I) || Act.varied(A->getValOperand())))
      return R.error(Diag::Atomic, &I);
    Ptr = A->getPointerOperand();
    T = A->getType();
  }
  const uint64_t Bytes =
      T ? Act.unit().M.getDataLayout().getTypeStoreSize(T).getFixedValue() : 0;
  if (Ptr && any_of(Shape.cellsOverlapping(Ptr, T), [&](const Cell *C) {
        return C->Kind == CellKind::Float && C->Size == Bytes &&
               (C->Varied || C->Useful);
      }))
    R.error(Diag::Atomic, &I);
}

} // namespace

void reportAtomicLosses(const ActivityAnalysis &Act, Reporter &R) {
  AtomicCheck(Act, R).run();
}

} // namespace retro
