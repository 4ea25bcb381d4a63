// Marks atomic operations on numbers while it shows that they are: afterwards a
// number may be loaded as an integer. And it puts a barrier at the end of a
// kernel's gradient where one thread's adjoint depends on which thread gave the
// maximum.
#include "prepare/threads/number_marks.h"

#include "base/unit.h"
#include "facts/parallel/atomic_choices.h"
#include "ir/device_code.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {
namespace {

/// Does the front end say, by TBAA, that I accesses a number?
bool accessesNumber(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  auto *T = Tag && Tag->getNumOperands() > 1
                ? dyn_cast<MDNode>(Tag->getOperand(1))
                : nullptr;
  auto *Name =
      T && T->getNumOperands() ? dyn_cast<MDString>(T->getOperand(0)) : nullptr;
  return Name &&
         (Name->getString() == "float" || Name->getString() == "double");
}

/// Is V a number or the bits of one, whatever phis and selects choose?
bool isNumber(const Value *V) {
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *> Work{V};
  bool Any = false;
  while (!Work.empty()) {
    const Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second || isa<Constant>(X))
      continue;
    auto *L = dyn_cast<LoadInst>(X);
    if (X->getType()->isFloatingPointTy() || (L && accessesNumber(*L)))
      Any = true;
    else if (isa<BitCastInst, PHINode, FreezeInst>(X))
      append_range(Work, cast<Instruction>(X)->operands());
    else if (auto *S = dyn_cast<SelectInst>(X))
      Work.append({S->getTrueValue(), S->getFalseValue()});
    else
      return false;
  }
  return Any;
}

} // namespace

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
