// Marks atomic operations on numbers while it shows that they are: afterwards a
// number may be loaded as an integer. And it puts a barrier at the end of a
// kernel's gradient where one thread's adjoint depends on which thread gave the
// maximum. Without the marks such an operation would be one on integers, which
// has no derivative.
#include "prepare/threads/number_marks.h"

#include "base/unit.h"
#include "facts/parallel/atomic_choices.h"
#include "ir/device_code.h"
#include "prepare/words/numbers.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

void markNumbers(Function &F) {
  MDNode *Mark = MDNode::get(F.getContext(), {});
  for (Instruction &I : instructions(F)) {
    auto *A = dyn_cast<AtomicRMWInst>(&I);
    auto *X = dyn_cast<AtomicCmpXchgInst>(&I);
    if ((A && isNumber(A->getValOperand())) ||
        (X &&
         (isNumber(X->getNewValOperand()) || isNumber(X->getCompareOperand()))))
      I.setMetadata(NumberMark, Mark);
  }
}

void awaitChoices(Unit &U) {
  bool Any = any_of(U.Functions, [](const auto &UF) {
    return any_of(instructions(*UF->F), [](const Instruction &I) {
      auto *A = dyn_cast<AtomicRMWInst>(&I);
      return A && isCommutingChoice(*A) &&
             !isPlaceOfBlock(*A->getPointerOperand());
    });
  });
  if (!Any || U.DerivMode != Mode::Reverse || U.Split)
    return;
  for (BasicBlock &B : *U.root().F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator())) {
      IRBuilder<> At(Ret);
      emitBlockBarrier(At, U.M);
    }
}

} // namespace retro
