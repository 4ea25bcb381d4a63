// Input: a plan that tapes a[i * n + k], which has got its last value, or which
// an inner loop does not change: the columns of a factorization behind the one
// that is computed, say, or, where later rows are exchanged, its pivot's row.
// Output: which arguments, here n, must be numbers within bounds for that to be
// known. The program is asked for them before the derivative that relies on it.
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
namespace {

/// The stores to one array of a function.
class ArrayStores {
public:
  ArrayStores(Function &F, const Value *Array) {
    for (Instruction &I : instructions(F))
      if (auto *S = dyn_cast<StoreInst>(&I);
          S && getUnderlyingObject(S->getPointerOperand()) == Array)
        All.push_back(S);
  }
  bool all(function_ref<bool(StoreInst &)> Holds) const {
    return all_of(All, [&](StoreInst *S) { return Holds(*S); });
  }
  bool anyIn(const Loop &In) const {
    return any_of(All, [&](StoreInst *S) { return In.contains(S); });
  }

private:
  SmallVector<StoreInst *> All;
};

} // namespace

std::vector<unsigned> boundsOfFinished(const Unit &U, const UnitPlan &Plan) {
  Function &F = *U.Functions.front()->F;
  auto &LI = U.FAM.getResult<LoopAnalysis>(F);
  auto &DT = U.FAM.getResult<DominatorTreeAnalysis>(F);
  LaterPlaces Places(F, U.FAM, LaterPlaces::possiblyBounded(F));
  bool Any = false;
  for (Instruction &I : instructions(F)) {
    auto *L = dyn_cast<LoadInst>(&I);
    const Loop *Around = L ? LI.getLoopFor(L->getParent()) : nullptr;
    if (!Around || Plan.isStable(*L))
      continue;
    // Other arguments' memory is taken to be apart: that is asked as well.
    const Value *Array = getUnderlyingObject(L->getPointerOperand());
    if (!isa<Argument>(Array))
      continue;
    const ArrayStores Stores(F, Array);
    auto IsUnchangedIn = [&](const Loop &In) {
      return Stores.anyIn(In) && Stores.all([&](StoreInst &S) {
        return !In.contains(&S) || Places.areApartIn(*In.getHeader(), *L, S);
      });
    };
    Any |= Stores.all([&](StoreInst &S) {
      return !isPotentiallyReachable(L, &S, nullptr, &DT, &LI) ||
             Places.areApart(*L, S);
    }) || IsUnchangedIn(*Around) ||
           (Around->getParentLoop() && IsUnchangedIn(*Around->getParentLoop()));
  }
  return Any ? Places.argumentsMet().vec() : std::vector<unsigned>();
}

} // namespace retro
