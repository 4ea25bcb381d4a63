// Input: a word. Output: whether there is evidence that it is a number's bits.
// Integer operations on other words say nothing of numbers.
#include "prepare/words/numbers.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace retro {

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

bool isNumber(const Value *V) {
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *> Work{V};
  bool Any = false;
  while (!Work.empty()) {
    const Value *X = Work.pop_back_val();
    if (!Seen.insert(X).second || isa<Constant>(X))
      continue;
    auto *L = dyn_cast<LoadInst>(X);
    if (X->getType()->isFPOrFPVectorTy() || (L && accessesNumber(*L)))
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

} // namespace retro
