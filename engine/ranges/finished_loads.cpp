// Input: a plan that tapes a[i * n + k], which has got its last value: the
// columns of a factorization behind the one that is computed, say. Output:
// which arguments, here n, must be numbers within bounds for that to be known.
// The program is asked for them before the derivative that relies on it.
// Without this file a factorization would keep as many numbers as it
// multiplies.
#include "ranges/finished_loads.h"

#include "facts/writes/later_places.h"
#include "plan/planner.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace retro {

std::vector<unsigned> boundsOfFinished(const Unit &U, const UnitPlan &Plan) {
  Function &F = *U.Functions.front()->F;
  auto &LI = U.FAM.getResult<LoopAnalysis>(F);
  auto &DT = U.FAM.getResult<DominatorTreeAnalysis>(F);
  LaterPlaces Places(F, U.FAM, LaterPlaces::possiblyBounded(F));
  // Other arguments' memory is taken to be apart: that is asked as well.
  auto IsFinished = [&](Instruction &I) {
    auto *L = dyn_cast<LoadInst>(&I);
    if (!L || !LI.getLoopFor(L->getParent()) || Plan.isStable(*L))
      return false;
    const Value *Array = getUnderlyingObject(L->getPointerOperand());
    return isa<Argument>(Array) && all_of(instructions(F), [&](Instruction &J) {
             auto *S = dyn_cast<StoreInst>(&J);
             return !S ||
                    getUnderlyingObject(S->getPointerOperand()) != Array ||
                    !isPotentiallyReachable(L, S, nullptr, &DT, &LI) ||
                    Places.areApart(*L, *S);
           });
  };
  const auto Count = count_if(instructions(F), IsFinished);
  return Count ? Places.argumentsMet().vec() : std::vector<unsigned>();
}

} // namespace retro
