// Input: the body of a parallel region. Output: whether nothing in it orders
// threads. Only then can each thread run forward and backward by itself.
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

} // namespace retro
