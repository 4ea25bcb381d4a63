// Which pointers a parallel region is given that lead nowhere else: attributes
// of its parameters. Without them each access in a region may be of any memory,
// and its loops are not changed.
#include "prepare/threads/parameters.h"

#include "base/unit.h"
#include "facts/parallel/forks.h"
#include "facts/threads/independence.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// Does nothing but operand N of C get hold of what the argument points to?
static bool isOnlyGivenTo(const Argument &A, const CallBase &C, unsigned N) {
  SmallVector<const Value *> Work{&A};
  while (!Work.empty())
    for (const Use &X : Work.pop_back_val()->uses()) {
      auto *I = cast<Instruction>(X.getUser());
      if (isa<GetElementPtrInst>(I))
        Work.push_back(I);
      else if (!isa<LoadInst>(I) &&
               !(isa<StoreInst>(I) && X.getOperandNo() == 1) &&
               !(I == &C && X.getOperandNo() == N && X.get() == &A))
        return false;
    }
  return true;
}

void separateParameters(Unit &U) {
  for (auto &UF : U.Functions)
    for (Instruction &I : instructions(*UF->F)) {
      auto *C = dyn_cast<CallBase>(&I);
      UnitFunction *G = C && isFork(*C) ? U.callee(*C) : nullptr;
      if (!G || !G->F->hasOneUse() || !threadsAreIndependent(*G->F, U))
        continue;
      for (unsigned N = 0; N < C->arg_size(); ++N)
        if (auto *A = dyn_cast<Argument>(C->getArgOperand(N));
            A && A->hasNoAliasAttr() && isOnlyGivenTo(*A, *C, N))
          G->F->addParamAttr(N, Attribute::NoAlias);
    }
}

} // namespace retro
