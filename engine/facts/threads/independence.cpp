#include "facts/threads/independence.h"

#include "base/unit.h"
#include "facts/parallel/forks.h"
#include "front/known/known_functions.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace retro {

static bool isOfOneThread(const Instruction &I, const Unit &U) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->isSimple();
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple();
  if (auto *M = dyn_cast<MemIntrinsic>(&I))
    return !M->isVolatile();
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    return isCommutingSum(*A);
  auto *C = dyn_cast<CallBase>(&I);
  if (C && U.callee(*C))
    return false;
  if (C && (knownCall(*C).isPure() || knownCall(*C).isOfThread()))
    return true;
  return isAssumeLikeIntrinsic(&I) ||
         (!I.mayReadOrWriteMemory() && !I.mayHaveSideEffects());
}

bool threadsAreIndependent(const Function &Region, const Unit &U) {
  return all_of(instructions(Region),
                [&](const Instruction &I) { return isOfOneThread(I, U); });
}

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
