// Input: a reduction clause, as clang compiles it: the runtime is asked whether
// threads combine their parts under a lock or by atomic operations. Output:
// always the latter, where they are sums alone. Under a lock, the reverse pass
// would have to repeat the order in which the threads came.
#include "prepare/threads/reductions.h"

#include "facts/parallel/forks.h"
#include "front/names/foreign.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

/// What __kmpc_reduce returns where each variable is combined by an atomic
/// operation (an interface of LLVM's OpenMP runtime).
static constexpr unsigned Atomically = 2;

/// Is I a call of the runtime's that does this?
static bool calls(const Instruction &I, NameKind What) {
  auto *C = dyn_cast<CallBase>(&I);
  return C && callsA(*C, What) && C->getCalledFunction()->isDeclaration();
}

/// Does the block combine by sums alone? A front end that never asks for atomic
/// combination has an unreachable block here, or the block behind the
/// combination.
static bool onlySums(const BasicBlock &B) {
  bool Sums = false;
  return all_of(B,
                [&](const Instruction &I) {
                  if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
                    Sums = true;
                    return A->use_empty() &&
                           (A->getType()->isIntegerTy() || isCommutingSum(*A));
                  }
                  return calls(I, NameKind::EndsCombining) ||
                         isa<BranchInst>(I) ||
                         (!I.isTerminator() && !I.mayHaveSideEffects());
                }) &&
         Sums;
}

void sumAtomically(Function &F) {
  SmallVector<SwitchInst *> Ways;
  for (Instruction &I : instructions(F))
    if (calls(I, NameKind::AsksHowToCombine) && I.hasOneUse())
      if (auto *Way = dyn_cast<SwitchInst>(*I.user_begin()))
        Ways.push_back(Way);
  for (SwitchInst *Way : Ways) {
    auto *Call = cast<CallBase>(Way->getCondition());
    auto *Answer =
        ConstantInt::get(cast<IntegerType>(Call->getType()), Atomically);
    auto Case = Way->findCaseValue(Answer);
    if (Case == Way->case_default() || !onlySums(*Case->getCaseSuccessor()))
      continue;
    // Nobody holds the lock now. Threads that wait here for the others still
    // do.
    for (Instruction &I : make_early_inc_range(*Case->getCaseSuccessor()))
      if (calls(I, NameKind::EndsCombining)) {
        IRBuilder<> B(&I);
        Value *Who[] = {I.getOperand(0), I.getOperand(1)};
        if (calls(I, NameKind::EndsWithBarrier))
          callForeign(B, Foreign::__kmpc_barrier, Who);
        I.eraseFromParent();
      }
    Call->replaceAllUsesWith(Answer);
    Call->eraseFromParent();
  }
}

} // namespace retro
